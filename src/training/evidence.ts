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
import { DAY_MS, roundHalfUp } from '../engine/units.ts'
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

/** Efforts of the last year from half a mile on, as evidence. */
function recentEfforts({ db }: Pick<Deps, 'db'>, library: TrainingLibrary, viewer: Viewer): HardEffort[] {
  const fromMs = (viewer.today - OLDEST_EFFORT_DAYS - 2) * DAY_MS
  const runs = new Map(library.runs().map((run) => [run.id, run]))
  return effortsBetween(db, fromMs, (viewer.today + 2) * DAY_MS).flatMap((row) => {
    const run = runs.get(row.workoutId)
    const distance = STANDARD_DISTANCES[row.distanceIndex]
    if (run === undefined || distance === undefined) return []
    const ageDays = Math.max(0, viewer.today - library.dayOf(run, viewer))
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
export function evidenceFor(deps: Pick<Deps, 'db'>, library: TrainingLibrary, viewer: Viewer): Asked {
  const efforts = recentEfforts(deps, library, viewer)
  const facts = plainFactsBetween(deps, (viewer.today - FACT_DAYS - 1) * DAY_MS, (viewer.today + 2) * DAY_MS)
  return { viewer, efforts, vdot: runnerVdot(efforts, viewer), facts }
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
    const missing = 'One race or hard run of a mile and more would tell it'
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
      value: roundHalfUp(best.vdot, 1),
      low: roundHalfUp(low, 1),
      high: roundHalfUp(high, 1),
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
        : 'One race or hard 5K would tell it better',
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
        ? 'Efforts of a second run would tell it: those of one race are its splits'
        : 'One hard 3 minutes and one hard 20 minutes would do'
    const none = (unit: string) => ({ ...noEstimate(unit, [reason ?? 'tooFewEfforts'], missing), n })
    return { criticalSpeed: none('m/s'), paceS: null, dPrimeM: none('m'), points }
  }
  const newest = Math.min(...young.filter((point) => used.includes(point)).map(({ ageDays }) => ageDays))
  const shared = { basis: ['effort'], n, asOf: isoDate(viewer.today - newest), reasons: [], missing: null }
  const { csMps, csLowMps, csHighMps, dPrimeM, dPrimeLowM, dPrimeHighM } = fit
  const speeds = { value: roundHalfUp(csMps, 3), low: roundHalfUp(csLowMps, 3), high: roundHalfUp(csHighMps, 3) }
  const metres = { value: roundHalfUp(dPrimeM), low: roundHalfUp(dPrimeLowM), high: roundHalfUp(dPrimeHighM) }
  return {
    criticalSpeed: estimate({ ...shared, ...speeds, unit: 'm/s' }),
    paceS: roundHalfUp(1000 / csMps, 1),
    dPrimeM: estimate({ ...shared, ...metres, unit: 'm' }),
    points,
  }
}
