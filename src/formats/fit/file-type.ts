/** Bytes at the beginning of a FIT file that hold its first message, which says what the file is. */
export const FIT_HEAD_BYTES = 512

const FILE_ID = 0
const TYPE_FIELD = 0

/**
 * The type of a FIT file by its first message (FIT protocol, file_id.type), such as 4 for an activity.
 * @param head the beginning of the file
 * @returns null when it is not stated there
 */
export function fitFileType(head: Uint8Array): number | null {
  if (head.length < 12 || String.fromCharCode(...head.subarray(8, 12)) !== '.FIT') return null
  const at = head[0]!
  const [header, , architecture] = head.subarray(at, at + 3)
  // a definition comes first, of the message that follows it
  if (header === undefined || (header & 0xc0) !== 0x40) return null
  const [low = 0, high = 0, count = 0] = head.subarray(at + 3, at + 6)
  if ((architecture === 1 ? low * 256 + high : high * 256 + low) !== FILE_ID) return null
  const fields = head.subarray(at + 6, at + 6 + 3 * count)
  const ofDevelopers = (header & 0x20) === 0 ? 0 : 1 + 3 * (head[at + 6 + 3 * count] ?? 0)
  let value = at + 6 + 3 * count + ofDevelopers + 1
  for (let field = 0; field + 2 < fields.length; field += 3) {
    if (fields[field] === TYPE_FIELD) return head[value] ?? null
    value += fields[field + 1]!
  }
  return null
}
