import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeWhole } from '../../zip/unpack.ts'

export const MORE_RECORDS = 'The run has more records than can be read; the last ones were left out'

/** What gathers before it is written. */
const ROOM_BYTES = 1_048_576

/**
 * Texts of many runs in one temporary file. They arrive in any order of the runs, and are more than memory holds: what
 * gathers is sorted by run before it is written, so that each run has few pieces.
 */
export class RunSpool {
  private gathered = new Map<number, Uint8Array[]>()
  private gatheredBytes = 0
  private writtenBytes = 0
  private readonly pieces = new Map<number, { readonly start: number; readonly length: number }[]>()
  private readonly sizes = new Map<number, number>()

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
    return this.sizes.get(run) ?? 0
  }

  /** Adds bytes to a run, which must not be changed afterwards. */
  add(run: number, bytes: Uint8Array): void {
    const parts = this.gathered.get(run)
    if (parts === undefined) this.gathered.set(run, [bytes])
    else parts.push(bytes)
    this.gatheredBytes += bytes.length
    this.sizes.set(run, this.size(run) + bytes.length)
  }

  /** Writes what gathered when that is much; to be called between pieces of the export. */
  async flush(): Promise<void> {
    if (this.gatheredBytes >= ROOM_BYTES) await this.write()
  }

  private async write(): Promise<void> {
    const all = Buffer.concat([...this.gathered.values()].flat())
    for (const [run, parts] of this.gathered) {
      const length = parts.reduce((sum, part) => sum + part.length, 0)
      this.pieces.set(run, [...(this.pieces.get(run) ?? []), { start: this.writtenBytes, length }])
      this.writtenBytes += length
    }
    await writeWhole(this.file, all)
    this.gathered = new Map()
    this.gatheredBytes = 0
  }

  /** All bytes of a run in the order in which they were added; controls, which XML does not allow, become blanks. */
  async bytes(run: number): Promise<Uint8Array> {
    await this.write()
    const all = new Uint8Array(this.size(run))
    let at = 0
    for (const { start, length } of this.pieces.get(run) ?? []) {
      await this.file.read(all, at, length, start)
      at += length
    }
    return all.map((byte) => (byte < 32 && byte !== 10 && byte !== 13 && byte !== 9 ? 32 : byte))
  }

  async close(): Promise<void> {
    await this.file.close()
    await rm(this.path, { force: true })
  }
}
