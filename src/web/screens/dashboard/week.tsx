import { WeekBars } from '../../charts/week-bars.tsx'
import {
  dateRange,
  distance,
  elevation,
  METRES_PER_MILE,
  number,
  type Quantity,
  roughDuration,
  signed,
  text,
  type Units,
} from '../../format.ts'
import { useResource, useUnits } from '../../state.ts'
import type { WeeklyRecap, WeeklyStats } from '../../types.ts'
import { Amount } from '../../ui/card.tsx'
import { LoadFailure } from '../../ui/empty.tsx'
import { mondayOf, offsetQuery, today, weekdayIndex } from '../stats.ts'

type Metric = WeeklyRecap['metrics']['distanceM']

/** What stands, unseen, where the answers will be: nothing moves when they come. */
const NOTHING = { current: 0, previous: 0, trailingAvg: 0, deltaVsPrevious: 0 }
const NO_METRICS: WeeklyRecap['metrics'] = {
  runs: NOTHING,
  distanceM: NOTHING,
  durationS: NOTHING,
  elevationGainM: NOTHING,
  relativeEffortSum: NOTHING,
  easyRunAvgHeartRateBpm: NOTHING,
}
const NO_DAYS = [0, 0, 0, 0, 0, 0, 0]

/** This week beside the last one and the average of three. */
export function WeekCard() {
  const units = useUnits()
  const recap = useResource<WeeklyRecap>(`/stats/weekly-recap?${offsetQuery()}`)
  const days = useResource<WeeklyStats>(`/stats/weekly?${offsetQuery()}`)
  const failure = recap.error ?? days.error
  return (
    <section class="card week" aria-labelledby="week-title">
      <div class="week-sum">
        <h2 id="week-title">
          This week
          {recap.data !== null && <span class="muted"> {dateRange(recap.data.weekStart, recap.data.weekEnd)}</span>}
        </h2>
        {recap.data === null ? (
          failure === null ? (
            <div class="blank" aria-hidden="true">
              <WeekSum metric={NOTHING} units={units} />
            </div>
          ) : (
            <LoadFailure
              message={failure.message}
              onRetry={() => {
                recap.reload()
                days.reload()
              }}
            />
          )
        ) : (
          <WeekSum metric={recap.data.metrics.distanceM} units={units} />
        )}
      </div>
      <div class="week-days">
        {(days.data !== null || days.error === null) && (
          <WeekBars
            weekStart={days.data?.weekStart ?? mondayOf(today())}
            currentM={(days.data?.dailyMiles ?? NO_DAYS).map((miles) => miles * METRES_PER_MILE)}
            previousM={(days.data?.previousWeekDailyMiles ?? NO_DAYS).map((miles) => miles * METRES_PER_MILE)}
            today={weekdayIndex(today())}
            units={units}
          />
        )}
      </div>
      {(recap.data !== null || recap.error === null) && (
        <dl class={recap.data === null ? 'week-metrics blank' : 'week-metrics'}>
          <Metrics metrics={recap.data?.metrics ?? NO_METRICS} units={units} />
        </dl>
      )}
    </section>
  )
}

function WeekSum({ metric, units }: { readonly metric: Metric; readonly units: Units }) {
  const { current, previous, trailingAvg } = metric
  return (
    <>
      <p class="hero">
        <Amount of={distance(current, units, 1)} />
      </p>
      <Comparison label="Last week" value={previous} current={current} units={units} />
      <Comparison label="Three-week average" value={trailingAvg} current={current} units={units} />
    </>
  )
}

interface ComparisonProps {
  readonly label: string
  readonly value: number
  readonly current: number
  readonly units: Units
}

/** How far this week is on the way to another one. */
function Comparison({ label, value, current, units }: ComparisonProps) {
  const share = value === 0 ? (current > 0 ? 1 : 0) : Math.min(1, current / value)
  return (
    <div class="comparison">
      <span class="muted">{label}</span>
      <span>{text(distance(value, units, 1))}</span>
      <span class="track" aria-hidden="true">
        <span class={share >= 1 ? 'full' : ''} style={{ width: `${share * 100}%` }} />
      </span>
    </div>
  )
}

function Metrics({ metrics, units }: { readonly metrics: WeeklyRecap['metrics']; readonly units: Units }) {
  const { runs, durationS, elevationGainM, relativeEffortSum, easyRunAvgHeartRateBpm: easy } = metrics
  return (
    <>
      <Figure name="Runs" value={{ value: number(runs.current), unit: '' }} delta={signed(runs.deltaVsPrevious)} />
      <Figure
        name="Time"
        value={{ value: roughDuration(durationS.current), unit: '' }}
        delta={change(durationS.deltaVsPrevious, roughDuration)}
      />
      <Figure
        name="Climb"
        value={elevation(elevationGainM.current, units)}
        delta={change(elevationGainM.deltaVsPrevious, (metres) => text(elevation(metres, units)))}
      />
      <Figure
        name="Effort"
        value={{ value: number(relativeEffortSum.current), unit: '' }}
        delta={signed(relativeEffortSum.deltaVsPrevious)}
      />
      <Figure
        name="Easy heart rate"
        value={{ value: number(easy.current, 0), unit: easy.current === null ? '' : 'bpm' }}
        delta={easy.deltaVsPrevious === null ? null : `${signed(easy.deltaVsPrevious, 1)} bpm`}
      />
    </>
  )
}

function change(by: number, told: (amount: number) => string): string {
  return by === 0 ? '±0' : `${by < 0 ? '−' : '+'}${told(Math.abs(by))}`
}

interface FigureProps {
  readonly name: string
  readonly value: Quantity
  /** Against last week; null when one of the two is missing. */
  readonly delta: string | null
}

function Figure({ name, value, delta }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Amount of={value} />
        {delta !== null && (
          <span class="delta">
            {delta}
            <span class="hidden-text"> against last week</span>
          </span>
        )}
      </dd>
    </div>
  )
}
