import type { AnalyzeOptions } from '../engine/analysis.ts'
import { slopes } from '../engine/run/grade.ts'
import { trackReadings } from '../engine/run/readings.ts'
import { smoothPace } from '../engine/run/smooth-pace.ts'
import { thinRows } from '../engine/run/thin-rows.ts'
import type { Track } from '../engine/track.ts'
import { roundHalfUp } from '../engine/units.ts'
import { heartRatePage } from './heart-rate-page.ts'
import { arrayText, memberTexts, objectText } from './json-text.ts'
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
/** Values converted to text at once. */
const VALUES_A_PIECE = 8192

interface SampleTextOptions {
  readonly elevation: AnalyzeOptions['elevation']
  /** null: all rows. */
  readonly maxPoints: number | null
  /** JSON of the workout's best efforts. */
  readonly bestEfforts: string
}

export const SAMPLE_TASKS = {
  /** JSON in UTF-8; transferred, not copied. */
  samples: (job: StoredTrack & SampleTextOptions) => ({
    text: new TextEncoder().encode([...sampleText(trackOf(job), job)].join('')),
  }),
  heartRates: (job: StoredTrack & { readonly page: number; readonly pageSize: number }) => ({
    found: heartRatePage(trackOf(job), job),
  }),
}

/**
 * The samples of a track as thinned columns, with pauses: the JSON text of the answer in pieces, between which other
 * requests can be served. Everything is derived before the first piece.
 * @param track null: the workout has no samples
 */
export function* sampleText(track: Track | null, options: SampleTextOptions): Generator<string, void> {
  const values = track && sampleValues(track, options.elevation)
  const rows = track && values && keptRows(track, values, options.maxPoints)
  const columnOf = (name: SampleColumn) =>
    rows && values ? columnText(values[name], { rows, decimals: DECIMALS[name] }) : ['null']
  yield* objectText({
    ...memberTexts({ totalCount: track?.n ?? 0, count: rows?.length ?? 0 }),
    ...Object.fromEntries(COLUMNS.map((name) => [name, columnOf(name)])),
    ...memberTexts({ pauses: track?.off.map(({ startS, endS }) => ({ startS, endS })) ?? [] }),
    bestEfforts: [options.bestEfforts],
  })
}

type Values = Readonly<Record<SampleColumn, Float64Array>>

function keptRows(track: Track, values: Values, maxPoints: number | null): Uint32Array {
  return thinRows(
    track.n,
    KEPT_EXTREMES.map((name) => values[name]),
    maxPoints ?? Number.POSITIVE_INFINITY,
  )
}

/** All columns at every row; NaN is a gap. */
function sampleValues(track: Track, elevation: AnalyzeOptions['elevation']): Values {
  const { tS, off } = track
  const { distanceM, profile, equivalentM } = trackReadings(track, elevation)
  const nothing = new Float64Array(track.n).fill(Number.NaN)
  // estimated times have the same speed everywhere
  const isTimed = track.hasEstimatedTimes !== true
  // altitude too noisy for climb gives no slope either; there is no equivalent distance then
  const isSloped = equivalentM !== null && distanceM !== null && profile !== null
  return {
    elapsedS: tS,
    distanceM: track.distanceM,
    lat: track.latDeg,
    lon: track.lonDeg,
    elevationM: track.elevM,
    heartRateBpm: track.heartRateBpm,
    cadenceRpm: track.cadenceRpm,
    powerWatts: track.powerW,
    speedMps: track.speedMps,
    paceS: isTimed && distanceM !== null ? smoothPace(tS, distanceM, off) : nothing,
    gapPaceS: isTimed && equivalentM !== null ? smoothPace(tS, equivalentM, off) : nothing,
    gradePercent: isSloped ? slopes(distanceM, profile.smoothedM).map((slope) => slope * 100) : nothing,
    temperatureC: track.temperatureC,
  }
}

/** A gap in a column is null; a column without any value is null as a whole. */
function columnText(
  values: Float64Array,
  { rows, decimals }: { readonly rows: Uint32Array; readonly decimals: number },
): Iterable<string> {
  const served = (row: number) => (Number.isNaN(values[row]!) ? null : roundHalfUp(values[row]!, decimals))
  return rows.every((row) => Number.isNaN(values[row]!)) ? ['null'] : arrayText(slicesOf(rows, served))
}

function* slicesOf(rows: Uint32Array, served: (row: number) => number | null): Generator<(number | null)[], void> {
  for (let from = 0; from < rows.length; from += VALUES_A_PIECE) {
    yield Array.from(rows.subarray(from, from + VALUES_A_PIECE), served)
  }
}
