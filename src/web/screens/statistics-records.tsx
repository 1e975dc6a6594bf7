// Streaks, bests and highlights of the whole log, for Statistics.
import { useState } from 'preact/hooks'
import { dayNumber, mondayOf, shiftedDay } from '../days.ts'
import {
  counted,
  date,
  dateRange,
  distance,
  distanceName,
  duration,
  elevation,
  number,
  pace,
  roughDistance,
  runDay,
  runName,
  text,
  type Units,
} from '../format.ts'
import { Link } from '../router.ts'
import { useResource, useUnits } from '../state.ts'
import type { Insights, Run } from '../types.ts'
import { Card } from '../ui/card.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { Pending } from '../ui/empty.tsx'
import { Facts } from '../ui/facts.tsx'
import { Segments } from '../ui/field.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Unconfirmed } from '../ui/medal.tsx'
import { TERMS } from '../words.ts'
import { daysPath } from './run-query.ts'
import { offsetQuery, today, useDays, weekdayName } from './stats.ts'
import { type Day, runsAWeek } from './sums.ts'

const INSIGHTS = '/stats/insights'
const HARDEST = '/workouts?pageSize=1&sortBy=load&sortOrder=desc&leftOut=false'
/** Weeks covered by the daily data; a longer streak is shown as at least this long. */
const WEEKS_KNOWN = 53
const TIMES = { morning: 'Morning', afternoon: 'Afternoon', evening: 'Evening', night: 'Night' } as const

/** Streaks, and when runs happen. */
export function HabitsCard() {
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
export function BestEffortsCard() {
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
export function HighlightsCard() {
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
            <li key={name}>
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
    const note = `${runName(hardest)}, ${runDay(hardest)}`
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
