import { createGunzip, gunzipSync } from 'node:zlib'
import { FormatError } from './format.ts'
import { detectFormat, HEAD_BYTES, unknownContent } from './registry.ts'

/** Largest workout file, unpacked (docs/api.md 1.5). */
export const MAX_UNPACKED_BYTES = 100 * 1024 * 1024

const CHUNK_BYTES = 256 * 1024
/** Up to this size unpacked chunks are joined; larger content goes into one buffer, so that nothing is held twice. */
const SMALL_BYTES = 4 * 1024 * 1024

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/**
 * The bytes of one workout file, unpacked when its content is gzip, whatever its name. Unknown content ends the work
 * once 64 KiB are unpacked, so that a decompression bomb costs no more.
 * @throws FormatError when it is larger than 100 MiB, cut, damaged, packed twice or not a workout file
 */
export async function unpackedFile(bytes: Uint8Array, filename: string): Promise<Uint8Array> {
  if (!isGzip(bytes)) {
    if (bytes.length > MAX_UNPACKED_BYTES) throw tooLarge()
    return bytes
  }
  const small = unpackedAtOnce(bytes)
  if (small !== null) {
    expectKnown(small, filename)
    return small
  }
  const collected = new Collected(sizeHint(bytes))
  let known = false
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
  try {
    gunzip.end(bytes)
    for await (const chunk of gunzip) {
      collected.add(chunk as Uint8Array)
      if (!known && collected.length >= HEAD_BYTES) {
        expectKnown(collected.bytes(), filename)
        known = true
      }
    }
  } catch (error) {
    if (error instanceof FormatError) throw error
    throw new FormatError('The gzip file is cut off or damaged', { cause: error })
  } finally {
    gunzip.destroy()
  }
  const unpacked = collected.bytes()
  if (!known) expectKnown(unpacked, filename)
  return unpacked
}

/** The bytes of a known workout file, unpacked when it is gzip; null: more than `most`, or damaged. */
export function unpackedWithin(bytes: Uint8Array, most: number): Uint8Array | null {
  if (!isGzip(bytes)) return bytes.length > most ? null : bytes
  try {
    return gunzipSync(bytes, { maxOutputLength: most, chunkSize: CHUNK_BYTES })
  } catch {
    return null
  }
}

/**
 * Unpacks in one piece of the claimed size, in half the time and a quarter of the garbage of streaming; null: it is
 * large or wrong, and streaming finds the reason.
 */
function unpackedAtOnce(bytes: Uint8Array): Uint8Array | null {
  const size = sizeHint(bytes)
  if (size === 0 || size > SMALL_BYTES) return null
  try {
    return gunzipSync(bytes, { maxOutputLength: size, chunkSize: Math.max(64, size + 1) })
  } catch {
    return null
  }
}

function expectKnown(unpacked: Uint8Array, filename: string): void {
  if (isGzip(unpacked)) throw new FormatError('The file is compressed twice')
  const head = unpacked.subarray(0, HEAD_BYTES)
  if (detectFormat(head, filename) === null) throw unknownContent(head)
}

/** The unpacked size that the gzip trailer claims; used to reserve memory, but not trusted. */
function sizeHint(bytes: Uint8Array): number {
  if (bytes.length < 18) return 0
  return new DataView(bytes.buffer, bytes.byteOffset + bytes.length - 4, 4).getUint32(0, true)
}

class Collected {
  length = 0
  private buffer = new Uint8Array(CHUNK_BYTES)

  constructor(private readonly hint: number) {}

  add(chunk: Uint8Array): void {
    const length = this.length + chunk.length
    if (length > MAX_UNPACKED_BYTES) throw tooLarge()
    if (length > this.buffer.length) this.grow(length)
    this.buffer.set(chunk, this.length)
    this.length = length
  }

  bytes(): Uint8Array {
    return this.buffer.subarray(0, this.length)
  }

  /** Doubles while small, then reserves what is claimed, else the limit, since untouched pages take no memory. */
  private grow(needed: number): void {
    let size = Math.max(this.buffer.length * 2, needed)
    if (size > SMALL_BYTES)
      size = this.hint >= needed && this.hint <= MAX_UNPACKED_BYTES ? this.hint : MAX_UNPACKED_BYTES
    const larger = new Uint8Array(size)
    larger.set(this.bytes())
    this.buffer = larger
  }
}

function tooLarge(): FormatError {
  return new FormatError('The file is larger than 100 MiB unpacked')
}
