import { link } from 'node:fs/promises'
import { join } from 'node:path'
import type { Format } from '../../../formats/format.ts'
import { goldenCheetahFormat } from '../../../formats/goldencheetah/goldencheetah.ts'
import { MAX_UNPACKED_BYTES } from '../../../formats/gzip.ts'
import { healthFormat } from '../../../formats/health/health.ts'
import { nikeFormat } from '../../../formats/nike/nike.ts'
import { polarFormat } from '../../../formats/polar/polar.ts'
import type { Item, TakeoutKind, Unpacking } from '../kind.ts'
import { filesWithin, isZipName, otherFiles, unpackedItem } from '../nested.ts'
import type { TakeoutSource } from '../source.ts'

// Exports of files that a format reads one by one.

const JSON_NAME = /\.json$/i
const RECORDING = /\.(?:fit|gpx|tcx|csv)(?:\.gz)?$/i

/** Polar Flow: a JSON file for each training session, beside daily activity and others. */
export const polarFlow = runFilesKind({
  ...{ origin: 'polar_flow', listed: 'Polar Flow' },
  ...{ format: polarFormat, named: /(?:^|\/)training-session-[^/]*\.json$/i },
})

// JSON files of any name, one a run, or one with many
export const goldenCheetah = runFilesKind({
  ...{ origin: 'goldencheetah', listed: 'GoldenCheetah', format: goldenCheetahFormat },
})
export const nike = runFilesKind({ origin: 'nike', listed: 'Nike Run Club', format: nikeFormat })
export const healthAutoExport = runFilesKind({
  ...{ origin: 'health_auto_export', listed: 'Health Auto Export', format: healthFormat },
})

/** A ZIP of workout files in any folders, also in ZIPs within it: as if they were uploaded together. */
export const plainZip: TakeoutKind = {
  origin: 'zip',
  listed: 'a ZIP of workout files',
  names: [/\.(?:(?:fit|gpx|tcx|csv)(?:\.gz)?|zip)$/i],
  items: async function* (source, { expect }) {
    let count = 0
    for await (const { name } of source.entries()) if (RECORDING.test(name)) count += 1
    expect(count)
    const isWanted = (name: string) => RECORDING.test(name) || isZipName(name)
    for await (const found of filesWithin(source, isWanted)) {
      yield 'error' in found ? found : await unpackedItem(source, found)
    }
    yield* otherFiles(source, isWanted)
  },
}

interface RunFiles extends Pick<TakeoutKind, 'origin' | 'listed'> {
  readonly format: Format
  /** Names of its files, with their folders; absent: the content of JSON files decides. */
  readonly named?: RegExp
}

/** An export of files that a format reads one by one, or such a file alone. */
function runFilesKind({ format, named, ...about }: RunFiles): TakeoutKind {
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
    const { name } = entry
    const isRunFile = named?.test(name) ?? (JSON_NAME.test(name) && format.detect(await source.headOf(entry), name))
    if (isRunFile) runFiles.add(name)
  }
  expect(runFiles.size)
  for await (const entry of source.entries()) {
    if (runFiles.has(entry.name)) yield await unpackedItem(source, { zip, entry, filename: entry.name })
  }
  yield* otherFiles(source, (name) => runFiles.has(name))
}

/** The upload as the file of an item, under a second name, since that is removed. */
async function wholeUpload({ path, filename, tmpDir }: TakeoutSource): Promise<Item> {
  const { size } = Bun.file(path)
  if (size > MAX_UNPACKED_BYTES) return { filename, error: 'The file is larger than 100 MiB' }
  const own = join(tmpDir, crypto.randomUUID())
  await link(path, own)
  return { filename, told: null, file: { path: own, size, bytes: () => Bun.file(own).bytes() } }
}
