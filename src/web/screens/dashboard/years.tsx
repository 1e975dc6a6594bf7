import { useMemo, useState } from 'preact/hooks'
import { calendarDay, isoDate, yearBuckets, yearPeriod } from '../../../engine/calendar/weeks.ts'
import { SpanBars } from '../../charts/span-bars.tsx'
import { YearCurves } from '../../charts/year-curves.tsx'
import { sumAt, yearPlace } from '../../charts/year-place.ts'
import { dayNumber } from '../../days.ts'
import { date, dateRange, roughDistance, text } from '../../format.ts'
import { Link, navigate } from '../../router.ts'
import { useResource, useUnits } from '../../state.ts'
import type { DailyStats, YearlyWeekly } from '../../types.ts'
import { Amount, Card } from '../../ui/card.tsx'
import { Pending } from '../../ui/empty.tsx'
import { Segments, Select } from '../../ui/field.tsx'
import { TERMS } from '../../words.ts'
import { daysPath } from '../run-query.ts'
import { localDaysQuery, today, useDaysBetween, useMonths } from '../stats.ts'
import { lastDayOf, monthsUntil, sumsOfDays } from './log-sums.ts'
import { MeasureChoice, measured, nameOf, useMeasure } from './measure.tsx'

/** Two years, so that each month has the same one of the year before. */
const MONTHS_SHOWN = 24

/** The year so far, or the last year with runs, compared with another at the same day. */
export function YearCard() {
  const thisYear = Number(today().slice(0, 4))
  const { months, error } = useMonths()
  const years = [...new Set(months?.map(({ month }) => Number(month.slice(0, 4))))].toReversed()
  const year = years.find((known) => known <= thisYear) ?? thisYear
  const others = years.filter((known) => known < year)
  const [chosen, setChosen] = useState<number | null>(null)
  const against = chosen ?? others[0] ?? null
  const [first, last] = [`${year}-01-01`, `${year}-12-31`]
  const current = useDaysBetween(months === null ? null : first, last)
  const other = useResource(against === null ? null : weeksOf(against))
  const isWaiting = current.days === null || months === null || (against !== null && other.data === null)
  const failure = current.error ?? other.error ?? error
  return (
    <Card
      title={year === thisYear ? `${year} so far` : `${year}, your last active year`}
      class="year"
      aside={
        others.length > 0 && (
          <Select
            label="Compare with"
            isLabelHidden
            value={String(against)}
            options={others.map((known) => [String(known), `vs. ${known}`] as const)}
            onValue={(value) => setChosen(Number(value))}
          />
        )
      }
    >
      {isWaiting ? (
        <Pending error={failure} height="334px" />
      ) : (
        <YearAgainst year={year} against={against} days={current.days ?? []} againstM={metres(other.data)} />
      )}
    </Card>
  )
}

interface YearAgainstProps {
  readonly year: number
  readonly against: number | null
  readonly days: DailyStats['days']
  readonly againstM: readonly number[]
}

/** The totals so far and their difference; those of the day while one is pointed at. */
function YearAgainst({ year, against, days, againstM }: YearAgainstProps) {
  const units = useUnits()
  const sums = useMemo(
    () => ({ against, currentM: metresOfDays(days, year), againstM, shareOfYear: shareOfYear(year, today()) }),
    [year, against, days, againstM],
  )
  const first = `${year}-01-01`
  const at = (place: number | null) => {
    const { share, currentM, againstM: thenM } = yearPlace(sums, place)
    const isoDay = dayOfShare(share, year)
    // of whole days, as the list that they lead to
    const nowM = currentM === null ? null : sumsOfDays(days, first, isoDay).distanceM
    const aheadM = (nowM ?? 0) - thenM
    const compared = `${text(roughDistance(Math.abs(aheadM), units))} ${aheadM >= 0 ? 'ahead of' : 'behind'}`
    return {
      nowM,
      thenM,
      aheadM,
      day: date(isoDay, 'day'),
      path: nowM === null ? null : daysPath(first, place === null ? `${year}-12-31` : isoDay),
      run: nowM === null ? 'by' : compared,
    }
  }
  const textAt = (place: number | null) => {
    const { nowM, day, run } = at(place)
    return [
      ...(nowM === null ? [] : [`${text(roughDistance(nowM, units))} until ${day}`]),
      ...(against === null ? [] : [run, `${day} ${against}`]),
    ].join(', ')
  }
  const caption = (place: number | null) => {
    const { nowM, thenM, aheadM, day, path, run } = at(place)
    const amount = <Amount of={roughDistance(nowM ?? thenM, units)} class="big" />
    return (
      <p class="year-sum">
        {path === null ? (
          amount
        ) : (
          <Link href={path} class="total-link">
            {amount}
          </Link>
        )}
        {against === null ? (
          place !== null && <span class="muted">until {day}</span>
        ) : (
          <span>
            <strong class={nowM !== null && aheadM >= 0 ? 'ahead' : ''}>{run}</strong>{' '}
            <span class="muted">
              {day} {against} <span class="key-line other" aria-hidden="true" />
            </span>
          </span>
        )}
      </p>
    )
  }
  const open = (place: number) => {
    const { path } = at(place)
    if (path !== null) navigate(path)
  }
  const table = {
    caption: `${TERMS.distance} until the end of each month`,
    heads: ['Until', String(year), ...(against === null ? [] : [String(against)])],
    rows: () =>
      monthEnds(year).flatMap((until) => {
        if (until > today() && against === null) return []
        const nowM = sumsOfDays(days, first, until).distanceM
        const now = until <= today() && <Link href={daysPath(first, until)}>{text(roughDistance(nowM, units))}</Link>
        const then = text(roughDistance(sumAt(againstM, shareOfYear(year, until)), units))
        return [[date(until, 'day'), now, ...(against === null ? [] : [then])]]
      }),
  }
  return <YearCurves {...{ year, sums, units, textAt, caption, table }} onOpen={open} />
}

/** Any period of 52 weeks in the log, or the last two years by month. */
export function RollingCard() {
  const [shown, setShown] = useState<'weeks' | 'months'>('weeks')
  const [chosen, setChosen] = useState<string | null>(null)
  const { months, error } = useMonths()
  const periods = useResource(`/stats/available-periods?${localDaysQuery()}`)
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
          <MeasureChoice />
          <Segments
            legend="Bars for"
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
      <Bars kind={shown} end={isKnown ? end : null} lastMonth={lastMonth} />
    </Card>
  )
}

interface BarsProps {
  readonly kind: 'weeks' | 'months'
  /** The last day of the weeks; null: not known yet. */
  readonly end: string | null
  /** The last month with runs, `yyyy-MM`. */
  readonly lastMonth: string
}

/** The 52 weeks of a period, or months, by what was chosen. */
function Bars({ kind, end, lastMonth }: BarsProps) {
  const units = useUnits()
  const measure = useMeasure()
  const months = monthsUntil(lastMonth, MONTHS_SHOWN)
  const spans = kind === 'weeks' ? weekSpans(end ?? today()) : months.map(monthSpan)
  const [first, last] = [spans[0]?.from ?? today(), spans.at(-1)?.to ?? today()]
  const { days, error } = useDaysBetween(end === null ? null : first, last)
  if (days === null) return <Pending error={error} height="244px" />
  const bars = spans.map((span) => ({ key: span.from, ...span, value: sumsOfDays(days, span.from, span.to)[measure] }))
  const marked = (kind === 'weeks' ? [0, 13, 26, 39, 51] : [0, MONTHS_SHOWN / 2, MONTHS_SHOWN - 1]).map(
    (at) => spans[at],
  )
  const marks = marked.map((span) => date(span?.from ?? first, kind === 'weeks' ? 'month' : 'shortMonthYear'))
  return (
    <SpanBars
      spans={bars}
      noun={kind === 'weeks' ? 'week' : 'month'}
      what={nameOf(measure)}
      show={(value) => text(measured(measure, value, units))}
      marks={marks}
    />
  )
}

function weekSpans(end: string) {
  return yearBuckets(yearPeriod(dayNumber(end))).map(({ firstDay, lastDay }) => {
    const [from, to] = [isoDate(firstDay), isoDate(lastDay)]
    return { from, to, name: dateRange(from, to, 'short') }
  })
}

function monthSpan(month: string) {
  return { from: `${month}-01`, to: lastDayOf(month), name: date(`${month}-01`, 'monthYear') }
}

/** The last day of each month; today in that of today. */
function monthEnds(year: number): string[] {
  const ends = Array.from({ length: 12 }, (_, month) => lastDayOf(`${year}-${String(month + 1).padStart(2, '0')}`))
  return ends.map((end) => (end.slice(0, 7) === today().slice(0, 7) ? today() : end))
}

/** The 52 parts of a calendar year. */
function weeksOf(year: number) {
  return `/stats/yearly-weekly?${localDaysQuery()}&periodEndDate=${year}-12-31` as const
}

function metres(answer: YearlyWeekly | null): number[] {
  return (answer?.weeks ?? []).map(({ distanceM }) => distanceM)
}

/** Metres of each day of a year. */
function metresOfDays(days: DailyStats['days'], year: number): number[] {
  const [start, end] = [calendarDay(year, 1, 1), calendarDay(year + 1, 1, 1)]
  const metres = new Array<number>(end - start).fill(0)
  for (const { date: day, distanceM } of days) {
    const at = dayNumber(day) - start
    if (at >= 0 && at < metres.length) metres[at] = distanceM
  }
  return metres
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
