import type { media, settings, shoes, workoutSplits, workouts } from '../../db/schema.ts'
import type { Zone } from '../../engine/analysis.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { DEFAULT_ZONES } from '../../engine/run/zones.ts'
import { roundedOrNull, roundHalfUp } from '../../engine/units.ts'
import type { EffortRecord } from '../../stats/best-efforts.ts'
import { splitPaceS } from '../restore/splits.ts'
import { type Recorded, recordedObject } from './recorded.ts'
import { derivedIds } from './sample-ids.ts'

// The rows of the data files, fields in the order of CONTRACT 12.1. Old readers of Tempo take integers only for paces,
// heart rates, cadence, power and calories.

/** The numbers of Tempo's enumeration. */
export const ZONE_METHODS = ['AgeBased', 'Karvonen', 'Custom'] as const

const DEFAULT_AGE = 30
const DEFAULT_MAX_BPM = 190

type SettingsRow = typeof settings.$inferSelect
type ShoeRow = typeof shoes.$inferSelect
type WorkoutRow = typeof workouts.$inferSelect
type SplitRow = typeof workoutSplits.$inferSelect
type MediaRow = typeof media.$inferSelect

/**
 * The one settings record; what was never stored is written as the default that applies.
 * @param sinceMs what stands for its times while nothing is stored
 */
export function settingsObject(row: SettingsRow | undefined, sinceMs: number) {
  const bounds = row?.zoneBounds ?? null
  const isConfigured = bounds !== null && row?.zoneMethod !== null
  const zones: readonly Zone[] =
    bounds === null ? DEFAULT_ZONES : bounds.map(([minBpm, maxBpm]) => ({ minBpm, maxBpm }))
  const zoneFields = zones.flatMap(({ minBpm, maxBpm }, k) => [
    [`zone${k + 1}MinBpm`, minBpm],
    [`zone${k + 1}MaxBpm`, maxBpm],
  ])
  return {
    id: row?.archiveId ?? derivedIds('', 'settings')(0),
    calculationMethod: ZONE_METHODS.indexOf(row?.zoneMethod ?? 'AgeBased'),
    age: isConfigured ? (row?.zoneAge ?? null) : DEFAULT_AGE,
    restingHeartRateBpm: row?.zoneRestingBpm ?? null,
    maxHeartRateBpm: isConfigured ? (row?.zoneMaxBpm ?? null) : DEFAULT_MAX_BPM,
    ...Object.fromEntries(zoneFields),
    unitPreference: row?.unitPreference ?? 'metric',
    defaultShoeId: row?.defaultShoeId ?? null,
    createdAt: isoTime(row?.createdAt ?? sinceMs),
    updatedAt: isoTime(row?.updatedAt ?? sinceMs),
    defaultShoe: null,
    zonesConfigured: isConfigured,
  }
}

export function shoeObject({ id, brand, model, initialMileageM, createdAt, updatedAt }: ShoeRow) {
  return {
    id,
    brand,
    model,
    initialMileageM,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
    workouts: [],
  }
}

export interface WorkoutExtras {
  /** What the samples are besides their values; null without samples. */
  readonly recorded: Recorded
  /** JSON text of {rawGpxData, rawFitData, rawStravaData}; null: all three are null. */
  readonly rawData: string | null
  /** false: the original is lost. */
  readonly hasRawFile: boolean
}

const NO_RAW_DATA = '{"rawGpxData":null,"rawFitData":null,"rawStravaData":null}'
const [ABOUT_RAW, AFTER_RAW] = ['{"raw', '}']

/** One row as JSON text: the raw data, which can be megabytes, is taken in as it is stored. */
export function workoutJson(row: WorkoutRow, { recorded, rawData, hasRawFile }: WorkoutExtras): string {
  const about = {
    id: row.id,
    startedAt: isoTime(row.startedAt),
    createdAt: isoTime(row.createdAt),
    durationS: row.durationS,
    movingTimeS: row.movingTimeS,
    timerTimeS: row.timerTimeS,
    distanceM: row.distanceM,
    avgPaceS: roundHalfUp(row.avgPaceS),
    gapPaceS: row.gapPaceS,
    elevGainM: row.elevGainM,
    elevLossM: row.elevLossM,
    minElevM: row.minElevM,
    maxElevM: row.maxElevM,
    maxSpeedMps: row.maxSpeedMps,
    avgSpeedMps: row.avgSpeedMps,
    maxHeartRateBpm: row.maxHeartRateBpm,
    avgHeartRateBpm: row.avgHeartRateBpm,
    minHeartRateBpm: row.minHeartRateBpm,
    maxCadenceRpm: row.maxCadenceRpm,
    avgCadenceRpm: row.avgCadenceRpm,
    maxCadenceSpm: row.maxCadenceSpm,
    avgCadenceSpm: row.avgCadenceSpm,
    maxPowerWatts: row.maxPowerWatts,
    avgPowerWatts: row.avgPowerWatts,
    calories: row.calories,
    relativeEffort: row.relativeEffort,
    hrZoneSeconds: row.hrZoneSeconds,
    rpe: row.rpe,
    runType: row.runType,
    name: row.name,
    notes: row.notes,
    source: row.source,
    device: row.device,
    shoeId: row.shoeId,
    utcOffsetMinutes: row.utcOffsetMinutes,
    rawFileName: hasRawFile ? row.rawFileName : null,
    rawFileType: hasRawFile ? row.rawFileType : null,
    rawFileData: null,
  }
  const after = {
    weather: row.weather,
    shoe: null,
    route: null,
    splits: [],
    media: [],
    timeSeries: [],
    recording: recordedObject(row, recorded),
  }
  const raw = rawData?.startsWith(ABOUT_RAW) && rawData.endsWith(AFTER_RAW) ? rawData : NO_RAW_DATA
  return `${JSON.stringify(about).slice(0, -1)},${raw.slice(1, -1)},${JSON.stringify(after).slice(1)}`
}

export function splitObject(row: SplitRow) {
  return {
    id: row.id,
    workoutId: row.workoutId,
    idx: row.idx,
    distanceM: row.distanceM,
    durationS: row.durationS,
    // of what a restore will compute: the stored pace, of unrounded times, may lie on the other side of a half
    paceS: roundHalfUp(splitPaceS(row)),
    startElapsedS: row.startElapsedS,
    endElapsedS: row.endElapsedS,
    movingTimeS: row.movingTimeS,
    elevGainM: row.elevGainM,
    elevLossM: row.elevLossM,
    avgHeartRateBpm: row.avgHeartRateBpm,
    avgCadenceRpm: row.avgCadenceRpm,
    gapPaceS: row.gapPaceS,
    workout: null,
  }
}

export function mediaRow(row: MediaRow) {
  return {
    id: row.id,
    workoutId: row.workoutId,
    filename: row.filename,
    mimeType: row.mimeType,
    fileSizeBytes: row.fileSizeBytes,
    caption: row.caption,
    createdAt: isoTime(row.createdAt),
    workout: null,
  }
}

export function effortObject(record: EffortRecord) {
  return {
    id: record.id,
    distance: record.distance,
    distanceM: record.distanceM,
    timeS: roundHalfUp(record.timeMs / 1000),
    timeMs: record.timeMs,
    workoutId: record.workoutId,
    workoutDate: isoTime(record.startedAtMs),
    calculatedAt: isoTime(record.calculatedAtMs),
    workout: null,
  }
}

/** What JSON takes: null for a gap. */
export function written(value: number, decimals: number): number | null {
  return roundedOrNull(value, decimals)
}
