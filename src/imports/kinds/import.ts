import { rm } from 'node:fs/promises'
import { reasonOf } from '../../db/disk-full.ts'
import type { Tx } from '../../db/open.ts'
import { addExportedMedia } from '../../features/media/exported.ts'
import { shoesFound } from '../../features/shoes/queries.ts'
import { FormatError } from '../../formats/format.ts'
import { sportWord } from '../../formats/sport-words.ts'
import type { UploadedFile } from '../../http/multipart.ts'
import type { ImportOutcome, RunOrigin } from '../../library/add-run.ts'
import type { DepsBy } from '../../library/deps.ts'
import { gearKey } from '../../library/gear.ts'
import { progressOf } from '../../library/progress.ts'
import { type OpenReceipt, openReceipt } from '../../library/receipts/record.ts'
import { ZipError } from '../../zip/zip-error.ts'
import { importFile } from '../files/import.ts'
import { importTotals } from '../files/import-totals.ts'
import { fileOf, takeItems } from './items.ts'
import type { Counted, FileItem, Item, ItemOfRun, TakeoutKind, TakeoutSource } from './kind.ts'
import type { TakeoutSummary } from './schemas.ts'
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
  /** What the table of the export lists, if it has one. */
  readonly counted?: Counted | undefined
}

/** What the items of an export have in common. */
interface Importing extends Pick<RunOrigin, 'unitM' | 'fills'> {
  readonly kind: TakeoutKind
  readonly receipt: OpenReceipt | null
  readonly tally: Tally
}

/**
 * Imports the runs of an export in their order; each is committed alone, and one that cannot be read does not affect
 * others. When it ends early, the summary says so; repeated, it continues there.
 * @throws FormatError when the export has nothing to import, as its receipt notes
 */
export async function importTakeout(
  base: DepsBy,
  source: TakeoutSource,
  kind: TakeoutKind,
  { title, includeDeleted, signal: left, unitM, createShoes, counted }: TakeoutWork,
): Promise<TakeoutSummary> {
  const isListed = kind.table !== undefined
  const isAutomatic = base.by.isAutomatic === true || !(includeDeleted || isListed)
  const deps: DepsBy = { ...base, by: { ...base.by, isAutomatic } }
  let total = counted?.runs ?? 0
  using progress = progressOf(deps, { kind: 'bulk', total: isListed ? total : () => total })
  const receipt = openReceipt(base, { kind: 'import', origin: kind.origin, title })
  const tally = tallyOf(kind, receipt, counted)
  const shoes = shoeIds(deps.db)
  const whole = kind.table?.name ?? title
  let cut: ReturnType<typeof progress.stopped> = {}
  const retired = retiredShoes()
  const fills = isListed ? undefined : { createShoes, retiredAtMs: retired.at }
  const importing: Importing = { unitM, ...(fills && { fills }), kind, receipt, tally }
  try {
    await takeItems(deps, kind, source, {
      ...{ tally, title: whole, signal: AbortSignal.any([left, deps.events.closed]), shoe: retired.note },
      expect: (runs) => {
        total = runs
      },
      summary: (item) => takeSummary(deps, item, importing),
      outcome: (item) => count(deps, item, [item.outcome], importing),
      file: (item, before) => takeFile(deps, item, { ...importing, before }),
      taken: (filename) => {
        if (filename !== null) progress(filename)
      },
    })
    cut = progress.stopped()
    if (cut.stopped !== undefined) tally.fail(whole, cut.stopped)
  } finally {
    tally.noteSports()
    receipt?.finish()
    for (const id of newShoes(deps.db, shoes)) deps.events.emit({ event: 'shoe.created', data: { id } })
  }
  const found = tally.gear.size === 0 ? [] : shoesFound(deps.db).filter(({ name }) => tally.gear.has(gearKey(name)))
  return {
    ...tally.summary(newShoes(deps.db, shoes).length),
    ...(found.length > 0 ? { shoesFound: found } : {}),
    ...cut,
  }
}

/** @throws errors of disk and database, which would affect the next files as well, but for rows of a table */
async function takeFile(
  deps: DepsBy,
  item: FileItem,
  { before, ...importing }: Importing & { readonly before: Promise<void> },
): Promise<void> {
  const { kind, unitM, fills, receipt, tally } = importing
  const filename = shownName(item.filename)
  let file: UploadedFile | null = null
  try {
    file = await fileOf(item)
    const { outcomes, sports } = await importFile(deps, file, {
      ...{ origin: kind.origin, unitM, told: item.told, row: item.row, isQuiet: true, before, ...(fills && { fills }) },
      noted: receipt && { receipt, filename },
      warn: (message) => tally.warn({ filename, message }),
    })
    await before
    if (item.isSportCounted !== true) tally.addSports(sports)
    if (outcomes[0] !== undefined) item.done?.(outcomes[0])
    await count(deps, item, outcomes, importing)
  } catch (error) {
    await before
    if (file === null && (error instanceof FormatError || error instanceof ZipError)) {
      item.done?.({ error: error.message })
      tally.fail(filename, error.message, item.row)
    } else failAlone(deps, item, tally, error, file === null ? 'The file could not be read' : UNSTORED)
  } finally {
    if (file !== null && file.path !== null) await rm(file.path, { force: true })
  }
}

const UNSTORED = 'The workout could not be stored'

/** A row of a table fails for itself. @throws the error of any other item */
function failAlone(
  { log, damage }: DepsBy,
  { filename, row }: ItemOfRun,
  tally: Tally,
  error: unknown,
  otherwise: string,
): void {
  if (row === undefined) throw error
  log.error('A run of an export could not be read or stored', error)
  tally.fail(filename, reasonOf(error, otherwise, damage), row)
}

/** Counts what became of an item, and adds its photos and videos. */
async function count(
  deps: DepsBy,
  item: ItemOfRun & Pick<FileItem, 'isSportCounted'>,
  outcomes: readonly ImportOutcome[],
  { tally, receipt }: Importing,
): Promise<void> {
  for (const outcome of outcomes) {
    if ('action' in outcome) tally.addRun(outcome.action, outcome.merged, item.row)
    else if (outcome.sport === undefined) tally.fail(item.filename, outcome.error, item.row)
    else if (item.isSportCounted !== true) tally.addSport(sportWord(outcome.sport))
  }
  const [only] = outcomes
  if (outcomes.length !== 1 || only === undefined || !('id' in only)) return
  for (const media of item.media?.() ?? []) {
    tally.addMedia(media.filename, await addExportedMedia(deps, media, { outcome: only, receipt }))
  }
}

async function takeSummary(
  deps: DepsBy,
  item: Extract<Item, { readonly summary: unknown }>,
  importing: Importing,
): Promise<void> {
  const { kind, unitM, fills, receipt, tally } = importing
  const filename = shownName(item.filename)
  const noted = receipt && { receipt, filename }
  const warn = (message: string) => tally.warn({ filename, message })
  const how = { origin: kind.origin, unitM, noted, ...(fills && { fills }), warn, isQuiet: true }
  try {
    await count(deps, item, [await importTotals(deps, item.summary, how)], importing)
  } catch (error) {
    failAlone(deps, item, tally, error, UNSTORED)
  }
}

/** The ids of all shoes; there are few. */
function shoeIds({ $client: client }: Tx): ReadonlySet<string> {
  return new Set(
    client
      .query<{ id: string }, []>('SELECT id FROM shoe')
      .all()
      .map(({ id }) => id),
  )
}

function newShoes(tx: Tx, before: ReadonlySet<string>): readonly string[] {
  return [...shoeIds(tx)].filter((id) => !before.has(id))
}

/** When the shoes of a name were retired, as an export says: the latest day, null while one of them is worn. */
function retiredShoes() {
  const known = new Map<string, number | null>()
  return {
    note: (name: string, retiredAtMs: number | null): void => {
      const before = known.get(gearKey(name))
      const isWorn = before === null || retiredAtMs === null
      known.set(gearKey(name), isWorn ? null : Math.max(before ?? retiredAtMs, retiredAtMs))
    },
    at: (name: string): number | null => known.get(gearKey(name)) ?? null,
  }
}
