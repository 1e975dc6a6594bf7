import { METRES_PER_MILE } from '../../units.ts'
import type { Reason } from '../confidence.ts'
import { median } from '../numbers.ts'
import { MOST_VARIATION } from '../run/decoupling.ts'
import { speedAtShare } from '../vdot.ts'
import { distanceTerms, type FitnessBasis, type FitnessRow } from './latent-fitness.ts'

export const LEAST_COUNTED_S = 900
export const LEAST_COVERAGE = 0.9
const INTENSITY = [0.6, 0.95] as const
export const HILLY_M_PER_KM = 10
export const USUAL_HOURS = 0.75
const PULSE_BPM = 20
/** A resting heart rate may be entered that runs, or the reference, are below. */
const LEAST_RESERVE_BPM = 10
const RACE_S = [210, 6 * 3600] as const
/** An effort is asked only when it is within this, in ln of speed, of the best of these days to either side. */
const NEAR_BEST = 0.1
const BEST_DAYS = 45
const LEVEL_SD = 0.06
const DEFAULT_MAX_LEVEL_SD = 0.085

/** What a stored run says. */
export interface FitnessRun {
  readonly day: number
  readonly isRace: boolean
  readonly isExcluded: boolean
  readonly isIndoor: boolean
  readonly isAltitudeUsable: boolean
  readonly gainPerKm: number | null
  readonly movingS: number
  /** Of the counted time: seconds, grade-equivalent speed and heart rate; null: unknown. */
  readonly countedS: number | null
  readonly mps: number | null
  readonly bpm: number | null
  /** Share of the wanted time with heart rate. */
  readonly coverage: number
  readonly speedCv: number | null
  readonly wbgtC: number | null
  /** The effort with the highest VDOT, graded. */
  readonly best: { readonly distanceM: number; readonly timeS: number; readonly vdot: number } | null
}

/** Of the latest day, for all runs: a changed profile must not look like fitness. */
export interface TrendProfile {
  readonly restBpm: number
  readonly referenceBpm: number
}

export interface FitnessProfile extends TrendProfile {
  readonly maxBpm: number
  readonly isMaxSet: boolean
}

/**
 * Evidence of a library up to a day: rows of the fit, the index of the run that each comes from, and what the fit is tied
 * to.
 * @param runs in order of start
 */
export function fitnessEvidence(runs: readonly FitnessRun[], profile: FitnessProfile, last: number) {
  const { maxBpm, referenceBpm, isMaxSet } = profile
  const kinds = runs.map((run) => steadyKind(run, maxBpm))
  const pulses = runs.flatMap(({ bpm }, i) => (kinds[i] === 'H' && bpm !== null ? [bpm] : []))
  const middle = pulses.length > 0 ? median(pulses) : referenceBpm
  const link = pulseTerms(middle, profile)
  const efforts = runs.map((run) => effortSpeed(run))
  const isNear = nearBest(runs, efforts)
  const rows: FitnessRow[] = []
  const places: number[] = []
  const add = (place: number, row: FitnessRow) => {
    rows.push(row)
    places.push(place)
  }
  for (const [i, run] of runs.entries()) {
    const { day, mps, bpm, best, wbgtC } = run
    const heat = wbgtC === null ? {} : heatTerms(wbgtC)
    const kind = kinds[i]!
    if (kind === 'H' && mps !== null && bpm !== null) {
      const length = -(run.movingS / 3600 - USUAL_HOURS)
      add(i, { day, kind, y: Math.log(mps), x: { ...pulseTerms(bpm, profile), ...heat, length } })
    } else if (kind === 'P' && mps !== null) {
      add(i, { day, kind, y: Math.log(mps), x: { ...link, ...heat, share: 1 } })
    }
    const y = efforts[i]!
    if (y === null || best === null || !(run.isRace || isNear[i])) continue
    const shared = { ...link, ...distanceTerms(best.distanceM) }
    add(i, run.isRace ? { day, kind: 'R', y, x: { ...shared, ...heat } } : { day, kind: 'E', y, x: shared })
  }
  const c0 = (1.00466 - middle / maxBpm) / 0.68725
  const runDays = [...new Set(runs.map(({ day }) => day))]
  const cSd = isMaxSet ? LEVEL_SD : DEFAULT_MAX_LEVEL_SD
  const basis: FitnessBasis = { runDays, last, c0, cSd, link }
  return { rows, runs: places, basis }
}

/** Why a run that is not a race is no row by its steady speed; null: it is one, H with heart rate and P without. */
export function steadyRefusal(run: FitnessRun, maxBpm: number): Reason | null {
  if (run.isExcluded) return 'excluded'
  if (run.isIndoor) return 'indoor'
  if (run.mps === null || !(run.mps > 0)) return 'noDistance'
  if ((run.countedS ?? 0) < LEAST_COUNTED_S) return 'tooShort'
  if (run.speedCv === null || run.speedCv > MOST_VARIATION) return 'notSteady'
  if (!run.isAltitudeUsable && !((run.gainPerKm ?? 0) < HILLY_M_PER_KM)) return 'gpsAltitude'
  if (run.bpm === null) return null
  if (run.coverage < LEAST_COVERAGE) return 'heartRateGaps'
  const share = run.bpm / maxBpm
  return share >= INTENSITY[0] && share <= INTENSITY[1] ? null : 'uncertain'
}

function steadyKind(run: FitnessRun, maxBpm: number): 'H' | 'P' | null {
  return run.isRace || steadyRefusal(run, maxBpm) !== null ? null : run.bpm === null ? 'P' : 'H'
}

/** Values of the two pulse terms. */
export function pulseTerms(bpm: number, { restBpm, referenceBpm }: TrendProfile) {
  return {
    pulse: Math.log(Math.max(LEAST_RESERVE_BPM, bpm - restBpm) / Math.max(LEAST_RESERVE_BPM, referenceBpm - restBpm)),
    pulse2: ((bpm - referenceBpm) / PULSE_BPM) ** 2,
  }
}

/** Values of the three heat terms. */
export function heatTerms(wbgtC: number) {
  const above = (least: number) => -Math.max(0, wbgtC - least)
  return { heat10: above(10), heat15: above(15), heat20: above(20) }
}

/** ln of the speed at VO2max that the best effort of a run implies. */
function effortSpeed({ isExcluded, best }: FitnessRun): number | null {
  if (isExcluded || best === null || !(best.vdot > 0)) return null
  if (best.distanceM < METRES_PER_MILE || best.timeS < RACE_S[0] || best.timeS > RACE_S[1]) return null
  return Math.log(speedAtShare(best.vdot, 1))
}

/** Whether an effort is near the best of the days around it; the best one of each window is kept at its head. */
function nearBest(runs: readonly FitnessRun[], efforts: readonly (number | null)[]): boolean[] {
  const known = runs.flatMap(({ day }, i) => (efforts[i] === null ? [] : [{ day, y: efforts[i]!, i }]))
  const near = new Array<boolean>(runs.length).fill(false)
  const heads: { day: number; y: number }[] = []
  let first = 0
  let next = 0
  for (const { day, y, i } of known) {
    while (next < known.length && known[next]!.day <= day + BEST_DAYS) {
      const one = known[next]!
      while (heads.length > first && heads.at(-1)!.y <= one.y) heads.pop()
      heads.push(one)
      next += 1
    }
    while (heads[first]!.day < day - BEST_DAYS) first += 1
    near[i] = y >= heads[first]!.y - NEAR_BEST
  }
  return near
}
