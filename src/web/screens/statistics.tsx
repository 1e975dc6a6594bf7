// The totals and the records of the whole log, which nobody needs daily: one page below Home.
import { type ComponentChildren, Fragment } from 'preact'
import { useState } from 'preact/hooks'
import type { PageCard } from '../../engine/limits.ts'
import { DaySquares } from '../charts/day-squares.tsx'
import { TableView } from '../charts/plot.tsx'
import { useIsNarrow } from '../charts/route-thumb.tsx'
import {
  counted,
  date,
  dateRange,
  dayNumber,
  distance,
  distanceName,
  duration,
  elevation,
  mondayOf,
  number,
  pace,
  roughDistance,
  roughDuration,
  runDay,
  runName,
  shiftedDay,
  sumDuration,
  text,
  type Units,
} from '../format.ts'
import { Link } from '../router.ts'
import { useResource, useUnits } from '../state.ts'
import type { Insights, Run } from '../types.ts'
import { Icon, type IconName } from '../ui/button.tsx'
import { Amount, Card, DataTable, Facts, Unconfirmed } from '../ui/card.tsx'
import { Segments } from '../ui/form.tsx'
import { LoadFailure, Pending } from '../ui/loaded.tsx'
import { TERMS } from '../words.ts'
import { Customise } from './home.tsx'
import { daysPath } from './run-query.ts'
import { EffortCard, RollingCard, YearCard } from './statistics-charts.tsx'
import { offsetQuery, today, useDays, useMonths, weekdayName } from './stats.ts'
import { type Day, isPaused, lastDayOf, type Month, type RunSums, runsAWeek, sumsOfDays, sumsOfMonths } from './sums.ts'
import './later.css'

/** The page cannot lose these, nor are they moved. */
const ALWAYS: readonly PageCard[] = ['rolling', 'year', 'records']
const CARDS: readonly PageCard[] = ['totals', 'effort', 'year', 'days', 'rolling', 'habits', 'records', 'highlights']
const HIDEABLE = CARDS.filter((id) => !ALWAYS.includes(id))

export function Statistics() {
  const { days } = useDays()
  const { months, error } = useMonths()
  const page = useResource('/settings/page')
  if (months?.length === 0) {
    return (
      <div class="page">
        <div class="page-head">
          <h1 tabIndex={-1}>Statistics</h1>
        </div>
        <p class="muted">Totals, streaks and records appear with your first run.</p>
      </div>
    )
  }
  const own = page.data?.cards.filter(({ id }) => HIDEABLE.includes(id)) ?? HIDEABLE.map((id) => ({ id, shown: true }))
  // the others stand where they always do, wherever Home has them
  const next = own.values()
  const cards = CARDS.map((id) =>
    HIDEABLE.includes(id) ? (next.next().value ?? { id, shown: true }) : { id, shown: true },
  )
  const hasPaused = days !== null && months !== null && isPaused(days, months, today())
  const cardOf: Partial<Record<PageCard, () => ComponentChildren>> = {
    totals: () => (hasPaused ? <PausedTotals months={months} /> : <Totals days={days} months={months} />),
    effort: () => !hasPaused && <EffortCard />,
    days: () => (days === null || days.length > 0) && <DaysCard />,
    year: () => <YearCard />,
    rolling: () => <RollingCard />,
    habits: () => <HabitsCard />,
    records: () => <BestEffortsCard />,
    highlights: () => <HighlightsCard />,
  }
  return (
    <div class="page">
      <div class="page-head">
        <h1 tabIndex={-1}>Statistics</h1>
        {page.data !== null && <Customise page={page.data} of={HIDEABLE} />}
      </div>
      {months === null && error !== null && <LoadFailure message={error.message} />}
      {(page.data !== null || page.error !== null) && (
        <>
          <div class="dashboard">
            {cards.map(({ id, shown }) => shown && <Fragment key={id}>{cardOf[id]?.()}</Fragment>)}
          </div>
          <div class="above-4">
            <MonthsTable months={months ?? []} />
          </div>
        </>
      )}
    </div>
  )
}

/** The page's numbers as a table: every month of the log. */
function MonthsTable({ months }: { readonly months: readonly Month[] }) {
  const units = useUnits()
  return (
    <TableView
      caption="All months"
      summary="All months as a table"
      heads={['Month', 'Runs', TERMS.distance, TERMS.time, TERMS.elevationGain, TERMS.load]}
      rows={() =>
        months
          .toReversed()
          .map(({ month, runs, distanceM, timeS, elevGainM, load }) => [
            date(`${month}-01`, 'monthYear'),
            <Link href={daysPath(`${month}-01`, lastDayOf(month))}>{number(runs)}</Link>,
            text(roughDistance(distanceM, units)),
            roughDuration(timeS),
            text(elevation(elevGainM, units)),
            number(load),
          ])
      }
    />
  )
}

interface TotalsProps {
  /** null while loading. */
  readonly days: readonly Day[] | null
  readonly months: readonly Month[] | null
}

/** Totals of this week, month, year, and of the whole log. */
function Totals({ days, months }: TotalsProps) {
  const day = today()
  const [year, month] = [day.slice(0, 4), day.slice(0, 7)]
  const isThere = days !== null && months !== null
  const known = months ?? []
  const monday = mondayOf(day)
  return (
    <dl class={isThere ? 'card totals' : 'card totals blank'} aria-label="Totals">
      <Total name="Week" href={daysPath(monday, shiftedDay(monday, 6))} sums={sumsOfDays(days ?? [], monday, day)} />
      <Total
        name={date(day, 'monthName')}
        href={daysPath(`${month}-01`, lastDayOf(month))}
        sums={sumsOfMonths(known, month)}
      />
      <Total name={year} href={yearPath(year)} sums={sumsOfMonths(known, year)} />
      <Total name="All time" href="/app/runs?counted=yes" sums={sumsOfMonths(known, '')} />
    </dl>
  )
}

/** Totals of a runner who paused: the last run and the last year with runs, instead of zeros. */
function PausedTotals({ months }: { readonly months: readonly Month[] }) {
  const units = useUnits()
  const last: Run | undefined = useResource('/workouts?pageSize=1&leftOut=false').data?.items[0]
  const year = months.at(-1)?.month.slice(0, 4) ?? ''
  return (
    <dl class="card totals paused" aria-label="Totals">
      {last !== undefined && (
        <Cell name="Last run" note={`${runName(last)} · ${text(distance(last.distanceM, units, 1))}`}>
          <Link href={`/app/runs/${last.id}`}>{runDay(last)}</Link>
        </Cell>
      )}
      <Total name={`${year}, your last active year`} href={yearPath(year)} sums={sumsOfMonths(months, year)} />
      <Total name="All time" href="/app/runs?counted=yes" sums={sumsOfMonths(months, '')} />
    </dl>
  )
}

function yearPath(year: string): string {
  return daysPath(`${year}-01-01`, `${year}-12-31`)
}

interface TotalProps {
  readonly name: string
  /** The runs that are counted. */
  readonly href: string
  readonly sums: RunSums
}

function Total({ name, href, sums }: TotalProps) {
  const units = useUnits()
  return (
    <Cell name={name} note={`${counted(sums.runs, 'run')} · ${sumDuration(sums.timeS)} · load ${number(sums.load)}`}>
      <Link href={href} class="total-link">
        <Amount of={roughDistance(sums.distanceM, units)} />
      </Link>
    </Cell>
  )
}

interface CellProps {
  readonly name: string
  readonly note: string
  readonly children: ComponentChildren
}

function Cell({ name, note, children }: CellProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {children}
        <span class="delta">{note}</span>
      </dd>
    </div>
  )
}

const WEEKS = 53
/** Number of weeks that fit on a phone. */
const FEW_WEEKS = 26
/** Upper limits of the first three shades, as shares of a long day. */
const SHADES = [0.25, 0.5, 0.8] as const

/** The last year, or half of it, with one square a day. */
function DaysCard() {
  const units = useUnits()
  const isNarrow = useIsNarrow()
  const { days, error } = useDays()
  const from = shiftedDay(mondayOf(today()), -7 * ((isNarrow ? FEW_WEEKS : WEEKS) - 1))
  const metres = new Map((days ?? []).filter(({ date }) => date >= from).map((day) => [day.date, day.distanceM]))
  const distances = [...metres.values()].toSorted((a, b) => a - b)
  // nine of ten days do not exceed it, so that one marathon does not make all other days pale
  const long = distances[Math.floor(distances.length * 0.9)] ?? 1
  const summary = `${counted(metres.size, 'day')} with a run`
  const shade = (day: string) => {
    const ran = metres.get(day) ?? 0
    const found = SHADES.findIndex((share) => ran <= share * long)
    return ran <= 0 ? 0 : found === -1 ? SHADES.length + 1 : found + 1
  }
  const ranText = (ran: number) => (ran > 0 ? text(distance(ran, units, 1)) : 'no run')
  return (
    <Card title={isNarrow ? 'Last 6 months' : 'Last 12 months'} class="wide">
      {error !== null && days === null ? (
        <LoadFailure message={error.message} />
      ) : (
        <DaySquares
          class="strip"
          label={`${summary} in ${isNarrow ? 'half a' : 'the last'} year`}
          from={from}
          to={today()}
          today={today()}
          hasRun={(day) => metres.has(day)}
          textAt={(day) => `${date(day, 'long')} · ${ranText(metres.get(day) ?? 0)}`}
          caption={(stated) => (days === null ? ' ' : (stated ?? summary))}
          classOf={(day) => `shade-${shade(day)}`}
        />
      )}
    </Card>
  )
}

const INSIGHTS = '/stats/insights'
const HARDEST = '/workouts?pageSize=1&sortBy=load&sortOrder=desc&leftOut=false'
/** Weeks covered by the daily data; a longer streak is shown as at least this long. */
const WEEKS_KNOWN = 53
const TIMES = { morning: 'Morning', afternoon: 'Afternoon', evening: 'Evening', night: 'Night' } as const

/** Streaks, and when runs happen. */
function HabitsCard() {
  const units = useUnits()
  const { data, error } = useResource(INSIGHTS)
  const { days } = useDays()
  const habits = data?.habits ?? null
  const since = data?.metadata.firstWorkoutDate ?? null
  const weeks = days === null ? null : weeksInARow(days, today())
  const { favoriteWeekday: day, favoriteTimeOfDay: time } = habits ?? {}
  const perWeek = days === null || since === null ? null : runsAWeek(days, firstDay(days, since), today())
  return (
    <Card title="Streaks and habits" class="habits">
      {data === null ? (
        <Pending error={error} count={5} height="32px" />
      ) : (
        <>
          {weeks !== 0 && (
            <p class="streak below-4 level gap-3">
              <Icon name="flame" />
              <strong class="big">
                {weeks === null ? '–' : weeks < WEEKS_KNOWN ? number(weeks) : `${WEEKS_KNOWN}+`}
              </strong>
              <span class="muted">{weeks === 1 ? 'week with a run' : 'weeks in a row with a run'}</span>
            </p>
          )}
          {habits === null || day === undefined || time === undefined ? (
            <p class="muted">{data.message ?? 'Habits appear after ten runs.'}</p>
          ) : (
            <Facts
              class="facts"
              of={[
                ['Most weeks in a row', number(habits.longestStreakWeeks)],
                ['Most days in a row', number(habits.longestStreakDays)],
                ['Favourite day', `${weekdayName(day.weekdayIndex)}, ${number(day.percentage)}%`],
                ['Favourite time', `${TIMES[time.timeOfDay]}, ${number(time.percentage)}%`],
                ['Runs per week, last 12 months', number(perWeek, 1)],
                ['Average run', text(distance(habits.averageDistanceM, units, 1))],
              ]}
            />
          )}
        </>
      )}
    </Card>
  )
}

/** The day of the first run where it was run, if that is among these days; else about that day. @param since a timestamp */
function firstDay(days: readonly Day[], since: string): string {
  const [first] = days
  const day = since.slice(0, 10)
  return first !== undefined && dayNumber(first.date) <= dayNumber(day) + 1 ? first.date : day
}

/** Consecutive weeks with a run up to the current one, which may still be empty. */
function weeksInARow(days: readonly Day[], day: string): number {
  const mondays = new Set(days.map(({ date }) => mondayOf(date)))
  const hasRun = (weeksAgo: number) => mondays.has(shiftedDay(mondayOf(day), -7 * weeksAgo))
  let count = hasRun(0) ? 1 : 0
  for (let weeksAgo = 1; weeksAgo < WEEKS_KNOWN && hasRun(weeksAgo); weeksAgo += 1) count += 1
  return count
}

const PERIODS = [
  ['ever', 'All time'],
  ['12months', '12 months'],
  ['year', 'This year'],
] as const

/** The fastest time of each distance, of all time or recently; a distance leads to its bests. */
function BestEffortsCard() {
  const units = useUnits()
  const [period, setPeriod] = useState<(typeof PERIODS)[number][0]>('ever')
  const of = period === 'ever' ? '' : (`?period=${period}&${offsetQuery()}` as const)
  const { data, error } = useResource(`/stats/best-efforts${of}`)
  return (
    <Card title="Best efforts" class="efforts">
      <Segments legend="Period" value={period} options={PERIODS} onValue={setPeriod} />
      {data === null ? (
        <Pending error={error} count={8} height="24px" />
      ) : data.distances.length === 0 ? (
        <p class="muted">
          {period === 'ever'
            ? 'Your best efforts appear here after a recorded run of 400 m or more.'
            : 'No recorded run of 400 m or more in this period.'}
        </p>
      ) : (
        <DataTable
          class="efforts-table"
          heads={[TERMS.distance, TERMS.time, TERMS.pace, 'Run']}
          rows={data.distances.map((effort) => [
            <>
              <Link
                href={`/app/bests?distance=${effort.distanceM}`}
                class="effort-name"
                aria-label={`${distanceName(effort.distance)}: top ten and progression`}
              >
                {distanceName(effort.distance)}
              </Link>
              {effort.isUnconfirmed && <Unconfirmed />}
            </>,
            <span class="strong">{duration(effort.timeMs / 1000)}</span>,
            <span class="muted">{text(pace(effort.timeMs / effort.distanceM, units))}</span>,
            <Link
              href={`/app/runs/${effort.workoutId}`}
              aria-label={`Run of ${date(effort.workoutDate, 'short', effort.utcOffsetMinutes)}`}
            >
              {date(effort.workoutDate, 'short', effort.utcOffsetMinutes)}
            </Link>,
          ])}
        />
      )}
    </Card>
  )
}

/** Outstanding runs, and those with extreme weather. */
function HighlightsCard() {
  const units = useUnits()
  const { data, error } = useResource(INSIGHTS)
  const hardest: Run | undefined = useResource(HARDEST).data?.items[0]
  const found = data === null ? [] : highlights(data, hardest, units)
  return (
    <Card title="Highlights" class="highlights">
      {data === null ? (
        <Pending error={error} count={6} height="40px" />
      ) : found.length === 0 ? (
        <p class="muted">{data.message ?? 'Highlights appear once you have more runs.'}</p>
      ) : (
        <ul class="highlight-list lines">
          {found.map(({ icon, name, value, href, note }) => (
            <li key={name} class="level gap-3">
              <Icon name={icon} />
              <span class="highlight-name grow">
                {name}
                <span class="muted small cut">
                  <Link href={href}>{note}</Link>
                </span>
              </span>
              <strong>{value}</strong>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

interface Highlight {
  readonly icon: IconName
  readonly name: string
  readonly value: string
  readonly href: string
  readonly note: string
}

type Entry = NonNullable<NonNullable<Insights['performance']>['mostElevation']>

function highlights({ performance, weather }: Insights, hardest: Run | undefined, units: Units): Highlight[] {
  const found: Highlight[] = []
  const add = <T extends Omit<Entry, 'elevGainM'>>(
    entry: T | null | undefined,
    icon: IconName,
    name: string,
    value: (e: T) => string,
  ) => {
    if (entry === null || entry === undefined) return
    const { workoutName, date: startedAt, utcOffsetMinutes } = entry
    const note = `${runName({ name: workoutName, startedAt, utcOffsetMinutes })}, ${date(startedAt, 'short', utcOffsetMinutes)}`
    found.push({ icon, name, value: value(entry), href: `/app/runs/${entry.workoutId}`, note })
  }
  add(performance?.longestRun, 'runs', 'Longest run', (e) => text(distance(e.distanceM, units, 1)))
  add(performance?.fastestAvgPace, 'clock', 'Fastest run', (e) => text(pace(e.avgPaceS, units)))
  add(performance?.mostElevation, 'mountain', 'Most elevation gain', (e) => text(elevation(e.elevGainM, units)))
  if (performance != null && hardest?.load != null) {
    const note = `${runName(hardest)}, ${date(hardest.startedAt, 'short', hardest.utcOffsetMinutes)}`
    const value = number(hardest.load)
    found.push({ icon: 'heart', name: 'Hardest run, by load', value, href: `/app/runs/${hardest.id}`, note })
  }
  const week = performance?.biggestWeek
  if (week !== null && week !== undefined) {
    const note = `${dateRange(week.weekStart, week.weekEnd, 'short')}, ${counted(week.runs, 'run')}`
    const value = text(roughDistance(week.distanceM, units))
    found.push({ icon: 'trophy', name: 'Biggest week', value, href: daysPath(week.weekStart, week.weekEnd), note })
  }
  add(weather?.hottest, 'sun', 'Hottest', (e) => `${number(e.temperature)}${e.temperatureUnit}`)
  add(weather?.coldest, 'snow', 'Coldest', (e) => `${number(e.temperature)}${e.temperatureUnit}`)
  add(weather?.windiest, 'wind', 'Windiest', (e) => `${number(e.windSpeed)} ${e.windSpeedUnit}`)
  add(weather?.wettest, 'drop', 'Wettest', (e) => `${number(e.precipitation, 1)} ${e.precipitationUnit}`)
  return found
}
