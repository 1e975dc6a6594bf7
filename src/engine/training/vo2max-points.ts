import { WARM_C } from './conditions.ts'
import type { Reason } from './confidence.ts'
import { vo2maxOfHeartRate } from './effective-vo2max.ts'
import { MOST_VARIATION } from './run/decoupling.ts'

const LEAST_COUNTED_S = 900
const LEAST_COVERAGE = 0.9
const INTENSITY = [0.65, 0.95] as const
const HILLY_M_PER_KM = 10

/** What the effective VO2max uses of an ordinary run. */
export interface SteadyRun {
  readonly countedS: number | null
  readonly mps: number | null
  readonly bpm: number | null
  /** Share of the wanted time with heart rate. */
  readonly coverage: number
  readonly speedCv: number | null
  readonly wbgtC: number | null
  readonly maxHeartRateBpm: number
  /** The runner set the maximum, or accepted a proposed one. */
  readonly isMaxSet: boolean
  readonly isSuspect: boolean
  readonly isExcluded: boolean
  readonly isIndoor: boolean
  readonly isAltitudeUsable: boolean
  readonly gainPerKm: number | null
}

/** The estimate of a run, and why it does not count; null: it counts. */
interface Vo2maxPoint {
  /** Before the correction; null: it cannot be computed. */
  readonly value: number | null
  readonly reason: Reason | null
}

export function vo2maxPoint(run: SteadyRun): Vo2maxPoint {
  const { mps, bpm, maxHeartRateBpm } = run
  if (mps === null || bpm === null || !(mps > 0))
    return { value: null, reason: mps === null ? 'noHeartRate' : 'noDistance' }
  const value = vo2maxOfHeartRate(mps, bpm, maxHeartRateBpm)
  return { value: Number.isFinite(value) && value > 0 ? value : null, reason: refusal(run, bpm / maxHeartRateBpm) }
}

function refusal(run: SteadyRun, intensity: number): Reason | null {
  if (run.isExcluded) return 'excluded'
  if (run.isIndoor) return 'indoor'
  if ((run.countedS ?? 0) < LEAST_COUNTED_S) return 'tooShort'
  if (run.coverage < LEAST_COVERAGE) return 'heartRateGaps'
  if (run.speedCv === null || run.speedCv > MOST_VARIATION) return 'notSteady'
  if (run.isSuspect) return 'suspectHeartRate'
  if (!run.isMaxSet) return 'defaultMaxHeartRate'
  if (intensity < INTENSITY[0] || intensity > INTENSITY[1]) return 'uncertain'
  if (run.wbgtC !== null && run.wbgtC > WARM_C) return 'heat'
  if (!run.isAltitudeUsable && !((run.gainPerKm ?? 0) < HILLY_M_PER_KM)) return 'gpsAltitude'
  return null
}
