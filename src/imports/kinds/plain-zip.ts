import type { Item, TakeoutKind, TakeoutSource, Unpacking } from './kind.ts'
import { filesWithin, isZipName, unpackedItem } from './nested.ts'
import { otherFiles } from './other-files.ts'

const RECORDING = /\.(?:fit|gpx|tcx|csv)(?:\.gz)?$/i

/** A ZIP of workout files in any folders, also in ZIPs within it: as if they were uploaded together. */
export const plainZip: TakeoutKind = {
  origin: 'zip',
  listed: 'a ZIP of workout files',
  names: [/\.(?:(?:fit|gpx|tcx|csv)(?:\.gz)?|zip)$/i],
  items,
}

async function* items(source: TakeoutSource, { expect }: Unpacking): AsyncGenerator<Item> {
  let count = 0
  for await (const { name } of source.entries()) if (RECORDING.test(name)) count += 1
  expect(count)
  for await (const found of filesWithin(source, (name) => RECORDING.test(name) || isZipName(name))) {
    if ('error' in found) yield found
    else yield await unpackedItem(source, found)
  }
  yield* otherFiles(source, (name) => RECORDING.test(name) || isZipName(name))
}
