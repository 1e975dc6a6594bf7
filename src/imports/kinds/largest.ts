import { HEAD_BYTES } from '../../formats/registry.ts'
import type { ZipEntry } from '../../zip/reader.ts'
import type { TakeoutSource } from './kind.ts'
import { messageOf } from './nested.ts'

// The largest files of an export, by whose beginnings it is recognised: they hold its runs, whatever they are called.

const MOST_LOOKED_INTO = 16

/** The largest files of a ZIP that have such a name, the largest first. */
export async function largestFiles(source: TakeoutSource, name: RegExp): Promise<readonly ZipEntry[]> {
  const files: ZipEntry[] = []
  for await (const entry of source.entries()) if (name.test(entry.name)) keepLargest(files, entry)
  return files
}

/** The first bytes of a file; none of a damaged one. */
export async function headOf(source: TakeoutSource, entry: ZipEntry, bytes = HEAD_BYTES): Promise<Uint8Array> {
  try {
    return await source.headOf(entry, bytes)
  } catch (error) {
    messageOf(error)
    return new Uint8Array(0)
  }
}

/** Puts a file into its place among the largest, unless it is smaller than all of them. */
export function keepLargest(files: ZipEntry[], entry: ZipEntry): void {
  const at = files.findIndex(({ size }) => size < entry.size)
  if (at < 0 && files.length === MOST_LOOKED_INTO) return
  files.splice(at < 0 ? files.length : at, 0, entry)
  files.length = Math.min(files.length, MOST_LOOKED_INTO)
}
