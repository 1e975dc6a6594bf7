import { MAX_UNPACKED_BYTES } from '../formats/gzip.ts'
import type { Item, TakeoutKind, TakeoutSource, Unpacking } from './kind.ts'
import { filesWithin, isZipName, unpackedItem } from './nested.ts'

const RECORDING = /\.(?:fit|gpx|tcx|csv)(?:\.gz)?$/i

/** A ZIP of workout files in any folders, also in ZIPs within it: as if they were uploaded together. */
export const plainZip: TakeoutKind = {
  origin: 'zip',
  name: 'ZIP of workout files',
  listed: 'a ZIP of workout files',
  recognises: ({ zip, entries }) => zip !== null && isAny(entries(), (name) => RECORDING.test(name) || isZipName(name)),
  items,
}

function isAny(entries: Iterable<{ readonly name: string }>, wants: (name: string) => boolean): boolean {
  for (const { name } of entries) if (wants(name)) return true
  return false
}

async function* items(source: TakeoutSource, { expect }: Unpacking): AsyncGenerator<Item> {
  let count = 0
  for (const { name } of source.entries()) if (RECORDING.test(name)) count += 1
  expect(count)
  const others = new Map<string, number>()
  for (const { name } of source.entries()) {
    if (RECORDING.test(name) || isZipName(name)) continue
    const folder = name.slice(0, Math.max(0, name.lastIndexOf('/')))
    others.set(folder, (others.get(folder) ?? 0) + 1)
  }
  for await (const found of filesWithin(source, (name) => RECORDING.test(name) || isZipName(name))) {
    if ('error' in found) yield found
    else yield await unpackedItem(source, found, { told: null, maxBytes: MAX_UNPACKED_BYTES })
  }
  for (const [folder, ignored] of others) yield { ignored, folder, reason: ignoredText(ignored) }
}

function ignoredText(count: number): string {
  return count === 1 ? '1 file that is not a workout' : `${count} files that are not workouts`
}
