import { eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '../db/open.ts'
import { workoutBestEfforts, workoutSamples, workoutSplits, workouts } from '../db/schema.ts'
import type { Split } from '../engine/analyze.ts'
import { ENGINE_VERSION } from '../engine/analyze.ts'
import { storedWeather, weatherColumns } from '../weather/served.ts'
import type { AnalyzedRun } from '../workers/analyze-file.ts'
import { nameKey, searchText } from './search-text.ts'

/** What the place and the library add to an analysed run before it is stored. */
export interface RunContext {
  readonly id: string
  readonly createdAtMs: number
  readonly splitUnitM: number
  readonly shoeId: string | null
  readonly zone: string | null
  readonly utcOffsetMinutes: number | null
  readonly file: {
    readonly sha256: string
    readonly session: number
    readonly name: string
    readonly type: 'gpx' | 'fit' | 'tcx' | 'csv'
  } | null
}

type WorkoutRow = typeof workouts.$inferInsert

/** One new workout with samples, splits and best efforts. Runs inside the caller's transaction. */
export function insertRun(tx: Tx, run: AnalyzedRun, context: RunContext): void {
  tx.insert(workouts).values(newRow(run, context)).run()
  insertSamples(tx, context.id, run)
  insertSplits(tx, context.id, run.analysis.splits)
  insertBestEfforts(tx, context.id, run)
}

/**
 * Gives a workout without original what a second import of the same run brings: file, raw data, samples it lacks and
 * null fields. Distance, duration, edits and existing splits stay.
 */
export function fillRun(tx: Tx, run: AnalyzedRun, context: RunContext): void {
  const fresh = newRow(run, context)
  const stored = tx.select().from(workouts).where(eq(workouts.id, context.id)).get()
  if (stored === undefined) return
  const filled: Partial<Record<keyof WorkoutRow, unknown>> = {}
  for (const key of FILLABLE) {
    if (stored[key] === null && fresh[key] !== null && fresh[key] !== undefined) filled[key] = fresh[key]
  }
  const hasSamples =
    tx.select({ n: sql<number>`1` }).from(workoutSamples).where(eq(workoutSamples.workoutId, context.id)).get() !==
    undefined
  tx.update(workouts)
    .set({
      ...filled,
      ...(hasSamples ? {} : { hasTimeSeriesHr: run.hasTimeSeriesHr }),
      hasRawHr: stored.hasRawHr || run.hasRawHr,
      hasRawData: stored.hasRawData || run.rawData !== null,
      fileSha256: fresh.fileSha256 ?? null,
      fileSession: fresh.fileSession ?? null,
      rawFileName: fresh.rawFileName ?? null,
      rawFileType: fresh.rawFileType ?? null,
      searchText: searchText(stored.name ?? run.name, stored.device ?? run.device, stored.source ?? run.source),
      nameKey: nameKey(stored.name ?? run.name),
    } as Partial<WorkoutRow>)
    .where(eq(workouts.id, context.id))
    .run()
  if (hasSamples) return
  insertSamples(tx, context.id, run)
  insertBestEfforts(tx, context.id, run)
  if (stored.splitsCount === 0 && run.analysis.splits.length > 0) {
    insertSplits(tx, context.id, run.analysis.splits)
    tx.update(workouts)
      .set({ splitsCount: run.analysis.splits.length, splitUnitM: context.splitUnitM })
      .where(eq(workouts.id, context.id))
      .run()
  }
}

/** Columns that a later file of the same run may fill when they are null. */
const FILLABLE = [
  'movingTimeS',
  'timerTimeS',
  'gapPaceS',
  'elevGainM',
  'elevLossM',
  'minElevM',
  'maxElevM',
  'maxSpeedMps',
  'avgSpeedMps',
  'maxHeartRateBpm',
  'avgHeartRateBpm',
  'minHeartRateBpm',
  'maxCadenceRpm',
  'avgCadenceRpm',
  'maxCadenceSpm',
  'avgCadenceSpm',
  'maxPowerWatts',
  'avgPowerWatts',
  'calories',
  'relativeEffort',
  'hrZoneSeconds',
  'rpe',
  'runType',
  'name',
  'notes',
  'source',
  'device',
  'shoeId',
  'utcOffsetMinutes',
  'timeZone',
  'routePreview',
  'weather',
  'weatherTemperatureC',
  'weatherHumidity',
  'weatherPrecipitationMm',
  'weatherWindSpeedMps',
  'weatherWindDirection',
  'weatherCode',
  'deviceTotals',
] as const satisfies readonly (keyof WorkoutRow)[]

function newRow(run: AnalyzedRun, context: RunContext): WorkoutRow {
  const { analysis } = run
  const weather = run.weather === null ? null : storedWeather(run.weather, context.createdAtMs)
  return {
    id: context.id,
    startedAt: run.startedAtMs,
    createdAt: context.createdAtMs,
    durationS: analysis.durationS,
    movingTimeS: analysis.movingTimeS,
    timerTimeS: analysis.timerTimeS,
    distanceM: analysis.distanceM,
    avgPaceS: analysis.avgPaceS,
    gapPaceS: analysis.gapPaceS,
    elevGainM: analysis.elevGainM,
    elevLossM: analysis.elevLossM,
    minElevM: analysis.minElevM,
    maxElevM: analysis.maxElevM,
    maxSpeedMps: analysis.maxSpeedMps,
    avgSpeedMps: analysis.avgSpeedMps,
    maxHeartRateBpm: analysis.maxHeartRateBpm,
    avgHeartRateBpm: analysis.avgHeartRateBpm,
    minHeartRateBpm: analysis.minHeartRateBpm,
    maxCadenceRpm: analysis.maxCadenceRpm,
    avgCadenceRpm: analysis.avgCadenceRpm,
    maxCadenceSpm: analysis.maxCadenceSpm,
    avgCadenceSpm: analysis.avgCadenceSpm,
    maxPowerWatts: analysis.maxPowerWatts,
    avgPowerWatts: analysis.avgPowerWatts,
    calories: analysis.calories,
    relativeEffort: analysis.relativeEffort,
    hrZoneSeconds: analysis.hrZoneSeconds === null ? null : [...analysis.hrZoneSeconds],
    rpe: run.rpe,
    runType: run.runType,
    name: run.name,
    notes: run.notes,
    source: run.source,
    device: run.device,
    shoeId: context.shoeId,
    utcOffsetMinutes: context.utcOffsetMinutes,
    timeZone: context.zone,
    searchText: searchText(run.name, run.device, run.source),
    nameKey: nameKey(run.name),
    splitsCount: analysis.splits.length,
    splitUnitM: context.splitUnitM,
    routePreview: analysis.preview?.map((point) => [...point]) ?? null,
    hasTimeSeriesHr: run.hasTimeSeriesHr,
    hasRawHr: run.hasRawHr,
    ...(weather === null ? {} : { weather: JSON.stringify(weather), ...weatherColumns(weather) }),
    deviceTotals: { ...run.totals },
    engineVersion: ENGINE_VERSION,
    fileSha256: context.file?.sha256 ?? null,
    fileSession: context.file?.session ?? null,
    rawFileName: context.file?.name ?? null,
    rawFileType: context.file?.type ?? null,
    hasRawData: run.rawData !== null,
  }
}

function insertSamples(tx: Tx, workoutId: string, { samples }: AnalyzedRun): void {
  if (samples === null) return
  tx.insert(workoutSamples)
    .values({
      workoutId,
      sampleCount: samples.sampleCount,
      meta: samples.meta,
      timeHr: Buffer.from(samples.timeHr),
      track: Buffer.from(samples.track),
      rest: Buffer.from(samples.rest),
    })
    .run()
}

/** SQLite takes 32,766 values a statement, and a file may claim any distance. */
const SPLITS_A_STATEMENT = 500

function insertSplits(tx: Tx, workoutId: string, splits: readonly Split[]): void {
  for (let from = 0; from < splits.length; from += SPLITS_A_STATEMENT) {
    const rows = splits.slice(from, from + SPLITS_A_STATEMENT)
    tx.insert(workoutSplits)
      .values(rows.map((split) => ({ ...split, id: Bun.randomUUIDv7(), workoutId })))
      .run()
  }
}

function insertBestEfforts(tx: Tx, workoutId: string, { analysis }: AnalyzedRun): void {
  if (analysis.bestEfforts.length === 0) return
  tx.insert(workoutBestEfforts)
    .values(analysis.bestEfforts.map((effort) => ({ ...effort, workoutId })))
    .run()
}

/** True when a workout of this id is stored. */
export function workoutExists(db: Db, id: string): boolean {
  return db.select({ id: workouts.id }).from(workouts).where(eq(workouts.id, id)).get() !== undefined
}
