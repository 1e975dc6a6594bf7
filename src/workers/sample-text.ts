import type { AnalyzeOptions } from '../engine/analysis.ts'
import { slopes } from '../engine/run/grade.ts'
import { trackReadings } from '../engine/run/readings.ts'
import { smoothPace } from '../engine/run/smooth-pace.ts'
import { thinRows } from '../engine/run/thin-rows.ts'
import type { Track } from '../engine/track.ts'
import { roundHalfUp } from '../engine/units.ts'

/** Every column of the samples as they are served, and its decimals: those of its stored unit, or of what a derived one is good for. */
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
/** Their extremes survive thinning: what a chart of a run is looked at for. */
const KEPT_EXTREMES: readonly SampleColumn[] = ['heartRateBpm', 'paceS', 'elevationM']
/** Values that are written as text at once. */
const VALUES_A_PIECE = 8192

export interface SampleTextOptions {
  readonly elevation: AnalyzeOptions['elevation']
  /** null: every row. */
  readonly maxPoints: number | null
  /** JSON of the best efforts of the workout. */
  readonly bestEfforts: string
}

/**
 * The samples of a track as columns, thinned, with their pauses: the JSON text of the answer in pieces, between which others
 * can be let in. Its first piece comes after all that is derived of the track.
 * @param track null: the workout has no samples
 */
export function* sampleText(track: Track | null, options: SampleTextOptions): Generator<string, void> {
  const values = track && sampleValues(track, options.elevation)
  const rows = track && values && keptRows(track, values, options.maxPoints)
  yield `{"totalCount":${track?.n ?? 0},"count":${rows?.length ?? 0}`
  for (const name of COLUMNS) {
    yield `,"${name}":`
    if (rows && values) yield* columnText(values[name], { rows, decimals: DECIMALS[name] })
    else yield 'null'
  }
  const pauses = track?.off.map(({ startS, endS }) => ({ startS, endS })) ?? []
  yield `,"pauses":${JSON.stringify(pauses)},"bestEfforts":${options.bestEfforts}}`
}

type Values = Readonly<Record<SampleColumn, Float64Array>>

function keptRows(track: Track, values: Values, maxPoints: number | null): Uint32Array {
  return thinRows(
    track.n,
    KEPT_EXTREMES.map((name) => values[name]),
    maxPoints ?? Number.POSITIVE_INFINITY,
  )
}

/** Every column at every row; NaN is a gap. */
function sampleValues(track: Track, elevation: AnalyzeOptions['elevation']): Values {
  const { tS, off } = track
  const { distanceM, profile, equivalentM } = trackReadings(track, elevation)
  const nothing = new Float64Array(track.n).fill(Number.NaN)
  // times that were made of the distance know no fast and slow
  const isTimed = track.hasEstimatedTimes !== true
  // altitude that is too noisy to climb by tells no slope either: there is no equivalent distance then
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

/** null inside is a gap, a column without any value is null. */
function* columnText(
  values: Float64Array,
  { rows, decimals }: { readonly rows: Uint32Array; readonly decimals: number },
): Generator<string, void> {
  if (rows.every((row) => Number.isNaN(values[row]!))) return yield 'null'
  for (let from = 0; from < rows.length; from += VALUES_A_PIECE) {
    const piece = Array.from(rows.subarray(from, from + VALUES_A_PIECE), (row) => {
      const value = values[row]!
      return Number.isNaN(value) ? null : roundHalfUp(value, decimals)
    })
    yield (from === 0 ? '[' : ',') + JSON.stringify(piece).slice(1, -1)
  }
  yield ']'
}
