import type { Static } from '@sinclair/typebox'
import { notFound } from '../../../base/errors.ts'
import { isoDate } from '../../../engine/calendar/weeks.ts'
import { HEAT_BASE_C, HEAT_SLOPES } from '../../../engine/training/conditions.ts'
import { type Estimate, estimate, noEstimate, REASONS, type Reason } from '../../../engine/training/confidence.ts'
import { Z80 } from '../../../engine/training/numbers.ts'
import {
  type Better,
  DOUBTED_SHARE,
  isSure,
  LEAST_IN_WINDOW,
  LEAST_RUNS,
  type Reading,
} from '../../../engine/training/truth/better.ts'
import { TREND_REFUSALS, type TrendRefusal, trendRefusal } from '../../../engine/training/truth/trend-rows.ts'
import { rounded, roundHalfUp } from '../../../engine/units.ts'
import { workoutExists } from '../../../library/ids.ts'
import type { Found, Readings, TruthDeps } from './readings.ts'
import type { ConditionsAnswer, FitnessAnswer, RunAnswer } from './schemas.ts'

type Read = Awaited<ReturnType<Readings['read']>>

export function fitnessAnswer({ found, recomputing }: Read): Static<typeof FitnessAnswer> {
  const { day, against, read, ids } = found
  const { used, inWindow: window, before, left, selfCheck, change } = read
  return {
    day: isoDate(day),
    against: isoDate(against),
    referenceHeartRateBpm: found.referenceBpm,
    recomputing,
    withoutHeat: read.heatless > 0,
    change: change === null ? refused('%', found) : estimateOf(change, { unit: '%', by: 100 }, read),
    stated: change !== null && isSure(change),
    runs: { used, window, before, left: { ...left } },
    selfCheck: selfCheck && { n: selfCheck.n, share: roundHalfUp(selfCheck.share, 3) },
    weeks: read.weeks.map(({ day: sunday, ...reading }) => {
      return { weekStart: isoDate(sunday - 6), ...ends(reading, 100, 2) }
    }),
    points: read.runs.map(({ run, corrected, asRun }) => ({
      workoutId: ids[run]!,
      date: isoDate(found.runs[run]!.day),
      ...rounded({ corrected: 100 * corrected, asRun: 100 * asRun }, 1),
    })),
    marks: [...deviceMarks(found), ...found.marks.filter((mark) => mark.day <= isoDate(day))].toSorted((a, b) =>
      a.day < b.day ? -1 : 1,
    ),
  }
}

export function runAnswer(
  { db }: Pick<TruthDeps, 'db'>,
  { found, recomputing }: Read,
  id: string,
): Static<typeof RunAnswer> {
  const at = found.ids.indexOf(id)
  if (at === -1 || !workoutExists(db, id)) throw notFound('Workout')
  const run = found.runs[at]!
  const parts = found.read.runs.find((one) => one.run === at)
  return {
    workoutId: id,
    date: isoDate(run.day),
    recomputing,
    reason: trendRefusal(run),
    sum:
      parts === undefined
        ? null
        : {
            ...rounded({ paceS: parts.paceS, referencePaceS: parts.referencePaceS, restS: parts.restS }, 1),
            parts: parts.parts.map(({ name, ...reading }) => ({ name, ...ends(reading, 1, 1) })),
          },
  }
}

/** Of one unit each, as % of the pace. */
const UNITS: Readonly<Record<string, readonly [unit: string, by: number]>> = {
  pulse: ['%/10 bpm', 100],
  morning: ['%', 100],
  cold: ['%/°C', 100],
  wind: ['% of the usual cost', 100],
  climb: ['%/10 m per km', 100],
  length: ['%/h', 100],
  tired: ['%', 100],
  device: ['%', 100],
  sensor: ['%', 100],
}

export function conditionsAnswer({ found, recomputing }: Read): Static<typeof ConditionsAnswer> {
  const { read, week, weekRuns, marks } = found
  const nameOf = (name: string, of: string | number | null) => {
    if (name === 'device') return `device: ${of === '' ? 'unknown' : of}`
    return name === 'sensor' ? `sensor: ${marks.find(({ day }) => day === isoDate(of as number))?.name}` : name
  }
  return {
    recomputing,
    heat: read.heat.map(({ wbgtC, ...reading }) => {
      const cost = costOf(reading, { unit: '%', by: 100 }, read)
      const usual = HEAT_SLOPES.mid * Math.max(0, wbgtC - HEAT_BASE_C)
      return { wbgtC, cost, stated: isSure(reading), atLeast: isSure(reading) && usual > (cost.high ?? 0) }
    }),
    week: read.week && {
      weekStart: isoDate(week),
      cost: costOf(read.week, { unit: 's/km', by: 1 }, read),
      stated: isSure(read.week),
      runs: weekRuns,
    },
    terms: read.terms.map(({ name, of, ...reading }) => {
      const [unit, by] = UNITS[name]!
      return { name: nameOf(name, of), ...ends(reading, by, 2), unit }
    }),
  }
}

interface Shown {
  readonly unit: string
  readonly by: number
}

function ends({ mean, sd }: Reading, by: number, digits: number) {
  const [value, half] = [by * mean, by * Z80 * sd]
  return rounded({ value, low: value - half, high: value + half }, digits)
}

function estimateOf(reading: Reading, { unit, by }: Shown, { selfCheck, used, lastDay, heatless }: Better): Estimate {
  const isDoubted = selfCheck !== null && selfCheck.share < DOUBTED_SHARE
  return estimate({
    ...ends(reading, by, 1),
    unit,
    basis: heatless > 0 ? ['heartRate'] : ['heartRate', 'weather'],
    n: used,
    asOf: lastDay === null ? null : isoDate(lastDay),
    reasons: isDoubted ? ['poorFit'] : [],
    confidence: isDoubted ? 'low' : selfCheck === null ? 'medium' : 'high',
    missing: isDoubted ? POOR_FIT : null,
  })
}

/** A cost that may as well be none has a low confidence. */
function costOf(reading: Reading, shown: Shown, read: Better): Estimate {
  const cost = estimateOf(reading, shown, read)
  if (isSure(reading) || reading.sd === 0) return cost
  return { ...cost, confidence: 'low', reasons: [...cost.reasons, 'uncertain'] }
}

const POOR_FIT = 'Recent runs differ from what older ones expect; a new strap, watch or max HR may explain it'

/** Why there is no change, and what is missing, in one sentence. */
function refused(unit: string, { read, day, against, needsWeather }: Found): Estimate {
  const { refusal, used, inWindow, before } = read
  if (refusal === 'poorFit') return noEstimate(unit, ['poorFit'], POOR_FIT)
  if (refusal === 'onePulse') return noEstimate(unit, ['tooFewRuns'], 'Runs at more varied heart rates are needed')
  if (refusal !== 'tooFewRuns') {
    const [count, end] = refusal === 'tooFewInWindow' ? [inWindow, day] : [before, against]
    return noEstimate(unit, ['tooFewRuns'], `${count} of ${LEAST_IN_WINDOW} runs in the 28 days up to ${isoDate(end)}`)
  }
  const [main, count] = mostLeft(read)
  const reasons = ['tooFewRuns' as const, ...(isReason(main) ? [main] : [])] as [Reason, ...Reason[]]
  const others =
    main === null ? '' : `; ${count === 1 ? `1 other ${WORDS[main][0]}` : `${count} others ${WORDS[main][1]}`}`
  return noEstimate(
    unit,
    reasons,
    `${used} of ${LEAST_RUNS} steady runs with heart rate${needsWeather ? ' and weather' : ''}${others}`,
  )
}

function mostLeft({ left }: Better): readonly [main: TrendRefusal | null, count: number] {
  const [main = null] = TREND_REFUSALS.filter((reason) => left[reason] !== undefined).toSorted(
    (a, b) => left[b]! - left[a]!,
  )
  return [main, main === null ? 0 : left[main]!]
}

function isReason(refusal: TrendRefusal | null): refusal is TrendRefusal & Reason {
  return REASONS.some((reason) => reason === refusal)
}

const WORDS: Readonly<Record<TrendRefusal, readonly [one: string, more: string]>> = {
  noHeartRate: ['has no heart rate', 'have no heart rate'],
  heartRateGaps: ['has gaps in its heart rate', 'have gaps in their heart rate'],
  suspectHeartRate: ['has a doubtful heart rate', 'have a doubtful heart rate'],
  tooShort: ['is shorter than 15 minutes', 'are shorter than 15 minutes'],
  notSteady: ['has an uneven pace', 'have an uneven pace'],
  noWeather: ['has no weather', 'have no weather'],
  gpsAltitude: ['is hilly and has no reliable altitude', 'are hilly and have no reliable altitude'],
  indoor: ['is indoors', 'are indoors'],
  race: ['is a race', 'are races'],
  excluded: ['is excluded from predictions', 'are excluded from predictions'],
}

/** The first day of each device after the first. */
function deviceMarks({ runs }: Found) {
  const first = new Map<string, number>()
  for (const run of runs) {
    if (run.device !== null && trendRefusal(run) === null && !first.has(run.device)) first.set(run.device, run.day)
  }
  return [...first].slice(1).map(([name, day]) => ({ id: null, day: isoDate(day), kind: 'device' as const, name }))
}
