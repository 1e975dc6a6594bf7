import { rm } from 'node:fs/promises'
import { paced } from '../../base/pace.ts'
import { isDiskFull, reasonOf } from '../../db/disk-full.ts'
import type { Db, Tx } from '../../db/open.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { roundHalfUp } from '../../engine/units.ts'
import { addExportedMedia } from '../../features/media/exported.ts'
import { shoesFound } from '../../features/shoes/queries.ts'
import { FormatError } from '../../formats/format.ts'
import { sportWord } from '../../formats/sport-words.ts'
import type { ImportOutcome, RunOrigin } from '../../library/add-run.ts'
import { canFill } from '../../library/add-run.ts'
import type { DepsBy } from '../../library/deps.ts'
import { knownRun } from '../../library/duplicates.ts'
import { firstDeleted, keysOfRun } from '../../library/forgotten.ts'
import { gearKey } from '../../library/gear.ts'
import { isRunAt } from '../../library/ids.ts'
import type { ImportAction } from '../../library/outcomes.ts'
import { progressOf } from '../../library/progress.ts'
import { type OpenReceipt, openReceipt } from '../../library/receipts/record.ts'
import type { AnalyzedRun } from '../../workers/analyze-file.ts'
import { baseName } from '../../zip/unpack.ts'
import { ZipError } from '../../zip/zip-error.ts'
import { importFile, importTotals, type StoringRuns } from '../files/import.ts'
import type { Counted, FileItem, Item, ItemOfRun, TakeoutKind, Unpacking } from './kind.ts'
import type { TakeoutPreview, TakeoutSummary } from './schemas.ts'
import type { TakeoutSource } from './source.ts'
import { shownName, type Tally, tallyOf } from './tally.ts'

/** Files that are read and stored at once, so that two cores have work. */
const AT_ONCE = 3
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
  /** What the table of the export lists, if it has one. */
  readonly counted?: Counted | undefined
}

/** What the items of an export have in common. */
interface Taking
  extends Pick<StoringRuns, 'unitM'>,
    Partial<Pick<StoringRuns, 'fills' | 'pretend'>>,
    Pick<Unpacking, 'signal'>,
    Partial<Pick<Unpacking, 'expect' | 'shoe'>> {
  readonly receipt: OpenReceipt | null
  readonly tally: Tally
  /** Of the upload, or of its table: for a failure of the whole. */
  readonly title: string
  /** Called after each item. @param filename null: it is not a run */
  taken?(filename: string | null): void
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
  try {
    await takeItems(deps, kind, source, {
      ...{ unitM, receipt, tally, title: whole, signal: AbortSignal.any([left, deps.events.closed]) },
      ...(isListed ? {} : { fills: { createShoes, retiredAtMs: retired.at } }),
      shoe: retired.note,
      expect: (runs) => {
        total = runs
      },
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

/**
 * Takes the items of an export, a few at once, with results in their order. When it ends early, the tally says so.
 * @throws FormatError when the export has nothing to import, once that is counted
 */
async function takeItems(deps: DepsBy, kind: TakeoutKind, source: TakeoutSource, taking: Taking): Promise<void> {
  const { db, damage } = deps
  const { tally, title, signal, expect = () => {}, shoe = () => {}, taken = () => {} } = taking
  const underWay = new Set<Promise<void>>()
  const allDone = async () => void (await Promise.all(underWay))
  const failures: unknown[] = []
  const hasRunAt = (startMs: number, endMs: number) => isRunAt(db, startMs, endMs)
  const items = kind.items(source, { signal, expect, allDone, hasRunAt, shoe, warn: tally.warn })
  let before = Promise.resolve()
  try {
    for await (const item of paced(items)) {
      const done: Promise<void> = takeItem(deps, item, { ...taking, kind, before })
        .then(() => taken('filename' in item ? item.filename : null))
        .catch((error: unknown) => void failures.push(error))
        .finally(() => underWay.delete(done))
      underWay.add(done)
      before = done
      if (underWay.size >= AT_ONCE) await Promise.race(underWay)
      if (failures.length > 0 || signal.aborted || damage.isFound) break
    }
  } catch (error) {
    // what is under way is done even then
    failures.push(error)
  }
  await allDone()
  if (failures.length === 0) return
  const [error] = failures
  const isNothing = error instanceof FormatError && tally.processed() === 0
  tally.fail(title, endOf(deps, error))
  if (isNothing) throw error
}

interface TakingOne extends Taking {
  readonly kind: TakeoutKind
  /** Done when all earlier items are. */
  readonly before: Promise<void>
}

async function takeItem(deps: DepsBy, item: Item, taking: TakingOne): Promise<void> {
  const { tally, before } = taking
  if ('file' in item) return await takeFile(deps, item, taking)
  await before
  if ('sport' in item) tally.addSport(item.sport, item.count)
  else if ('ignored' in item) tally.ignore(item.ignored, item.folder, item.reason)
  else if ('error' in item) tally.fail(item.filename, item.error, item.row)
  else if ('skipped' in item) tally.pass(item.filename, item.skipped)
  else {
    const outcome = importTotals(deps, item.summary, storingOf(item, taking))
    await outcome.then(
      (done) => count(deps, item, [done], taking),
      (error) => failAlone(deps, item, tally, error),
    )
  }
}

function storingOf({ filename: name }: ItemOfRun, { kind, unitM, fills, pretend, receipt, tally }: TakingOne) {
  const filename = shownName(name)
  const noted = receipt && { receipt, filename }
  const warn = (message: string) => tally.warn({ filename, message })
  return { origin: kind.origin, unitM, noted, ...(fills && { fills }), pretend, warn, isQuiet: true }
}

/** @throws errors of disk and database, which would affect the next files as well, but for rows of a table */
async function takeFile(deps: DepsBy, item: FileItem, taking: TakingOne): Promise<void> {
  const { before, tally } = taking
  const file = { ...item.file, filename: shownName(baseName({ name: item.filename })) }
  try {
    const how = { ...storingOf(item, taking), told: item.told, row: item.row, before }
    const { outcomes, sports } = await importFile(deps, file, how)
    await before
    if (item.isSportCounted !== true) tally.addSports(sports)
    await count(deps, item, outcomes, taking)
  } catch (error) {
    await before
    failAlone(deps, item, tally, error)
  } finally {
    await rm(file.path, { force: true })
  }
}

/** A row of a table fails for itself. @throws the error of any other item */
function failAlone({ log, damage }: DepsBy, { filename, row }: ItemOfRun, tally: Tally, error: unknown): void {
  if (row === undefined) throw error
  log.error('A run of an export could not be stored', error)
  tally.fail(filename, reasonOf(error, 'The workout could not be stored', damage), row)
}

/** Counts what became of an item, and adds its photos and videos. */
async function count(
  deps: DepsBy,
  item: ItemOfRun & Pick<FileItem, 'isSportCounted'>,
  outcomes: readonly ImportOutcome[],
  { tally, receipt, pretend }: TakingOne,
): Promise<void> {
  for (const outcome of outcomes) {
    if ('action' in outcome) tally.addRun(outcome.action, outcome.merged, item.row)
    else if (outcome.sport === undefined) tally.fail(item.filename, outcome.error, item.row)
    else if (item.isSportCounted !== true) tally.addSport(sportWord(outcome.sport))
  }
  const [only] = outcomes
  if (pretend !== undefined || outcomes.length !== 1 || only === undefined || !('id' in only)) return
  for (const media of item.media?.() ?? []) {
    tally.addMedia(media.filename, await addExportedMedia(deps, media, { outcome: only, receipt }))
  }
}

/** Why the import ended before its last run. */
function endOf({ log, damage }: Pick<DepsBy, 'log' | 'damage'>, error: unknown): string {
  if (error instanceof FormatError || error instanceof ZipError) return error.message
  if (!isDiskFull(error)) log.error('The import of an export ended early', error)
  return reasonOf(error, ENDED_EARLY, damage)
}

/** The ids of all shoes; there are few. */
function shoeIds({ $client: client }: Tx): ReadonlySet<string> {
  return new Set(client.query<[string], []>('SELECT id FROM shoe').values().flat() as string[])
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

/** What importing an export would do, with an overview of its runs; nothing is stored. */
export async function previewTakeout(
  deps: DepsBy,
  source: TakeoutSource,
  kind: TakeoutKind,
  { title, signal, unitM, ...how }: TakeoutWork,
): Promise<TakeoutSummary> {
  const tally = tallyOf(kind, null)
  const seen = createSeen()
  await takeItems(deps, kind, source, {
    ...{ tally, title, signal, unitM, receipt: null },
    pretend: async (_, runs) =>
      runs.map(({ run, origin: { original, warn } }) => {
        const action = seen.add(run, original) ? actionFor(deps.db, run, original, how) : 'skipped'
        if (action !== 'skipped') for (const { reason } of run.corrections) warn?.(reason)
        return { value: { isStored: false, action, id: '' } }
      }),
  })
  return { ...tally.summary(0), preview: seen.preview() }
}

/** What a run is recognised by; null: it has no file. */
type Original = RunOrigin['original']

function actionFor(
  db: Db,
  run: AnalyzedRun,
  original: Original,
  { includeDeleted, createShoes }: Pick<TakeoutWork, 'includeDeleted' | 'createShoes'>,
): ImportAction {
  const known = knownRun(db, run, original)
  if (known !== null) return known.isCompleted || canFill(db, known.id, run, createShoes) ? 'updated' : 'skipped'
  return !includeDeleted && firstDeleted(db, keysOfRun(run, original)) !== null ? 'skipped' : 'created'
}

/** The runs of an export so far. */
function createSeen() {
  const keys = new Set<string>()
  const shoes = new Map<string, string>()
  let runs = 0
  let distanceM = 0
  let firstMs = Number.POSITIVE_INFINITY
  let lastMs = Number.NEGATIVE_INFINITY
  return {
    /** @returns false: the export has the same run before */
    add: ({ startedAtMs, analysis, gear }: AnalyzedRun, original: Original): boolean => {
      const key = original === null ? `${Math.floor(startedAtMs / 1000)}` : `${original.sha256} ${original.session}`
      const extent = `${startedAtMs} ${analysis.durationS} ${Math.round(analysis.distanceM)}`
      if (keys.has(key) || keys.has(extent)) return false
      keys.add(key).add(extent)
      runs += 1
      distanceM += analysis.distanceM
      firstMs = Math.min(firstMs, startedAtMs)
      lastMs = Math.max(lastMs, startedAtMs)
      if (gear !== null && !shoes.has(gearKey(gear))) shoes.set(gearKey(gear), gear)
      return true
    },
    preview: (): TakeoutPreview => ({
      firstRunAt: runs === 0 ? null : isoTime(firstMs),
      lastRunAt: runs === 0 ? null : isoTime(lastMs),
      runs,
      distanceM: roundHalfUp(distanceM, 2),
      shoes: [...shoes.values()].toSorted(),
    }),
  }
}
