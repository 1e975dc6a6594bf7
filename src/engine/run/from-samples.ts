import { extent, gathered, rowsWith } from '../gather.ts'
import type { Said } from '../numbers.ts'
import type { Span, Track } from '../track.ts'
import { IMPOSSIBLE_MPS } from './distance.ts'
import { type HeldSeries, heldMean, heldSeconds, heldSeries } from './hold.ts'
import { movingS, type Stop, secondsWithin } from './moving.ts'
import type { Readings } from './readings.ts'

/** What the samples of a whole run give, unrounded. */
export interface FromSamples {
  /** A moving time of Infinity means: as long as the timer ran. */
  readonly numbers: Said
  readonly timerS: number
  readonly indoor: boolean
  /** Grade-equivalent metres per metre; null: the samples do not give it. */
  readonly equivalentShare: number | null
}

/** The maximum speed is a mean over at least this long. */
const SPEED_WINDOW_S = 5

/** @param readings computed from this track */
export function fromSamples(track: Track, readings: Readings): FromSamples {
  const { tS, off, indoor } = track
  const { distanceM, profile, equivalentM } = readings
  const recordedS = tS.at(-1) ?? 0
  const timerS = recordedS - secondsWithin(off, 0, recordedS)
  const heights = profile && extent(track.elevM)
  const heartRate = readings.heartRate && summary(readings.heartRate, meanOfHeld(readings.heartRate, off))
  const cadence = meanSummary(readings.cadence)
  const power = meanSummary(heldSeries(tS, track.powerW, [0, Infinity]))
  return {
    numbers: {
      durationS: recordedS,
      // only FIT files have a timer; pauses between the segments of text formats are not timer time
      timerTimeS: track.positionUnit === 'semicircle' ? timerS : null,
      movingTimeS: movingOf(track, readings.found),
      distanceM: distanceM?.at(-1) ?? 0,
      elevGainM: profile?.gainM.at(-1),
      elevLossM: profile?.lossM.at(-1),
      minElevM: heights?.least,
      maxElevM: heights?.most,
      maxSpeedMps: fastestBySensor(track) ?? (distanceM && fastest(tS, distanceM)),
      maxHeartRateBpm: heartRate?.most,
      avgHeartRateBpm: heartRate?.mean,
      minHeartRateBpm: heartRate?.least,
      maxCadenceRpm: cadence?.most,
      avgCadenceRpm: cadence?.mean,
      maxPowerWatts: power?.most,
      avgPowerWatts: power?.mean,
    },
    timerS,
    indoor,
    equivalentShare: equivalentM === null ? null : equivalentM.at(-1)! / distanceM!.at(-1)!,
  }
}

/** Without any distance the moving time is unknown; only on a treadmill did the runner run whenever the timer did. */
function movingOf({ tS, off, indoor }: Track, found: readonly Stop[] | null): number | null {
  if (found !== null) return movingS(tS, off, found)
  return indoor ? Infinity : null
}

/** Mean weighted as in the effort (docs/algorithms.md 5): samples of a sparse series hold longer; null without any. */
function meanOfHeld({ tS, values }: HeldSeries, off: readonly Span[]): number | null {
  const heldS = heldSeconds(tS, off)
  let weightS = 0
  let sum = 0
  for (let i = 0; i < values.length; i += 1) {
    weightS += heldS[i]!
    sum += heldS[i]! * values[i]!
  }
  if (weightS > 0) return sum / weightS
  // all values were written while the timer was off
  return off.length === 0 ? null : meanOfHeld({ tS, values }, [])
}

function meanSummary(sensor: HeldSeries | null) {
  return sensor && summary(sensor, heldMean(sensor, { startS: 0, endS: Infinity }))
}

/** null for a sensor that is absent, which shows as no values or only zeros. */
function summary({ values }: HeldSeries, mean: number | null) {
  const { least, most } = extent(values)
  return mean === null || most <= 0 ? null : { least, mean, most }
}

/** Of the device's own speeds; those that nobody runs are gaps. */
function fastestBySensor({ tS, speedMps }: Track): number | null {
  const rows = rowsWith(speedMps, speedMps).filter((row) => speedMps[row]! <= IMPOSSIBLE_MPS)
  const timeS = gathered(tS, rows)
  const metres = new Float64Array(rows.length)
  for (let k = 1; k < rows.length; k += 1) {
    const meanMps = (speedMps[rows[k - 1]!]! + speedMps[rows[k]!]!) / 2
    metres[k] = metres[k - 1]! + meanMps * (timeS[k]! - timeS[k - 1]!)
  }
  return fastest(timeS, metres)
}

/** Greatest mean speed of a window; those faster than a runner can be are left out. */
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
