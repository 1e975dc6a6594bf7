import { paced } from '../base/pace.ts'

/** The bytes of a file that the Worker wrote. */
export interface WrittenFile {
  /** Size of the file, bytes. */
  readonly size: number
  /** Each piece is compressed separately with zstd. */
  readonly isPacked: boolean
  /** Each has a buffer of its own, which can be transferred. */
  readonly pieces: readonly Uint8Array<ArrayBuffer>[]
}

/** A larger file is packed as it is written: the one of a day at ten points a second has 170 MB. */
const MOST_PLAIN_BYTES = 4 * 1_048_576
/** Most bytes that are packed, and unpacked, at once. */
const PIECE_BYTES = 262_144

/** Holds the pieces of a file as they are written, packed when they are many, so that a long file never exists as a whole. */
export function heldFile(written: Iterable<Uint8Array<ArrayBuffer>>): WrittenFile {
  let pieces: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  let isPacked = false
  for (const piece of written) {
    size += piece.length
    if (isPacked) pushPacked(pieces, piece)
    else pieces.push(piece)
    if (!isPacked && size > MOST_PLAIN_BYTES) {
      const plain = pieces
      pieces = []
      for (const one of plain) pushPacked(pieces, one)
      isPacked = true
    }
  }
  return { size, isPacked, pieces }
}

function pushPacked(pieces: Uint8Array<ArrayBuffer>[], piece: Uint8Array<ArrayBuffer>): void {
  for (let from = 0; from < piece.length; from += PIECE_BYTES) {
    // a copy, since the compressor's buffer is as large as the piece
    pieces.push(Uint8Array.from(Bun.zstdCompressSync(piece.subarray(from, from + PIECE_BYTES), { level: 1 })))
  }
}

/** The bytes of the file in order; pauses so that other requests are answered meanwhile. */
export async function* bytesOf({ pieces, isPacked }: WrittenFile): AsyncGenerator<Uint8Array, void> {
  if (!isPacked) return yield* pieces
  for await (const piece of paced(pieces)) yield Bun.zstdDecompressSync(piece)
}
