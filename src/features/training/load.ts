import type { Static } from '@sinclair/typebox'
import { invalid } from '../../base/errors.ts'
import { isoDate } from '../../engine/calendar/weeks.ts'
import { MOST_FORECAST_DAYS } from '../../engine/limits.ts'
import {
  type Estimate,
  estimate,
  fitnessConfidence,
  noEstimate,
  type Reason,
} from '../../engine/training/confidence.ts'
import { type FitnessDay, formWord } from '../../engine/training/fitness.ts'
import { easyLoadPerMinute, forecast, restDaysToFormZero, roomFor, usualLoads } from '../../engine/training/forecast.ts'
import { rounded, roundedOrNull, roundHalfUp } from '../../engine/units.ts'
import type { Deps } from '../../library/deps.ts'
import { daysAsked } from '../stats/queries.ts'
import type { Asked } from './evidence.ts'
import { goalsAnswer } from './goals.ts'
import type { DaySeries, TrainingLibrary, Viewer } from './library.ts'
import { proposals } from './proposals.ts'
import type { ForecastQuery, WindowQuery } from './schemas.ts'

const USUAL_FORECAST_DAYS = 14
const MOST_LOAD = 1000
/** Shares of fitness that tomorrow's form may have, for the room that is left today. */
const ROOM_SHARES = [-0.1, -0.3] as const
/** Days whose easy runs say how long it takes. */
const EASY_DAYS = 60

export function loadDays(library: TrainingLibrary, asked: Static<typeof WindowQuery>) {
  const viewer = library.viewer(asked.timezoneOffsetMinutes)
  const { from, to } = daysAsked(asked, viewer.today)
  const series = library.days(viewer)
  const first = Math.max(0, from - series.firstDay)
  const days = series.rows.slice(first, Math.max(first, to - series.firstDay)).map((row, i) => ({
    ...dayForm(series.firstDay + first + i, row),
    runs: series.runs[first + i]!.length,
    ...balance(row),
    acwr: { coupled: roundedOrNull(row.acwrCoupled, 2), ewma: roundedOrNull(row.acwrEwma, 2) },
    warmingUp: row.warmingUp,
    share: roundHalfUp(row.share, 3),
    estimatedShare: roundHalfUp(row.estimatedShare, 3),
    sources: sourcesOf(series, first + i),
  }))
  return { from: isoDate(from), to: isoDate(to), days }
}

function dayForm(
  day: number,
  { load, fitness, fatigue, form }: Pick<FitnessDay, 'load' | 'fitness' | 'fatigue' | 'form'>,
) {
  return { date: isoDate(day), ...rounded({ load, fitness, fatigue, form }, 1) }
}

function balance({ ramp, weekToUsual, monotony, strain }: FitnessDay) {
  return {
    ramp: roundedOrNull(ramp, 1),
    weekToUsual: roundedOrNull(weekToUsual, 2),
    monotony: roundedOrNull(monotony, 2),
    strain: roundedOrNull(strain, 1),
  }
}

function sourcesOf({ runs }: DaySeries, at: number): Record<string, number> {
  const sources: Record<string, number> = {}
  for (const { source, load } of runs[at]!) {
    if (source !== null && load !== null) sources[source] = roundHalfUp((sources[source] ?? 0) + load, 1)
  }
  return sources
}

/** @throws AppError 400 for an unknown plan, and for invalid loads */
export function forecastDays(library: TrainingLibrary, asked: Static<typeof ForecastQuery>) {
  const plan = asked.plan ?? 'rest'
  const wanted = asked.days ?? USUAL_FORECAST_DAYS
  const series = library.days(library.viewer(asked.timezoneOffsetMinutes))
  const loads = plannedLoads(plan, { asked: asked.loads, days: wanted, before: series.rows.map(({ load }) => load) })
  const options = library.fitnessOptions()
  const last = series.rows.at(-1) ?? { fitness: options.seed, fatigue: options.seed }
  const lastDay = series.firstDay + series.rows.length - 1
  return {
    from: isoDate(lastDay + 1),
    plan: plan as 'rest' | 'usual' | 'custom',
    days: forecast(last, loads, options).map((row, i) => dayForm(lastDay + 1 + i, row)),
    restDaysToFormZero: restDaysToFormZero(last, options),
  }
}

function plannedLoads(
  plan: string,
  { asked, days, before }: { readonly asked: string | undefined; readonly days: number; readonly before: number[] },
): number[] {
  if (plan === 'rest') return new Array<number>(days).fill(0)
  if (plan === 'usual') return usualLoads(before, days)
  if (plan !== 'custom') throw invalid('plan must be one of rest, usual, custom', { field: 'plan' })
  const loads = (asked ?? '').split(',').map((text) => (text.trim() === '' ? Number.NaN : Number(text)))
  if (loads.length > MOST_FORECAST_DAYS || loads.some((load) => !(load >= 0 && load <= MOST_LOAD))) {
    throw invalid(`loads must be 1 to ${MOST_FORECAST_DAYS} numbers from 0 to ${MOST_LOAD} with commas between`, {
      field: 'loads',
    })
  }
  return Array.from({ length: days }, (_, i) => loads[i] ?? 0)
}

export function todayAnswer(deps: Deps, library: TrainingLibrary, known: Asked) {
  const { viewer, vdot } = known
  return {
    ...todayForm(library, viewer),
    vo2max: vdot.estimate,
    vdot: vdot.estimate,
    goals: goalsAnswer(deps, library.days(viewer), viewer),
    proposals: proposals(deps, library, known).length,
  }
}

/** Load and form for the first card of the dashboard. */
function todayForm(library: TrainingLibrary, viewer: Viewer) {
  const series = library.days(viewer)
  const options = library.fitnessOptions()
  const at = viewer.today - series.firstDay
  const row = series.rows[at]
  const last = series.rows.at(-1)
  const yesterday = series.rows[at - 1] ?? { fitness: options.seed, fatigue: options.seed }
  const perMinute = easyLoadPerMinute(easyRuns(series, viewer.today))
  const facts = {
    date: isoDate(viewer.today),
    load: roundHalfUp(row?.load ?? 0, 1),
    morning: {
      ...rounded({ fitness: yesterday.fitness, fatigue: yesterday.fatigue }, 1),
      ramp: roundedOrNull(series.rows[at - 1]?.ramp ?? null, 1),
    },
    ...(row === undefined ? { ramp: null, weekToUsual: null, monotony: null, strain: null } : balance(row)),
    formWord: row === undefined ? null : formWord(row.form, yesterday.fitness, row.warmingUp),
    room: ROOM_SHARES.map((formShare) => {
      const load = roomFor(formShare * yesterday.fitness, yesterday, options)
      return { formShare, load: roundHalfUp(load), minutes: perMinute === null ? null : roundHalfUp(load / perMinute) }
    }),
    restDaysToFormZero: last === undefined ? null : restDaysToFormZero(last, options),
  }
  const estimates = formEstimates(library, { series, row, today: viewer.today })
  return { ...facts, ...estimates }
}

/** Easy runs of the 60 days before today. */
function easyRuns({ runs, firstDay }: DaySeries, today: number) {
  const at = today - firstDay
  return runs
    .slice(Math.max(0, at - EASY_DAYS), Math.max(0, at))
    .flat()
    .filter(({ runType }) => runType === 'Easy Run')
}

function formEstimates(
  library: TrainingLibrary,
  { series, row, today }: { readonly series: DaySeries; readonly row: FitnessDay | undefined; readonly today: number },
): Readonly<Record<'fitness' | 'fatigue' | 'form', Estimate>> {
  if (row === undefined) {
    const none = noEstimate('load', ['tooFewRuns'], 'It starts with the first run')
    return { fitness: none, fatigue: none, form: none }
  }
  const isMaxDefault = library.profile(today).maxHeartRateBpm.source === 'default'
  const ofSources = new Set(library.runs().flatMap(({ source }) => source ?? []))
  const reasons: Reason[] = [
    ...(row.warmingUp ? (['warmingUp'] as const) : []),
    ...(isMaxDefault && ofSources.has('heartRate') ? (['defaultMaxHeartRate'] as const) : []),
  ]
  const shared = {
    low: null,
    high: null,
    unit: 'load',
    basis: [...ofSources],
    n: library.runs().length,
    reasons,
    confidence: fitnessConfidence(row.warmingUp, row.estimatedShare),
    asOf: isoDate(series.firstDay + series.rows.length - 1),
    missing: isMaxDefault
      ? 'Your own max HR would make loads more accurate'
      : row.warmingUp
        ? 'It settles after 42 days of running'
        : null,
  }
  return {
    fitness: estimate({ ...shared, value: roundHalfUp(row.fitness, 1) }),
    fatigue: estimate({ ...shared, value: roundHalfUp(row.fatigue, 1) }),
    form: estimate({ ...shared, value: roundHalfUp(row.form, 1) }),
  }
}
