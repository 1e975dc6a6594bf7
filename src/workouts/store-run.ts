import type { Db } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { defaultShoeId, zonesOrDefault } from '../settings/queries.ts'
import { shoeIdByGearName } from '../shoes/queries.ts'
import { enqueueWeather } from '../weather/queue.ts'
import type { AnalyzedFile, AnalyzedRun } from '../workers/analyze-file.ts'
import { duplicateOf, type RunIdentity } from './duplicates.ts'
import { effortInputs, saveEffort, storedEffort } from './effort.ts'
import { mergeRawData } from './raw-data.ts'
import {
  makeRawFolder,
  placeBytes,
  placeLink,
  rawDataPath,
  rawFilePath,
  removeRawFiles,
  syncFile,
} from './raw-files.ts'
import { fillRun, insertRun } from './store.ts'
import { placeTime } from './time-zone.ts'

export type ImportAction = 'created' | 'updated' | 'skipped'

/** What became of one run of one file. */
export type ImportOutcome = { readonly action: ImportAction; readonly id: string } | { readonly error: string }

/** The file a run was read out of. */
export interface Original {
  readonly name: string
  readonly type: AnalyzedFile['type']
  /** SHA-256 of the unpacked bytes. */
  readonly sha256: string
  /** Place of the run in the file. */
  readonly session: number
  /** The path of a file on the file system of DATA_DIR, which gets a second name, or its bytes in memory. */
  readonly bytes: string | (() => Promise<Uint8Array>)
}

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
  const { db, config } = deps
  const known = duplicateOf(db, identityOf(run, origin))
  if (known !== null && !isCompletedBy(known, origin)) return { action: 'skipped', id: known.id }

  const id = known?.id ?? Bun.randomUUIDv7()
  let outcome: ImportOutcome | undefined
  try {
    await placeRunFiles(deps, id, run, origin, known !== null)
    outcome = storeRows(deps, run, { id, isKnown: known !== null, origin })
  } finally {
    // whatever happened, files stay only beside the row that names them
    const isOurs = outcome !== undefined && 'action' in outcome && outcome.id === id
    if (!isOurs && known === null) await removeRawFiles(config.dataDir, id)
  }
  return outcome
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

/** Looks for the run once more, now that nobody else can write, and stores it. */
function storeRows(
  { db, config, now }: Deps,
  run: AnalyzedRun,
  { id, isKnown, origin }: { readonly id: string; readonly isKnown: boolean; readonly origin: RunOrigin },
): ImportOutcome {
  const place = placeTime(run.firstPosition, run.fileOffsetMinutes, run.startedAtMs)
  const nowMs = now()
  const context = {
    id,
    createdAtMs: nowMs,
    splitUnitM: origin.unitM,
    zone: place.zone,
    utcOffsetMinutes: place.utcOffsetMinutes,
    file: origin.original,
  }
  return db.transaction(
    (tx): ImportOutcome => {
      const stored = duplicateOf(tx, identityOf(run, origin))
      if (stored !== null && (!isCompletedBy(stored, origin) || stored.id !== id)) {
        return { action: 'skipped', id: stored.id }
      }
      if (stored === null && isKnown) return { error: 'The workout was deleted while its file was read' }
      const shoeId = run.gear === null ? defaultShoeId(tx) : shoeIdByGearName(tx, run.gear)
      if (stored === null) insertRun(tx, run, { ...context, shoeId })
      else fillRun(tx, run, { ...context, shoeId: null })
      scoreWithStoredZones(db, id, run)
      if (run.firstPosition !== null && config.weatherEnabled) enqueueWeather(tx, id, nowMs)
      return { action: stored === null ? 'created' : 'updated', id }
    },
    { behavior: 'immediate' },
  )
}

/** Zones that were stored while the file was read are those of its effort, too. */
function scoreWithStoredZones(db: Db, id: string, run: AnalyzedRun): void {
  const zones = zonesOrDefault(db)
  if (Bun.deepEquals(zones, run.zones)) return
  const inputs = effortInputs(db, id)
  if (inputs !== null) saveEffort(db, id, storedEffort(db, inputs, zones))
}

async function placeRunFiles(
  { config: { dataDir } }: Deps,
  id: string,
  run: AnalyzedRun,
  { original }: RunOrigin,
  isKnown: boolean,
): Promise<void> {
  await makeRawFolder(dataDir)
  if (original !== null) await placeOriginal(dataDir, rawFilePath(dataDir, id), original.bytes)
  if (run.rawData === null) return
  const rawPath = rawDataPath(dataDir, id)
  await placeBytes(dataDir, rawPath, isKnown ? await mergeRawData(rawPath, run.rawData) : run.rawData)
}

async function placeOriginal(dataDir: string, path: string, bytes: Original['bytes']): Promise<void> {
  if (typeof bytes !== 'string') return await placeBytes(dataDir, path, await bytes())
  await syncFile(bytes)
  await placeLink(bytes, path)
}
