import { heatTerms, pulseTerms, type TrendProfile } from '../latent/fitness-rows.ts'
import { deviationOf, Z80 } from '../numbers.ts'
import { type TrendFit, trendFit, WINDOW_DAYS } from './trend-fit.ts'
import {
  COOL_C,
  lacksWeather,
  type TrendEvidence,
  type TrendGroup,
  type TrendRefusal,
  type TrendRun,
  type TrendTerm,
  trendEvidence,
  trendRefusal,
} from './trend-rows.ts'

// Fitness at one pulse, read for one day (docs/training.md).

export const LEAST_RUNS = 60
export const LEAST_IN_WINDOW = 8
const LEAST_PULSE_DEVIATION = 4
export const TREND_DAYS = 1826
const MOST_RUNS = 3000
/** Parts are shown for runs of the last year. */
const PARTS_DAYS = 365
const CHECK_DAYS = 56
const LEAST_OLD = 60
const LEAST_YOUNG = 12
/** Below this share of the newest runs within what was expected nothing is stated; below the next, confidence is low. */
const REFUSED_SHARE = 0.6
export const DOUBTED_SHARE = 0.7
const SURE = 1.96
/** Heat costs have a deviation of this share for the weather of a grid cell. */
const WEATHER_SHARE = 0.2
/** What heat that is not taken out may make two times of a year differ by, in ln of speed (a WBGT of 5 to 8 °C more). */
const HEATLESS_SD = 0.015
export const CURVE_C = [12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32] as const

export interface Reading {
  readonly mean: number
  readonly sd: number
}

/** One run as the sum of what it is made of, in seconds per km, positive: slower. */
export interface RunParts {
  /** Index of the run. */
  readonly run: number
  /** Fitness against that of the asked day, in ln of speed: without the conditions, and with all but the pulse. */
  readonly corrected: number
  readonly asRun: number
  readonly paceS: number
  /** Pace of that day at the reference heart rate on a flat, cool, calm day. */
  readonly referencePaceS: number
  /** From there to the pace of the run; without terms that no run has. */
  readonly parts: readonly (Reading & { readonly name: TrendGroup })[]
  /** What nothing explains. */
  readonly restS: number
}

/** Heat of a week's runs. */
export interface WarmRun {
  readonly wbgtC: number
  readonly paceS: number
  readonly distanceM: number
}

export interface Better {
  readonly used: number
  readonly inWindow: number
  readonly before: number
  readonly left: Readonly<Partial<Record<TrendRefusal, number>>>
  /** Runs that take part without weather, while it is off: heat is not taken out of them. */
  readonly heatless: number
  /** Day of the newest run that takes part. */
  readonly lastDay: number | null
  readonly selfCheck: { readonly share: number; readonly n: number } | null
  /** Why the change is not stated; null: it is. */
  readonly refusal: 'tooFewRuns' | 'tooFewInWindow' | 'tooFewBefore' | 'onePulse' | 'poorFit' | null
  /** In ln of speed; null: refused. */
  readonly change: Reading | null
  /** Fitness at the end of each week against the asked day, in ln of speed. */
  readonly weeks: readonly (Reading & { readonly day: number })[]
  readonly runs: readonly RunParts[]
  /** Share of the pace. */
  readonly heat: readonly (Reading & { readonly wbgtC: number })[]
  /** s/km. */
  readonly week: Reading | null
  /** Of one unit each, as a share of the pace; positive: slower. */
  readonly terms: readonly (Reading & { readonly name: TrendTerm['name'] | 'morning'; readonly of: TrendTerm['of'] })[]
}

export interface BetterAsked {
  readonly day: number
  readonly against: number
  /** Days from which on the runner wore another sensor. */
  readonly sensorDays: readonly number[]
  readonly profile: TrendProfile
  readonly week: readonly WarmRun[]
}

/** Whether a reading differs from 0 surely enough for words. */
export function isSure({ mean, sd }: Reading): boolean {
  return Math.abs(mean) > SURE * sd
}

/** @param all runs of the last `TREND_DAYS` up to the asked day, in order of start */
export function better(all: readonly TrendRun[], asked: BetterAsked): Better {
  const { day, against, profile } = asked
  const left: Partial<Record<TrendRefusal, number>> = {}
  const places = all.flatMap((run, i) => {
    const refusal = trendRefusal(run)
    if (refusal !== null) left[refusal] = (left[refusal] ?? 0) + 1
    return refusal === null ? [i] : []
  })
  const taken = places.slice(-MOST_RUNS)
  const runs = taken.map((i) => all[i]!)
  const within = (end: number) => runs.filter((run) => run.day > end - WINDOW_DAYS && run.day <= end).length
  const known = {
    used: runs.length,
    inWindow: within(day),
    before: within(against),
    left,
    heatless: runs.filter(lacksWeather).length,
    lastDay: runs.at(-1)?.day ?? null,
  }
  const none = { ...known, selfCheck: null, change: null, weeks: [], runs: [], heat: [], week: null, terms: [] }
  if (runs.length < LEAST_RUNS) return { ...none, refusal: 'tooFewRuns' }
  const pulses = runs.map(({ bpm }) => bpm!)
  if (deviationOf(pulses, 1) < LEAST_PULSE_DEVIATION) return { ...none, refusal: 'onePulse' }
  const evidence = trendEvidence(runs, profile, asked.sensorDays)
  const days = { first: runs[0]!.day, last: day }
  const selfCheck = checked(evidence, days)
  if (selfCheck !== null && selfCheck.share < REFUSED_SHARE) return { ...none, selfCheck, refusal: 'poorFit' }
  const fit = trendFit(evidence.rows, evidence.prior, days)
  const refusal =
    known.inWindow < LEAST_IN_WINDOW ? 'tooFewInWindow' : known.before < LEAST_IN_WINDOW ? 'tooFewBefore' : null
  const widened = <R extends Reading>(reading: R): R =>
    known.heatless === 0 ? reading : { ...reading, sd: Math.sqrt(reading.sd ** 2 + HEATLESS_SD ** 2) }
  // the curve needs as many runs with weather as the rest needs runs
  const isWarm = runs.length - known.heatless >= LEAST_RUNS
  return {
    ...known,
    selfCheck,
    refusal,
    change: refusal === null ? widened(fit.change(against, day)) : null,
    weeks: weeklyFitness(fit, days).map((week) => (week.day < day ? widened(week) : week)),
    runs: runParts(fit, evidence, day).map(({ row, ...parts }) => ({ ...parts, run: taken[row]! })),
    heat: (isWarm ? CURVE_C : []).map((wbgtC) => ({ wbgtC, ...heatCost(fit, [{ wbgtC, weight: 1 }]) })),
    week: isWarm ? weekCost(fit, asked.week) : null,
    terms: termReadings(fit, evidence, profile),
  }
}

/** How many of the newest runs a fit without them would have expected; null: too few runs, old or new. */
export function checked(
  { rows, prior }: Pick<TrendEvidence, 'rows' | 'prior'>,
  days: { readonly first: number; readonly last: number },
): Better['selfCheck'] {
  const old = rows.filter(({ day }) => day <= days.last - CHECK_DAYS)
  const young = rows.slice(old.length)
  if (old.length < LEAST_OLD || young.length < LEAST_YOUNG) return null
  const fit = trendFit(old, prior, days)
  const inside = young.filter((row) => {
    const { mean, sd } = fit.expected(row)
    return Math.abs(row.y - mean) <= Z80 * Math.sqrt(sd ** 2 + (fit.sigma ** 2 * 8) / 6)
  })
  return { share: inside.length / young.length, n: young.length }
}

function weeklyFitness(fit: TrendFit, { first, last }: { readonly first: number; readonly last: number }) {
  const weeks: Better['weeks'][number][] = []
  // weeks end on Sundays; day 3 since 1970-01-01 was one
  for (let day = first + ((((3 - first) % 7) + 7) % 7); day < last + 7; day += 7) {
    const { mean, sd } = fit.change(last, Math.min(day, last))
    weeks.push({ day, mean, sd })
  }
  return weeks
}

/** Weighted heat cost of days of some WBGT. */
export function heatCost(
  fit: Pick<TrendFit, 'sum'>,
  days: readonly { readonly wbgtC: number; readonly weight: number }[],
): Reading {
  const cool = Object.values(heatTerms(COOL_C))
  const sums = [0, 0, 0]
  for (const { wbgtC, weight } of days) {
    for (const [i, value] of Object.values(heatTerms(wbgtC)).entries()) sums[i]! += weight * (cool[i]! - value)
  }
  const { mean, sd } = fit.sum(sums.map((value, i) => [HEAT_AT + i, value] as const))
  return { mean, sd: Math.sqrt(sd ** 2 + (WEATHER_SHARE * mean) ** 2) }
}

/** What heat costs at some WBGT, by the curve around it; null beyond its ends. */
export function heatOf(curve: Better['heat'], wbgtC: number): Reading | null {
  const at = curve.findIndex((above) => above.wbgtC >= wbgtC)
  const [below, above] = [curve[at - 1], curve[at]]
  if (below === undefined || above === undefined) return null
  const share = (wbgtC - below.wbgtC) / (above.wbgtC - below.wbgtC)
  const between = (of: 'mean' | 'sd') => below[of] + share * (above[of] - below[of])
  return { mean: between('mean'), sd: between('sd') }
}

/** Place of the first heat term. */
const HEAT_AT = 2

/** Mean heat cost of runs by their distance, in s/km. */
function weekCost(fit: TrendFit, runs: readonly WarmRun[]): Reading | null {
  const metres = runs.reduce((sum, { distanceM }) => sum + distanceM, 0)
  if (!(metres > 0)) return null
  return heatCost(
    fit,
    runs.map(({ wbgtC, paceS, distanceM }) => ({ wbgtC, weight: (paceS * distanceM) / metres })),
  )
}

function runParts(fit: TrendFit, { rows, terms }: TrendEvidence, day: number) {
  const cool = Object.values(heatTerms(COOL_C))
  const references = terms.map((_, i) => cool[i - HEAT_AT] ?? 0)
  const groups = [...Map.groupBy(terms.entries(), ([, { group }]) => group)].map(
    ([name, of]) => [name, of.map(([i]) => i)] as const,
  )
  const now = fit.fitness(day)
  return rows.flatMap(({ day: of, y, x }, row) => {
    if (of <= day - PARTS_DAYS) return []
    const level = fit.level(of)
    const offset = references.reduce((sum, value, i) => sum + value * fit.terms[i]!.mean, 0)
    const shares = groups.map(([name, at]) => {
      const used = at.flatMap((i) => (x[i] === references[i] ? [] : [[i, x[i]! - references[i]!] as const]))
      return { name, isAny: used.length > 0, ...(used.length > 0 ? fit.sum(used) : { mean: 0, sd: 0 }) }
    })
    const explained = shares.reduce((sum, { mean }) => sum + mean, 0)
    const rest = y - level - offset - explained
    const [paceS, referencePaceS] = [1000 * Math.exp(-y), 1000 * Math.exp(-level - offset)]
    // the logarithmic mean makes the parts add up to the difference of the two paces
    const perShare = paceS === referencePaceS ? paceS : (paceS - referencePaceS) / (level + offset - y)
    const pulse = shares.find(({ name }) => name === 'pulse')!.mean
    const sum = {
      row,
      paceS,
      referencePaceS,
      corrected: level + rest - now,
      asRun: y - offset - pulse - now,
      parts: shares
        .filter(({ isAny }) => isAny)
        .map(({ name, mean, sd }) => ({ name, mean: -perShare * mean, sd: perShare * sd })),
      restS: -perShare * rest,
    }
    return [sum]
  })
}

function termReadings(fit: TrendFit, { terms }: TrendEvidence, profile: TrendProfile): Better['terms'] {
  const { pulse, pulse2 } = pulseTerms(profile.referenceBpm - 10, profile)
  const at = (name: TrendTerm['name']) => terms.findIndex((term) => term.name === name)
  const plain = terms.flatMap(({ name, of }, i): Better['terms'][number][] => {
    const sign = SIGNS[name]
    return sign === undefined ? [] : [{ name, of, ...fit.sum([[i, sign]]) }]
  })
  const ofPulse = fit.sum([
    [at('pulse'), -pulse],
    [at('pulse2'), -pulse2],
  ])
  return [
    { name: 'pulse', of: null, ...ofPulse },
    // six in the morning against six in the evening
    { name: 'morning', of: null, ...fit.sum([[at('sinHour'), -2]]) },
    ...plain,
  ]
}

/** 1 where the values of a term are negative when it slows down. */
const SIGNS: { readonly [K in TrendTerm['name']]?: 1 | -1 } = {
  ...{ cold: 1, climb: 1, length: 1, tired: 1, wind: 1 },
  ...{ device: -1, sensor: -1 },
}
