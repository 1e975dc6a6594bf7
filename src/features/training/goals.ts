import type { Static } from '@sinclair/typebox'
import { invalid } from '../../base/errors.ts'
import { type DaySpan, isoDate, localDay, parseDay } from '../../engine/calendar/weeks.ts'
import {
  type GoalMetric,
  goalPeriod,
  goalProgress,
  goalRecent,
  levelBounds,
  levels,
} from '../../engine/training/goals.ts'
import { consistency, runStreaks } from '../../engine/training/habits.ts'
import { sumOf } from '../../engine/training/numbers.ts'
import { rounded, roundHalfUp } from '../../engine/units.ts'
import { updatedAt } from '../../library/changes.ts'
import { commitPlain } from '../../library/commit.ts'
import { deleteDocument, neededBody } from '../../library/delete-document.ts'
import type { Deps, DepsBy } from '../../library/deps.ts'
import { type Goal, goalDocument, goalOf, MOST_GOALS, storedGoals } from '../../library/training/documents.ts'
import { daysAsked } from '../stats/queries.ts'
import type { CalendarQuery, GoalEdit, NewGoal } from './goals-schemas.ts'
import type { DaySeries, TrainingLibrary, TrainingRun, Viewer } from './library.ts'
import { defined } from './settings.ts'

const PAST_PERIODS = 12
const DECIMALS = 3

const METRIC: Readonly<Record<GoalMetric, (run: TrainingRun) => number>> = {
  distanceM: ({ distanceM }) => distanceM,
  movingTimeS: ({ movingS }) => movingS,
  runs: () => 1,
  elevGainM: ({ elevGainM }) => elevGainM ?? 0,
  load: ({ load }) => load ?? 0,
}

/** The goals with their progress. */
export function goalsAnswer({ db }: Pick<Deps, 'db'>, days: DaySeries, { today, offsetMinutes }: Viewer) {
  const created = new Map(db.$client.query('SELECT id, created_at FROM training_goal').values() as [string, number][])
  return storedGoals(db).map((goal) => {
    const createdOn = isoDate(localDay(created.get(goal.id)!, offsetMinutes))
    return { ...goal, createdOn, updatedAt: updatedAt(db, 'goal', goal.id), ...standing(goal, days, today) }
  })
}

function standing(goal: Goal, { firstDay, runs }: DaySeries, today: number) {
  const sums = runs.map((day) => day.reduce((sum, run) => sum + METRIC[goal.metric](run), 0))
  const sumWithin = (from: number, to: number) =>
    roundHalfUp(sumOf(sums.slice(Math.max(0, from - firstDay), Math.max(0, to - firstDay + 1))), DECIMALS)
  const dates =
    goal.from === null || goal.to === null ? null : { firstDay: parseDay(goal.from)!, lastDay: parseDay(goal.to)! }
  const activeFrom = goal.activeFrom === null ? Number.NEGATIVE_INFINITY : parseDay(goal.activeFrom)!
  const activeTo = goal.activeTo === null ? Number.POSITIVE_INFINITY : parseDay(goal.activeTo)!
  const isActive = (span: DaySpan) => span.lastDay >= activeFrom && span.firstDay <= activeTo
  const period = goalPeriod(goal.period, today, dates)
  const isNow = period.firstDay <= today && today <= period.lastDay && isActive(period)
  return {
    progress: isNow ? progress() : null,
    history: pastPeriods()
      .filter(isActive)
      .slice(0, PAST_PERIODS)
      .map((span) => {
        const done = sumWithin(span.firstDay, span.lastDay)
        return { from: isoDate(span.firstDay), to: isoDate(span.lastDay), done, reached: done >= goal.target }
      }),
  }

  /** Periods that have ended and are not before the first run, newest first. */
  function pastPeriods(): DaySpan[] {
    if (dates !== null) return dates.lastDay < today ? [dates] : []
    const past: DaySpan[] = []
    for (let day = period.firstDay - 1; day >= firstDay && past.length < 10 * PAST_PERIODS; ) {
      const span = goalPeriod(goal.period, day, null)
      past.push(span)
      day = span.firstDay - 1
    }
    return past
  }

  function progress() {
    const done = sumWithin(period.firstDay, today)
    const { status, remainingDays, ...numbers } = goalProgress({
      target: goal.target,
      done,
      totalDays: period.lastDay - period.firstDay + 1,
      dayIndex: today - period.firstDay,
      ...goalRecent(sums, firstDay, today),
    })
    const span = { from: isoDate(period.firstDay), to: isoDate(period.lastDay) }
    return { ...span, done, status, remainingDays, ...rounded(numbers, DECIMALS) }
  }
}

type GoalDeps = Pick<Deps, 'db' | 'config' | 'now'>

const NO_GOAL = { from: null, to: null, activeFrom: null, activeTo: null, name: null }

/** @throws AppError 400 for invalid values */
export function addGoal(deps: GoalDeps, body: Static<typeof NewGoal>) {
  const { db, now } = deps
  if (storedGoals(db).length >= MOST_GOALS)
    throw invalid(`There are ${MOST_GOALS} goals already`, { code: 'limit_reached' })
  const goal = soundGoal({ ...NO_GOAL, ...defined(body), id: Bun.randomUUIDv7() } as Goal)
  db.transaction((tx) => commitPlain(tx, deps, { kind: 'goal', id: goal.id, to: goalDocument(goal, now()) }))
  return { ...goal, updatedAt: updatedAt(db, 'goal', goal.id) }
}

/** @throws AppError 404, and 400 for invalid values */
export function editGoal(deps: GoalDeps, id: string, body: Static<typeof GoalEdit>) {
  const edited = deps.db.transaction((tx) => {
    const stored = neededBody(tx, 'goal', id)
    const goal = soundGoal({ ...goalOf(stored), ...defined(body) } as Goal)
    commitPlain(tx, deps, { kind: 'goal', id, to: goalDocument(goal, stored.createdAt) })
    return goal
  })
  return { ...edited, updatedAt: updatedAt(deps.db, 'goal', id) }
}

export function deleteGoal(deps: DepsBy, id: string): void {
  deleteDocument(deps, ['goal', id], ({ name }) => (name === null ? 'Deleted a goal' : `Deleted the goal ${name}`))
}

function soundGoal(goal: Goal): Goal {
  const { period, from, to } = goal
  if (period !== 'dates') return { ...goal, from: null, to: null, name: goal.name === '' ? null : goal.name }
  if (from === null || to === null) throw invalid('from and to are required for the period dates')
  if (from > to) throw invalid('from must not be after to', { field: 'from' })
  return { ...goal, name: goal.name === '' ? null : goal.name }
}

const CALENDAR_METRICS = ['distanceM', 'movingTimeS', 'load'] as const
type CalendarMetric = (typeof CALENDAR_METRICS)[number]

/** @throws AppError 400 for an unknown metric or an invalid window */
export function calendarAnswer(library: TrainingLibrary, asked: Static<typeof CalendarQuery>) {
  const metric = (asked.metric ?? 'distanceM') as CalendarMetric
  if (!CALENDAR_METRICS.includes(metric))
    throw invalid(`metric must be one of ${CALENDAR_METRICS.join(', ')}`, { field: 'metric' })
  const viewer = library.viewer(asked.timezoneOffsetMinutes)
  const { from, to } = daysAsked(asked, viewer.today)
  const { firstDay, runs } = library.daysOfNow(viewer)
  const first = Math.max(0, from - firstDay)
  const shown = runs.slice(first, Math.max(first, to - firstDay)).flatMap((ofDay, i) => {
    if (ofDay.length === 0) return []
    const sum = (value: (run: TrainingRun) => number) => roundHalfUp(sumOf(ofDay.map(value)), 2)
    return [
      {
        date: isoDate(firstDay + first + i),
        runs: ofDay.length,
        distanceM: sum(METRIC.distanceM),
        durationS: sum(({ durationS }) => durationS),
        movingTimeS: sum(METRIC.movingTimeS),
        load: sum(METRIC.load),
        race: ofDay.some(({ runType }) => runType === 'Race'),
      },
    ]
  })
  const values = shown.map((day) => day[metric])
  const level = levels(values)
  const { minRunsPerWeek } = library.settings()
  const dated = runs.flatMap((ofDay, i) => ofDay.map(({ distanceM }) => ({ day: firstDay + i, distanceM })))
  const habits = consistency(dated, viewer.today)
  return {
    metric,
    bounds: levelBounds(values)?.map((bound) => roundHalfUp(bound, 2)) ?? null,
    days: shown.map((day, i) => ({ ...day, level: level[i]! })),
    streaks: {
      ...runStreaks(
        dated.map(({ day }) => day),
        viewer.today,
        minRunsPerWeek,
      ),
      minRunsPerWeek,
    },
    // its counts are whole
    consistency: habits && rounded(habits, 1),
  }
}
