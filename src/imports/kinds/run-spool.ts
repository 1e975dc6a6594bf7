import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'

export const MORE_RECORDS = 'The run has more records than can be read; the last ones were left out'

/** What gathers before it is written. */
const ROOM_BYTES = 1_048_576

interface Piece {
  readonly start: number
  readonly length: number
}

/**
 * Texts of many runs in one temporary file. They arrive in any order of the runs, and are more than memory holds: what
 * gathers is sorted by run before it is written, so that each run has few pieces.
 */
export class RunSpool {
  private room = new Uint8Array(2 * ROOM_BYTES)
  private filled = 0
  private written = 0
  private readonly gathered = new Map<number, Piece[]>()
  private readonly pieces: Piece[][] = []
  private readonly sizes: number[] = []

  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
  ) {}

  static async open(tmpDir: string): Promise<RunSpool> {
    const path = join(tmpDir, crypto.randomUUID())
    return new RunSpool(path, await open(path, 'wx+', 0o600))
  }

  /** Bytes of a run so far. */
  size(run: number): number {
    return this.sizes[run] ?? 0
  }

  /** Adds bytes to a run; controls, which XML does not allow, become blanks. */
  add(run: number, bytes: Uint8Array): void {
    if (this.filled + bytes.length > this.room.length) {
      const larger = new Uint8Array(2 * (this.filled + bytes.length))
      larger.set(this.room.subarray(0, this.filled))
      this.room = larger
    }
    const { room, filled: start } = this
    for (let k = 0; k < bytes.length; k += 1) {
      const byte = bytes[k]!
      room[start + k] = byte < 32 && byte !== 10 && byte !== 13 && byte !== 9 ? 32 : byte
    }
    this.filled += bytes.length
    this.sizes[run] = this.size(run) + bytes.length
    const pieces = this.gathered.get(run)
    const last = pieces?.at(-1)
    if (pieces === undefined) this.gathered.set(run, [{ start, length: bytes.length }])
    else if (last !== undefined && last.start + last.length === start) {
      pieces[pieces.length - 1] = { start: last.start, length: last.length + bytes.length }
    } else pieces.push({ start, length: bytes.length })
  }

  /** Writes what gathered when that is much; to be called between pieces of the export. */
  async settle(isLast = false): Promise<void> {
    if (this.filled < ROOM_BYTES && !isLast) return
    const sorted = new Uint8Array(this.filled)
    let at = 0
    for (const [run, pieces] of this.gathered) {
      const begun = at
      for (const { start, length } of pieces) {
        sorted.set(this.room.subarray(start, start + length), at)
        at += length
      }
      const piece = { start: this.written + begun, length: at - begun }
      this.pieces[run] = [...(this.pieces[run] ?? []), piece]
    }
    for (let done = 0; done < at; ) done += (await this.file.write(sorted, done, at - done)).bytesWritten
    this.written += at
    this.filled = 0
    this.gathered.clear()
  }

  /** All bytes of a run in the order in which they were added. */
  async bytes(run: number): Promise<Uint8Array> {
    const all = new Uint8Array(this.size(run))
    let at = 0
    for (const { start, length } of this.pieces[run] ?? []) {
      await this.file.read(all, at, length, start)
      at += length
    }
    return all
  }

  async close(): Promise<void> {
    await this.file.close()
    await rm(this.path, { force: true })
  }
}
