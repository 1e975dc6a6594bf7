import type { ComponentChildren } from 'preact'
import { WeekBars } from '../../charts/week-bars.tsx'
import { mondayOf, shiftedDay, weekdayIndex } from '../../days.ts'
import { EFFORT_HELP, LOAD_HELP } from '../../effort-help.ts'
import {
  counted,
  dateRange,
  distance,
  elevation,
  number,
  type Quantity,
  roughDuration,
  signed,
  text,
} from '../../format.ts'
import { GroundNews } from '../../map/ground-news.tsx'
import { Link } from '../../router.ts'
import { useResource, useUnits } from '../../state.ts'
import type { PageSettings, WeeklyRecap } from '../../types.ts'
import { Amount } from '../../ui/card.tsx'
import { LoadFailure } from '../../ui/empty.tsx'
import { Help } from '../../ui/help.tsx'
import { TERMS } from '../../words.ts'
import { daysPath } from '../run-query.ts'
import { localDaysQuery, today, useDays } from '../stats.ts'
import { type DaySums, sumsOfDays } from './log-sums.ts'
import { MeasureChoice, measured, useMeasure } from './measure.tsx'

type EasyHeartRate = WeeklyRecap['metrics']['easyRunAvgHeartRateBpm']

/** Invisible content of the usual size, so that nothing moves when the answer arrives. */
const NO_EASY: EasyHeartRate = { current: 0, previous: 0, trailingAvg: 0, deltaVsPrevious: 0 }
const SUNDAY = 6
const EASY_HELP =
  'Average heart rate of this week’s runs of type Easy Run, weighted by time. If it falls over weeks at the same pace, you’re getting fitter. Heat and fatigue raise it.'

/** This week so far, compared with the same days of the last one and with the average of three. */
export function WeekCard({ effort }: { readonly effort: PageSettings['effort'] }) {
  const units = useUnits()
  const recap = useResource(`/stats/weekly-recap?${localDaysQuery()}`)
  const { days, error } = useDays()
  const day = today()
  const monday = mondayOf(day)
  const { data: news } = useResource(`/map/new-ground?startDate=${monday}&endDate=${day}`)
  const failure = recap.error ?? error
  const isThere = days !== null && recap.data !== null
  const known = days ?? []
  const week = sumsOfDays(known, monday, day)
  const before = sumsOfDays(known, shiftedDay(monday, -7), shiftedDay(day, -7))
  const whole = sumsOfDays(known, shiftedDay(monday, -7), shiftedDay(monday, -1))
  const measure = useMeasure()
  const weekOf = (first: string) =>
    Array.from({ length: 7 }, (_, index) => {
      const one = shiftedDay(first, index)
      return sumsOfDays(known, one, one)[measure]
    })
  if (!isThere && failure !== null) {
    return (
      <section class="card week" aria-labelledby="week-title">
        <h2 id="week-title">This week</h2>
        <LoadFailure message={failure.message} />
      </section>
    )
  }
  return (
    <section class="card week" aria-labelledby="week-title">
      <div class="week-sum">
        <h2 id="week-title">
          This week <span class="muted">{dateRange(monday, shiftedDay(monday, SUNDAY))}</span>
        </h2>
        <div class={isThere ? '' : 'blank'} aria-hidden={!isThere}>
          <p class="hero">
            <Link href={daysPath(monday, shiftedDay(monday, SUNDAY))} class="total-link">
              <Amount of={distance(week.distanceM, units, 1)} />
            </Link>
          </p>
          <Comparison
            label={weekdayIndex(day) === SUNDAY ? 'Last week' : 'Same point last week'}
            value={before.distanceM}
            current={week.distanceM}
            href={daysPath(shiftedDay(monday, -7), shiftedDay(day, -7))}
          >
            {weekdayIndex(day) < SUNDAY && <span class="muted">of {text(distance(whole.distanceM, units, 1))}</span>}
          </Comparison>
          <Comparison
            label="Three-week average"
            value={recap.data?.metrics.distanceM.trailingAvg ?? 0}
            current={week.distanceM}
          />
          <p class="week-news">{news !== null && <GroundNews {...news} />}</p>
        </div>
      </div>
      <div class="week-days">
        <MeasureChoice />
        <WeekBars
          weekStart={monday}
          current={weekOf(monday)}
          previous={weekOf(shiftedDay(monday, -7))}
          today={weekdayIndex(day)}
          show={(value) => (measure === 'distanceM' ? distance(value, units, 1) : measured(measure, value, units))}
        />
      </div>
      <dl class={isThere ? 'week-metrics' : 'week-metrics blank'}>
        <Metrics
          week={week}
          before={before}
          effort={effort}
          easy={recap.data?.metrics.easyRunAvgHeartRateBpm ?? NO_EASY}
        />
      </dl>
    </section>
  )
}

interface ComparisonProps {
  readonly label: string
  readonly value: number
  readonly current: number
  /** The runs of the value; absent: it is an average. */
  readonly href?: string
  /** Content after the value. */
  readonly children?: ComponentChildren
}

/** Progress of this week compared with another one. */
function Comparison({ label, value, current, href, children }: ComparisonProps) {
  const units = useUnits()
  const share = value === 0 ? (current > 0 ? 1 : 0) : Math.min(1, current / value)
  return (
    <div class="comparison">
      <span class="muted">{label}</span>
      <span>
        {href === undefined ? (
          text(distance(value, units, 1))
        ) : (
          <Link href={href} class="total-link">
            {text(distance(value, units, 1))}
          </Link>
        )}
        {children}
      </span>
      <span class="track" aria-hidden="true">
        <span class={share >= 1 ? 'full' : ''} style={{ width: `${share * 100}%` }} />
      </span>
    </div>
  )
}

interface MetricsProps {
  readonly week: DaySums
  /** Totals of the same days of the week before. */
  readonly before: DaySums
  readonly easy: EasyHeartRate
  readonly effort: PageSettings['effort']
}

function Metrics({ week, before, easy, effort }: MetricsProps) {
  const units = useUnits()
  const missing = week.runsWithoutEffort
  const isEffortKnown = missing === 0 && before.runsWithoutEffort === 0
  return (
    <>
      <Figure name="Runs" value={{ value: number(week.runs), unit: '' }} delta={signed(week.runs - before.runs)} />
      <Figure
        name={TERMS.time}
        value={{ value: roughDuration(week.durationS), unit: '' }}
        delta={change(week.durationS - before.durationS, roughDuration)}
      />
      <Figure
        name={TERMS.elevationGain}
        value={elevation(week.elevGainM, units)}
        delta={change(week.elevGainM - before.elevGainM, (metres) => text(elevation(metres, units)))}
      />
      {effort === 'load' ? (
        <Figure
          name={TERMS.load}
          help={LOAD_HELP}
          value={{ value: number(week.load), unit: '' }}
          delta={signed(week.load - before.load)}
        />
      ) : (
        <Figure
          name={TERMS.relativeEffort}
          help={`The total of this week’s runs. ${EFFORT_HELP}`}
          value={{ value: number(week.effort ?? (missing > 0 ? null : 0)), unit: '' }}
          delta={isEffortKnown ? signed((week.effort ?? 0) - (before.effort ?? 0)) : null}
          note={missing > 0 ? `${counted(missing, 'run')} without heart rate` : null}
        />
      )}
      <Figure
        name="Easy-run HR"
        help={EASY_HELP}
        value={{ value: number(easy.current, 0), unit: easy.current === null ? '' : 'bpm' }}
        delta={easy.deltaVsPrevious === null ? null : `${signed(easy.deltaVsPrevious, 1)} bpm`}
        isWholeWeek
      />
    </>
  )
}

function change(by: number, stated: (amount: number) => string): string {
  return by === 0 ? '±0' : `${by < 0 ? '−' : '+'}${stated(Math.abs(by))}`
}

interface FigureProps {
  readonly name: string
  readonly value: Quantity
  /** Difference to the same days of last week; null when one value is missing. */
  readonly delta: string | null
  /** A line on what the value does not include. */
  readonly note?: string | null
  /** Explains the name. */
  readonly help?: string
  /** An average, which is compared with the whole last week. */
  readonly isWholeWeek?: boolean
}

function Figure({ name, value, delta, note = null, help, isWholeWeek = false }: FigureProps) {
  const against = isWholeWeek || weekdayIndex(today()) === SUNDAY ? 'vs. last week' : 'vs. same point last week'
  return (
    <div>
      <dt>
        {name}
        {help !== undefined && <Help about={name.toLowerCase()}>{help}</Help>}
      </dt>
      <dd>
        <Amount of={value} />
        {delta !== null && (
          <span class="delta" title={against}>
            {delta}
            <span class="hidden-text"> {against}</span>
          </span>
        )}
        {note !== null && <span class="delta">{note}</span>}
      </dd>
    </div>
  )
}
