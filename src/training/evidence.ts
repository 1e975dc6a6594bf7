import type { Deps } from '../deps.ts'
import { isoDate } from '../engine/calendar/weeks.ts'
import { STANDARD_DISTANCES } from '../engine/run/best-efforts.ts'
import {
  type Chosen,
  chosenEfforts,
  EFFORT_DAYS,
  type HardEffort,
  OLDEST_EFFORT_DAYS,
  type RatedEffort,
} from '../engine/training/chosen-efforts.ts'
import {
  bandConfidence,
  type Estimate,
  estimate,
  lowered,
  noEstimate,
  type Reason,
} from '../engine/training/confidence.ts'
import { CRITICAL_DISTANCES, criticalSpeed } from '../engine/training/critical-speed.ts'
import { Z80 } from '../engine/training/numbers.ts'
import { DAY_MS, rounded, roundHalfUp } from '../engine/units.ts'
import { effortsBetween } from '../library/training/efforts.ts'
import { type PlainFacts, plainFactsBetween } from './facts.ts'
import type { TrainingLibrary, Viewer } from './library.ts'

/**
 * Relative standard deviation of a VDOT from one effort, with an addition for each day of its age; as in the power law.
 */
const NOISE = 0.015
const NOISE_PER_DAY = 0.0003

/** Most efforts of one distance in an answer. */
const MOST_POINTS = 10

type Needs = Pick<Deps, 'db'>

/** Efforts of the last days from half a mile on, as evidence; those of later runs have a negative age. */
function recentEfforts({ db }: Needs, library: TrainingLibrary, viewer: Viewer, days: number): HardEffort[] {
  const [fromMs, toMs] = [(viewer.today - days - 2) * DAY_MS, (viewer.today + 2) * DAY_MS]
  const within = library.runs().filter(({ startedAt }) => startedAt >= fromMs && startedAt < toMs)
  const runs = new Map(within.map((run) => [run.id, run]))
  return effortsBetween(db, fromMs, toMs).flatMap((row) => {
    const run = runs.get(row.workoutId)
    const distance = STANDARD_DISTANCES[row.distanceIndex]
    if (run === undefined || distance === undefined) return []
    const ageDays = viewer.today - library.dayOf(run, viewer)
    const { workoutId, gradedM } = row
    const { distanceM } = distance
    return [{ workoutId, distanceM, gradedM, timeS: row.timeMs / 1000, ageDays, isRace: run.runType === 'Race' }]
  })
}

/** Days of runs that evidence, proposals and the VO2max need: a year, and the SHAPE_DAYS before its first value. */
export const FACT_DAYS = 407

/** Data that several answers are computed from. */
export interface Asked {
  readonly viewer: Viewer
  readonly efforts: readonly HardEffort[]
  readonly vdot: RunnerVdot
  /** Facts of the runs of the last FACT_DAYS days, oldest first. */
  readonly facts: readonly PlainFacts[]
}

/** Evidence as of today. */
export function evidenceFor(deps: Needs, library: TrainingLibrary, viewer: Viewer): Asked {
  const efforts = recentEfforts(deps, library, viewer, OLDEST_EFFORT_DAYS).map((effort) => {
    return { ...effort, ageDays: Math.max(0, effort.ageDays) }
  })
  const facts = plainFactsBetween(deps, (viewer.today - FACT_DAYS - 1) * DAY_MS, (viewer.today + 2) * DAY_MS)
  return { viewer, efforts, vdot: runnerVdot(efforts, viewer), facts }
}

/** The VDOT on a day that is over, of the 90 days up to it. */
export function vdotAsOf(deps: Needs, library: TrainingLibrary, viewer: Viewer): RunnerVdot {
  const efforts = recentEfforts(deps, library, viewer, EFFORT_DAYS)
  return runnerVdot(
    efforts.filter(({ ageDays }) => ageDays >= 0 && ageDays <= EFFORT_DAYS),
    viewer,
  )
}

/** The VDOT that the whole page uses. */
export interface RunnerVdot {
  readonly estimate: Estimate
  readonly value: number | null
  readonly chosen: Chosen
  /** The effort that determines it. */
  readonly best: RatedEffort | null
}

function runnerVdot(efforts: readonly HardEffort[], viewer: Viewer): RunnerVdot {
  const chosen = chosenEfforts(efforts)
  const best = chosen.efforts[0] ?? null
  if (best === null) {
    const missing = 'One race or hard run of a mile or more is needed'
    return { estimate: noEstimate('ml/kg/min', ['tooFewEfforts'], missing), value: null, chosen, best }
  }
  const hasRace = chosen.efforts.some(({ isRace }) => isRace)
  const reasons: Reason[] = [
    ...(chosen.isStale ? (['stale'] as const) : []),
    ...(hasRace ? [] : (['noRace'] as const)),
    ...(best.gradedM === null ? (['gpsAltitude'] as const) : []),
  ]
  const deviation = Math.sqrt(NOISE ** 2 + (NOISE_PER_DAY * best.ageDays) ** 2)
  const low = best.vdot * Math.exp(-Z80 * deviation)
  const high = best.vdot * Math.exp(Z80 * deviation)
  const confidence = lowered(bandConfidence(best.vdot, low, high), best.gradedM === null ? 1 : 0)
  return {
    value: best.vdot,
    chosen,
    best,
    estimate: estimate({
      ...rounded({ value: best.vdot, low, high }, 1),
      unit: 'ml/kg/min',
      basis: [hasRace ? 'race' : 'effort'],
      n: chosen.efforts.length,
      reasons,
      confidence: hasRace && !chosen.isStale ? confidence : 'low',
      asOf: isoDate(viewer.today - best.ageDays),
      missing: hasRace
        ? chosen.isStale
          ? 'A race or hard run of the last 90 days would make it current'
          : null
        : 'One race or hard 5K would narrow the range',
    }),
  }
}

/** The fastest few of each distance. */
function fastest(efforts: readonly HardEffort[]): HardEffort[] {
  const byDistance = Map.groupBy(efforts, ({ distanceM }) => distanceM)
  const few = [...byDistance.values()].map((all) => all.toSorted((a, b) => a.timeS - b.timeS).slice(0, MOST_POINTS))
  return few.flat().toSorted((a, b) => a.distanceM - b.distanceM || a.timeS - b.timeS)
}

/** Critical speed of the last 90 days, as served. */
export function criticalSpeedAnswer(efforts: readonly HardEffort[], viewer: Viewer) {
  const asked = CRITICAL_DISTANCES.map((index) => STANDARD_DISTANCES[index]!.distanceM)
  const young = efforts.filter(({ ageDays, distanceM }) => ageDays <= EFFORT_DAYS && asked.includes(distanceM))
  const { fit, used, reason, n } = criticalSpeed(young)
  const points = fastest(young).map(({ workoutId, distanceM, timeS }) => ({
    workoutId,
    distanceM,
    timeMs: Math.round(1000 * timeS),
    used: used.some((point) => point.workoutId === workoutId && point.distanceM === distanceM),
  }))
  if (reason !== null || fit === null) {
    const missing =
      reason === 'oneRun'
        ? 'Efforts of a second run are needed: those of one race are its splits'
        : 'One hard effort of 3 minutes and one of 20 minutes are enough'
    const none = (unit: string) => ({ ...noEstimate(unit, [reason ?? 'tooFewEfforts'], missing), n })
    return { criticalSpeed: none('m/s'), paceS: null, dPrimeM: none('m'), points }
  }
  const newest = Math.min(...young.filter((point) => used.includes(point)).map(({ ageDays }) => ageDays))
  const shared = { basis: ['effort'], n, asOf: isoDate(viewer.today - newest), reasons: [], missing: null }
  const { csMps, csLowMps, csHighMps, dPrimeM, dPrimeLowM, dPrimeHighM } = fit
  const speeds = rounded({ value: csMps, low: csLowMps, high: csHighMps }, 3)
  const metres = rounded({ value: dPrimeM, low: dPrimeLowM, high: dPrimeHighM })
  return {
    criticalSpeed: estimate({ ...shared, ...speeds, unit: 'm/s' }),
    paceS: roundHalfUp(1000 / csMps, 1),
    dPrimeM: estimate({ ...shared, ...metres, unit: 'm' }),
    points,
  }
}
