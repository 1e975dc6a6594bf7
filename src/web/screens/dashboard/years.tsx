import { useState } from 'preact/hooks'
import { calendarDay, isoDate } from '../../../engine/calendar/weeks.ts'
import { useYearPlace } from '../../charts/use-year-place.ts'
import { MonthBars, YearBars } from '../../charts/year-bars.tsx'
import { YearCurves } from '../../charts/year-curves.tsx'
import { dayNumber } from '../../days.ts'
import { date, dateRange, roughDistance, text, type Units } from '../../format.ts'
import { useResource, useUnits } from '../../state.ts'
import type { AvailablePeriods, MonthlyStats, YearlyWeekly } from '../../types.ts'
import { Amount, Card } from '../../ui/card.tsx'
import { LoadFailure } from '../../ui/empty.tsx'
import { Segments, Select } from '../../ui/field.tsx'
import { Skeleton } from '../../ui/spinner.tsx'
import { offsetQuery, today, useMonths } from '../stats.ts'
import { monthsUntil } from './log-sums.ts'

/** Two years, so that each month has the same one of the year before. */
const MONTHS_SHOWN = 24

/** The year so far, or the last year with runs, compared with another at the same day. */
export function YearCard() {
  const units = useUnits()
  const thisYear = Number(today().slice(0, 4))
  const years = useResource<number[]>(`/stats/available-years?${offsetQuery()}`)
  const year = years.data?.find((known) => known <= thisYear) ?? thisYear
  const others = (years.data ?? []).filter((known) => known < year)
  const [chosen, setChosen] = useState<number | null>(null)
  const against = chosen ?? others[0] ?? null
  const current = useResource<YearlyWeekly>(weeksOf(year))
  const other = useResource<YearlyWeekly>(against === null ? null : weeksOf(against))
  const isWaiting = current.data === null || years.data === null || (against !== null && other.data === null)
  const failure = current.error ?? other.error ?? years.error
  return (
    <Card
      title={year === thisYear ? `${year} so far` : `${year}, your last year with runs`}
      class="year"
      aside={
        others.length > 0 && (
          <Select
            label="Compare with"
            isLabelHidden
            value={String(against)}
            options={others.map((known) => [String(known), `against ${known}`] as const)}
            onValue={(value) => setChosen(Number(value))}
          />
        )
      }
    >
      {isWaiting ? (
        failure === null ? (
          <Skeleton height="302px" />
        ) : (
          <LoadFailure message={failure.message} onRetry={current.reload} />
        )
      ) : (
        <YearAgainst
          year={year}
          against={against}
          currentM={metres(current.data)}
          againstM={metres(other.data)}
          units={units}
        />
      )}
    </Card>
  )
}

interface YearAgainstProps {
  readonly year: number
  readonly against: number | null
  readonly currentM: readonly number[]
  readonly againstM: readonly number[]
  readonly units: Units
}

/** The totals so far and their difference; those of the day while one is pointed at. */
function YearAgainst({ year, against, currentM, againstM, units }: YearAgainstProps) {
  const sums = { against, currentM, againstM, shareOfYear: shareOfYear(year, today()) }
  const place = useYearPlace(sums)
  const { share, currentM: nowM, againstM: thenM } = place.shown
  const day = dayOfShare(share, year)
  const aheadM = (nowM ?? 0) - thenM
  const compared = `${text(roughDistance(Math.abs(aheadM), units))} ${aheadM >= 0 ? 'ahead of' : 'behind'}`
  const isAhead = nowM !== null && aheadM >= 0
  const told = [
    ...(nowM === null ? [] : [`${text(roughDistance(nowM, units))} until ${date(day, 'day')}`]),
    ...(against === null ? [] : [nowM === null ? 'run until' : compared, `${date(day, 'day')} ${against}`]),
  ]
  return (
    <>
      <p class="year-sum">
        <Amount of={roughDistance(nowM ?? thenM, units)} class="big" />
        {against === null ? (
          place.isPointed && <span class="muted">until {date(day, 'day')}</span>
        ) : (
          <span>
            <strong class={isAhead ? 'ahead' : ''}>{nowM === null ? 'run until' : compared}</strong>{' '}
            <span class="muted">
              {date(day, 'day')} {against} <span class="key-line other" aria-hidden="true" />
            </span>
          </span>
        )}
      </p>
      <YearCurves year={year} sums={sums} units={units} place={place} told={told.join(', ')} />
    </>
  )
}

/** Any period of 52 weeks in the log, or the last two years by month. */
export function RollingCard() {
  const [shown, setShown] = useState<'weeks' | 'months'>('weeks')
  const [chosen, setChosen] = useState<string | null>(null)
  const { months, error, reload } = useMonths()
  const periods = useResource<AvailablePeriods>(`/stats/available-periods?${offsetQuery()}`)
  const lastMonth = months?.at(-1)?.month ?? today().slice(0, 7)
  // for a runner who paused, the last weeks with runs
  const latest = periods.data?.find(({ dateRangeStart }) => dateRangeStart <= `${lastMonth}-31`)
  const end = chosen ?? latest?.periodEndDate ?? today()
  const isKnown = (months !== null && periods.data !== null) || error !== null || periods.error !== null
  const options = (periods.data ?? []).map(
    ({ periodEndDate, dateRangeStart, dateRangeEnd }) =>
      [periodEndDate, dateRange(dateRangeStart, dateRangeEnd, 'short')] as const,
  )
  return (
    <Card
      title={shown === 'weeks' ? '52 weeks' : `${MONTHS_SHOWN} months`}
      class="rolling"
      aside={
        <>
          {shown === 'weeks' && options.length > 1 && (
            <Select label="Period" isLabelHidden value={end} options={options} onValue={setChosen} />
          )}
          <Segments
            legend="Distance by"
            value={shown}
            options={[
              ['weeks', 'Weeks'],
              ['months', 'Months'],
            ]}
            onValue={setShown}
          />
        </>
      }
    >
      {shown === 'weeks' ? (
        <Weeks end={isKnown ? end : null} />
      ) : (
        <Months months={months} last={lastMonth} failure={error?.message ?? null} onRetry={reload} />
      )}
    </Card>
  )
}

/** @param end the last day; null: not known yet */
function Weeks({ end }: { readonly end: string | null }) {
  const units = useUnits()
  const { data, error, reload } = useResource<YearlyWeekly>(
    end === null ? null : `/stats/yearly-weekly?${offsetQuery()}&periodEndDate=${end}`,
  )
  if (data !== null) return <YearBars weeks={data.weeks} units={units} />
  return error === null ? <Skeleton height="212px" /> : <LoadFailure message={error.message} onRetry={reload} />
}

interface MonthsProps {
  readonly months: MonthlyStats['months'] | null
  /** The last month with runs, `yyyy-MM`. */
  readonly last: string
  readonly failure: string | null
  readonly onRetry: () => void
}

function Months({ months, last, failure, onRetry }: MonthsProps) {
  const units = useUnits()
  if (months === null) {
    return failure === null ? <Skeleton height="212px" /> : <LoadFailure message={failure} onRetry={onRetry} />
  }
  return <MonthBars months={monthsUntil(months, last, MONTHS_SHOWN)} units={units} />
}

/** The 52 parts of a calendar year. */
function weeksOf(year: number): string {
  return `/stats/yearly-weekly?${offsetQuery()}&periodEndDate=${year}-12-31`
}

function metres(answer: YearlyWeekly | null): number[] {
  return (answer?.weeks ?? []).map(({ distanceM }) => distanceM)
}

/** Share of a year that has passed at the end of a day in it or later. */
function shareOfYear(year: number, day: string): number {
  const [start, end] = [calendarDay(year, 1, 1), calendarDay(year + 1, 1, 1)]
  return Math.min(1, (dayNumber(day) + 1 - start) / (end - start))
}

/** The day at which a share of the year has passed. */
function dayOfShare(share: number, year: number): string {
  const [start, end] = [calendarDay(year, 1, 1), calendarDay(year + 1, 1, 1)]
  const days = Math.max(1, Math.round(share * (end - start)))
  return isoDate(start + days - 1)
}
