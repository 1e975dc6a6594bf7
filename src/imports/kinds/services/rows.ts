import { type Activity, UNSAID } from '../../../formats/format.ts'
import { type Members, membersOf } from '../../../formats/json.ts'
import { arrivingRows } from '../../../formats/json-rows.ts'
import type { ZipEntry } from '../../../zip/reader.ts'
import type { FileItem, Item, Told, Unpacking } from '../kind.ts'
import { unpackedItem } from '../nested.ts'
import { messageOf, SAME_FILE, type TakeoutSource } from '../source.ts'

/** Largest list of an export, which is read as it is unpacked. */
const MOST_LIST_BYTES = 4 * 1024 ** 3

/** The rows of a JSON file that is a list, one at a time; those of one that is damaged as far as they are whole. */
export async function* listRows(
  source: TakeoutSource,
  entry: ZipEntry,
  { warn }: Pick<Unpacking, 'warn'>,
): AsyncGenerator<Members> {
  if (source.zip === null) return
  let isWarned = false
  const failed = (message: string) => {
    if (!isWarned) warn({ filename: entry.name, message })
    isWarned = true
  }
  try {
    const pieces = source.zip.read(entry, { maxBytes: MOST_LIST_BYTES })
    for await (const row of arrivingRows(pieces, null, () => failed('A row is not valid JSON'))) yield membersOf(row)
  } catch (error) {
    failed(messageOf(error))
  }
}

export interface RowRun extends Pick<FileItem, 'media'> {
  /** Shown where there is no file. */
  readonly name: string
  readonly entry: ZipEntry | null
  readonly told: Told
  readonly startedAtMs: number
  readonly totals: Activity['totals']
  /** `json_import` when absent. */
  readonly source?: Activity['source']
}

/** The file of a row's run, or without one the run from its totals. */
export async function rowItem(source: TakeoutSource, run: RowRun): Promise<Item> {
  const { entry, told, media } = run
  if (source.zip !== null && entry !== null) {
    if (!source.isFirst(entry)) return { filename: entry.name, skipped: SAME_FILE }
    const found = { zip: source.zip, entry, filename: entry.name }
    const item = await unpackedItem(source, found, told)
    return media === undefined ? item : { ...item, media }
  }
  return totalsItem(run)
}

export function totalsItem(run: Omit<RowRun, 'entry'>): Item {
  const { told, startedAtMs, totals, name: filename, source = 'json_import' } = run
  if (Number.isNaN(startedAtMs)) return { filename, error: 'The date of the run cannot be read' }
  if (totals.elapsedS === null || totals.distanceM === null) {
    return { filename, error: 'The run has neither a file nor a distance and a time' }
  }
  const { external, name, notes, rpe, runType, gear, utcOffsetMinutes } = told
  const words = { external, name, notes, rpe, runType, gear, utcOffsetMinutes }
  return { filename, summary: { ...UNSAID, ...words, startedAtMs, totals, source } }
}
