import { rm } from 'node:fs/promises'
import type { DepsBy } from '../deps.ts'
import { isDiskFull, reasonOf } from '../disk-full.ts'
import { type Progress, progressOf } from '../events/progress.ts'
import { type Activity, FormatError } from '../formats/format.ts'
import { sportWord } from '../formats/sport-words.ts'
import { createYoungCollector } from '../garbage.ts'
import { type ImportOutcome, RUNS_A_GROUP } from '../library/add-run.ts'
import { isRunAt } from '../library/ids.ts'
import { type OpenReceipt, openReceipt } from '../library/receipts/record.ts'
import { importFile } from '../workouts/import.ts'
import { importTotals } from '../workouts/import-totals.ts'
import { ZipError } from '../zip/zip-error.ts'
import { createAtOnce } from './at-once.ts'
import type { FileItem, Item, TakeoutKind, TakeoutSource } from './kind.ts'
import { addMedia } from './media.ts'
import type { TakeoutSummary } from './schemas.ts'
import { newShoes, shoeIds } from './shoes.ts'
import { shownName, type Tally, tallyOf } from './tally.ts'

/** Files that are read and stored at once, so that two cores have work. */
export const AT_ONCE = 3
/** A file leaves some hundred KB, a photo its size; the collector on its own removes none of it during the work. */
const GARBAGE = { young: RUNS_A_GROUP, all: 64 * RUNS_A_GROUP, mostGrownBytes: 8_388_608 }
const ENDED_EARLY = 'The import ended early because of an unexpected error; it can be repeated'

export interface TakeoutWork {
  /** Length of a split, metres. */
  readonly unitM: number
  readonly createShoes: boolean
  /** Whether runs that the runner deleted are imported again. */
  readonly includeDeleted: boolean
  /** When aborted, the import ends before the next run. */
  readonly signal: AbortSignal
  readonly title: string
}

/** What the items of an export have in common. */
interface Importing extends Pick<TakeoutWork, 'unitM' | 'createShoes'> {
  readonly kind: TakeoutKind
  readonly receipt: OpenReceipt | null
  readonly tally: Tally
}

/**
 * Imports the runs of an export; each is committed alone, and one that cannot be read does not affect others. When it
 * ends early, the summary says so; repeated, it continues there.
 * @throws FormatError when the export has nothing to import, as its receipt notes
 */
export async function importTakeout(
  base: DepsBy,
  source: TakeoutSource,
  kind: TakeoutKind,
  { title, includeDeleted, signal, ...how }: TakeoutWork,
): Promise<TakeoutSummary> {
  const isAutomatic = base.by.isAutomatic === true || !includeDeleted
  const deps: DepsBy = { ...base, by: { ...base.by, isAutomatic } }
  const receipt = openReceipt(base, { kind: 'import', origin: kind.origin, title })
  const tally = tallyOf(kind, receipt)
  const shoes = shoeIds(deps.db)
  let total = 0
  using progress = progressOf(deps, { kind: 'bulk', total: () => total })
  const collect = createYoungCollector(GARBAGE)
  const { each, settled } = createAtOnce(AT_ONCE)
  const expect = (runs: number) => {
    total = runs
  }
  const hasRunAt = (startMs: number, endMs: number) => isRunAt(deps.db, startMs, endMs)
  const unpacking = { nowMs: deps.now(), signal, expect, settled, hasRunAt, warn: tally.warn }
  const importing = { ...how, kind, receipt, tally }
  const take = async (item: Item) => {
    await takeItem(deps, item, importing, progress)
    collect()
  }
  try {
    await each(kind.items(source, unpacking), take, signal)
  } catch (error) {
    const reason = endOf(deps, error)
    tally.fail(title, reason)
    if (error instanceof FormatError && tally.processed() === 1) throw error
  } finally {
    tally.noteSports()
    receipt?.finish()
    for (const id of newShoes(deps.db, shoes)) deps.events.emit({ event: 'shoe.created', data: { id } })
  }
  return tally.summary(newShoes(deps.db, shoes).length)
}

/** Why the import ended before its last run. */
export function endOf({ log }: Pick<DepsBy, 'log'>, error: unknown): string {
  if (error instanceof FormatError || error instanceof ZipError) return error.message
  if (!isDiskFull(error)) log.error('The import of an export ended early', error)
  return reasonOf(error, ENDED_EARLY)
}

async function takeItem(deps: DepsBy, item: Item, importing: Importing, progress: Progress): Promise<void> {
  const { tally } = importing
  if ('sport' in item) return tally.addSport(item.sport)
  if ('ignored' in item) return tally.ignore(item.ignored, item.folder, item.reason)
  if ('error' in item) tally.fail(item.filename, item.error)
  else if ('skipped' in item) tally.pass(item.filename, item.skipped)
  else if ('summary' in item) await storeSummary(deps, item.summary, { ...importing, filename: item.filename })
  else await takeFile(deps, item, importing)
  progress(item.filename)
}

/** @throws errors of disk and database, which would affect the next files as well */
async function takeFile(deps: DepsBy, item: FileItem, importing: Importing): Promise<void> {
  const { kind, unitM, createShoes, receipt, tally } = importing
  const filename = shownName(item.filename)
  try {
    const { outcomes, skippedOther } = await importFile(
      deps,
      { ...item.file, filename: baseName(filename) },
      {
        ...{ origin: kind.origin, unitM, told: item.told, isQuiet: true, fills: { createShoes } },
        noted: receipt && { receipt, filename },
      },
    )
    if (skippedOther > 0 && item.isSportCounted !== true) tally.addSport('other', skippedOther)
    for (const outcome of outcomes) count(outcome, { filename, isSportCounted: item.isSportCounted ?? false, tally })
    const [only] = outcomes
    if (outcomes.length === 1 && only !== undefined && 'id' in only) {
      await addMedia(deps, item.media ?? [], { outcome: only, receipt, tally })
    }
  } finally {
    if (item.file.path !== null) await rm(item.file.path, { force: true })
  }
}

interface Counting {
  readonly filename: string
  readonly isSportCounted: boolean
  readonly tally: Tally
}

function count(outcome: ImportOutcome, { filename, isSportCounted, tally }: Counting): void {
  if ('action' in outcome) tally.addRun(outcome.action, outcome.merged)
  else if (outcome.sport === undefined) tally.fail(filename, outcome.error)
  else if (!isSportCounted) tally.addSport(sportWord(outcome.sport))
}

async function storeSummary(
  deps: DepsBy,
  activity: Activity,
  { filename: name, kind, unitM, createShoes, receipt, tally }: Importing & { readonly filename: string },
): Promise<void> {
  const filename = shownName(name)
  const noted = receipt && { receipt, filename }
  const how = { origin: kind.origin, unitM, noted, fills: { createShoes }, isQuiet: true }
  const outcome = await importTotals(deps, activity, how)
  if ('error' in outcome) tally.fail(filename, outcome.error)
  else tally.addRun(outcome.action, outcome.merged)
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
