import { rm } from 'node:fs/promises'
import { paced } from '../../base/pace.ts'
import { openZip, type ZipArchive, type ZipEntry } from '../../zip/reader.ts'
import { ZipError } from '../../zip/zip-error.ts'
import type { FileItem, Item, ToldBy } from './kind.ts'
import { entriesOf, messageOf, type TakeoutSource } from './source.ts'

// ZIPs within an export, one level deep, spooled one at a time.

/** Largest ZIP within an export, and what all of them may unpack to (docs/api.md 1.5). */
const MAX_NESTED_BYTES = 20 * 1024 ** 3

/** A file within an export, in it or in a ZIP of it. */
export interface Found {
  readonly zip: ZipArchive
  readonly entry: ZipEntry
  /** The path, with that of the ZIP before it. */
  readonly filename: string
}

type FoundOrFailed = Found | { readonly filename: string; readonly error: string }

export const isZipName = (name: string) => /\.zip$/i.test(name)

/**
 * The files of an export, each ZIP in it opened in place of the file; a ZIP in that is a failure.
 * @param wants which files and ZIPs are looked at
 */
export async function* filesWithin(
  source: TakeoutSource,
  wants: (name: string) => boolean,
): AsyncGenerator<FoundOrFailed> {
  if (source.zip === null) return
  const budget = { leftBytes: MAX_NESTED_BYTES }
  for await (const entry of source.entries()) {
    if (!wants(entry.name)) continue
    if (isZipName(entry.name)) yield* filesOfNested(source, entry, { wants, budget })
    else yield { zip: source.zip, entry, filename: entry.name }
  }
}

async function* filesOfNested(
  source: TakeoutSource,
  outer: ZipEntry,
  { wants, budget }: { readonly wants: (name: string) => boolean; readonly budget: { leftBytes: number } },
): AsyncGenerator<FoundOrFailed> {
  let path: string | null = null
  let nested: ZipArchive | null = null
  try {
    path = (await source.unpacked(outer, MAX_NESTED_BYTES)).path
    nested = await openZip(path, { maxUnpackedBytes: MAX_NESTED_BYTES })
  } catch (error) {
    if (path !== null) await rm(path, { force: true })
    yield { filename: outer.name, error: messageOf(error) }
    return
  }
  try {
    // no entry unpacks to more than it declares
    budget.leftBytes -= nested.declaredBytes
    if (budget.leftBytes < 0) throw new ZipError('tooLarge', 'The ZIPs in the export are larger than 20 GiB unpacked')
    for await (const entry of paced(entriesOf(nested))) {
      const filename = `${outer.name}/${entry.name}`
      if (!wants(filename)) continue
      if (isZipName(entry.name)) yield { filename, error: 'A ZIP within a ZIP of the export is not opened' }
      else yield { zip: nested, entry, filename }
    }
  } finally {
    await nested.close()
    await rm(path, { force: true })
  }
}

type Unpacked = Pick<FileItem, 'filename' | 'file' | 'told'> | { readonly filename: string; readonly error: string }

/** Unpacks a file as an item of an export; a damaged one becomes an error item. */
export async function unpackedItem(
  source: TakeoutSource,
  { zip, entry, filename }: Found,
  told: ToldBy = null,
): Promise<Unpacked> {
  try {
    return { filename, told, file: await source.unpacked(entry, undefined, zip) }
  } catch (error) {
    return { filename, error: messageOf(error) }
  }
}

/** The files of an export that are not workouts, counted by folder. */
export async function* otherFiles(source: TakeoutSource, isWorkout: (name: string) => boolean): AsyncGenerator<Item> {
  const others = new Map<string, number>()
  for await (const { name } of source.entries()) if (!isWorkout(name)) countFile(others, name)
  yield* countedFiles(others, ['a workout', 'workouts'])
}

/** Counts a file by the folder, or the ZIP, that holds it. */
export function countFile(others: Map<string, number>, path: string): void {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')))
  others.set(folder, (others.get(folder) ?? 0) + 1)
}

export function* countedFiles(others: ReadonlyMap<string, number>, [one, many]: readonly string[]): Generator<Item> {
  for (const [folder, ignored] of others) {
    yield {
      ignored,
      folder,
      reason: ignored === 1 ? `1 file that is not ${one}` : `${ignored} files that are not ${many}`,
    }
  }
}
