import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openZip, type ZipArchive } from '../../src/zip/reader.ts'
import type { ZipItem } from '../../src/zip/writer.ts'
import { ZipError } from '../../src/zip/zip-error.ts'

export const MIB = 1_048_576
export const NO_LIMIT = { maxUnpackedBytes: Number.MAX_SAFE_INTEGER }

/** The archive in a file of its own, which is gone afterwards. */
export async function withZip<T>(
  bytes: Uint8Array,
  use: (zip: ZipArchive) => T | Promise<T>,
  limits = NO_LIMIT,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'harrier-archive-'))
  try {
    const path = join(folder, 'archive')
    writeFileSync(path, bytes)
    const zip = await openZip(path, limits)
    try {
      return await use(zip)
    } finally {
      await zip.close()
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
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
