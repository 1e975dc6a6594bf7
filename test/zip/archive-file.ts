import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openZip, type ZipArchive } from '../../src/zip/reader.ts'
import type { ZipItem } from '../../src/zip/writer.ts'
import { ZipError } from '../../src/zip/zip-error.ts'

export const MIB = 1_048_576
const NO_LIMIT = { maxUnpackedBytes: Number.MAX_SAFE_INTEGER }

/** The archive in a file of its own, which has no name any more once it is open. */
export async function withZip<T>(
  bytes: Uint8Array,
  use: (zip: ZipArchive) => T | Promise<T>,
  limits = NO_LIMIT,
): Promise<T> {
  const path = join(tmpdir(), `harrier-archive-${crypto.randomUUID()}`)
  writeFileSync(path, bytes)
  const zip = await openZip(path, limits).finally(() => rmSync(path))
  return await Promise.resolve(use(zip)).finally(() => zip.close())
}

/** Each name with its text, or the kind of its failure. */
export async function contents(zip: ZipArchive, maxBytes = MIB): Promise<[string, string][]> {
  const found: [string, string][] = []
  for (const entry of zip.entries()) {
    const content = await zip.bytes(entry, maxBytes).then(
      (bytes) => new TextDecoder().decode(bytes),
      (error) => {
        if (!(error instanceof ZipError)) throw error
        return `${error.scope} ${error.kind}`
      },
    )
    found.push([entry.name, content])
  }
  return found
}

export async function* pieces(...given: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of given) yield Buffer.from(piece)
}

export async function* listed(...items: readonly ZipItem[]): AsyncGenerator<ZipItem> {
  yield* items
}
