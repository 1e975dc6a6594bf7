import { useRef } from 'preact/hooks'
import { shiftedDay } from '../../days.ts'
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
  text,
  type Units,
} from '../../format.ts'
import { useShortcuts } from '../../keys.ts'
import { Link, navigate, useRoute } from '../../router.ts'
import { useResource, useUnits } from '../../state.ts'
import type { Goal, Race, Run, RunCalendar } from '../../types.ts'
import { Card } from '../../ui/card.tsx'
import { LoadFailure } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { daysPath } from '../run-query.ts'
import { offsetQuery, today, weekdayName } from '../stats.ts'
import { monthOf, shiftedMonth, weeksOf } from './series.ts'
import { amountText, doneText, raceDistance, raceName } from './words.ts'

type Day = RunCalendar['days'][number]

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -1, PageDown: 1 }
/** A finger that goes this far to a side turns the page. */
const SWIPE_PX = 56

/** A month of runs and races with the totals of its weeks; the month is in the address. */
export function CalendarView() {
  const units = useUnits()
  const { query } = useRoute()
  const month = monthOf(query.get('month'), today())
  const weeks = weeksOf(month)
  const next = `${shiftedMonth(month, 1)}-01`
  const window = `${offsetQuery()}&from=${weeks[0]?.[0]}&to=${dayAfter(weeks)}`
  const { data, error } = useResource(`/training/calendar?${window}`)
  const races = useResource(`/races?${window}`)
  const goals = useResource(`/training/goals?${offsetQuery()}`)
  // a day more to either side: runs stand on the day of their own place
  const around = `startDate=${shiftedDay(weeks[0]?.[0] ?? '', -1)}&endDate=${dayAfter(weeks)}&pageSize=100`
  const runs = Map.groupBy(useResource(`/workouts?${around}`).data?.items ?? [], runDate)
  const turn = (by: number) => navigate(pathOf(shiftedMonth(month, by)), { replace: true })
  useTurningKeys(turn)
  const swipe = useSwipe(turn)
  const inMonth = ({ date: day }: { readonly date: string }) => day.startsWith(month)
  const ran = (data?.days ?? []).filter(inMonth)
  const upcoming = (races.data ?? []).filter(inMonth).toReversed()
  return (
    <Card
      title={date(`${month}-01`, 'monthYear')}
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
        {data === null ? (
          ' '
        ) : (
          <Sum days={ran} from={`${month}-01`} to={shiftedDay(next, -1)} goals={goals.data ?? []} />
        )}
      </p>
      <table class="month-days" {...swipe}>
        <caption class="hidden-text">{date(`${month}-01`, 'monthYear')}, one row per week</caption>
        <thead>
          <tr>
            {Array.from({ length: 7 }, (_, index) => (
              <th key={index} scope="col">
                <abbr title={weekdayName(index)}>{weekdayName(index).slice(0, 3)}</abbr>
              </th>
            ))}
            <th scope="col">Week ({distanceUnit(units)})</th>
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <Week
              key={week[0]}
              week={week}
              month={month}
              days={data?.days ?? []}
              runs={runs}
              races={races.data ?? []}
              goals={goals.data ?? []}
            />
          ))}
        </tbody>
      </table>
      {upcoming.length > 0 && (
        <ul class="month-races above-3">
          {upcoming.map((race) => (
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
      )}
    </Card>
  )
}

function pathOf(month: string): string {
  return `/app/training?view=calendar&month=${month}`
}

function dayAfter(weeks: readonly (readonly string[])[]): string {
  return shiftedDay(weeks.at(-1)?.at(-1) ?? '', 1)
}

function Step({ name, icon, to }: { readonly name: string; readonly icon: 'left' | 'right'; readonly to: string }) {
  return (
    <Link href={pathOf(to)} isReplacing class="button quiet small icon-only" aria-label={name} title={name}>
      <Icon name={icon} />
    </Link>
  )
}

interface SumProps {
  readonly days: readonly Day[]
  readonly from: string
  readonly to: string
  readonly goals: readonly Goal[]
}

/** The totals of a month, which lead to its runs. */
function Sum({ days, from, to, goals }: SumProps) {
  const units = useUnits()
  const sums = totals(days)
  const { runs, distanceM, movingTimeS, load } = sums
  if (runs === 0) return <>No runs</>
  return (
    <>
      <Link href={daysPath(from, to)}>{counted(runs, 'run')}</Link>
      {` · ${text(roughDistance(distanceM, units))} · ${roughDuration(movingTimeS)} · load ${number(load)}`}
      {goalsWords(goals, { period: 'month', from, to, sums, units })}
    </>
  )
}

function totals(days: readonly Day[]) {
  const sum = (name: 'runs' | 'distanceM' | 'movingTimeS' | 'load') => days.reduce((total, day) => total + day[name], 0)
  return { runs: sum('runs'), distanceM: sum('distanceM'), movingTimeS: sum('movingTimeS'), load: sum('load') }
}

interface GoalWindow {
  readonly period: 'week' | 'month'
  readonly from: string
  readonly to: string
  readonly sums: ReturnType<typeof totals>
  readonly units: Units
}

/** Such as ` · 32 of 40 km`: the goals of a week or month that hold in it. */
function goalsWords(goals: readonly Goal[], { period, from, to, sums, units }: GoalWindow): string {
  return goals
    .flatMap(({ metric, target, activeFrom, activeTo, ...goal }) => {
      const isActive = (activeFrom ?? goal.createdOn) <= to && (activeTo === null || activeTo >= from)
      if (goal.period !== period || metric === 'elevGainM' || !isActive) return []
      return [` · ${doneText(metric, sums[metric], units)} of ${amountText(metric, target, units)}`]
    })
    .join('')
}

function runDate({ startedAt, utcOffsetMinutes }: Run): string {
  return localDay(startedAt, utcOffsetMinutes)
}

interface WeekProps {
  readonly week: readonly string[]
  readonly month: string
  readonly days: readonly Day[]
  readonly runs: ReadonlyMap<string, readonly Run[]>
  readonly races: readonly Race[]
  readonly goals: readonly Goal[]
}

function Week({ week, month, days, runs: runsOf, races, goals }: WeekProps) {
  const units = useUnits()
  const [first = '', last = ''] = [week[0], week.at(-1)]
  const ran = days.filter(({ date: day }) => day >= first && day <= last)
  const sums = totals(ran)
  const { runs, distanceM, movingTimeS, load } = sums
  return (
    <tr>
      {week.map((day) => {
        const on = ran.find((one) => one.date === day)
        const race = races.find((one) => one.date === day)
        const kind = day === today() ? 'today' : day.startsWith(month) ? '' : 'other'
        return (
          <td key={day} class={kind} {...(day === today() ? { 'aria-current': 'date' as const } : {})}>
            <span class="month-day level spread muted small">
              <span class="hidden-text">{date(day, 'long')}</span>
              <span aria-hidden="true">{Number(day.slice(8))}</span>
              {(race !== undefined || on?.race) && <Icon name="trophy" />}
            </span>
            {on !== undefined && <OnDay day={on} runs={runsOf.get(day) ?? []} />}
            {race !== undefined && race.workoutId === null && (
              <span class="month-race cut small">{raceName(race, units)}</span>
            )}
          </td>
        )
      })}
      <td class="month-week">
        {runs > 0 && (
          <>
            <Link href={daysPath(first, last)}>
              {distance(distanceM, units, 1).value}
              <span class="hidden-text"> {distanceUnit(units)} in this week</span>
            </Link>
            <span class="muted small">{counted(runs, 'run')}</span>
            <span class="muted small">{roughDuration(movingTimeS)}</span>
            <span class="muted small">load {number(load)}</span>
            <span class="muted small">
              {goalsWords(goals, { period: 'week', from: first, to: last, sums, units }).replace(' · ', '')}
            </span>
          </>
        )}
      </td>
    </tr>
  )
}

/** What was run on a day: the one run, or the runs of the list. */
function OnDay({ day, runs }: { readonly day: Day; readonly runs: readonly Run[] }) {
  const units = useUnits()
  const [only] = runs
  const isOne = day.runs === 1 && only !== undefined
  const name = isOne ? runName(only) : counted(day.runs, 'run')
  const types = [...new Set(runs.map(({ runType }) => runType))]
  const type = types.length === 1 ? (types[0] ?? 'none') : 'none'
  return (
    <Link
      class="month-run"
      data-type={type}
      href={isOne ? `/app/runs/${only.id}` : daysPath(day.date, day.date)}
      title={`${name}${type === 'none' ? '' : ` · ${type}`} · ${dayWords(day, units)}`}
    >
      <span class="month-name cut">{name}</span> <strong>{distance(day.distanceM, units, 1).value}</strong>{' '}
      <span class="muted small month-load">load {number(day.load)}</span>
      <span class="hidden-text">
        {' '}
        {type === 'none' ? '' : `${type} · `}
        {dayWords(day, units)}
      </span>
    </Link>
  )
}

function dayWords({ runs, movingTimeS, load, distanceM }: Day, units: Units): string {
  const said = [counted(runs, 'run'), text(roughDistance(distanceM, units)), roughDuration(movingTimeS)]
  return [...said, `load ${number(load)}`].join(' · ')
}

/** Arrow keys turn the page, unless something else takes them. */
function useTurningKeys(turn: (by: number) => void): void {
  useShortcuts((event) => {
    const by = STEPS[event.key]
    if (event.defaultPrevented || event.shiftKey || by === undefined) return
    event.preventDefault()
    turn(by)
  })
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
