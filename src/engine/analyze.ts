import type { Analysis, AnalyzeOptions } from './analysis.ts'
import { gathered } from './gather.ts'
import { previewIndexes } from './route/simplify.ts'
import { bestEfforts } from './run/best-efforts.ts'
import { IMPOSSIBLE_MPS, rowsWith } from './run/distance.ts'
import { relativeEffort } from './run/effort.ts'
import type { ElevationProfile } from './run/elevation.ts'
import { heldMean, MAX_HOLD_S } from './run/hold.ts'
import { movingS, type Stop } from './run/moving.ts'
import { readingSplits, series, trackReadings } from './run/readings.ts'
import type { HeldSeries } from './run/splits.ts'
import { type FromSamples, type Summary, wholeRun } from './run/whole-run.ts'
import type { DeviceTotals } from './totals.ts'
import type { Span, Track } from './track.ts'
import { roundHalfUp } from './units.ts'

/** Version of every derived number; a change of any formula or constant of ALGORITHMS raises it. */
export const ENGINE_VERSION = 1

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
