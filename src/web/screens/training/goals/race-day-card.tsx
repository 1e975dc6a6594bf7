import { useState } from 'preact/hooks'
import { MOST_FORECAST_DAYS } from '../../../../engine/limits.ts'
import { linePath } from '../../../charts/scale.ts'
import { dayNumber, shiftedDay } from '../../../days.ts'
import { counted, date, number, pace, signed, text } from '../../../format.ts'
import { useResource, useUnits } from '../../../state.ts'
import type { Forecast, Predictions } from '../../../types.ts'
import { Card } from '../../../ui/card.tsx'
import { LoadFailure } from '../../../ui/empty.tsx'
import { Field, Select } from '../../../ui/field.tsx'
import { Skeleton } from '../../../ui/spinner.tsx'
import { offsetQuery, today } from '../../stats.ts'
import { AboutEstimate } from '../estimate.tsx'
import { LEFT, Level, Plot, RIGHT, scaleOf } from '../plot.tsx'
import { roundTime } from '../races-card.tsx'
import { TableView } from '../table-view.tsx'
import { taperedLoads } from './taper.ts'

/** Stored only in this browser, since a planned race is not part of the log. */
const KEY = 'harrier.race-day'
const HEIGHT = 190
const PLACE = { top: 14, height: 148 }

const PLANS = [
  ['usual', 'Your usual week to the end'],
  ['taper', 'Two lighter weeks before it'],
  ['rest', 'Rest from now on'],
] as const
type Plan = (typeof PLANS)[number][0]

interface Race {
  readonly day: string
  readonly distance: string
}

/** Form on a future day by three plans, and the race time predicted from today's efforts. */
export function RaceDayCard() {
  const [race, setRace] = useState(storedRace)
  const set = (change: Partial<Race>) => {
    const next = { ...race, ...change }
    setRace(next)
    localStorage.setItem(KEY, JSON.stringify(next))
  }
  const predictions = useResource<Predictions>(`/training/predictions?${offsetQuery()}`)
  const ahead = dayNumber(race.day) - dayNumber(today())
  const isInReach = ahead >= 1 && ahead <= MOST_FORECAST_DAYS
  const distances = predictions.data?.predictions ?? []
  const found = distances.find(({ distance }) => distance === race.distance) ?? distances.at(-1)
  return (
    <Card title="To a race day">
      <div class="columns race-fields">
        <Field
          label="Day of the race"
          type="date"
          value={race.day}
          min={dayIn(1)}
          max={dayIn(MOST_FORECAST_DAYS)}
          hint="Kept in this browser alone: a race that is not run yet is no run."
          fault={isInReach ? null : `A day of the next ${MOST_FORECAST_DAYS}`}
          onText={(day) => set({ day })}
        />
        <Select
          label="Distance of the race"
          value={found?.distance ?? ''}
          options={distances.map(({ distance }) => [distance, distance] as const)}
          onValue={(distance) => set({ distance })}
        />
      </div>
      {found !== undefined && <Time of={found} />}
      {isInReach && <Course key={race.day} day={race.day} ahead={ahead} />}
    </Card>
  )
}

function Time({ of: { distance, time, paceS } }: { readonly of: Predictions['predictions'][number] }) {
  const units = useUnits()
  if (time.value === null) {
    return (
      <>
        <p>A time for the {distance} is not known yet.</p>
        <AboutEstimate of={time} />
      </>
    )
  }
  return (
    <>
      <p>
        <strong>{roundTime(time.value)}</strong>
        {time.low !== null &&
          time.high !== null &&
          ` (8 in 10 between ${roundTime(time.low)} and ${roundTime(time.high)})`}
        , {text(pace(paceS, units))}: what your efforts so far mean over {distance}, fresh. What you train until then is
        not in it.
      </p>
      <AboutEstimate of={time} />
    </>
  )
}

function Course({ day, ahead }: { readonly day: string; readonly ahead: number }) {
  // one day more, since the forecast begins tomorrow when there was a run today
  const query = `${offsetQuery()}&days=${Math.min(MOST_FORECAST_DAYS, ahead + 1)}`
  const usual = useResource<Forecast>(`/training/forecast?${query}&plan=usual`)
  const rest = useResource<Forecast>(`/training/forecast?${query}&plan=rest`)
  const loads = usual.data === null ? null : taperedLoads(usual.data.days, day)
  const taper = useResource<Forecast>(
    loads === null ? null : `/training/forecast?${query}&plan=custom&loads=${loads.length === 0 ? 0 : loads.join()}`,
  )
  const failure = usual.error ?? rest.error ?? taper.error
  if (usual.data === null || rest.data === null || taper.data === null) {
    const again = () => [usual, rest, taper].forEach((one) => void one.reload())
    return failure === null ? <Skeleton height="300px" /> : <LoadFailure message={failure.message} onRetry={again} />
  }
  const until = ({ days }: Forecast) => days.filter((one) => one.date <= day)
  return <Plans plans={{ usual: until(usual.data), taper: until(taper.data), rest: until(rest.data) }} />
}

function Plans({ plans }: { readonly plans: Readonly<Record<Plan, Forecast['days']>> }) {
  const days = plans.usual
  const last = days.at(-1)
  if (last === undefined) return null
  if (last.fitness < 1) return <p>Fitness is made of the load of your runs; there is too little of it to look ahead.</p>
  const { y, marks } = scaleOf([0, ...Object.values(plans).flatMap((plan) => plan.map(({ form }) => form))], {
    ...PLACE,
    steps: [5, 10, 20, 50],
  })
  const x = (index: number, width: number) => LEFT + (index / Math.max(1, days.length - 1)) * (width - LEFT - RIGHT)
  const formOn = (index: number) =>
    PLANS.map(([plan, words]) => `${words.toLowerCase()} ${signed(plans[plan][index]?.form ?? 0)}`).join(' · ')
  return (
    <>
      <table class="training-table">
        <caption>
          The morning of {date(last.date, 'full')}, in {counted(days.length, 'day')}
        </caption>
        <thead>
          <tr>
            <th scope="col">If until then</th>
            <th scope="col">Fitness</th>
            <th scope="col">Fatigue</th>
            <th scope="col">Form</th>
          </tr>
        </thead>
        <tbody>
          {PLANS.map(([plan, words]) => {
            const on = plans[plan].at(-1)
            return (
              <tr key={plan}>
                <th scope="row">{words}</th>
                <td>{number(on?.fitness ?? null)}</td>
                <td>{number(on?.fatigue ?? null)}</td>
                <td>
                  <strong>{signed(on?.form ?? 0)}</strong>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <Plot
        label="Form until the race by plan. Arrow keys go through the days"
        height={HEIGHT}
        count={days.length}
        tell={(place) => `${date(days[place]!.date, 'long')}, form: ${formOn(place)}`}
        placeAt={(at, width) => Math.round(((at - LEFT) / Math.max(1, width - LEFT - RIGHT)) * (days.length - 1))}
        draw={(width, place) => (
          <>
            {marks.map((mark) => (
              <Level key={mark} y={y(mark)} width={width} text={mark === 0 ? '0' : signed(mark)} isBase={mark === 0} />
            ))}
            {PLANS.map(([plan]) => (
              <path
                key={plan}
                class={`line plan-${plan}`}
                d={linePath(plans[plan].map(({ form }, index) => [x(index, width), y(form)] as const))}
              />
            ))}
            {place !== null && (
              <line class="pointer" x1={x(place, width)} x2={x(place, width)} y1={8} y2={HEIGHT - 24} />
            )}
            <text class="tick" x={LEFT} y={HEIGHT - 6}>
              {date(days[0]!.date, 'day')}
            </text>
            <text class="tick" x={width - RIGHT} y={HEIGHT - 6} text-anchor="end">
              {date(last.date, 'day')}
            </text>
          </>
        )}
      />
      <p class="tc-key" aria-hidden="true">
        {PLANS.map(([plan, words]) => (
          <span key={plan} class={`k-plan-${plan}`}>
            {words}
          </span>
        ))}
      </p>
      <p class="muted small">
        Arithmetic, with no band: how wrong it is hangs on whether the plan is kept. The lighter weeks are 70 and 40 %
        of your usual load.
      </p>
      <TableView
        caption="Form by day and plan"
        heads={['Day', ...PLANS.map(([, words]) => words)]}
        rows={() =>
          days.map(({ date: on }, index) => [
            date(on, 'short'),
            ...PLANS.map(([plan]) => signed(plans[plan][index]?.form ?? 0)),
          ])
        }
      />
    </>
  )
}

function dayIn(days: number): string {
  return shiftedDay(today(), days)
}

function storedRace(): Race {
  const usual = { day: dayIn(28), distance: '10K' }
  try {
    const { day, distance } = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Race>
    const isAhead = typeof day === 'string' && /^\d{4}-\d\d-\d\d$/.test(day) && day > today()
    return { day: isAhead ? day : usual.day, distance: typeof distance === 'string' ? distance : usual.distance }
  } catch {
    return usual
  }
}
