import { useRef } from 'preact/hooks'
import {
  counted,
  date,
  distance,
  distanceUnit,
  duration,
  localDay,
  number,
  roughDistance,
  roughDuration,
  runName,
  shiftedDay,
  shownPace,
  text,
  usePaceClock,
} from '../../format.ts'
import { Link, navigate, useRoute, useShortcuts } from '../../router.ts'
import { useResource, useUnits } from '../../state.ts'
import type { DailyStats, Goal, Race, Run } from '../../types.ts'
import { Icon } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { LoadFailure } from '../../ui/loaded.tsx'
import { daysPath } from '../run-query.ts'
import { localDaysQuery, offsetQuery, today, weekdayName } from '../stats.ts'
import { monthOf, shiftedMonth, weeksOf } from './series.ts'
import { doneText, type GoalMetric, raceDistance, raceName, targetText } from './words.ts'

type Day = DailyStats['days'][number]

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -1, PageDown: 1 }
/** Of the types of a run; others have that of a line. */
const TYPE_PAINTS: Readonly<Record<string, string>> = {
  'Easy Run': 'var(--strip2)',
  'Long Run': 'var(--accent)',
  Workout: 'var(--accent-2)',
  Race: 'var(--bad)',
}
/** A finger that goes this far to a side turns the page. */
const SWIPE_PX = 56

/** A month of runs and races with the totals of its weeks; the month is in the address. */
export function CalendarView() {
  const units = useUnits()
  const { query } = useRoute()
  const month = monthOf(query.get('month'), today())
  const weeks = weeksOf(month)
  const [first, last] = [weeks[0]?.[0] ?? '', weeks.at(-1)?.at(-1) ?? '']
  const window = `from=${first}&to=${shiftedDay(last, 1)}`
  const { data, error } = useResource(`/stats/daily?${localDaysQuery()}&${window}`)
  const races = useResource(`/races?${offsetQuery()}&${window}`).data ?? []
  const goals = useResource(`/training/goals?${offsetQuery()}`).data ?? []
  const listed = useResource(
    `/workouts?${localDaysQuery()}&startDate=${first}&endDate=${last}&sortOrder=asc&pageSize=100`,
  )
  const runs = Map.groupBy(listed.data?.items ?? [], (run) => localDay(run.startedAt, run.utcOffsetMinutes))
  const turn = (by: number) => navigate(pathOf(shiftedMonth(month, by)), { replace: true })
  useShortcuts((event) => {
    const by = STEPS[event.key]
    // unless something else takes the key
    if (event.defaultPrevented || event.shiftKey || by === undefined) return
    event.preventDefault()
    turn(by)
  })
  const swipe = useSwipe(turn)
  const days = data?.days ?? []
  const [from, to] = [`${month}-01`, shiftedDay(`${shiftedMonth(month, 1)}-01`, -1)]
  const inMonth = races.filter(({ date: day }) => day.startsWith(month)).toReversed()
  return (
    <Card
      title={date(from, 'monthYear')}
      class="month"
      aside={
        <nav class="level" aria-label="Month">
          <Step name="Previous month" icon="left" to={shiftedMonth(month, -1)} />
          <Link href={pathOf(today().slice(0, 7))} isReplacing class="button small">
            Today
          </Link>
          <Step name="Next month" icon="right" to={shiftedMonth(month, 1)} />
        </nav>
      }
    >
      {error !== null && data === null && <LoadFailure message={error.message} />}
      <p class="muted" aria-live="polite">
        {data === null ? '\u00a0' : <Sum days={days} period="month" from={from} to={to} goals={goals} />}
      </p>
      <table class="month-days above-3" {...swipe}>
        <caption class="hidden-text">{date(from, 'monthYear')}, one row per week</caption>
        <thead>
          <tr class="small">
            {Array.from({ length: 7 }, (_, index) => (
              <th key={index} scope="col">
                {weekdayName(index).slice(0, 3)}
              </th>
            ))}
            <th scope="col">Week ({distanceUnit(units)})</th>
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td
                  key={day}
                  class={day === today() ? 'today' : day.startsWith(month) ? '' : 'other'}
                  {...(day === today() ? { 'aria-current': 'date' as const } : {})}
                >
                  <OnDay
                    day={day}
                    runs={runs.get(day) ?? []}
                    counted={days.find((one) => one.date === day)?.runs ?? 0}
                    race={races.find((one) => one.date === day)}
                  />
                </td>
              ))}
              <td class="month-week">
                <Sum days={days} period="week" from={week[0] ?? ''} to={week.at(-1) ?? ''} goals={goals} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <ul class="month-races above-3">
        {inMonth.map((race) => (
          <li key={race.id ?? race.workoutId}>
            <Icon name="trophy" /> {date(race.date, 'weekdayDay')} ·{' '}
            <Link href={race.workoutId === null ? '/app/training?view=races' : `/app/runs/${race.workoutId}`}>
              {raceName(race, units)}
            </Link>
            {race.name !== null && ` · ${raceDistance(race.distanceM, units)}`}
            {race.timeMs !== null && ` · ${duration(race.timeMs / 1000)}`}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function pathOf(month: string): string {
  return `/app/training?view=calendar&month=${month}`
}

function Step({ name, icon, to }: { readonly name: string; readonly icon: 'left' | 'right'; readonly to: string }) {
  return (
    <Link href={pathOf(to)} isReplacing class="button quiet small icon-only" aria-label={name} title={name}>
      <Icon name={icon} />
    </Link>
  )
}

interface SumProps {
  /** At least those of the period that have runs. */
  readonly days: readonly Day[]
  readonly period: 'week' | 'month'
  readonly from: string
  readonly to: string
  readonly goals: readonly Goal[]
}

/** The totals of a week or month, which lead to its runs, with the goals that hold in it. */
function Sum({ days, period, from, to, goals }: SumProps) {
  const units = useUnits()
  const clock = usePaceClock()
  const within = days.filter(({ date: day }) => day >= from && day <= to)
  const sum = (of: 'runs' | 'distanceM' | 'durationS' | GoalMetric) =>
    within.reduce((total, day) => total + (day[of] ?? 0), 0)
  const facts = [
    roughDuration(sum(clock === 'moving' ? 'movingTimeS' : 'durationS')),
    `load ${number(sum('load'))}`,
    ...goals.flatMap(({ metric, target, activeFrom, activeTo, ...goal }) => {
      const isActive = (activeFrom ?? goal.createdOn) <= to && (activeTo === null || activeTo >= from)
      if (goal.period !== period || !isActive) return []
      return [`${doneText(metric, sum(metric), units)} of ${targetText(metric, target, units)}`]
    }),
  ]
  const path = daysPath(from, to)
  if (sum('runs') === 0) return period === 'month' ? <>No runs</> : null
  if (period === 'month') {
    const all = [text(roughDistance(sum('distanceM'), units)), ...facts]
    return (
      <>
        <Link href={path}>{counted(sum('runs'), 'run')}</Link> · {all.join(' · ')}
      </>
    )
  }
  return (
    <>
      <Link href={path} class="bold">
        {distance(sum('distanceM'), units, 1).value}
        <span class="hidden-text"> {distanceUnit(units)} in this week</span>
      </Link>
      {[counted(sum('runs'), 'run'), ...facts].map((fact) => (
        <span key={fact} class="block muted small">
          {fact}
        </span>
      ))}
    </>
  )
}

interface OnDayProps {
  readonly day: string
  readonly runs: readonly Run[]
  /** How many of them count in statistics. */
  readonly counted: number
  readonly race: Race | undefined
}

/** A day with its runs, each of which opens, and a race that is planned on it. */
function OnDay({ day, runs, counted: count, race }: OnDayProps) {
  const units = useUnits()
  const isRaced = race !== undefined || runs.some(({ runType, leftOut }) => runType === 'Race' && !leftOut)
  const others = count - runs.filter(({ leftOut }) => !leftOut).length
  return (
    <>
      <span class="month-day level spread muted small gap-1">
        <span class="hidden-text">{date(day, 'long')}</span>
        <span aria-hidden="true">{Number(day.slice(8))}</span>
        {isRaced && <Icon name="trophy" />}
      </span>
      {runs.map((run) => (
        <RunOfDay key={run.id} run={run} />
      ))}
      {runs.length > 0 && others > 0 && <Link href={daysPath(day, day)}>{others} more</Link>}
      {race?.workoutId === null && <span class="month-race block cut small">{raceName(race, units)}</span>}
    </>
  )
}

function RunOfDay({ run }: { readonly run: Run }) {
  const units = useUnits()
  const { timeS } = shownPace(run, usePaceClock())
  const { id, runType, distanceM, load, leftOut } = run
  const far = text(distance(distanceM, units, 1))
  const effort = load === null ? [] : [`load ${number(load)}`]
  const words = [runName(run), runType, far, roughDuration(timeS), ...effort, leftOut ? 'not counted' : null]
  return (
    <Link
      class={leftOut ? 'month-run left' : 'month-run'}
      style={{ '--type': TYPE_PAINTS[runType ?? ''] }}
      href={`/app/runs/${id}`}
      title={words.filter((word) => word !== null).join(' · ')}
    >
      <span class="month-name block cut tiny">{runName(run)}</span>{' '}
      <strong>{distance(distanceM, units, 1).value}</strong>{' '}
      <span class="month-load block muted tiny">{leftOut ? 'not counted' : effort}</span>
      <span class="hidden-text"> {[runType, roughDuration(timeS)].filter((word) => word !== null).join(' · ')}</span>
    </Link>
  )
}

/** A finger that goes to a side, and less up or down, turns the page. */
function useSwipe(turn: (by: number) => void) {
  const from = useRef<{ readonly x: number; readonly y: number } | null>(null)
  return {
    onTouchStart: ({ touches }: TouchEvent) => {
      const [touch] = touches
      from.current = touches.length === 1 && touch !== undefined ? { x: touch.clientX, y: touch.clientY } : null
    },
    onTouchEnd: ({ changedTouches: [touch] }: TouchEvent) => {
      const start = from.current
      from.current = null
      if (start === null || touch === undefined) return
      const [x, y] = [touch.clientX - start.x, touch.clientY - start.y]
      if (Math.abs(x) >= SWIPE_PX && Math.abs(x) > 2 * Math.abs(y)) turn(x < 0 ? 1 : -1)
    },
    onTouchCancel: () => {
      from.current = null
    },
  }
}
