import type { RowKind } from './row-weights.ts'
import { type StateFit, stateFit, stateMean, stateSd, type Terms } from './state-fit.ts'

const TERMS = [
  { name: 'pulse', mean: 0.9, sd: 0.2 },
  { name: 'pulse2', mean: 0, sd: 0.01 },
  { name: 'heat10', mean: 0.003, sd: 0.003 },
  { name: 'heat15', mean: 0.002, sd: 0.003 },
  { name: 'heat20', mean: 0.002, sd: 0.003 },
  { name: 'length', mean: 0.015, sd: 0.015 },
  { name: 'e', mean: 0.005, sd: 0.03 },
  { name: 'd', mean: 0.06, sd: 0.05 },
  { name: 'share', mean: Math.log(0.71), sd: 0.07 },
] as const
type TermName = (typeof TERMS)[number]['name']
const TERM = Object.fromEntries(TERMS.map(({ name }, i) => [name, i])) as Readonly<Record<TermName, number>>
/** With so many rows with heart rate the share of easy runs is free: how easy someone runs says nothing of how fit. */
const ENOUGH_PULSES = 8
const FREE_SHARE_SD = 0.5
const LEVEL_STEP = 0.02
const LEVEL_DAYS = 365
const REFERENCE_M = 10_000
export const HALF_MARATHON_M = 21_097.5
const LEAST_ROWS = 4
const ROUNDS = 12

export interface FitnessRow {
  readonly day: number
  readonly kind: RowKind
  /** ln m/s. */
  readonly y: number
  readonly x: { readonly [K in TermName]?: number | undefined }
}

export interface FitnessBasis {
  /** Days with a run, ascending. */
  readonly runDays: readonly number[]
  readonly last: number
  /** Prior of what the runner's own level adds to fitness at one pulse, and its standard deviation. */
  readonly c0: number
  readonly cSd: number
  /** The two pulse terms at the median pulse of the rows H. */
  readonly link: { readonly pulse: number; readonly pulse2: number }
}

/** One fitness a day that explains all evidence. */
export type LatentFitness = ReturnType<typeof readFitness>

/** A fit as plain data, which the Worker posts. */
export interface FittedLibrary extends Pick<FitnessBasis, 'c0' | 'link'> {
  readonly state: StateFit
  /** Number of years that the level moves in. */
  readonly years: number
}

/** How a distance enters, by names of terms. */
export function distanceTerms(distanceM: number): { readonly e: number; readonly d: number } {
  return { e: -Math.log(distanceM / REFERENCE_M), d: -Math.max(0, Math.log(distanceM / HALF_MARATHON_M)) }
}

/** The fit of a library. @param rows in order of start @returns null with fewer than four rows H, P and R */
export function latentFitness(rows: readonly FitnessRow[], basis: FitnessBasis): LatentFitness | null {
  const fitted = fittedLibrary(rows, basis)
  return fitted && readFitness(fitted)
}

/** As `latentFitness`, without what reads it. */
export function fittedLibrary(rows: readonly FitnessRow[], basis: FitnessBasis): FittedLibrary | null {
  if (rows.filter(({ kind }) => kind !== 'E').length < LEAST_ROWS) return null
  const firstDay = Math.min(rows[0]!.day, basis.runDays[0] ?? basis.last)
  const span = 7 * (Math.floor((basis.last - firstDay) / 7) + 1)
  const years = Math.max(1, Math.ceil(span / LEVEL_DAYS))
  const isFree = rows.filter(({ kind }) => kind === 'H').length >= ENOUGH_PULSES
  const size = TERMS.length + years + 1
  const precision = new Float64Array(size * size)
  for (const [i, { name, sd }] of TERMS.entries()) {
    precision[i * (size + 1)] = 1 / (name === 'share' && isFree ? FREE_SHARE_SD : sd) ** 2
  }
  for (let i = TERMS.length; i + 1 < size; i += 1) {
    const step = 1 / LEVEL_STEP ** 2
    precision[i * (size + 1)]! += step
    precision[(i + 1) * (size + 1)]! += step
    precision[i * size + i + 1]! -= step
    precision[(i + 1) * size + i]! -= step
  }
  precision[size * size - 1]! += 1 / basis.cSd ** 2
  const means = [...TERMS.map(({ mean }) => mean), ...new Array<number>(years + 1).fill(basis.c0)]
  const placed = rows.map(({ day, kind, y, x }) => {
    const ofLevel = kind === 'H' ? [] : levelTerms(day, firstDay, years)
    const used = [...TERMS.map(({ name }, i) => [i, x[name] ?? 0] as const), ...ofLevel].filter(([, value]) => value)
    return { day, kind, y, at: used.map(([term]) => term), x: used.map(([, value]) => value) }
  })
  const model = { means, precision, runDays: basis.runDays, rounds: ROUNDS, mayBeFast: true, widened: 'noise' } as const
  const state = stateFit(placed, { ...model, firstDay, lastDay: basis.last })
  return { state, years, c0: basis.c0, link: basis.link }
}

export function readFitness({ state, years, c0, link }: FittedLibrary) {
  const level = (day: number) => levelTerms(day, state.firstDay, years)
  const speedTerms = (day: number, distanceM: number | null): Terms => {
    const tied: Terms = [[TERM.pulse, link.pulse], [TERM.pulse2, link.pulse2], ...level(day)]
    if (distanceM === null) return tied
    const { e, d } = distanceTerms(distanceM)
    return [...tied, [TERM.e, e], [TERM.d, d]]
  }
  return {
    sigma: state.sigma,
    inflation: state.inflation,
    weights: state.weights,
    residuals: state.residuals,
    q: state.step,
    isFast: state.step > 0.005,
    /** ln m/s at VO2max; with a distance, ln m/s at VO2max as a race of that length shows it. */
    mean: (day: number, distanceM: number | null) => stateMean(state, day, speedTerms(day, distanceM)),
    sd: (day: number, distanceM: number | null) => stateSd(state, [[day, 1]], speedTerms(day, distanceM)),
    /** By how much the runner's level differs from the table of Daniels, in ln. */
    level: (day: number) => level(day).reduce((sum, [term, share]) => sum + share * state.terms[term]!, -c0),
    levelSd: (day: number) => stateSd(state, [], level(day)),
    /** Loss of speed per e-fold of distance beyond VDOT's own law. */
    endurance: { mean: state.terms[TERM.e]!, sd: stateSd(state, [], [[TERM.e, 1]]) },
  }
}

export function levelTerms(day: number, firstDay: number, years: number): Terms {
  const at = Math.max(0, Math.min(years, (day - firstDay) / LEVEL_DAYS))
  const knot = Math.min(years - 1, Math.floor(at))
  const first = TERMS.length + knot
  return [
    [first, 1 - at + knot],
    [first + 1, at - knot],
  ]
}
