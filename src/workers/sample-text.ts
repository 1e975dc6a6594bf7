import type { AnalyzeOptions } from '../engine/analysis.ts'
import { slopes } from '../engine/run/grade.ts'
import { gradedDistance } from '../engine/run/readings.ts'
import { smoothPace } from '../engine/run/smooth-pace.ts'
import { thinRows } from '../engine/run/thin-rows.ts'
import type { Track } from '../engine/track.ts'
import { roundHalfUp } from '../engine/units.ts'
import { type StoredTrack, trackOf } from './stored-track.ts'

/**
 * Every column of the samples as served, with its decimals: those of its stored unit, or for a derived column those
 * that are meaningful.
 */
const DECIMALS = {
  elapsedS: 3,
  distanceM: 2,
  lat: 7,
  lon: 7,
  elevationM: 2,
  heartRateBpm: 0,
  cadenceRpm: 1,
  powerWatts: 0,
  speedMps: 3,
  paceS: 1,
  gapPaceS: 1,
  gradePercent: 1,
  temperatureC: 1,
} as const

export type SampleColumn = keyof typeof DECIMALS

const COLUMNS = Object.keys(DECIMALS) as SampleColumn[]
/** Thinning keeps the extremes of these columns, which matter most in a chart. */
const KEPT_EXTREMES: readonly SampleColumn[] = ['heartRateBpm', 'paceS', 'elevationM']

interface ColumnOptions {
  readonly elevation: AnalyzeOptions['elevation']
  /** null: all rows. */
  readonly maxPoints: number | null
}

interface SampleTextOptions extends ColumnOptions {
  readonly bestEfforts: readonly object[]
}

export const SAMPLE_JOBS = {
  /** JSON in UTF-8; transferred, not copied. */
  samples: ({ stored, ...options }: SampleTextOptions & { readonly stored: StoredTrack | null }) => ({
    text: new TextEncoder().encode(sampleText(stored && trackOf(stored), options)),
  }),
  heartRates: (job: StoredTrack & { readonly page: number; readonly pageSize: number }) => ({
    found: heartRatePage(trackOf(job), job),
  }),
}

/**
 * The samples of a track as thinned columns, with pauses: the JSON text of the answer.
 * @param track null: the workout has no samples
 */
function sampleText(track: Track | null, { bestEfforts, ...options }: SampleTextOptions): string {
  const served = track && servedColumns(track, COLUMNS, options)
  return JSON.stringify({
    ...{ totalCount: track?.n ?? 0, count: served?.count ?? 0 },
    ...(served?.columns ?? Object.fromEntries(COLUMNS.map((name) => [name, null]))),
    pauses: track?.off.map(({ startS, endS }) => ({ startS, endS })) ?? [],
    bestEfforts,
  })
}

type ServedColumn = readonly (number | null)[] | null

/** Columns of a track as they are served; one without any value is null as a whole. */
export function servedColumns<C extends SampleColumn>(
  track: Track,
  names: readonly C[],
  { elevation, maxPoints }: ColumnOptions,
): { readonly count: number; readonly columns: Readonly<Record<C, ServedColumn>> } {
  const values = sampleValues(track, elevation)
  const rows = keptRows(track, values, maxPoints)
  const columns = names.map((name) => [name, servedColumn(values[name](), rows, name)])
  return { count: rows.length, columns: Object.fromEntries(columns) }
}

/**
 * The columns at every row, NaN where a row has no value; null: none has. What is not recorded is computed at each call,
 * since all columns of a long track at once take a hundred megabytes.
 */
type Values = Readonly<Record<SampleColumn, () => Float64Array | null>>

function keptRows(track: Track, values: Values, maxPoints: number | null): Uint32Array {
  const extremes = maxPoints === null ? [] : KEPT_EXTREMES.map((name) => values[name]() ?? new Float64Array(track.n))
  return thinRows(track.n, extremes, maxPoints ?? Number.POSITIVE_INFINITY)
}

function sampleValues(track: Track, elevation: AnalyzeOptions['elevation']): Values {
  const { tS, off } = track
  const { distanceM, profile, equivalentM } = gradedDistance(track, elevation)
  // altitude too noisy for climb gives no slope either; there is no equivalent distance then
  const smoothedM = equivalentM === null || profile === null ? null : profile.smoothedM
  // estimated times have the same speed everywhere
  const isTimed = track.hasEstimatedTimes !== true
  const pace = (metres: Float64Array | null) => (isTimed && metres !== null ? smoothPace(tS, metres, off) : null)
  const percent = () => {
    if (distanceM === null || smoothedM === null) return null
    const found = slopes(distanceM, smoothedM)
    for (let i = 0; i < found.length; i += 1) found[i] = found[i]! * 100
    return found
  }
  return {
    elapsedS: () => tS,
    distanceM: () => track.distanceM,
    lat: () => track.latDeg,
    lon: () => track.lonDeg,
    elevationM: () => track.elevM,
    heartRateBpm: () => track.heartRateBpm,
    cadenceRpm: () => track.cadenceRpm,
    powerWatts: () => track.powerW,
    speedMps: () => track.speedMps,
    paceS: () => pace(distanceM),
    gapPaceS: () => pace(equivalentM),
    gradePercent: percent,
    temperatureC: () => track.temperatureC,
  }
}

/** A gap in a column is null. */
function servedColumn(column: Float64Array | null, rows: Uint32Array, name: SampleColumn): ServedColumn {
  if (column === null || rows.every((row) => Number.isNaN(column[row]!))) return null
  const decimals = DECIMALS[name]
  return Array.from(rows, (row) => (Number.isNaN(column[row]!) ? null : roundHalfUp(column[row]!, decimals)))
}

/**
 * One page of the samples with a heart rate, counted from 1, and their total number: ordered by elapsed time, then as
 * recorded; a page past the end is empty.
 */
function heartRatePage(track: Track, { page, pageSize }: { page: number; pageSize: number }) {
  const items: ReturnType<typeof sample>[] = []
  const first = (page - 1) * pageSize
  let totalCount = 0
  for (let i = 0; i < track.n; i++) {
    if (Number.isNaN(track.heartRateBpm[i]!)) continue
    if (totalCount >= first && totalCount < first + pageSize) items.push(sample(track, i))
    totalCount += 1
  }
  return { items, totalCount }
}

/** One instant with a heart rate; other values are null when missing. */
function sample(track: Track, i: number) {
  return {
    elapsedSeconds: roundHalfUp(track.tS[i]!, 0),
    heartRateBpm: track.heartRateBpm[i]!,
    distanceM: known(track.distanceM[i]!, 2),
    cadenceRpm: known(track.cadenceRpm[i]!, 0),
    powerWatts: known(track.powerW[i]!, 0),
    speedMps: known(track.speedMps[i]!, 3),
    elevationM: known(track.elevM[i]!, 1),
    temperatureC: known(track.temperatureC[i]!, 1),
  }
}

function known(value: number, decimals: number): number | null {
  return Number.isFinite(value) ? roundHalfUp(value, decimals) : null
}
