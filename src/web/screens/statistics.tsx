// The totals and the records of the whole log, which nobody needs daily: one page below Home.
import { type ComponentChildren, Fragment } from 'preact'
import type { PageCard } from '../../engine/limits.ts'
import { DaySquares } from '../charts/day-squares.tsx'
import { Plot } from '../charts/plot.tsx'
import { linePath } from '../charts/scale.ts'
import { TableView } from '../charts/table-view.tsx'
import { useIsNarrow } from '../charts/use-is-narrow.ts'
import { mondayOf, shiftedDay, weekdayIndex } from '../days.ts'
import { LOAD_HELP } from '../effort-help.ts'
import {
  counted,
  date,
  distance,
  elevation,
  number,
  range,
  roughDistance,
  roughDuration,
  runDay,
  runName,
  signed,
  sumDuration,
  text,
} from '../format.ts'
import { Link, navigate } from '../router.ts'
import { useResource, useUnits } from '../state.ts'
import type { Run } from '../types.ts'
import { Amount, Card } from '../ui/card.tsx'
import { LoadFailure } from '../ui/empty.tsx'
import { Help } from '../ui/help.tsx'
import { TERMS } from '../words.ts'
import { Customise } from './home.tsx'
import { daysPath } from './run-query.ts'
import { BestEffortsCard, HabitsCard, HighlightsCard } from './statistics-records.tsx'
import { RollingCard, YearCard } from './statistics-years.tsx'
import { localDaysQuery, today, useDays, useMonths } from './stats.ts'
import { type Day, isPaused, lastDayOf, type Month, type RunSums, sumsOfDays, sumsOfMonths } from './sums.ts'

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
          <MonthsTable months={months ?? []} />
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

const BAND = { height: 184, top: 14, bottom: 24, side: 6 } as const

/** The load of this week day by day, compared with the three weeks before. */
function EffortCard() {
  const { days, error } = useDays()
  const easy = useResource(`/stats/weekly-recap?${localDaysQuery()}`).data?.metrics.easyRunAvgHeartRateBpm
  const monday = mondayOf(today())
  const loadOf = (from: string, to: string) => sumsOfDays(days ?? [], from, to).load
  const before = [1, 2, 3].map((weeks) => loadOf(shiftedDay(monday, -7 * weeks), shiftedDay(monday, 6 - 7 * weeks)))
  const soFar = Array.from({ length: weekdayIndex(today()) + 1 }, (_, k) => loadOf(monday, shiftedDay(monday, k)))
  const [least, most] = [Math.min(...before), Math.max(...before)]
  const average = before.reduce((sum, load) => sum + load, 0) / before.length
  const total = soFar.at(-1) ?? 0
  return (
    <Card title="Weekly load" class="effort" aside={<Help about="load">{LOAD_HELP}</Help>}>
      {days === null && error !== null ? (
        <LoadFailure message={error.message} />
      ) : (
        <div class={days === null ? 'blank' : 'effort-body'} aria-hidden={days === null}>
          <EffortBand {...{ monday, soFar, least, most, average, total }} />
          <p class="muted small">
            {most === 0
              ? 'A band appears here after three weeks with load.'
              : `Band: your last three weeks, ${range(number(least), number(most))}. Dashed line: their average, ${number(average)}.`}
          </p>
          {/* holds its place until the answer is there */}
          <p class="muted small one-line">
            {easy?.current != null && (
              <>
                Easy-run HR {number(easy.current)} bpm
                {easy.deltaVsPrevious !== null && `, ${signed(easy.deltaVsPrevious, 1)} vs. last week`}
                <Help about="easy-run hr">
                  Average heart rate of this week’s runs of type Easy Run, weighted by time. If it falls over weeks at
                  the same pace, you’re getting fitter. Heat and fatigue raise it.
                </Help>
              </>
            )}
          </p>
        </div>
      )}
    </Card>
  )
}

interface EffortBandProps {
  readonly monday: string
  /** Cumulative from Monday until today. */
  readonly soFar: readonly number[]
  readonly total: number
  /** Of the three weeks before. */
  readonly least: number
  readonly most: number
  readonly average: number
}

function EffortBand({ monday, soFar, total, least, most, average }: EffortBandProps) {
  const max = Math.max(most, total, 1)
  const y = (value: number) => BAND.top + (1 - value / max) * (BAND.height - BAND.top - BAND.bottom)
  const day = (index: number, form: 'weekday' | 'day') => date(shiftedDay(monday, index), form)
  return (
    <Plot
      class="effort-band"
      label={`${TERMS.load} so far: ${number(total)}; the last 3 weeks: ${number(least)} to ${number(most)}, on average ${number(average)}. Arrow keys go through the days, Enter shows the runs until one`}
      height={BAND.height}
      left={BAND.side}
      right={BAND.side}
      count={soFar.length}
      textAt={(place) => `${number(soFar[place] ?? null)} until ${day(place, 'day')}`}
      caption={(place) => (
        <p class="effort-sum">
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
  )
}

/** One sentence on the week; an incomplete week is judged by what it has so far. */
function verdict(total: number, least: number, most: number): string {
  if (most === 0) return total === 0 ? 'Nothing recorded yet' : 'Your first load in four weeks'
  if (total > most) return 'Above your recent range'
  return total < least ? 'Below your recent range so far' : 'Within your recent range'
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
