import { promisify } from 'node:util'
import { gunzip, gunzipSync, type ZlibOptions } from 'node:zlib'
import { codeOf } from '../base/errors.ts'
import { FormatError } from './format.ts'
import { detectFormat, HEAD_BYTES, unknownContent } from './registry.ts'

/** Largest workout file, unpacked (docs/api.md 1.5). */
export const MAX_UNPACKED_BYTES = 100 * 1024 * 1024
/** Up to this size unpacking takes less time than another thread takes to begin. */
const SMALL_BYTES = 4 * 1024 * 1024

const gunzipped = promisify<Uint8Array, ZlibOptions, Uint8Array>(gunzip)

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/**
 * The bytes of one workout file, unpacked when its content is gzip, whatever its name.
 * @throws FormatError when it is larger than 100 MiB, cut, damaged, packed twice or, if packed, not a workout file
 */
export async function unpackedFile(bytes: Uint8Array, filename: string): Promise<Uint8Array> {
  if (!isGzip(bytes)) {
    if (bytes.length > MAX_UNPACKED_BYTES) throw tooLarge()
    return bytes
  }
  const unpacked = await unpackedGzip(bytes)
  if (isGzip(unpacked)) throw new FormatError('The file is compressed twice')
  const head = unpacked.subarray(0, HEAD_BYTES)
  if (detectFormat(head, filename) === null) throw unknownContent(head)
  return unpacked
}

/** Bounded by the size that the file claims, then, since one of several members claims only its last, by the limit. */
async function unpackedGzip(bytes: Uint8Array): Promise<Uint8Array> {
  const claimed = Math.min(claimedBytes(bytes), MAX_UNPACKED_BYTES)
  for (const most of new Set([claimed, MAX_UNPACKED_BYTES])) {
    try {
      return most <= SMALL_BYTES ? gunzipSync(bytes, inOnePiece(most)) : await gunzipped(bytes, inOnePiece(most))
    } catch (cause) {
      if (codeOf(cause) !== 'ERR_BUFFER_TOO_LARGE')
        throw new FormatError('The gzip file is cut off or damaged', { cause })
    }
  }
  throw tooLarge()
}

/** Half the time and a quarter of the garbage of many pieces; pages that are not written take no memory. */
function inOnePiece(most: number): ZlibOptions {
  return { maxOutputLength: Math.max(1, most), chunkSize: Math.max(64, most + 1) }
}

/** The size of a file when it is read: of a packed one, what the gzip trailer claims. */
export function readBytes(bytes: Uint8Array): number {
  return isGzip(bytes) ? claimedBytes(bytes) : bytes.length
}

/** The unpacked size that the gzip trailer claims. */
function claimedBytes(bytes: Uint8Array): number {
  if (bytes.length < 18) return 0
  return new DataView(bytes.buffer, bytes.byteOffset + bytes.length - 4, 4).getUint32(0, true)
}

function tooLarge(): FormatError {
  return new FormatError('The file is larger than 100 MiB unpacked')
}
