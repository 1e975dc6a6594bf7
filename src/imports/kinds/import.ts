import { rm } from 'node:fs/promises'
import { addExportedMedia } from '../../features/media/exported.ts'
import type { Activity } from '../../formats/format.ts'
import { sportWord } from '../../formats/sport-words.ts'
import type { ImportOutcome } from '../../library/add-run.ts'
import type { DepsBy } from '../../library/deps.ts'
import type { Fills } from '../../library/gear-shoes.ts'
import { progressOf } from '../../library/progress.ts'
import { type OpenReceipt, openReceipt } from '../../library/receipts/record.ts'
import { baseName } from '../../zip/unpack.ts'
import { importFile } from '../files/import.ts'
import { importTotals } from '../files/import-totals.ts'
import { takeItems } from './items.ts'
import type { FileItem, TakeoutKind, TakeoutSource } from './kind.ts'
import type { TakeoutSummary } from './schemas.ts'
import { newShoes, retiredShoes, shoeIds } from './shoes.ts'
import { shownName, type Tally, tallyOf } from './tally.ts'

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
interface Importing extends Pick<TakeoutWork, 'unitM'> {
  readonly fills: Fills
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
  { title, includeDeleted, signal, unitM, createShoes }: TakeoutWork,
): Promise<TakeoutSummary> {
  const isAutomatic = base.by.isAutomatic === true || !includeDeleted
  const deps: DepsBy = { ...base, by: { ...base.by, isAutomatic } }
  let total = 0
  using progress = progressOf(deps, { kind: 'bulk', total: () => total })
  const receipt = openReceipt(base, { kind: 'import', origin: kind.origin, title })
  const tally = tallyOf(kind, receipt)
  const shoes = shoeIds(deps.db)
  let cut: ReturnType<typeof progress.stopped> = {}
  const retired = retiredShoes()
  const importing = { unitM, fills: { createShoes, retiredAtMs: retired.at }, kind, receipt, tally }
  try {
    await takeItems(deps, kind, source, {
      ...{ tally, title, signal, shoe: retired.note },
      expect: (runs) => {
        total = runs
      },
      summary: (filename, activity) => storeSummary(deps, activity, { ...importing, filename }),
      file: (item) => takeFile(deps, item, importing),
      taken: (filename) => {
        if (filename !== null) progress(filename)
      },
    })
    cut = progress.stopped()
    if (cut.stopped !== undefined) tally.fail(title, cut.stopped)
  } finally {
    tally.noteSports()
    receipt?.finish()
    for (const id of newShoes(deps.db, shoes)) deps.events.emit({ event: 'shoe.created', data: { id } })
  }
  return { ...tally.summary(newShoes(deps.db, shoes).length), ...cut }
}

/** @throws errors of disk and database, which would affect the next files as well */
async function takeFile(deps: DepsBy, item: FileItem, importing: Importing): Promise<void> {
  const { kind, unitM, fills, receipt, tally } = importing
  const filename = shownName(item.filename)
  try {
    const { outcomes, sports } = await importFile(
      deps,
      { ...item.file, filename: baseName({ name: filename }) },
      {
        ...{ origin: kind.origin, unitM, told: item.told, isQuiet: true, fills },
        noted: receipt && { receipt, filename },
        warn: (message) => tally.warn({ filename, message }),
      },
    )
    if (item.isSportCounted !== true) tally.addSports(sports)
    for (const outcome of outcomes) count(outcome, { filename, isSportCounted: item.isSportCounted ?? false, tally })
    const [only] = outcomes
    if (outcomes.length === 1 && only !== undefined && 'id' in only) {
      for (const media of item.media ?? []) {
        tally.addMedia(media.filename, await addExportedMedia(deps, () => media, { outcome: only, receipt }))
      }
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
  { filename: name, kind, unitM, fills, receipt, tally }: Importing & { readonly filename: string },
): Promise<void> {
  const filename = shownName(name)
  const noted = receipt && { receipt, filename }
  const warn = (message: string) => tally.warn({ filename, message })
  const how = { origin: kind.origin, unitM, noted, fills, warn, isQuiet: true }
  const outcome = await importTotals(deps, activity, how)
  if ('error' in outcome) tally.fail(filename, outcome.error)
  else tally.addRun(outcome.action, outcome.merged)
}
