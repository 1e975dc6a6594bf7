import { kept } from '../../db/kept.ts'
import { isoDate } from '../../engine/calendar/weeks.ts'
import {
  bandConfidence,
  type Estimate,
  estimate,
  isTooWide,
  lesser,
  noEstimate,
  type Reason,
} from '../../engine/training/confidence.ts'
import { isUsed, vdotOn } from '../../engine/training/latent/fitness-readings.ts'
import type { KeptFitness } from '../../engine/training/latent/kept-fitness.ts'
import { DAY_MS, rounded } from '../../engine/units.ts'
import type { Deps } from '../../library/deps.ts'
import { fitnessUpTo } from '../../library/training/fitness.ts'
import { factsBetween, type PlainFacts } from './facts.ts'
import type { TrainingLibrary, Viewer } from './library.ts'

/** Days up to today whose races make an estimate surer, and whose runs are counted. */
export const EVIDENCE_DAYS = 365
const STALE_DAYS = 90
/** Days of facts that proposals need. */
const FACT_DAYS = EVIDENCE_DAYS + 1
export const RACE_MISSING = 'One race or hard 5K would halve the range'
const RUNS_MISSING = 'Four steady runs of 25 minutes, or races, are needed'

/** Data that several answers are computed from. */
export interface Asked {
  readonly viewer: Viewer
  readonly vdot: RunnerVdot
  /** Facts of the runs of the last year, oldest first. */
  readonly facts: readonly PlainFacts[]
}

export type EvidenceOf = ReturnType<typeof createEvidence>

/** Evidence as of today, computed once after each change. */
export function createEvidence(deps: Pick<Deps, 'db'>, library: TrainingLibrary) {
  const evidenceOf = kept(deps.db, (viewer: Viewer) => evidenceFor(deps, library, viewer), library.state)
  return (offsetMinutes: number | undefined) => evidenceOf(library.viewer(offsetMinutes))
}

function evidenceFor({ db }: Pick<Deps, 'db'>, library: TrainingLibrary, viewer: Viewer): Asked {
  const facts = factsBetween({ db }, 'plain', [(viewer.today - FACT_DAYS) * DAY_MS, (viewer.today + 2) * DAY_MS])
  return { viewer, vdot: runnerVdot(library.fitness(), viewer.today), facts }
}

/** The VDOT on a day that is over, as the runs up to it said it. */
export function vdotAsOf(library: TrainingLibrary, day: number): RunnerVdot {
  const fitness = library.fitness()
  return runnerVdot(fitness && fitnessUpTo(fitness, day), day)
}

/** The VDOT that the whole page uses, and the fit that it is read from. */
export type RunnerVdot = ReturnType<typeof runnerVdot>

function runnerVdot(fitness: KeptFitness | null, day: number) {
  /** Of the year up to the day. */
  const rows = (fitness?.rows ?? []).filter((row) => row.day <= day && row.day > day - EVIDENCE_DAYS)
  const used = rows.filter(isUsed)
  const hasRace = rows.some(({ kind }) => kind === 'R')
  const asOf = rows.reduce<number | null>((last, row) => Math.max(last ?? row.day, row.day), null)
  const isStale = asOf === null || day - asOf > STALE_DAYS
  const kinds = new Set(used.map(({ kind }) => kind))
  const reasons: Reason[] = [
    ...(isStale ? (['stale'] as const) : []),
    ...(hasRace ? [] : (['noRace'] as const)),
    ...(kinds.has('H') && fitness?.profile.isMaxSet === false ? (['defaultMaxHeartRate'] as const) : []),
  ]
  /** What all estimates of the day share. */
  const shared = {
    basis: BASIS.flatMap(([kind, name]) => (kinds.has(kind) ? [name] : [])),
    n: used.length,
    asOf: asOf === null ? null : isoDate(asOf),
    reasons,
    missing: hasRace ? (isStale ? 'A run of the last 90 days would make it current' : null) : RACE_MISSING,
  }
  const fit = fitness?.fit ?? null
  if (fitness === null || fit === null) {
    const known = (fitness?.rows ?? []).filter(({ kind }) => kind !== 'E').length
    const none = noEstimate(
      'ml/kg/min',
      ['tooFewRuns'],
      known === 0 ? RUNS_MISSING : `${RUNS_MISSING}; ${known} so far`,
    )
    return { estimate: none, value: null, day, fitness: null, rows, shared }
  }
  const { value, low, high } = vdotOn(fit, day)
  const said = surest({ ...shared, ...rounded({ value, low, high }, 1), unit: 'ml/kg/min' })
  return { estimate: said, value: said.value === null ? null : value, day, fitness: { ...fitness, fit }, rows, shared }
}

const BASIS = [
  ['R', 'race'],
  ['H', 'heartRate'],
  ['P', 'pace'],
  ['E', 'effort'],
] as const

/** Low at most without a race; none when its range is too wide to be of use. */
export function surest(parts: Parameters<typeof estimate>[0]): Estimate {
  const { value, low, high, reasons, unit } = parts
  if (isTooWide(value, low, high)) return noEstimate(unit, ['uncertain', ...reasons], parts.missing ?? RACE_MISSING)
  const own = parts.confidence ?? bandConfidence(value, low, high)
  return estimate({ ...parts, confidence: reasons.includes('noRace') ? lesser('low', own) : own })
}
