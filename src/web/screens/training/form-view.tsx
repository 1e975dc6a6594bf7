import { useState } from 'preact/hooks'
import { TableView } from '../../charts/table-view.tsx'
import { date, lowered, number, signed } from '../../format.ts'
import { useResource } from '../../state.ts'
import type { FormToday } from '../../types.ts'
import { Card } from '../../ui/card.tsx'
import { Empty, LoadFailure, Notice } from '../../ui/empty.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Help } from '../../ui/help.tsx'
import { Skeleton } from '../../ui/spinner.tsx'
import { TERMS } from '../../words.ts'
import { offsetQuery } from '../stats.ts'
import { DayRuns } from './day-runs.tsx'
import { confidenceWords } from './estimate.tsx'
import { FormChart } from './form-chart.tsx'
import { fitnessWords, formWords, isWarmingUp } from './form-words.ts'
import { ProposalsCard } from './proposals-card.tsx'
import { Room } from './room.tsx'
import { SpanCard } from './span-card.tsx'
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
  const now = useResource(`/training/today?${offsetQuery()}`)
  if (now.error !== null && now.data === null) return <LoadFailure message={now.error.message} />
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
          Fitness is the 42-day average of your load, fatigue the 7-day average. Form is fitness minus fatigue in the
          morning. A load of 100 is an hour at threshold pace. The words for form are a convention, as % of fitness:
          heavy below −30%, building below −10%, steady below 5%, fresh up to 20%, rested above.
        </Help>
      }
    >
      {now.recomputing && <Notice>Loads are being recalculated. The numbers update automatically.</Notice>}
      <Facts
        of={[
          [TERMS.form, formWords(now)],
          [TERMS.fitness, fitnessWords(now)],
          [TERMS.fatigue, number(now.fatigue.value)],
          ['Load today', number(now.load)],
          ['Last 7 days', now.weekToUsual === null ? null : `${number(now.weekToUsual * 100)}% of your 3-week average`],
        ]}
      />
      <div>
        <Room now={now} />
      </div>
      {now.monotony !== null && now.strain !== null && (
        <p class="muted small">
          Last 7 days: monotony {number(now.monotony, 1)} (how similar your days were) · strain {number(now.strain)}
        </p>
      )}
      {isWarmingUp(now) && <p class="muted">{TERMS.warmingUp}</p>}
      <p class="muted small">
        {now.fitness.value === null
          ? 'Fitness, fatigue and form start with your first run.'
          : `Fitness, fatigue and form: ${lowered(confidenceWords(now.fitness))}`}
      </p>
    </Card>
  )
}

function Course() {
  const [span, setSpan] = useState<Span>('3')
  const [day, setDay] = useState<string | null>(null)
  const { series: data, error } = useFormSeries(DAYS_BACK[span])
  return (
    <SpanCard
      title="Fitness, fatigue and form"
      legend="Time range"
      spans={SPANS}
      span={span}
      onSpan={setSpan}
      resource={{ data, error }}
      height="470px"
    >
      {(series) =>
        series.days.length === 0 ? (
          <Empty icon="training" title="No runs in this period">
            Fitness is based on the load of your runs. Import a run, or choose a longer period.
          </Empty>
        ) : (
          <>
            <FormChart series={series} onDay={setDay} />
            <p class="tc-key" aria-hidden="true">
              <span>{TERMS.fitness}</span>
              <span style={{ '--key': 'solid var(--accent-2)' }}>{TERMS.fatigue}</span>
              <span style={{ '--key': 'solid var(--muted)' }}>{TERMS.form}</span>
              <span style={{ '--key': 'dashed var(--accent)' }}>If you rest</span>
              <span style={{ '--key': 'dotted var(--accent)' }}>If you train as usual</span>
            </p>
            {day !== null && <DayRuns day={day} onClose={() => setDay(null)} />}
            <p class="muted small">
              Load is solid if from HR or entered by you, striped if from pace, dotted if from RPE or duration. The days
              ahead are a projection.
            </p>
            <TableView
              caption="Load, fitness, fatigue and form by day"
              heads={['Day', TERMS.load, TERMS.fitness, TERMS.fatigue, TERMS.form]}
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
