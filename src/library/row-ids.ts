// Splits and best efforts have ids only for archives. An id from an archive is stored; any other is derived from the
// workout's id and the row's index, so that it is the same in every export without being stored: its column is null.

/** The id of a split or best effort: the stored one, else the derived one. */
export function splitId({ id, workoutId, idx }: { id: string | null; workoutId: string; idx: number }): string {
  return id ?? madeId(`split ${workoutId} ${idx}`)
}

/** As `splitId`. */
export function effortId(effort: { id: string | null; workoutId: string; distanceIndex: number }): string {
  return effort.id ?? madeId(`effort ${effort.workoutId} ${effort.distanceIndex}`)
}

/** UUID version 8 (RFC 9562, 5.8): the first bits of a SHA-256. @param bytes a buffer that many ids may reuse */
export function madeId(name: string, bytes = Buffer.alloc(32)): string {
  Bun.SHA256.hash(name, bytes)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex', 0, 16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
