import { crc16 } from '../fixtures/fit-writer.ts'
import type { Random } from './random.ts'

/** A message of a FIT file with its place; for a definition also what it defines. */
interface Message {
  readonly start: number
  readonly end: number
  readonly isDefinition: boolean
}

const MAGIC = [0x2e, 0x46, 0x49, 0x54]
const BASE_TYPES = [
  0x00, 0x01, 0x02, 0x83, 0x84, 0x85, 0x86, 0x07, 0x88, 0x89, 0x0a, 0x8b, 0x8c, 0x0d, 0x8e, 0x8f, 0x90,
]

export function isFit(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, at) => bytes[8 + at] === byte)
}

/** The file with one message changed, doubled, moved or gone; its frame is repaired or left, as chance wants. */
export function mutatedFit(bytes: Uint8Array, random: Random): Uint8Array {
  const messages = messagesOf(bytes)
  if (messages.length === 0) return bytes
  // definitions decide what everything after them means
  const definitions = messages.filter(({ isDefinition }) => isDefinition)
  const message = definitions.length > 0 && random.chance(0.4) ? random.of(definitions) : random.of(messages)
  const other = random.of(messages)
  const own = bytes.subarray(message.start, message.end)
  const before = bytes.subarray(0, message.start)
  const after = bytes.subarray(message.end)
  const kind = random.below(6)
  if (kind === 0) return Buffer.concat([before, after])
  if (kind === 1) return Buffer.concat([before, ...Array(1 + random.below(30)).fill(own), after])
  if (kind === 2) return Buffer.concat([before, bytes.subarray(other.start, other.end), after])
  const changed = own.slice()
  if (message.isDefinition && kind === 3 && changed.length > 6) {
    // of field after field: its number, its size, its base type
    const field = 6 + 3 * random.below(Math.floor((changed.length - 6) / 3))
    changed[field] = random.of([253, 254, 0, 1, 2, 3, 5, 6, 7, 78, changed[field]!])
    if (random.chance(0.5)) changed[field + 1] = random.of([0, 1, 2, 3, 4, 8, 255])
    if (random.chance(0.5)) changed[field + 2] = random.of(BASE_TYPES)
  } else if (kind === 4 && changed.length > 4) {
    // a whole number of 32 bits at its least or largest
    const view = new DataView(changed.buffer)
    const at = random.below(changed.length - 4)
    view.setUint32(at, random.of([0, 1, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, 0x10000000]), true)
  } else {
    changed[random.below(changed.length)] = random.of([0, 1, 0x7f, 0x80, 0xfe, 0xff, random.below(256)])
  }
  return Buffer.concat([before, changed, after])
}

/** The same body under a header and a checksum that fit it. */
export function reframed(bytes: Uint8Array): Uint8Array {
  if (!isFit(bytes) || bytes.length < 16) return bytes
  const file = bytes.slice()
  const view = new DataView(file.buffer)
  const headerSize = file[0] === 12 ? 12 : 14
  view.setUint32(4, file.length - headerSize - 2, true)
  if (headerSize === 14) view.setUint16(12, crc16(file.subarray(0, 12)), true)
  view.setUint16(file.length - 2, crc16(file.subarray(0, file.length - 2)), true)
  return file
}

function messagesOf(bytes: Uint8Array): Message[] {
  const messages: Message[] = []
  const sizes = new Map<number, number>()
  for (let at = bytes[0] ?? 0; at < bytes.length - 2; ) {
    const head = bytes[at] ?? 0
    const isDefinition = (head & 0xc0) === 0x40
    const local = head & 0x80 ? (head >> 5) & 3 : head & 15
    let end = at + 1 + (sizes.get(local) ?? Number.POSITIVE_INFINITY)
    if (isDefinition) {
      const fields = bytes[at + 5] ?? 0
      const developer = head & 0x20 ? (bytes[at + 6 + 3 * fields] ?? 0) : 0
      end = at + 6 + 3 * fields + (head & 0x20 ? 1 + 3 * developer : 0)
      let size = 0
      for (let field = 0; field < fields; field += 1) size += bytes[at + 7 + 3 * field] ?? 0
      for (let field = 0; field < developer; field += 1) size += bytes[at + 8 + 3 * (fields + field)] ?? 0
      sizes.set(local, size)
    }
    if (end > bytes.length - 2) break
    messages.push({ start: at, end, isDefinition })
    at = end
  }
  return messages
}
