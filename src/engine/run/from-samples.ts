import type { Zones } from '../analysis.ts'
import type { Span, Track } from '../track.ts'
import { IMPOSSIBLE_MPS } from './distance.ts'
import { type RelativeEffort, relativeEffort } from './effort.ts'
import type { ElevationProfile } from './elevation.ts'
import { heldMean, heldSeconds, MAX_HOLD_S } from './hold.ts'
import { movingS, type Stop } from './moving.ts'
import { type Readings, series } from './readings.ts'
import type { HeldSeries } from './splits.ts'

/** What the samples give of the whole run, unrounded; null: they do not say. */
export interface FromSamples {
  readonly distanceM: number
  readonly elapsedS: number
  readonly timerS: number
  readonly hasTimer: boolean
  /** Infinity: as long as the timer. */
  readonly movingS: number | null
  readonly heartRate: Summary | null
  readonly cadence: Summary | null
  readonly power: Summary | null
  readonly maxSpeedMps: number | null
  /** null: no altitude, or a treadmill. */
  readonly elevation: Readonly<Record<'gainM' | 'lossM' | 'minM' | 'maxM', number>> | null
  readonly indoor: boolean
  /** Grade-equivalent metres per metre. */
  readonly equivalentShare: number | null
}

export interface Summary {
  readonly least: number
  readonly mean: number
  readonly most: number
}

/** A speed out of positions is taken over at least this long. */
const SPEED_WINDOW_S = 5

/** @param readings of this track */
export function fromSamples(track: Track, readings: Readings): FromSamples {
  const { tS, off, indoor } = track
  const recordedS = tS.at(-1) ?? 0
  const { distanceM, profile, found, equivalentM, heartRate, cadence } = readings
  return {
    distanceM: distanceM?.at(-1) ?? 0,
    elapsedS: recordedS,
    timerS: recordedS - secondsOff(off, recordedS),
    // Only FIT files have a timer; pauses between segments of text formats are no timer time.
    hasTimer: track.positionUnit === 'semicircle',
    movingS: movingOf(track, found),
    heartRate: heartRate && summary(heartRate, meanOfHeld(heartRate, off)),
    cadence: meanSummary(cadence),
    power: meanSummary(series(tS, track.powerW, 0, Infinity)),
    maxSpeedMps: greatestSpeed(track) ?? (distanceM && fastest(tS, distanceM)),
    elevation: profile === null ? null : elevationOf(track, profile),
    indoor,
    equivalentShare: equivalentM === null ? null : equivalentM.at(-1)! / distanceM!.at(-1)!,
  }
}

/** The effort that the heart rates of a track score; null without one from 30 to 250. */
export function sampleEffort({ off }: Track, { heartRate }: Readings, zones: Zones): RelativeEffort | null {
  return heartRate && relativeEffort(heartRate.tS, heartRate.values, zones, off)
}

/** Without any distance nobody knows, but on a treadmill the runner ran while the timer did. */
function movingOf({ tS, off, indoor }: Track, found: readonly Stop[] | null): number | null {
  if (found !== null) return movingS(tS, off, found)
  return indoor ? Infinity : null
}

function secondsOff(off: readonly Span[], recordedS: number): number {
  return off.reduce((sum, { startS, endS }) => sum + Math.max(0, Math.min(endS, recordedS) - startS), 0)
}

/** The mean of the heart rate as the effort weighs it (ALGORITHMS 5): a sparse one counts in full; null without weight. */
function meanOfHeld({ tS, values }: HeldSeries, off: readonly Span[]): number | null {
  const heldS = heldSeconds(tS, off)
  let weightS = 0
  let sum = 0
  for (let i = 0; i < values.length; i += 1) {
    weightS += heldS[i]!
    sum += heldS[i]! * values[i]!
  }
  if (weightS > 0) return sum / weightS
  // of a sensor that wrote while the timer was off only
  return off.length === 0 ? null : meanOfHeld({ tS, values }, [])
}

function meanSummary(sensor: HeldSeries | null): Summary | null {
  return sensor && summary(sensor, heldMean(sensor.tS, sensor.values, { startS: 0, endS: Infinity }, MAX_HOLD_S))
}

/** null for a sensor that is not there: it writes nothing or zeros only. */
function summary({ values }: HeldSeries, mean: number | null): Summary | null {
  let least = Infinity
  let most = -Infinity
  for (let i = 0; i < values.length; i += 1) {
    least = Math.min(least, values[i]!)
    most = Math.max(most, values[i]!)
  }
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
