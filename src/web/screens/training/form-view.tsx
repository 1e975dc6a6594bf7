import { useState } from 'preact/hooks'
import { date, number, signed } from '../../format.ts'
import { useResource } from '../../state.ts'
import type { FormToday } from '../../types.ts'
import { Card } from '../../ui/card.tsx'
import { Empty, LoadFailure, Notice } from '../../ui/empty.tsx'
import { Help } from '../../ui/help.tsx'
import { Skeleton } from '../../ui/spinner.tsx'
import { offsetQuery } from '../stats.ts'
import { DayRuns } from './day-runs.tsx'
import { confidenceWords } from './estimate.tsx'
import { FormChart } from './form-chart.tsx'
import { fitnessWords, formWords, isWarmingUp, roomWords } from './form-words.ts'
import { ProposalsCard } from './proposals-card.tsx'
import { SpanCard } from './span-card.tsx'
import { TableView } from './table-view.tsx'
import { useFormSeries } from './use-form-series.ts'

/** null: all. */
const DAYS_BACK = { '3': 92, '12': 366, all: null } as const
type Span = keyof typeof DAYS_BACK
const SPANS = [
  ['3', '3 months'],
  ['12', '1 year'],
  ['all', 'All'],
] as const

/** Today's form, and its history. */
export function FormView() {
  const now = useResource<FormToday>(`/training/today?${offsetQuery()}`)
  if (now.error !== null && now.data === null) return <LoadFailure message={now.error.message} onRetry={now.reload} />
  return (
    <>
      <Standing now={now.data} />
      <ProposalsCard />
      <Course />
    </>
  )
}

function Standing({ now }: { readonly now: FormToday | null }) {
  if (now === null) return <Skeleton height="150px" />
  return (
    <Card
      title="Today"
      aside={
        <Help about="form">
          Fitness is the 42-day average of your load, fatigue the 7-day average, and form is the difference in the
          morning. A load of 100 is an hour at the pace you could hold for an hour. The words for form (heavy below −30
          % of fitness, building below −10 %, steady below 5 %, fresh up to 20 %, rested above) are a convention, not a
          measurement.
        </Help>
      }
    >
      {now.recomputing && <Notice>Loads are being computed again; the numbers will follow by themselves.</Notice>}
      <dl class="training-facts">
        <Fact name="Form" value={formWords(now)} />
        <Fact name="Fitness" value={fitnessWords(now)} />
        <Fact name="Fatigue" value={number(now.fatigue.value)} />
        <Fact name="Load today" value={number(now.load)} />
        {now.weekToUsual !== null && (
          <Fact name="This week" value={`${number(now.weekToUsual * 100)} % of the three weeks before`} />
        )}
      </dl>
      <p>{roomWords(now)}</p>
      {now.monotony !== null && now.strain !== null && (
        <p class="muted small">
          The last seven days: monotony {number(now.monotony, 1)} (how alike the days were), strain {number(now.strain)}{' '}
          (their load times that).
        </p>
      )}
      {isWarmingUp(now) && <p class="muted">Warming up: after 42 days of runs this is steady.</p>}
      <p class="muted small">Fitness, fatigue and form: {confidenceWords(now.fitness).toLowerCase()}</p>
    </Card>
  )
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function Course() {
  const [span, setSpan] = useState<Span>('3')
  const [day, setDay] = useState<string | null>(null)
  const { series: data, error, reload } = useFormSeries(DAYS_BACK[span])
  return (
    <SpanCard
      title="Fitness, fatigue and form"
      legend="How far back"
      spans={SPANS}
      span={span}
      onSpan={setSpan}
      resource={{ data, error, reload }}
      height="470px"
    >
      {(series) =>
        series.days.length === 0 ? (
          <Empty icon="training" title="No runs in this time">
            Fitness is made of the load of your runs. Import one, or look further back.
          </Empty>
        ) : (
          <>
            <FormChart series={series} onDay={setDay} />
            <p class="tc-key" aria-hidden="true">
              <span class="k-fitness">Fitness</span>
              <span class="k-fatigue">Fatigue</span>
              <span class="k-form">Form</span>
              <span class="k-rest">Ahead, with rest</span>
              <span class="k-usual">Ahead, your usual week</span>
            </p>
            {day !== null && <DayRuns day={day} onClose={() => setDay(null)} />}
            <p class="muted small">
              Load is solid where heart rate or you said it, striped from pace, dotted from effort or duration. The days
              ahead are arithmetic: what rest or your usual week would do, not a promise.
            </p>
            <TableView
              caption="Load, fitness, fatigue and form by day"
              heads={['Day', 'Load', 'Fitness', 'Fatigue', 'Form']}
              rows={() =>
                series.days
                  .toReversed()
                  .map((day) => [
                    date(day.date, 'short'),
                    number(day.load),
                    number(day.fitness),
                    number(day.fatigue),
                    signed(day.form),
                  ])
              }
            />
          </>
        )
      }
    </SpanCard>
  )
}
