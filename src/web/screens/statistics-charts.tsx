// The curves and bars of Statistics: load of the week, years against each other, weeks and months.

import { useMemo, useState } from 'preact/hooks'
import { isoDate, yearBuckets, yearPeriod } from '../../engine/calendar/weeks.ts'
import { Levels, Line, Plot, shareAt, usePlace } from '../charts/plot.tsx'
import { linePath, ticks } from '../charts/scale.ts'
import {
  date,
  dateRange,
  dayNumber,
  elevation,
  mondayOf,
  number,
  type Quantity,
  range,
  roughDistance,
  roughDuration,
  shiftedDay,
  signed,
  text,
  type Units,
  unitLengthM,
  weekdayIndex,
} from '../format.ts'
import { Link, navigate } from '../router.ts'
import { useResource, useUnits } from '../state.ts'
import { Amount, Card } from '../ui/card.tsx'
import { Segments, Select } from '../ui/form.tsx'
import { Pending } from '../ui/loaded.tsx'
import { Help } from '../ui/menu.tsx'
import { LOAD_HELP, TERMS } from '../words.ts'
import { daysPath } from './run-query.ts'
import { localDaysQuery, today, useDaysBetween } from './stats.ts'
import { type Day, lastDayOf, type Month, monthsUntil, type RunSums, sumsOfDays, yearsOf } from './sums.ts'

const CURVE = { height: 230, top: 12, bottom: 26 } as const
/** Arrow keys move by a week. */
const STEPS = { ArrowLeft: -7, ArrowDown: -7, ArrowRight: 7, ArrowUp: 7, PageDown: -30, PageUp: 30 } as const
const MONTHS_OF_YEAR = Array.from({ length: 12 }, (_, month) => `2025-${String(month + 1).padStart(2, '0')}-01`)

/** Distance of the year so far, or the last with runs, and of another day by day; their difference at the day pointed at. */
export function YearCard({ months }: { readonly months: readonly Month[] }) {
  const units = useUnits()
  const thisYear = Number(today().slice(0, 4))
  const [year = thisYear, ...others] = yearsOf(months, today())
  const [chosen, setChosen] = useState<number | null>(null)
  const against = chosen ?? others[0] ?? null
  const first = `${year}-01-01`
  const { days, error } = useDaysBetween(first, `${year}-12-31`)
  const other = useDaysBetween(against === null ? null : `${against}-01-01`, `${against}-12-31`)
  const last = today() < `${year}-12-31` ? today() : `${year}-12-31`
  const placeOf = (day: string) => dayNumber(day) - dayNumber(first)
  const [count, now] = [placeOf(`${year}-12-31`) + 1, placeOf(last)]
  const current = useMemo(() => cumulated(days ?? [], year), [days, year])
  const before = useMemo(() => (against === null ? [] : cumulated(other.days ?? [], against)), [other.days, against])
  const unit = unitLengthM(units)
  const marks = ticks(Math.max(current.at(-1) ?? 0, before.at(-1) ?? 0) / unit)
  const max = (marks.at(-1) ?? 1) * unit
  const digits = (marks[1] ?? 1) >= 1 ? 0 : 2
  const y = (metres: number) => CURVE.top + (1 - metres / max) * (CURVE.height - CURVE.top - CURVE.bottom)
  const shown = (metres: number) => text(roughDistance(metres, units))
  const shareOf = (place: number) => (place + 1) / count
  const at = (place: number) => {
    const day = shiftedDay(first, place)
    const nowM = place > now ? null : sumsOfDays(days ?? [], first, day).distanceM
    // the same date of the other year
    const thenM = sumsOfDays(other.days ?? [], `${against}-01-01`, `${against}${day.slice(4)}`).distanceM
    const aheadM = (nowM ?? 0) - thenM
    const compared = nowM === null ? 'by' : `${shown(Math.abs(aheadM))} ${aheadM >= 0 ? 'ahead of' : 'behind'}`
    return { nowM, thenM, day: date(day, 'day'), isAhead: nowM !== null && aheadM >= 0, compared, until: day }
  }
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
      {days === null || (against !== null && other.days === null) ? (
        <Pending error={error ?? other.error} height="300px" />
      ) : (
        <Plot
          class="year-curves"
          label={`${year}: ${shown(at(now).nowM ?? 0)} so far. Arrow keys move between weeks, Enter shows the runs until then`}
          height={CURVE.height}
          left={44}
          // without another year there is nothing to show for future days
          count={against === null ? now + 1 : count}
          start={now}
          steps={STEPS}
          textAt={(place) => {
            const { nowM, day, compared } = at(place)
            const said = nowM === null ? [] : [`${shown(nowM)} until ${day}`]
            return [...said, ...(against === null ? [] : [compared, `${day} ${against}`])].join(', ')
          }}
          caption={(place) => {
            const { nowM, thenM, day, isAhead, compared, until } = at(place ?? now)
            const amount = <Amount of={roughDistance(nowM ?? thenM, units)} class="big" />
            return (
              <p class="year-sum flow baseline below-4">
                {nowM === null ? (
                  amount
                ) : (
                  <Link href={daysPath(first, place === null ? `${year}-12-31` : until)} class="total-link">
                    {amount}
                  </Link>
                )}
                {against === null ? (
                  place !== null && <span class="muted">until {day}</span>
                ) : (
                  <span>
                    <strong class={isAhead ? 'ahead' : ''}>{compared}</strong>{' '}
                    <span class="muted">
                      {day} {against} <span class="key-line other" aria-hidden="true" />
                    </span>
                  </span>
                )}
              </p>
            )
          }}
          onOpen={(place) => place <= now && navigate(daysPath(first, shiftedDay(first, place)))}
          isOpenedByMouse
          shareOf={shareOf}
          of={[current, before, units, now]}
          draw={({ x, width }) => {
            const line = (totals: readonly number[]) =>
              totals.map((total, place) => [x((place + 1) / totals.length), y(total)] as const)
            const drawn = line(current).slice(0, now + 1)
            const end = drawn.at(-1) ?? [x(0), y(0)]
            const path = linePath([[x(0), y(0)], ...drawn])
            return (
              <>
                <Levels at={marks} y={(mark) => y(mark * unit)} text={(mark) => number(mark, digits)} />
                {MONTHS_OF_YEAR.map((first, month) => (
                  <text key={first} class="tick" x={x((month + 0.5) / 12)} y={CURVE.height - 6} text-anchor="middle">
                    {date(first, 'month').slice(0, width < 520 ? 1 : undefined)}
                  </text>
                ))}
                <path class="line other" d={linePath(line(before))} />
                <path class="area" d={`${path}L${end[0]} ${y(0)}L${x(0)} ${y(0)}Z`} />
                <path class="line" d={path} />
                <circle class="dot" cx={end[0]} cy={end[1]} r={5} />
              </>
            )
          }}
          point={({ x }, place) => {
            const { nowM, thenM } = at(place)
            const place01 = x(shareOf(place))
            return (
              <>
                <Line at={place01} />
                {against !== null && <circle class="dot other" cx={place01} cy={y(thenM)} r={4.5} />}
                {nowM !== null && <circle class="dot" cx={place01} cy={y(nowM)} r={5} />}
              </>
            )
          }}
        />
      )}
    </Card>
  )
}

/** Metres from the beginning of a year to the end of each of its days. */
function cumulated(days: readonly Day[], year: number): number[] {
  const start = dayNumber(`${year}-01-01`)
  const metres = new Map(days.map((day) => [dayNumber(day.date) - start, day.distanceM]))
  let sum = 0
  return Array.from({ length: dayNumber(`${year + 1}-01-01`) - start }, (_, k) => {
    sum += metres.get(k) ?? 0
    return sum
  })
}

const MEASURES = [
  ['distanceM', TERMS.distance],
  ['timeS', TERMS.time],
  ['elevGainM', TERMS.elevationGain],
  ['load', TERMS.load],
] as const satisfies readonly (readonly [keyof RunSums, string])[]
type Measure = (typeof MEASURES)[number][0]
const MEASURE_KEY = 'harrier.measure'

function measured(of: Measure, value: number, units: Units): Quantity {
  if (of === 'distanceM') return roughDistance(value, units)
  if (of === 'timeS') return { value: roughDuration(value), unit: '' }
  return of === 'elevGainM' ? elevation(value, units) : { value: number(value), unit: '' }
}

/** Two years, so that each month has the same one of the year before. */
const MONTHS_SHOWN = 24

/** Any period of 52 weeks in the log, or the last two years by month. */
export function RollingCard({ months }: { readonly months: readonly Month[] }) {
  const [shown, setShown] = useState<'weeks' | 'months'>('weeks')
  const [chosen, setChosen] = useState<string | null>(null)
  const [measure, setMeasure] = useState<Measure>(
    () => MEASURES.find(([key]) => key === localStorage.getItem(MEASURE_KEY))?.[0] ?? 'distanceM',
  )
  const periods = useResource(`/stats/available-periods?${localDaysQuery()}`)
  const lastMonth = months.at(-1)?.month ?? today().slice(0, 7)
  // for a runner who paused, the last weeks with runs
  const latest = periods.data?.find(({ dateRangeStart }) => dateRangeStart <= `${lastMonth}-31`)
  const end = chosen ?? latest?.periodEndDate ?? today()
  const isKnown = (periods.data ?? periods.error) !== null
  const options = (periods.data ?? []).map(
    ({ periodEndDate, dateRangeStart, dateRangeEnd }) =>
      [periodEndDate, dateRange(dateRangeStart, dateRangeEnd, 'short')] as const,
  )
  return (
    <Card
      title={shown === 'weeks' ? '52 weeks' : `${MONTHS_SHOWN} months`}
      class="rolling"
      aside={
        <div class="actions">
          {shown === 'weeks' && options.length > 1 && (
            <Select label="Period" isLabelHidden value={end} options={options} onValue={setChosen} />
          )}
          <Select
            label="Bars by"
            isLabelHidden
            value={measure}
            options={MEASURES}
            onValue={(value) => {
              localStorage.setItem(MEASURE_KEY, value)
              setMeasure(value)
            }}
          />
          <Segments
            legend="Bars for"
            value={shown}
            options={[
              ['weeks', 'Weeks'],
              ['months', 'Months'],
            ]}
            onValue={setShown}
          />
        </div>
      }
    >
      <Bars kind={shown} measure={measure} end={isKnown ? end : null} lastMonth={lastMonth} />
    </Card>
  )
}

interface BarsProps {
  readonly kind: 'weeks' | 'months'
  readonly measure: Measure
  /** The last day of the weeks; null: not known yet. */
  readonly end: string | null
  /** The last month with runs, `yyyy-MM`. */
  readonly lastMonth: string
}

/** The 52 weeks of a period, or months, by what was chosen; the one pointed at is described above them. */
function Bars({ kind, measure, end, lastMonth }: BarsProps) {
  const units = useUnits()
  const isWeeks = kind === 'weeks'
  const spans = isWeeks ? weekSpans(end ?? today()) : monthsUntil(lastMonth, MONTHS_SHOWN).map(monthSpan)
  const [first, last, count] = [spans[0]?.from ?? today(), spans.at(-1)?.to ?? today(), spans.length]
  const { days, error } = useDaysBetween(end === null ? null : first, last)
  const bars = spans.map((span) => ({ ...span, value: sumsOfDays(days ?? [], span.from, span.to)[measure] }))
  const show = (value: number) => text(measured(measure, value, units))
  const total = bars.reduce((sum, { value }) => sum + value, 0)
  const max = Math.max(...bars.map(({ value }) => value), 1)
  const average = total / Math.max(1, count)
  const noun = isWeeks ? 'week' : 'month'
  const wordsOf = (at: number) => {
    const bar = bars[at]
    return [show(bar?.value ?? total), bar?.name ?? `${show(average)} per ${noun} on average`] as const
  }
  const { place, shown, attributes } = usePlace(
    (event) => Math.max(0, Math.min(count - 1, Math.floor(shareAt(event) * count))),
    {
      label: `${isWeeks ? 'Week' : 'Month'}s, ${show(max)} at most. Arrow keys move between them, Enter shows the runs of one`,
      count,
      textAt: (at) => wordsOf(at).join(', '),
      // the position after the last one shows the total
      start: count,
      onOpen: (at) => {
        const bar = bars[at]
        if (bar !== undefined && bar.value > 0) navigate(daysPath(bar.from, bar.to))
      },
      isOpenedByMouse: true,
    },
  )
  if (days === null) return <Pending error={error} height="220px" />
  const [amount, about] = wordsOf(shown)
  return (
    <figure class="year-bars">
      <figcaption class="level gap-3 baseline below-3">
        <strong>{amount}</strong>
        <span class="muted">
          {place === null && <span class="key-line mean" aria-hidden="true" />}
          {about}
        </span>
      </figcaption>
      <div class="bars" {...attributes}>
        <span class="average" style={{ bottom: `${(average / max) * 100}%` }} />
        {bars.map(({ from, value }, index) => (
          <span key={from} class={index === place ? 'slot pointed' : 'slot'}>
            <span class="bar" style={{ height: value > 0 ? `max(3px, ${(value / max) * 100}%)` : '0' }} />
          </span>
        ))}
      </div>
      <div class="level spread above-2 muted tiny" aria-hidden="true">
        {/* spread evenly from the first to the last */}
        {(isWeeks ? [0, 13, 26, 39, 51] : [0, MONTHS_SHOWN / 2, MONTHS_SHOWN - 1]).map((at) => (
          <span key={at}>{date(spans[at]?.from ?? first, isWeeks ? 'month' : 'shortMonthYear')}</span>
        ))}
      </div>
    </figure>
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

const BAND = { height: 184, top: 14, bottom: 24, side: 6 } as const

/** The load of this week day by day, compared with the three weeks before. */
export function EffortCard({ days }: { readonly days: readonly Day[] }) {
  const easy = useResource(`/stats/weekly-recap?${localDaysQuery()}`).data?.metrics.easyRunAvgHeartRateBpm
  const monday = mondayOf(today())
  const loadOf = (from: string, to: string) => sumsOfDays(days, from, to).load
  const before = [1, 2, 3].map((weeks) => loadOf(shiftedDay(monday, -7 * weeks), shiftedDay(monday, 6 - 7 * weeks)))
  const soFar = Array.from({ length: weekdayIndex(today()) + 1 }, (_, k) => loadOf(monday, shiftedDay(monday, k)))
  const [least, most] = [Math.min(...before), Math.max(...before)]
  const average = before.reduce((sum, load) => sum + load, 0) / before.length
  const total = soFar.at(-1) ?? 0
  const max = Math.max(most, total, 1)
  const y = (value: number) => BAND.top + (1 - value / max) * (BAND.height - BAND.top - BAND.bottom)
  const day = (index: number, form: 'weekday' | 'day') => date(shiftedDay(monday, index), form)
  return (
    <Card title="Weekly load" class="effort" aside={<Help about="load">{LOAD_HELP}</Help>}>
      <div class="effort-body">
        <Plot
          class="effort-band"
          label={`${TERMS.load} so far: ${number(total)}; the last 3 weeks: ${number(least)} to ${number(most)}, on average ${number(average)}. Arrow keys go through the days, Enter shows the runs until one`}
          height={BAND.height}
          left={BAND.side}
          right={BAND.side}
          count={soFar.length}
          textAt={(place) => `${number(soFar[place] ?? null)} until ${day(place, 'day')}`}
          caption={(place) => (
            <p class="flow baseline below-4">
              <strong class="big">{number(place === null ? total : (soFar[place] ?? null))}</strong>
              <span>{place === null ? verdict(total, least, most) : `until ${day(place, 'day')}`}</span>
            </p>
          )}
          onOpen={(place) => navigate(daysPath(monday, shiftedDay(monday, place)))}
          isOpenedByMouse
          shareOf={(place) => place / 6}
          of={[JSON.stringify(soFar), monday, least, most]}
          draw={({ x, width }) => {
            const points = soFar.map((value, index) => [x(index / 6), y(value)] as const)
            const last = points.at(-1)
            const bandHeight = Math.max(2, y(least) - y(most))
            return (
              <>
                {most > 0 && (
                  <>
                    <rect class="band" x={0} width={width} y={y(most)} height={bandHeight} rx={6} />
                    <line class="band-average" x1={0} x2={width} y1={y(average)} y2={y(average)} />
                  </>
                )}
                <line class="base" x1={0} x2={width} y1={y(0)} y2={y(0)} />
                <path class="line" d={linePath(points)} />
                {last !== undefined && <circle class="dot" cx={last[0]} cy={last[1]} r={5} />}
                {Array.from({ length: 7 }, (_, index) => (
                  <text
                    key={index}
                    class={index === soFar.length - 1 ? 'tick strong' : 'tick'}
                    x={x(index / 6)}
                    y={BAND.height - 6}
                    text-anchor={index === 0 ? 'start' : index === 6 ? 'end' : 'middle'}
                    dx={index === 0 ? -BAND.side : index === 6 ? BAND.side : 0}
                  >
                    {day(index, 'weekday').slice(0, width < 260 ? 1 : 3)}
                  </text>
                ))}
              </>
            )
          }}
        />
        <p class="muted small">
          {most === 0
            ? 'A band appears here after three weeks with load.'
            : `Band: your last three weeks, ${range(number(least), number(most))}. Dashed line: their average, ${number(average)}.`}
        </p>
        {/* holds its place until the answer is there */}
        <p class="muted small" style={{ minHeight: '1.6em' }}>
          {easy?.current != null && (
            <>
              Easy-run HR {number(easy.current)} bpm
              {easy.deltaVsPrevious !== null && `, ${signed(easy.deltaVsPrevious, 1)} vs. last week`}
              <Help about="easy-run hr">
                Average heart rate of this week’s runs of type Easy Run, weighted by time. If it falls over weeks at the
                same pace, you’re getting fitter. Heat and fatigue raise it.
              </Help>
            </>
          )}
        </p>
      </div>
    </Card>
  )
}

/** One sentence on the week; an incomplete week is judged by what it has so far. */
function verdict(total: number, least: number, most: number): string {
  if (most === 0) return total === 0 ? 'Nothing recorded yet' : 'Your first load in four weeks'
  if (total > most) return 'Above your recent range'
  return total < least ? 'Below your recent range so far' : 'Within your recent range'
}
