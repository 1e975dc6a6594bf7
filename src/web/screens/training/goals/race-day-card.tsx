import { useState } from 'preact/hooks'
import { MOST_FORECAST_DAYS } from '../../../../engine/limits.ts'
import { Ends, Levels, Plot, scaleOf } from '../../../charts/plot.tsx'
import { linePath } from '../../../charts/scale.ts'
import { counted, date, number, signed } from '../../../format.ts'
import { useResource, useUnits } from '../../../state.ts'
import type { Forecast, Race } from '../../../types.ts'
import { Card } from '../../../ui/card.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { Pending } from '../../../ui/empty.tsx'
import { Select } from '../../../ui/field.tsx'
import { TERMS } from '../../../words.ts'
import { offsetQuery } from '../../stats.ts'
import { daysTo, raceName } from '../races/race-words.ts'
import { taperedLoads } from './taper.ts'

const HEIGHT = 190
const PLACE = { top: 14, height: 148 }

/** With the line of the key. */
const PLANS = [
  ['usual', 'If you train as usual', 'solid var(--accent)'],
  ['taper', 'If you taper for two weeks', 'dashed var(--accent-2)'],
  ['rest', 'If you rest', 'dotted var(--muted)'],
] as const
type Plan = (typeof PLANS)[number][0]

/** Form on the day of an upcoming race, by three plans. */
export function RaceDayCard({ races }: { readonly races: readonly Race[] }) {
  const units = useUnits()
  const [chosen, setChosen] = useState<string | null>(null)
  const inReach = races.filter(({ date: day }) => isInReach(daysTo(day)))
  const race = inReach.find(({ id }) => id === chosen) ?? inReach[0]
  if (race === undefined) return null
  return (
    <Card
      title={`Form on race day: ${raceName(race, units)}`}
      aside={
        inReach.length > 1 && (
          <Select
            label="Race"
            isLabelHidden
            value={race.id ?? ''}
            options={inReach.map((one) => [one.id ?? '', raceName(one, units)] as const)}
            onValue={setChosen}
          />
        )
      }
    >
      <Course key={race.date} day={race.date} ahead={daysTo(race.date)} />
    </Card>
  )
}

function isInReach(days: number): boolean {
  return days >= 1 && days <= MOST_FORECAST_DAYS
}

function Course({ day, ahead }: { readonly day: string; readonly ahead: number }) {
  // one day more, since the forecast begins tomorrow when there was a run today
  const query = `${offsetQuery()}&days=${Math.min(MOST_FORECAST_DAYS, ahead + 1)}`
  const usual = useResource(`/training/forecast?${query}&plan=usual`)
  const rest = useResource(`/training/forecast?${query}&plan=rest`)
  const loads = usual.data === null ? null : taperedLoads(usual.data.days, day)
  const taper = useResource(
    loads === null ? null : `/training/forecast?${query}&plan=custom&loads=${loads.length === 0 ? 0 : loads.join()}`,
  )
  const failure = usual.error ?? rest.error ?? taper.error
  if (usual.data === null || rest.data === null || taper.data === null) {
    return <Pending error={failure} height="300px" />
  }
  const until = ({ days }: Forecast) => days.filter((one) => one.date <= day)
  return <Plans plans={{ usual: until(usual.data), taper: until(taper.data), rest: until(rest.data) }} />
}

function Plans({ plans }: { readonly plans: Readonly<Record<Plan, Forecast['days']>> }) {
  const days = plans.usual
  const last = days.at(-1)
  if (last === undefined) return null
  if (last.fitness < 1) return <p>Not enough load for a projection.</p>
  const { y, marks } = scaleOf([0, ...Object.values(plans).flatMap((plan) => plan.map(({ form }) => form))], {
    ...PLACE,
    steps: [5, 10, 20, 50],
  })
  const shareOf = (index: number) => index / Math.max(1, days.length - 1)
  const formOn = (index: number) =>
    PLANS.map(([plan, words]) => `${words.toLowerCase()} ${signed(plans[plan][index]?.form ?? 0)}`).join(' · ')
  return (
    <>
      <DataTable
        caption={`Morning of ${date(last.date, 'full')}, in ${counted(days.length, 'day')}`}
        isTitled
        heads={['Plan', TERMS.fitness, TERMS.fatigue, TERMS.form]}
        rows={PLANS.map(([plan, words]) => {
          const on = plans[plan].at(-1)
          return [
            words,
            number(on?.fitness ?? null),
            number(on?.fatigue ?? null),
            <strong>{signed(on?.form ?? 0)}</strong>,
          ]
        })}
      />
      <Plot
        label="Form until the race by plan. Arrow keys move between days"
        height={HEIGHT}
        count={days.length}
        textAt={(place) => `${date(days[place]!.date, 'long')}, form: ${formOn(place)}`}
        shareOf={shareOf}
        of={[days, plans]}
        draw={({ x }) => (
          <>
            <Levels at={marks} y={y} text={(mark) => (mark === 0 ? '0' : signed(mark))} />
            {PLANS.map(([plan]) => (
              <path
                key={plan}
                class={`line plan-${plan}`}
                d={linePath(plans[plan].map(({ form }, index) => [x(shareOf(index)), y(form)] as const))}
              />
            ))}
            <Ends from={date(days[0]!.date, 'day')} to={date(last.date, 'day')} />
          </>
        )}
        table={{
          caption: 'Form by day and plan',
          heads: ['Day', ...PLANS.map(([, words]) => words)],
          rows: () =>
            days.map(({ date: on }, index) => [
              date(on, 'short'),
              ...PLANS.map(([plan]) => signed(plans[plan][index]?.form ?? 0)),
            ]),
        }}
      >
        <p class="tc-key" aria-hidden="true">
          {PLANS.map(([plan, words, line]) => (
            <span key={plan} style={{ '--key': line }}>
              {words}
            </span>
          ))}
        </p>
        <p class="muted small">
          A projection; it holds only if you follow the plan. The taper weeks are 70% and 40% of your usual load.
        </p>
      </Plot>
    </>
  )
}
