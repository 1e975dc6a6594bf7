import type { Db, Tx } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import type { AnalyzedRun } from '../workers/analyze-file.ts'
import { duplicateOf, type RunIdentity } from './duplicates.ts'
import { effortInputs, saveEffort, storedEffort } from './effort.ts'
import { removeRawFiles } from './files.ts'
import { shoeIdByGearName } from './gear.ts'
import { type Original, placeRunFiles, waitingFiles } from './run-files.ts'
import { defaultShoeId, zonesOrDefault } from './settings.ts'
import { fillRun, insertRun } from './store.ts'
import { placeTime } from './time-zone.ts'
import { enqueueWeather } from './weather.ts'

export type ImportAction = 'created' | 'updated' | 'skipped'

/** What became of one run of one file. */
export type ImportOutcome = { readonly action: ImportAction; readonly id: string } | { readonly error: string }

export interface RunOrigin {
  /** null: a row of Strava's export without file. */
  readonly original: Original | null
  /** Length of a split, metres. */
  readonly unitM: number
}

/**
 * Stores one analysed run unless it is there already; whoever imports, in whatever way, stores through this function.
 * Files first, rows after them in one transaction: a crash leaves an unused file, never a row without its file.
 * It tells nobody: one import of many runs is one event, that of one run another.
 */
export async function storeRun(deps: Deps, run: AnalyzedRun, origin: RunOrigin): Promise<ImportOutcome> {
  for (;;) {
    const known = duplicateOf(deps.db, identityOf(run, origin))
    if (known !== null && !isCompletedBy(known, origin)) return { action: 'skipped', id: known.id }
    const outcome =
      known === null ? await create(deps, run, origin) : await complete(deps, run, { id: known.id, origin })
    // null: while the files were written, others stored, completed or deleted the run
    if (outcome !== null) return outcome
  }
}

function identityOf(run: AnalyzedRun, { original }: RunOrigin): RunIdentity {
  const { distanceM, durationS } = run.analysis
  const isSummary = run.samples === null && run.source === 'strava_import'
  return { startedAtMs: run.startedAtMs, distanceM, durationS, isSummary, file: original }
}

/** Only a file completes a workout, and only one that has none. */
function isCompletedBy({ hasRawFile }: { readonly hasRawFile: boolean }, { original }: RunOrigin): boolean {
  return !hasRawFile && original !== null
}

/** A new workout, its files under a name that nobody else has. */
async function create(deps: Deps, run: AnalyzedRun, origin: RunOrigin): Promise<ImportOutcome | null> {
  const { db, config } = deps
  const id = Bun.randomUUIDv7()
  const context = contextOf(deps, run, { id, origin })
  let isCreated = false
  try {
    await placeRunFiles(config.dataDir, run, { id, original: origin.original })
    isCreated = db.transaction(
      (tx) => {
        // looked for once more, now that nobody else can write
        if (duplicateOf(tx, identityOf(run, origin)) !== null) return false
        const shoeId = run.gear === null ? defaultShoeId(tx) : shoeIdByGearName(tx, run.gear)
        insertRun(tx, run, { ...context, shoeId })
        finishRows(deps, tx, { id, run })
        return true
      },
      { behavior: 'immediate' },
    )
  } finally {
    // whatever happened, files stay only beside the row that names them
    if (!isCreated) await removeRawFiles(config.dataDir, id)
  }
  return isCreated ? { action: 'created', id } : null
}

/**
 * A workout without original gets this one. Its files have the workout's name, which another file may be about to take as
 * well: they wait aside until the transaction has found that the workout still has none.
 */
async function complete(
  deps: Deps,
  run: AnalyzedRun,
  { id, origin }: { readonly id: string; readonly origin: RunOrigin },
): Promise<ImportOutcome | null> {
  const { db, config } = deps
  const context = contextOf(deps, run, { id, origin })
  const files = await waitingFiles(config.dataDir, run, { id, original: origin.original })
  try {
    const isCompleted = db.transaction(
      (tx) => {
        const stored = duplicateOf(tx, identityOf(run, origin))
        if (stored === null || stored.id !== id || !isCompletedBy(stored, origin)) return false
        fillRun(tx, run, { ...context, shoeId: null })
        finishRows(deps, tx, { id, run })
        files.moveIn()
        return true
      },
      { behavior: 'immediate' },
    )
    if (isCompleted) files.keep()
    return isCompleted ? { action: 'updated', id } : null
  } finally {
    files.dispose()
  }
}

function contextOf(
  { now }: Deps,
  run: AnalyzedRun,
  { id, origin }: { readonly id: string; readonly origin: RunOrigin },
) {
  const place = placeTime(run.firstPosition, run.fileOffsetMinutes, run.startedAtMs)
  return {
    id,
    createdAtMs: now(),
    splitUnitM: origin.unitM,
    zone: place.zone,
    utcOffsetMinutes: place.utcOffsetMinutes,
    file: origin.original,
  }
}

function finishRows(
  { db, config, now }: Deps,
  tx: Tx,
  { id, run }: { readonly id: string; readonly run: AnalyzedRun },
): void {
  scoreWithStoredZones(db, id, run)
  if (run.firstPosition !== null && config.weatherEnabled) enqueueWeather(tx, id, now())
}

/** Zones that were stored while the file was read are those of its effort, too. */
function scoreWithStoredZones(db: Db, id: string, run: AnalyzedRun): void {
  const zones = zonesOrDefault(db)
  if (Bun.deepEquals(zones, run.zones)) return
  const inputs = effortInputs(db, id)
  if (inputs !== null) saveEffort(db, id, storedEffort(db, inputs, zones))
}
