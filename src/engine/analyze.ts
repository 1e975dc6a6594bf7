import { bestEfforts } from './best-efforts.ts'
import { IMPOSSIBLE_MPS, rowsWith } from './distance.ts'
import { relativeEffort } from './effort.ts'
import type { ElevationProfile } from './elevation.ts'
import { gathered } from './gather.ts'
import { heldMean, MAX_HOLD_S } from './hold.ts'
import { movingS, type Stop } from './moving.ts'
import { readingSplits, series, trackReadings } from './readings.ts'
import type { Span, Track } from './samples.ts'
import { previewIndexes } from './simplify.ts'
import type { HeldSeries } from './splits.ts'
import type { DeviceTotals } from './totals.ts'
import { roundHalfUp } from './units.ts'
import { type FromSamples, type Summary, wholeRun } from './whole-run.ts'

/** Version of every derived number; a change of any formula or constant of ALGORITHMS raises it. */
export const ENGINE_VERSION = 1

/** Bounds of the five zones, bpm. Zone k holds min <= hr < the next zone's min; zone 5 has no upper end. */
export type Zones = readonly [Zone, Zone, Zone, Zone, Zone]
export interface Zone {
  readonly minBpm: number
  readonly maxBpm: number
}

export interface AnalyzeOptions {
  readonly totals: DeviceTotals
  /** 1000 or 1609.344 */
  readonly splitLengthM: number
  readonly zones: Zones
  /** Settings of CONTRACT 2: barometric threshold and the shortest leg. */
  readonly elevation: { readonly thresholdM: number; readonly minDistanceM: number }
}

export interface Split {
  readonly idx: number
  readonly distanceM: number
  readonly durationS: number
  readonly paceS: number
  readonly startElapsedS: number
  readonly endElapsedS: number
  readonly movingTimeS: number | null
  readonly elevGainM: number | null
  readonly elevLossM: number | null
  readonly avgHeartRateBpm: number | null
  readonly avgCadenceRpm: number | null
  readonly gapPaceS: number | null
}

export interface BestEffort {
  /** Index into STANDARD_DISTANCES. */
  readonly distanceIndex: number
  /** Whole milliseconds. */
  readonly timeMs: number
  /** Start of the window, whole milliseconds since the start of the run. */
  readonly startMs: number
}

/** Everything derived of one run, rounded as CONTRACT 1.2 says. null: unknown. */
export interface Analysis {
  readonly durationS: number
  readonly movingTimeS: number | null
  readonly timerTimeS: number | null
  readonly distanceM: number
  /** 0 when distance or duration is 0. */
  readonly avgPaceS: number
  readonly gapPaceS: number | null
  readonly elevGainM: number | null
  readonly elevLossM: number | null
  readonly minElevM: number | null
  readonly maxElevM: number | null
  readonly maxSpeedMps: number | null
  readonly avgSpeedMps: number | null
  readonly maxHeartRateBpm: number | null
  readonly avgHeartRateBpm: number | null
  readonly minHeartRateBpm: number | null
  readonly maxCadenceRpm: number | null
  readonly avgCadenceRpm: number | null
  readonly maxCadenceSpm: number | null
  readonly avgCadenceSpm: number | null
  readonly maxPowerWatts: number | null
  readonly avgPowerWatts: number | null
  readonly calories: number | null
  readonly relativeEffort: number | null
  /** Whole seconds in zones 1 to 5. */
  readonly hrZoneSeconds: readonly [number, number, number, number, number] | null
  readonly splits: readonly Split[]
  readonly bestEfforts: readonly BestEffort[]
  /** Indexes into the track of the route's points (those with a position); empty when fewer than two. */
  readonly routeIndex: Uint32Array
  /** At most 100 [lon, lat] with 5 decimals, first and last kept; null without route. */
  readonly preview: readonly (readonly [number, number])[] | null
}

/** A speed out of positions is taken over at least this long. */
const SPEED_WINDOW_S = 5
const PREVIEW_POINTS = 100
const PREVIEW_DECIMALS = 5
/**
 * One track to everything derived from it. The device's own totals go before what the samples give.
 * @throws RangeError for options out of range
 */
export function analyze(track: Track, options: AnalyzeOptions): Analysis {
  checkOptions(options)
  const { tS, off } = track
  const recordedS = tS.at(-1) ?? 0
  const readings = trackReadings(track, options.elevation)
  const { distanceM, profile, found, equivalentM, heartRate, cadence } = readings
  const power = series(tS, track.powerW, 0, Infinity)

  const run: FromSamples = {
    distanceM: roundHalfUp(distanceM?.at(-1) ?? 0, 2),
    elapsedS: recordedS,
    timerS: recordedS - secondsOff(off, recordedS),
    // Only FIT files have a timer; pauses between segments of text formats are no timer time.
    hasTimer: track.positionUnit === 'semicircle',
    movingS: movingOf(track, found),
    heartRate: summary(heartRate),
    cadence: summary(cadence),
    power: summary(power),
    maxSpeedMps: greatestSpeed(track) ?? (distanceM && fastest(tS, distanceM)),
    elevation: profile === null ? elevationWithout(track, options.totals) : elevationOf(track, profile),
    equivalentShare: equivalentM === null ? null : equivalentM.at(-1)! / distanceM!.at(-1)!,
    effort: heartRate && relativeEffort(heartRate.tS, heartRate.values, options.zones, off),
  }
  const positioned = rowsWith(track.latDeg, track.lonDeg)
  const routeIndex = positioned.length < 2 ? new Uint32Array(0) : positioned.slice()
  return {
    ...wholeRun(run, options),
    splits: readingSplits(track, readings, options.splitLengthM),
    // times that were made up of the distance know no fast and slow
    bestEfforts: distanceM === null || track.hasEstimatedTimes === true ? [] : bestEfforts(tS, distanceM),
    routeIndex,
    preview: preview(track, routeIndex),
  }
}

/**
 * What a summary row without samples (Strava's CSV) gives: its totals, no splits, no best efforts, no route.
 * @throws RangeError for options out of range
 */
export function analyzeSummary(options: AnalyzeOptions): Analysis {
  checkOptions(options)
  const nothing: FromSamples = {
    distanceM: 0,
    elapsedS: options.totals.timerS ?? options.totals.movingS ?? 0,
    timerS: Infinity,
    hasTimer: false,
    movingS: null,
    heartRate: null,
    cadence: null,
    power: null,
    maxSpeedMps: null,
    elevation: totalElevation(options.totals),
    equivalentShare: null,
    effort: null,
  }
  return {
    ...wholeRun(nothing, options),
    splits: [],
    bestEfforts: [],
    routeIndex: new Uint32Array(0),
    preview: null,
  }
}

function checkOptions({ splitLengthM, elevation }: AnalyzeOptions): void {
  if (!(splitLengthM >= 100 && splitLengthM < Infinity)) {
    throw new RangeError(`Split length must be at least 100 m, not ${splitLengthM}`)
  }
  for (const metres of [elevation.thresholdM, elevation.minDistanceM]) {
    if (!(metres >= 0 && metres < Infinity)) throw new RangeError(`Elevation setting must not be negative: ${metres}`)
  }
}

/** Without any distance nobody knows, but on a treadmill the runner ran while the timer did. */
function movingOf({ tS, off, indoor }: Track, found: readonly Stop[] | null): number | null {
  if (found !== null) return movingS(tS, off, found)
  return indoor ? Infinity : null
}

function secondsOff(off: readonly Span[], recordedS: number): number {
  return off.reduce((sum, { startS, endS }) => sum + Math.max(0, Math.min(endS, recordedS) - startS), 0)
}

/** null for a sensor that is not there: it writes nothing or zeros only. */
function summary(sensor: HeldSeries | null): Summary | null {
  if (sensor === null) return null
  let least = Infinity
  let most = -Infinity
  for (let i = 0; i < sensor.values.length; i += 1) {
    least = Math.min(least, sensor.values[i]!)
    most = Math.max(most, sensor.values[i]!)
  }
  const mean = heldMean(sensor.tS, sensor.values, { startS: 0, endS: Infinity }, MAX_HOLD_S)
  return mean === null || most <= 0 ? null : { least, mean, most }
}

function greatestSpeed({ speedMps }: Track): number | null {
  const most = speedMps.reduce((least, speed) => (speed > least && speed <= IMPOSSIBLE_MPS ? speed : least), 0)
  return most > 0 ? most : null
}

/** Fastest mean speed over at least five seconds; windows no runner can run are left out. */
function fastest(tS: Float64Array, distanceM: Float64Array): number | null {
  let most = 0
  let end = 0
  for (let i = 0; i < tS.length; i += 1) {
    while (end < tS.length && tS[end]! - tS[i]! < SPEED_WINDOW_S) end += 1
    if (end === tS.length) break
    const speed = (distanceM[end]! - distanceM[i]!) / (tS[end]! - tS[i]!)
    if (speed > most && speed <= IMPOSSIBLE_MPS) most = speed
  }
  return most > 0 ? most : null
}

function elevationOf({ elevM }: Track, { gainM, lossM }: ElevationProfile): FromSamples['elevation'] {
  const known = elevM.filter((metres) => !Number.isNaN(metres))
  const minM = known.reduce((least, metres) => Math.min(least, metres), Infinity)
  const maxM = known.reduce((most, metres) => Math.max(most, metres), -Infinity)
  return { gainM: gainM.at(-1)!, lossM: lossM.at(-1)!, minM, maxM }
}

/** A treadmill has no climb, whatever is said; other runs without altitude have what their summary says. */
function elevationWithout({ indoor }: Track, totals: DeviceTotals): FromSamples['elevation'] {
  return indoor ? { gainM: null, lossM: null, minM: null, maxM: null } : totalElevation(totals)
}

function totalElevation(totals: DeviceTotals): FromSamples['elevation'] {
  return { gainM: totals.elevGainM, lossM: totals.elevLossM, minM: totals.minElevM, maxM: totals.maxElevM }
}

/**
 * The route for lists: at most 100 [lon, lat] with 5 decimals, first and last kept.
 * @param routeIndex indexes of the rows with a position
 * @returns null without route
 */
export function preview(
  { latDeg, lonDeg }: Pick<Track, 'latDeg' | 'lonDeg'>,
  routeIndex: Uint32Array,
): Analysis['preview'] {
  if (routeIndex.length === 0) return null
  const lat = gathered(latDeg, routeIndex)
  const lon = gathered(lonDeg, routeIndex)
  return Array.from(previewIndexes(lat, lon, PREVIEW_POINTS), (point): [number, number] => [
    roundHalfUp(lon[point]!, PREVIEW_DECIMALS),
    roundHalfUp(lat[point]!, PREVIEW_DECIMALS),
  ])
}
