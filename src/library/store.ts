import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { routeIndexes, workoutBestEfforts, workoutSamples, workoutSplits, workouts } from '../db/schema.ts'
import type { Analysis, Split } from '../engine/analysis.ts'
import { ENGINE_VERSION } from '../engine/analyze.ts'
import type { AnalyzedRun } from '../workers/analyze-file.ts'
import type { PackedSamples } from '../workers/pack.ts'
import type { RouteIndex } from '../workers/route-index.ts'
import { nameKey, searchText } from './search-text.ts'
import { filledTotals } from './total-columns.ts'
import { storedWeather, weatherColumns } from './weather.ts'

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

/** One new workout with samples, splits, best efforts and route index. Runs inside the caller's transaction. */
export function insertRun(tx: Tx, run: AnalyzedRun, context: RunContext): void {
  tx.insert(workouts).values(newRow(run, context)).run()
  insertSamples(tx, context.id, run)
  insertSplits(tx, context.id, run.analysis.splits)
  insertBestEfforts(tx, context.id, { ...run.analysis, calculatedAtMs: context.createdAtMs })
  replaceRouteIndex(tx, context.id, { startedAtMs: run.startedAtMs, index: run.routeIndex })
}

/**
 * Gives a workout without original what a second import of the same run brings: file, raw data, samples it lacks and
 * null fields. Distance, duration, edits and existing splits stay.
 */
export function fillRun(tx: Tx, run: AnalyzedRun, context: RunContext): void {
  const fresh = newRow(run, context)
  const stored = tx.select().from(workouts).where(eq(workouts.id, context.id)).get()
  if (stored === undefined) return
  const hasSamples =
    tx.select({ n: sql<number>`1` }).from(workoutSamples).where(eq(workoutSamples.workoutId, context.id)).get() !==
    undefined
  const filled: Partial<Record<keyof WorkoutRow, unknown>> = {}
  const fillable = [
    ...FILLABLE,
    // The route is drawn from the samples: a preview without them would be half of one.
    ...(hasSamples ? [] : (['routePreview'] as const)),
    ...(stored.weather === null ? WEATHER_COLUMNS : []),
  ]
  for (const key of fillable) {
    if (stored[key] === null && fresh[key] !== null && fresh[key] !== undefined) filled[key] = fresh[key]
  }
  if (stored.deviceTotals !== null) {
    filled.deviceTotals = { ...stored.deviceTotals, ...filledTotals(filled, run.totals, hasSamples) }
  }
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
  insertBestEfforts(tx, context.id, { ...run.analysis, calculatedAtMs: context.createdAtMs })
  replaceRouteIndex(tx, context.id, { startedAtMs: stored.startedAt, index: run.routeIndex })
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
  'deviceTotals',
] as const satisfies readonly (keyof WorkoutRow)[]

/** The object and what statistics ask of it: of one weather or of another, never mixed. */
const WEATHER_COLUMNS = [
  'weather',
  'weatherTemperatureC',
  'weatherHumidity',
  'weatherPrecipitationMm',
  'weatherWindSpeedMps',
  'weatherWindDirection',
  'weatherCode',
] as const satisfies readonly (keyof WorkoutRow)[]

function newRow(run: AnalyzedRun, context: RunContext): WorkoutRow {
  const { analysis } = run
  const weather = run.weather === null ? null : storedWeather(run.weather, context.createdAtMs)
  return {
    id: context.id,
    startedAt: run.startedAtMs,
    createdAt: context.createdAtMs,
    ...derivedColumns(analysis),
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
    splitUnitM: context.splitUnitM,
    hasTimeSeriesHr: run.hasTimeSeriesHr,
    hasRawHr: run.hasRawHr,
    ...(weather === null ? {} : { weather: JSON.stringify(weather), ...weatherColumns(weather) }),
    deviceTotals: { ...run.totals },
    fileSha256: context.file?.sha256 ?? null,
    fileSession: context.file?.session ?? null,
    rawFileName: context.file?.name ?? null,
    rawFileType: context.file?.type ?? null,
    hasRawData: run.rawData !== null,
  }
}

/** The columns of a workout that are made of its samples and the device's totals. */
export function derivedColumns(analysis: Omit<Analysis, 'routeIndex'>) {
  return {
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
    splitsCount: analysis.splits.length,
    routePreview: analysis.preview?.map((point) => [...point]) ?? null,
    engineVersion: ENGINE_VERSION,
  }
}

function insertSamples(tx: Tx, workoutId: string, { samples }: AnalyzedRun): void {
  if (samples === null) return
  tx.insert(workoutSamples)
    .values({ workoutId, ...sampleColumns(samples) })
    .run()
}

export function sampleColumns(samples: PackedSamples) {
  return {
    sampleCount: samples.sampleCount,
    meta: samples.meta,
    timeHr: Buffer.from(samples.timeHr),
    track: Buffer.from(samples.track),
    rest: Buffer.from(samples.rest),
  }
}

/** SQLite takes 32,766 values a statement, and a file may claim any distance. */
const SPLITS_A_STATEMENT = 500

export function insertSplits(tx: Tx, workoutId: string, splits: readonly Split[]): void {
  for (let from = 0; from < splits.length; from += SPLITS_A_STATEMENT) {
    const rows = splits.slice(from, from + SPLITS_A_STATEMENT)
    tx.insert(workoutSplits)
      .values(rows.map((split) => ({ ...split, id: Bun.randomUUIDv7(), workoutId })))
      .run()
  }
}

export function insertBestEfforts(
  tx: Tx,
  workoutId: string,
  { bestEfforts, calculatedAtMs }: Pick<Analysis, 'bestEfforts'> & { readonly calculatedAtMs: number },
): void {
  if (bestEfforts.length === 0) return
  tx.insert(workoutBestEfforts)
    .values(bestEfforts.map((effort) => ({ ...effort, calculatedAt: calculatedAtMs, workoutId })))
    .run()
}

/** @param route.index null: the workout has no route and gets no row */
export function replaceRouteIndex(
  tx: Tx,
  workoutId: string,
  { startedAtMs, index }: { readonly startedAtMs: number; readonly index: RouteIndex | null },
): void {
  tx.delete(routeIndexes).where(eq(routeIndexes.workoutId, workoutId)).run()
  if (index === null) return
  const { path, lengthM, bounds, sketch } = index
  tx.insert(routeIndexes)
    .values({
      workoutId,
      startedAt: startedAtMs,
      lengthM,
      ...bounds,
      sketch: Buffer.from(sketch),
      path: Buffer.from(path),
    })
    .run()
}

/** True when a workout of this id is stored. */
export function workoutExists(tx: Tx, id: string): boolean {
  return tx.select({ id: workouts.id }).from(workouts).where(eq(workouts.id, id)).get() !== undefined
}
