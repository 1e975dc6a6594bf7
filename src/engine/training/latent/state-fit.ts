import { clamped } from '../numbers.ts'
import {
  type Arrowhead,
  copyOf,
  emptyArrowhead,
  type Factored,
  factored,
  quadraticForm,
  solved,
  traceOfProduct,
} from './arrowhead.ts'
import { firstPrecisions, oneSided, type RowKind, rowWeights, type StateRow } from './row-weights.ts'

const FIRST_DEVIATION = 1.5
const PERSISTENCE = 0.8
const INNOVATION = 1 - PERSISTENCE ** 2
const USUAL_STEP = 0.0025
const FAST_STEP = 0.007
const RESTED_STEP = 0.01
/** Gain of the logarithm of the evidence from which on fitness is taken to move fast. */
const LEAST_GAIN = 0.5
const FAST_AFTER = 7
const FIRST_VARIANCE = 0.025 ** 2
const LEAST_VARIANCE = 1e-5
const LEAST_ROWS = 8
/** Information of Student's t with 5 degrees against a normal distribution of the same scale. */
const STUDENT = 8 / 6
const NEIGHBOUR_DAYS = 2
const LEAST_NEIGHBOURS = 20
const USUAL_CORRELATION = 0.25
const CORRELATION = [0.15, 0.6] as const
const MOST_SPREADS = 3

export interface StateModel {
  readonly firstDay: number
  readonly lastDay: number
  /** Prior means of the terms, and their precision by rows. */
  readonly means: readonly number[]
  readonly precision: Float64Array
  /** Days with a run; null: no week counts as one without a run. */
  readonly runDays: readonly number[] | null
  readonly rounds: number
  readonly mayBeFast: boolean
  /** Where the scatter that runs of one week share goes: to the noise of the rows H, or to all bands. */
  readonly widened: 'noise' | 'bands'
}

/** Plain, so that the Worker can post it; `stateMean` and `stateSd` read it. */
export type StateFit = ReturnType<typeof stateFit>

export type Terms = readonly (readonly [term: number, value: number])[]

/** Fits weekly fitness and the terms together to all rows, ordered by start; a round at each step. */
export function stateFit(rows: readonly StateRow[], model: StateModel) {
  const knots = Math.floor((model.lastDay - model.firstDay) / 7) + 2
  const terms = model.means.length
  const { kinds, knotOf, shareOf, first, at, x, said } = columnsOf(rows, model, knots)
  const priors = new Map<number, ReturnType<typeof priorOf>>()
  const prior = (step: number) => {
    const known = priors.get(step) ?? priorOf(model, knots, step)
    priors.set(step, known)
    return known
  }
  /** Precision of each row, and what it says: at first all count alike, hard efforts not at all. */
  let precisions = firstPrecisions(kinds, FIRST_VARIANCE)
  const responses = said.slice()
  let weights = new Float64Array(rows.length).fill(1)
  const expected = new Float64Array(rows.length)
  const residuals = new Float64Array(rows.length)
  const placesOf = (kind: RowKind) => kinds.flatMap((own, i) => (own === kind ? [i] : []))
  const [steady, efforts] = [placesOf('H'), placesOf('E')]
  let variance = FIRST_VARIANCE
  let step = USUAL_STEP
  let edf = 0

  for (let round = 0; round < model.rounds; round += 1) {
    const current = solve(step)
    if (model.mayBeFast && round === FAST_AFTER) {
      const fast = solve(FAST_STEP)
      // taken from the next solve on: weights of this round are those of the usual step
      if (evidence(fast, FAST_STEP) - evidence(current, step) > LEAST_GAIN) step = FAST_STEP
    }
    if (round === 0 || round === model.rounds - 1) {
      const ofSteady = emptyArrowhead(knots, terms)
      for (const i of steady) add(ofSteady, i)
      edf = traceOfProduct(current.system, ofSteady)
    }
    explain(current.x)
    if (steady.length >= LEAST_ROWS) {
      const squares = steady.reduce((sum, i) => sum + weights[i]! * residuals[i]! ** 2, 0)
      variance = Math.max(LEAST_VARIANCE, squares / Math.max(1, steady.length - edf))
    } else variance = FIRST_VARIANCE
    ;({ weights, precisions } = rowWeights(kinds, residuals, { variance, round }))
    for (const i of efforts) {
      const one = oneSided(residuals[i]!)
      precisions[i] = one.precision
      weights[i] = one.precision
      responses[i] = expected[i]! + one.move
    }
  }
  const inflation = inflationOf(rows, steady, residuals, Math.sqrt(variance))
  const noise = STUDENT * (model.widened === 'noise' ? inflation : 1)
  for (const i of steady) precisions[i]! /= noise
  const last = solve(step)
  explain(last.x)
  return {
    sigma: Math.sqrt(variance),
    inflation,
    step,
    /** Prior mean and data together: of a term. */
    terms: model.means.map((mean, j) => mean + last.x[knots + j]!),
    /** Of each row: y without what the state explains, and how far it is believed. */
    residuals,
    weights,
    firstDay: model.firstDay,
    /** Fitness at one pulse at each knot. */
    line: last.x.slice(0, knots),
    system: last.system,
    /** Factor of all variances. */
    widening: model.widened === 'bands' ? inflation : 1,
  }

  /** What the unknowns explain of each row, and what they leave. */
  function explain(unknowns: Float64Array): void {
    for (let i = 0; i < rows.length; i += 1) {
      const knot = knotOf[i]!
      const share = shareOf[i]!
      let sum = (1 - share) * unknowns[knot]! + share * unknowns[knot + 1]!
      for (let j = first[i]!; j < first[i + 1]!; j += 1) sum += x[j]! * unknowns[knots + at[j]!]!
      expected[i] = sum
      residuals[i] = said[i]! - sum
    }
  }

  function solve(used: number) {
    const system = copyOf(prior(used).matrix)
    const right = new Float64Array(knots + terms)
    for (let i = 0; i < rows.length; i += 1) {
      if (precisions[i] === 0) continue
      add(system, i)
      const knot = knotOf[i]!
      const share = shareOf[i]!
      const pull = precisions[i]! * responses[i]!
      right[knot]! += (1 - share) * pull
      right[knot + 1]! += share * pull
      for (let j = first[i]!; j < first[i + 1]!; j += 1) right[knots + at[j]!]! += x[j]! * pull
    }
    const done = factored(system)
    return { system: done, right, x: solved(done, right) }
  }

  /** Adds what a row says of the unknowns. */
  function add({ bands: [d0, d1], border, corner }: Arrowhead, i: number): void {
    const precision = precisions[i]!
    const knot = knotOf[i]!
    const share = shareOf[i]!
    const rest = 1 - share
    d0[knot]! += precision * rest * rest
    d1[knot]! += precision * rest * share
    d0[knot + 1]! += precision * share * share
    const here = knot * terms
    for (let j = first[i]!; j < first[i + 1]!; j += 1) {
      const term = at[j]!
      const value = precision * x[j]!
      border[here + term]! += rest * value
      border[here + terms + term]! += share * value
      for (let l = first[i]!; l <= j; l += 1) corner[term * terms + at[l]!]! += value * x[l]!
    }
  }

  function evidence(one: { system: Factored; right: Float64Array; x: Float64Array }, used: number): number {
    const product = one.x.reduce((sum, value, i) => sum + value * one.right[i]!, 0)
    return (product - one.system.logDeterminant) / 2 - prior(used).logSteps
  }
}

/** The rows in columns, since each is passed thirty times: `first` to the next one's are its terms in `at` and `x`. */
function columnsOf(rows: readonly StateRow[], { means, firstDay }: StateModel, knots: number) {
  const count = rows.reduce((sum, { at }) => sum + at.length, 0)
  const first = new Uint32Array(rows.length + 1)
  const at = new Uint16Array(count)
  const x = new Float64Array(count)
  const knotOf = new Uint32Array(rows.length)
  const shareOf = new Float64Array(rows.length)
  /** Without the prior means. */
  const said = new Float64Array(rows.length)
  for (let [i, next] = [0, 0]; i < rows.length; i += 1) {
    const row = rows[i]!
    const { knot, share } = placeOf(row.day, firstDay, knots)
    knotOf[i] = knot
    shareOf[i] = share
    let offset = 0
    for (let j = 0; j < row.at.length; j += 1) {
      offset += means[row.at[j]!]! * row.x[j]!
      at[next] = row.at[j]!
      x[next] = row.x[j]!
      next += 1
    }
    said[i] = row.y - offset
    first[i + 1] = next
  }
  return { kinds: rows.map(({ kind }) => kind), knotOf, shareOf, first, at, x, said }
}

function placeOf(day: number, firstDay: number, knots: number): { knot: number; share: number } {
  const weeks = clamped((day - firstDay) / 7, 0, knots - 1)
  const knot = Math.min(knots - 2, Math.floor(weeks))
  return { knot, share: weeks - knot }
}

/** Fitness at one pulse plus the terms times `x`. */
export function stateMean({ firstDay, line, terms }: StateFit, day: number, x: Terms): number {
  const { knot, share } = placeOf(day, firstDay, line.length)
  let sum = (1 - share) * line[knot]! + share * line[knot + 1]!
  for (const [term, value] of x) sum += value * terms[term]!
  return sum
}

/** Standard deviation of a sum of shares of days and terms. */
export function stateSd(
  { firstDay, line, system, widening }: StateFit,
  parts: readonly (readonly [day: number, share: number])[],
  x: Terms,
): number {
  const knots = line.length
  const g = new Float64Array(knots + system.terms)
  let from = knots
  for (const [day, part] of parts) {
    const { knot, share } = placeOf(day, firstDay, knots)
    g[knot]! += part * (1 - share)
    g[knot + 1]! += part * share
    from = Math.min(from, knot)
  }
  for (const [term, value] of x) g[knots + term]! += value
  return Math.sqrt(widening * quadraticForm(system, g, from))
}

/** Precision of the prior, and the sum of the logarithms of its steps. */
function priorOf(model: StateModel, knots: number, usual: number): { matrix: Arrowhead; logSteps: number } {
  const matrix = emptyArrowhead(knots, model.means.length)
  matrix.corner.set(model.precision)
  const run = new Set(model.runDays?.map((day) => Math.floor((day - model.firstDay) / 7)))
  const [d0, d1, d2] = matrix.bands
  d0[0]! += 1 / FIRST_DEVIATION ** 2
  let logSteps = 0
  for (let k = 0; k + 1 < knots; k += 1) {
    const step = model.runDays === null || run.has(k) ? usual : RESTED_STEP
    logSteps += Math.log(step)
    const precision = 1 / (step ** 2 * (k === 0 ? 1 : INNOVATION))
    // F[k+1] − F[k] − 0.8 (F[k] − F[k−1])
    const [back, here] = k === 0 ? [0, -1] : [PERSISTENCE, -1 - PERSISTENCE]
    if (k > 0) {
      d0[k - 1]! += precision * back * back
      d1[k - 1]! += precision * back * here
      d2[k - 1]! += precision * back
    }
    d0[k]! += precision * here * here
    d1[k]! += precision * here
    d0[k + 1]! += precision
  }
  return { matrix, logSteps }
}

/** By how much runs of neighbouring days, which share the state of the body, say less than as many independent ones. */
function inflationOf(
  rows: readonly StateRow[],
  steady: readonly number[],
  residuals: Float64Array,
  sigma: number,
): number {
  if (steady.length === 0) return 1
  const spreads = steady.map((i) => clamped(residuals[i]! / sigma, -MOST_SPREADS, MOST_SPREADS))
  let products = 0
  let count = 0
  for (let i = 1; i < steady.length; i += 1) {
    if (rows[steady[i]!]!.day - rows[steady[i - 1]!]!.day > NEIGHBOUR_DAYS) continue
    products += spreads[i]! * spreads[i - 1]!
    count += 1
  }
  const square = spreads.reduce((sum, value) => sum + value ** 2, 0) / spreads.length
  const rho = count > LEAST_NEIGHBOURS ? clamped(products / count / square, ...CORRELATION) : USUAL_CORRELATION
  return (1 + rho) / (1 - rho)
}
