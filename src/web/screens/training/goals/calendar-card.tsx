import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { DaySquares } from '../../../charts/day-squares.tsx'
import { TableView } from '../../../charts/table-view.tsx'
import { useIsNarrow } from '../../../charts/use-is-narrow.ts'
import { counted, date, duration, number, roughDistance, roughDuration, text, type Units } from '../../../format.ts'
import { Link } from '../../../router.ts'
import { useResource, useUnits } from '../../../state.ts'
import type { RunCalendar } from '../../../types.ts'
import { Card } from '../../../ui/card.tsx'
import { LoadFailure } from '../../../ui/empty.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Segments, Select } from '../../../ui/field.tsx'
import { Skeleton } from '../../../ui/spinner.tsx'
import { TERMS } from '../../../words.ts'
import { daysPath } from '../../run-query.ts'
import { offsetQuery, today } from '../../stats.ts'
import { lastDayOf } from '../../sums.ts'
import { amountText } from './goal-words.ts'

type CalendarDay = RunCalendar['days'][number]
type Metric = RunCalendar['metric']
const METRICS: readonly (readonly [Metric, string])[] = [
  ['distanceM', TERMS.distance],
  ['movingTimeS', TERMS.time],
  ['load', TERMS.load],
]

/** With fewer days than this the service gives only two shades. */
const LEAST_FOR_QUARTERS = 8

/** A year of days, with habits. */
export function CalendarCard() {
  const thisYear = today().slice(0, 4)
  const [year, setYear] = useState(thisYear)
  const [metric, setMetric] = useState<Metric>('distanceM')
  const years = useResource(`/stats/available-years?${offsetQuery()}`)
  const path =
    `/training/calendar?${offsetQuery()}&metric=${metric}&from=${year}-01-01&to=${Number(year) + 1}-01-01` as const
  const { data, error } = useResource(path)
  // the last data stays visible while another year or metric is loading
  const [kept, setKept] = useState<{ readonly year: string; readonly data: RunCalendar } | null>(null)
  useEffect(() => {
    if (data !== null) setKept({ year, data })
  }, [data])
  const known = [...new Set([thisYear, ...(years.data ?? []).map(String)])].toSorted().toReversed()
  return (
    <Card
      title="Year calendar"
      aside={
        <div class="flow">
          <Segments legend="Colour by" value={metric} options={METRICS} onValue={setMetric} />
          <Select
            label="Year"
            isLabelHidden
            value={year}
            options={known.map((one) => [one, one] as const)}
            onValue={setYear}
          />
        </div>
      }
    >
      {error !== null && data === null ? (
        <LoadFailure message={error.message} />
      ) : kept === null ? (
        <Skeleton height="330px" />
      ) : (
        <Year year={kept.year} data={kept.data} />
      )}
    </Card>
  )
}

function Year({ year, data }: { readonly year: string; readonly data: RunCalendar }) {
  const units = useUnits()
  const isNarrow = useIsNarrow()
  const days = new Map(data.days.map((day) => [day.date, day]))
  const halves = isNarrow
    ? ([
        [`${year}-01-01`, `${year}-06-30`, `January–June ${year}`],
        [`${year}-07-01`, `${year}-12-31`, `July–December ${year}`],
      ] as const)
    : ([[`${year}-01-01`, `${year}-12-31`, `Days of ${year}`]] as const)
  const races = data.days.filter(({ race }) => race)
  return (
    <div class="calendar">
      {halves.map(([from, to, label]) => (
        <DaySquares
          key={from}
          class="tc heat"
          label={label}
          from={from}
          to={to}
          today={today()}
          hasRun={(day) => days.has(day)}
          textAt={(day) => dayWords(day, days.get(day), units)}
          caption={(stated) => stated}
          classOf={(day) => {
            const ran = days.get(day)
            if (ran === undefined && day > today()) return 'future'
            return `shade-${ran?.level ?? 0}${ran?.race === true ? ' race' : ''}`
          }}
        />
      ))}
      <Legend data={data} />
      {races.length > 0 && (
        <p class="small">
          Races:{' '}
          {races.map(({ date: day, distanceM, movingTimeS }, index) => (
            <span key={day}>
              {index > 0 && ' · '}
              <Link href={daysPath(day, day)}>{date(day, 'day')}</Link> {text(roughDistance(distanceM, units))} in{' '}
              {duration(movingTimeS)}
            </span>
          ))}
        </p>
      )}
      <Habits data={data} />
      <TableView
        caption={`Months of ${year}`}
        heads={['Month', 'Days', 'Runs', TERMS.distance, TERMS.time, TERMS.load]}
        rows={() => monthRows(year, data, units)}
      />
    </div>
  )
}

/** The bounds of the shades, as numbers. */
function Legend({ data: { bounds, metric, days } }: { readonly data: RunCalendar }) {
  const units = useUnits()
  if (bounds === null) return <p class="muted small">No runs this year.</p>
  const amount = (value = 0) => amountText(metric, value, units)
  const isFew = days.filter((day) => day[metric] > 0).length < LEAST_FOR_QUARTERS
  const shades = isFew
    ? ([
        [1, `up to ${amount(bounds[1])}`],
        [3, 'more'],
      ] as const)
    : ([
        [1, `up to ${amount(bounds[0])}`],
        [2, `up to ${amount(bounds[1])}`],
        [3, `up to ${amount(bounds[2])}`],
        [4, 'more'],
      ] as const)
  return (
    <p class="heat-key small muted">
      {shades.map(([level, words]) => (
        <span key={level}>
          <span class={`day shade-${level}`} aria-hidden="true" /> {words}
        </span>
      ))}
      <span>
        <span class="day shade-0 race" aria-hidden="true" /> race
      </span>
    </p>
  )
}

function Habits({ data: { streaks, consistency } }: { readonly data: RunCalendar }) {
  const units = useUnits()
  // a log without runs has no habits
  if (streaks.longestWeeks === 0) return null
  const week = (count: number) => counted(count, 'week')
  const facts: (readonly [string, string, string])[] = [
    ['Days in a row', counted(streaks.currentDays, 'day'), `longest ${counted(streaks.longestDays, 'day')}`],
    ['Weeks with a run', week(streaks.currentWeeks), `longest ${week(streaks.longestWeeks)} in a row`],
    [
      `Weeks with ${counted(streaks.minRunsPerWeek, 'run')}`,
      week(streaks.currentFullWeeks),
      `longest ${week(streaks.longestFullWeeks)} in a row`,
    ],
  ]
  if (consistency !== null) {
    const { weeksWithRun, medianDistanceM, lowerQuartileM, upperQuartileM, longestGapDays } = consistency
    const far = (metres: number) => text(roughDistance(metres, units))
    facts.push(
      ['6 months', `${weeksWithRun} of 26 weeks`, `longest gap ${counted(longestGapDays, 'day')}`],
      ['Typical week', far(medianDistanceM), `usually ${far(lowerQuartileM)}–${far(upperQuartileM)}`],
    )
  }
  const shown = facts.map(([name, value, more]) => {
    return [name, [value, ' ', <span class="muted small">{more}</span>]] as const
  })
  return <Facts of={shown} />
}

function dayWords(day: string, ran: CalendarDay | undefined, units: Units): string {
  if (ran === undefined) return `${date(day, 'long')} · no run`
  const { runs, distanceM, movingTimeS, load, race } = ran
  const said = [
    counted(runs, 'run'),
    text(roughDistance(distanceM, units)),
    roughDuration(movingTimeS),
    `load ${number(load)}`,
    ...(race ? ['race'] : []),
  ]
  return `${date(day, 'long')} · ${said.join(' · ')}`
}

function monthRows(year: string, { days }: RunCalendar, units: Units): ComponentChildren[][] {
  return Array.from({ length: 12 }, (_, month) => {
    const key = `${year}-${String(month + 1).padStart(2, '0')}`
    const ran = days.filter(({ date: day }) => day.startsWith(key))
    const name = date(`${key}-01`, 'monthYear')
    const sum = (name: 'runs' | 'distanceM' | 'movingTimeS' | 'load') =>
      ran.reduce((total, day) => total + day[name], 0)
    return [
      ran.length === 0 ? name : <Link href={daysPath(`${key}-01`, lastDayOf(key))}>{name}</Link>,
      number(ran.length),
      number(sum('runs')),
      text(roughDistance(sum('distanceM'), units)),
      roughDuration(sum('movingTimeS')),
      number(sum('load')),
    ]
  })
}
