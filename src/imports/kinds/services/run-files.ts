import { link } from 'node:fs/promises'
import { join } from 'node:path'
import type { Format } from '../../../formats/format.ts'
import { MAX_UNPACKED_BYTES } from '../../../formats/gzip.ts'
import type { ZipEntry } from '../../../zip/reader.ts'
import type { Item, TakeoutKind, TakeoutSource, Unpacking } from '../kind.ts'
import { headOf } from '../largest.ts'
import { unpackedItem } from '../nested.ts'
import { otherFiles } from '../other-files.ts'

const JSON_NAME = /\.json$/i

interface RunFiles extends Pick<TakeoutKind, 'origin' | 'listed'> {
  /** Reads its files. */
  readonly format: Format
  /** Names of its files, with their folders; absent: the content of JSON files decides. */
  readonly named?: RegExp
}

/** An export of files that a format reads one by one, or such a file alone. */
export function runFilesKind({ format, named, ...about }: RunFiles): TakeoutKind {
  return {
    ...about,
    ...(named === undefined ? { looksInto: JSON_NAME } : { names: [named] }),
    begins: format.detect,
    items: (source, unpacking) => items(source, unpacking, { format, named }),
  }
}

async function* items(
  source: TakeoutSource,
  { expect }: Unpacking,
  { format, named }: { readonly format: Format; readonly named: RegExp | undefined },
): AsyncGenerator<Item> {
  const { zip } = source
  if (zip === null) {
    expect(1)
    yield await wholeUpload(source)
    return
  }
  const runFiles = new Set<string>()
  for await (const entry of source.entries()) {
    const isRunFile = named === undefined ? await isOf(source, entry, format) : named.test(entry.name)
    if (isRunFile) runFiles.add(entry.name)
  }
  expect(runFiles.size)
  for await (const entry of source.entries()) {
    if (!runFiles.has(entry.name)) continue
    yield await unpackedItem(source, { zip, entry, filename: entry.name })
  }
  yield* otherFiles(source, (name) => runFiles.has(name))
}

/** The upload as the file of an item, under a second name, since that is removed. */
async function wholeUpload({ path, size, filename, tmpDir }: TakeoutSource): Promise<Item> {
  if (size > MAX_UNPACKED_BYTES) return { filename, error: 'The file is larger than 100 MiB' }
  const own = join(tmpDir, crypto.randomUUID())
  await link(path, own)
  return { filename, told: null, file: { path: own, size, bytes: () => Bun.file(own).bytes() } }
}

async function isOf(source: TakeoutSource, entry: ZipEntry, format: Format): Promise<boolean> {
  return JSON_NAME.test(entry.name) && format.detect(await headOf(source, entry), entry.name)
}
