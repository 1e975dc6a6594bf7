import { link } from 'node:fs/promises'
import { join } from 'node:path'
import type { Format } from '../../formats/format.ts'
import { MAX_UNPACKED_BYTES } from '../../formats/gzip.ts'
import { HEAD_BYTES } from '../../formats/registry.ts'
import type { ZipEntry } from '../../zip/reader.ts'
import { baseName } from '../../zip/unpack.ts'
import type { Item, TakeoutKind, TakeoutSource, Unpacking } from '../kind.ts'
import { messageOf, unpackedItem } from '../nested.ts'
import { otherFiles } from '../other-files.ts'

/** Files whose beginning is looked at to recognise an export. */
const MOST_LOOKED_AT = 16
const JSON_NAME = /\.json$/i

interface RunFiles extends Pick<TakeoutKind, 'origin' | 'listed'> {
  /** Reads its files. */
  readonly format: Format
  /** Names of its files; absent: the content of JSON files decides. */
  readonly named?: RegExp
}

/** An export of files that a format reads one by one, or such a file alone. */
export function runFilesKind({ format, named, ...about }: RunFiles): TakeoutKind {
  return {
    ...about,
    recognises: async (source) => {
      if (source.zip === null) return format.detect(source.head, source.filename)
      if (named !== undefined) return isAny(source.entries(), (entry) => named.test(baseName(entry)))
      return await isAmongFirst(source, format)
    },
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
  for (const entry of source.entries()) {
    const isRunFile = named === undefined ? await isOf(source, entry, format) : named.test(baseName(entry))
    if (isRunFile) runFiles.add(entry.name)
  }
  expect(runFiles.size)
  for (const entry of source.entries()) {
    if (!runFiles.has(entry.name)) continue
    const found = { zip, entry, filename: entry.name }
    yield await unpackedItem(source, found, { told: null, maxBytes: MAX_UNPACKED_BYTES })
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

async function isAmongFirst(source: TakeoutSource, format: Format): Promise<boolean> {
  let looked = 0
  for (const entry of source.entries()) {
    if (!JSON_NAME.test(entry.name)) continue
    if (await isOf(source, entry, format)) return true
    looked += 1
    if (looked === MOST_LOOKED_AT) return false
  }
  return false
}

async function isOf(source: TakeoutSource, entry: ZipEntry, format: Format): Promise<boolean> {
  if (!JSON_NAME.test(entry.name)) return false
  try {
    return format.detect(await source.headOf(entry, HEAD_BYTES), entry.name)
  } catch (error) {
    messageOf(error)
    return false
  }
}

function isAny<T>(values: Iterable<T>, passes: (value: T) => boolean): boolean {
  for (const value of values) if (passes(value)) return true
  return false
}
