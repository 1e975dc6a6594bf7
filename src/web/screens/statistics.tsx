// The totals and the records of the whole log, which nobody needs daily: one page below Home.
import { type ComponentChildren, Fragment } from 'preact'
import { useState } from 'preact/hooks'
import type { PageCard } from '../../engine/limits.ts'
import { type Steps, TableView, usePlace } from '../charts/plot.tsx'
import { useIsNarrow } from '../charts/route-thumb.tsx'
import {
  capitalised,
  counted,
  date,
  dateRange,
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
  weekdayIndex,
} from '../format.ts'
import { Link, navigate } from '../router.ts'
import { useResource, useUnits } from '../state.ts'
import type { Insights, PageSettings, Run } from '../types.ts'
import { Icon, type IconName } from '../ui/button.tsx'
import { Amount, Card, DataTable, Facts, Unconfirmed } from '../ui/card.tsx'
import { Segments } from '../ui/form.tsx'
import { Pending } from '../ui/loaded.tsx'
import { TERMS } from '../words.ts'
import { Customise } from './home.tsx'
import { daysPath } from './run-query.ts'
import { EffortCard, RollingCard, YearCard } from './statistics-charts.tsx'
import { offsetQuery, today, useDays, useMonths, weekdayName } from './stats.ts'
import { type Day, isPaused, lastDayOf, type Month, runsAWeek, sumsOfDays, sumsOfMonths } from './sums.ts'
import './later.css'

/** The page cannot lose these, nor are they moved. */
const ALWAYS: readonly PageCard[] = ['rolling', 'year', 'records']
const CARDS: readonly PageCard[] = ['totals', 'effort', 'year', 'days', 'rolling', 'habits', 'records', 'highlights']
const HIDEABLE = CARDS.filter((id) => !ALWAYS.includes(id))

export function Statistics() {
  const daily = useDays()
  const monthly = useMonths()
  const page = useResource('/settings/page')
  const isEmpty = monthly.months?.length === 0
  return (
    <div class="page">
      <div class="page-head">
        <h1 tabIndex={-1}>Statistics</h1>
        {!isEmpty && page.data !== null && <Customise page={page.data} of={HIDEABLE} />}
      </div>
      {isEmpty ? (
        <p class="muted">Totals, streaks and records appear with your first run.</p>
      ) : // a card that stood here before would move those below it when it becomes longer
      daily.days !== null && monthly.months !== null && (page.data ?? page.error) !== null ? (
        <Cards days={daily.days} months={monthly.months} chosen={page.data?.cards} />
      ) : (
        <Pending error={monthly.error ?? daily.error} height="420px" />
      )}
    </div>
  )
}

/** What all cards are about, from the service: the days of a year and all months. */
interface Log {
  readonly days: readonly Day[]
  readonly months: readonly Month[]
}

function Cards({ days, months, chosen }: Log & { readonly chosen: PageSettings['cards'] | undefined }) {
  const own = chosen?.filter(({ id }) => HIDEABLE.includes(id)) ?? HIDEABLE.map((id) => ({ id, shown: true }))
  // the others stand where they always do, wherever Home has them
  const next = own.values()
  const cards = CARDS.map((id) => (HIDEABLE.includes(id) && next.next().value) || { id, shown: true })
  const hasPaused = isPaused(days, months, today())
  const cardOf: Partial<Record<PageCard, () => ComponentChildren>> = {
    totals: () => <Totals {...{ days, months, hasPaused }} />,
    effort: () => !hasPaused && <EffortCard days={days} />,
    days: () => days.length > 0 && <DaysCard days={days} />,
    year: () => <YearCard months={months} />,
    rolling: () => <RollingCard months={months} />,
    habits: () => <HabitsCard {...{ days, months }} />,
    records: () => <BestEffortsCard />,
    highlights: () => <HighlightsCard />,
  }
  const units = useUnits()
  return (
    <>
      <div class="dashboard">
        {cards.map(({ id, shown }) => shown && <Fragment key={id}>{cardOf[id]?.()}</Fragment>)}
      </div>
      <div class="above-4">
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
      </div>
    </>
  )
}

/** Totals of this week, month and year, or after a pause the last run and the last year with runs; and of all time. */
function Totals({ days, months, hasPaused }: Log & { readonly hasPaused: boolean }) {
  const units = useUnits()
  const last = useResource(hasPaused ? '/workouts?pageSize=1&leftOut=false' : null).data?.items[0]
  const day = today()
  const [monday, month] = [mondayOf(day), day.slice(0, 7)]
  const year = (hasPaused ? months.at(-1)!.month : day).slice(0, 4)
  const recent = [
    ['Week', daysPath(monday, shiftedDay(monday, 6)), sumsOfDays(days, monday, day)],
    [date(day, 'monthName'), daysPath(`${month}-01`, lastDayOf(month)), sumsOfMonths(months, month)],
  ] as const
  const named = hasPaused ? `${year}, your last active year` : year
  const totals = [
    ...(hasPaused ? [] : recent),
    [named, daysPath(`${year}-01-01`, `${year}-12-31`), sumsOfMonths(months, year)],
    ['All time', '/app/runs?counted=yes', sumsOfMonths(months, '')],
  ] as const
  return (
    <dl class={hasPaused ? 'card totals paused' : 'card totals'} aria-label="Totals">
      {hasPaused && (
        <div>
          <dt>Last run</dt>
          <dd>
            {last === undefined ? '–' : <Link href={`/app/runs/${last.id}`}>{runDay(last)}</Link>}
            <span class="delta">
              {last !== undefined && `${runName(last)} · ${text(distance(last.distanceM, units, 1))}`}
            </span>
          </dd>
        </div>
      )}
      {totals.map(([name, href, { runs, distanceM, timeS, load }]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Link href={href} class="total-link">
              <Amount of={roughDistance(distanceM, units)} />
            </Link>
            <span class="delta">{`${counted(runs, 'run')} · ${sumDuration(timeS)} · load ${number(load)}`}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

const WEEKS = 53
/** Number of weeks that fit on a phone. */
const FEW_WEEKS = 26
const WEEK_DAYS = 7
/** Arrow keys: days are below each other, weeks side by side. */
const DAY_STEPS: Steps = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -7, ArrowRight: 7, PageUp: -28, PageDown: 28 }
/** Upper limits of the first three shades, as shares of a long day. */
const SHADES = [0.25, 0.5, 0.8] as const

/** The last year, or half of it, with one square a day: a column per week, Monday on top. */
function DaysCard({ days }: Pick<Log, 'days'>) {
  const units = useUnits()
  const isNarrow = useIsNarrow()
  const weeks = isNarrow ? FEW_WEEKS : WEEKS
  const from = shiftedDay(mondayOf(today()), -WEEK_DAYS * (weeks - 1))
  const metres = new Map(days.filter(({ date }) => date >= from).map((day) => [day.date, day.distanceM]))
  const distances = [...metres.values()].toSorted((a, b) => a - b)
  // nine of ten days do not exceed it, so that one marathon does not make all other days pale
  const long = distances[Math.floor(distances.length * 0.9)] ?? 1
  const summary = `${counted(metres.size, 'day')} with a run`
  const shadeOf = (day: string) => {
    const ran = metres.get(day) ?? 0
    const found = SHADES.findIndex((share) => ran <= share * long)
    return ran <= 0 ? 0 : found === -1 ? SHADES.length + 1 : found + 1
  }
  const count = WEEK_DAYS * (weeks - 1) + weekdayIndex(today()) + 1
  const keys = Array.from({ length: count }, (_, index) => shiftedDay(from, index))
  const columns = { gridTemplateColumns: `var(--names) repeat(${weeks}, minmax(0, 1fr))` }
  const indexOf = ({ target }: Event) => {
    const index = target instanceof HTMLElement ? target.dataset.index : undefined
    return index === undefined ? null : Number(index)
  }
  const { place, stated, attributes } = usePlace(indexOf, {
    label: `${summary} in ${isNarrow ? 'half a' : 'the last'} year. Arrow keys go through the days, Enter shows the runs of one`,
    count,
    textAt: (index) => {
      const ran = metres.get(keys[index] ?? '') ?? 0
      return `${date(keys[index] ?? from, 'long')} · ${ran > 0 ? text(distance(ran, units, 1)) : 'no run'}`
    },
    steps: DAY_STEPS,
    onOpen: (index) => {
      const key = keys[index] ?? ''
      if (metres.has(key)) navigate(daysPath(key, key))
    },
  })
  return (
    <Card title={isNarrow ? 'Last 6 months' : 'Last 12 months'} class="wide">
      <figure class="strip">
        <figcaption class="muted" aria-hidden="true">
          {place === null ? summary : stated}
        </figcaption>
        <div class="strip-months muted tiny nowrap" style={columns} aria-hidden="true">
          {keys.map((key, index) => {
            const column = Math.floor(index / WEEK_DAYS)
            // the name needs the width of some weeks
            return key.endsWith('-01') && column < weeks - 2 ? (
              <span key={key} style={{ gridColumn: `${column + 2} / span 4` }}>
                {date(key, 'month')}
              </span>
            ) : null
          })}
        </div>
        <div class="strip-days" style={columns} {...attributes}>
          {Array.from({ length: WEEK_DAYS }, (_, row) => (
            <span key={row} class="strip-weekday muted tiny">
              {row % 2 === 0 && date(shiftedDay(from, row), 'weekday')}
            </span>
          ))}
          {keys.map((key, index) => (
            <span
              key={key}
              data-index={index}
              class={index === place ? 'day pointed' : 'day'}
              style={{ background: `var(--strip${shadeOf(key)})`, cursor: metres.has(key) ? 'pointer' : '' }}
            />
          ))}
        </div>
      </figure>
    </Card>
  )
}

const INSIGHTS = '/stats/insights'
const HARDEST = '/workouts?pageSize=1&sortBy=load&sortOrder=desc&leftOut=false'
/** Weeks covered by the daily data; a longer streak is shown as at least this long. */
const WEEKS_KNOWN = 53

/** Streaks, and when runs happen. */
function HabitsCard({ days, months }: Log) {
  const units = useUnits()
  const { data, error } = useResource(INSIGHTS)
  const habits = data?.habits ?? null
  const weeks = weeksInARow(days, today())
  const { favoriteWeekday: day, favoriteTimeOfDay: time } = habits ?? {}
  // a log from before these days is older than the year that counts
  const [month = '', first = ''] = [months[0]?.month, days[0]?.date]
  const perWeek = runsAWeek(days, first.startsWith(month) ? first : `${month}-01`, today())
  return (
    <Card title="Streaks and habits" class="habits">
      {data === null ? (
        <Pending error={error} count={5} height="32px" />
      ) : (
        <>
          {weeks !== 0 && (
            <p class="streak below-4 level gap-3">
              <Icon name="flame" />
              <strong class="big">{weeks < WEEKS_KNOWN ? number(weeks) : `${WEEKS_KNOWN}+`}</strong>
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
                ['Favourite time', `${capitalised(time.timeOfDay)}, ${number(time.percentage)}%`],
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
          class="data-table efforts-table"
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
            <span class="bold">{duration(effort.timeMs / 1000)}</span>,
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
          {found.map(([icon, name, value, href, note]) => (
            <li key={name} class="level gap-3">
              <Icon name={icon} class="muted" />
              <span class="highlight-name grow">
                {name}
                <span class="muted small cut">
                  <Link href={href}>{note}</Link>
                </span>
              </span>
              <strong class="bold nowrap">{value}</strong>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

type Highlight = readonly [icon: IconName, name: string, value: string, href: string, note: string]
type Entry = Omit<NonNullable<NonNullable<Insights['performance']>['mostElevation']>, 'elevGainM'>

function highlights({ performance, weather }: Insights, hardest: Run | undefined, units: Units): Highlight[] {
  const of = <T extends Entry>(icon: IconName, name: string, run: T | null | undefined, value: (run: T) => string) => {
    if (run == null) return []
    const { workoutName, date: startedAt, utcOffsetMinutes } = run
    const note = `${runName({ name: workoutName, startedAt, utcOffsetMinutes })}, ${date(startedAt, 'short', utcOffsetMinutes)}`
    return [[icon, name, value(run), `/app/runs/${run.workoutId}`, note] as const]
  }
  const { longestRun, fastestAvgPace, mostElevation, biggestWeek: week } = performance ?? {}
  const { id = '', name = null, startedAt = '', utcOffsetMinutes = 0, load = null } = hardest ?? {}
  const effort = { workoutId: id, workoutName: name, date: startedAt, utcOffsetMinutes }
  return [
    ...of('runs', 'Longest run', longestRun, (run) => text(distance(run.distanceM, units, 1))),
    ...of('clock', 'Fastest run', fastestAvgPace, (run) => text(pace(run.avgPaceS, units))),
    ...of('mountain', 'Most elevation gain', mostElevation, (run) => text(elevation(run.elevGainM, units))),
    ...of('heart', 'Hardest run, by load', performance == null || load === null ? null : effort, () => number(load)),
    ...(week == null
      ? []
      : [
          [
            ...(['trophy', 'Biggest week', text(roughDistance(week.distanceM, units))] as const),
            daysPath(week.weekStart, week.weekEnd),
            `${dateRange(week.weekStart, week.weekEnd, 'short')}, ${counted(week.runs, 'run')}`,
          ] as const,
        ]),
    ...of('sun', 'Hottest', weather?.hottest, (run) => `${number(run.temperature)}${run.temperatureUnit}`),
    ...of('snow', 'Coldest', weather?.coldest, (run) => `${number(run.temperature)}${run.temperatureUnit}`),
    ...of('wind', 'Windiest', weather?.windiest, (run) => `${number(run.windSpeed)} ${run.windSpeedUnit}`),
    ...of('drop', 'Wettest', weather?.wettest, (run) => `${number(run.precipitation, 1)} ${run.precipitationUnit}`),
  ]
}
