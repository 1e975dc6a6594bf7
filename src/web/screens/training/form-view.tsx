import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { TableView } from '../../charts/table-view.tsx'
import { shiftedDay } from '../../days.ts'
import { date, localDay, lowered, number, roughDistance, runName, signed, text } from '../../format.ts'
import { Link } from '../../router.ts'
import { type LoadChoice, loadOptions } from '../../run/run-view.ts'
import { useLoaded, useResource, useUnits } from '../../state.ts'
import type { FormToday, LoadDays, Run } from '../../types.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty, LoadFailure, Notice, Pending } from '../../ui/empty.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Select } from '../../ui/field.tsx'
import { Help } from '../../ui/help.tsx'
import { Skeleton } from '../../ui/spinner.tsx'
import { attempt } from '../../use-action.ts'
import { TERMS } from '../../words.ts'
import { daysPath } from '../run-query.ts'
import { offsetQuery, today } from '../stats.ts'
import { bandWords, confidenceWords } from './estimate.tsx'
import { FormChart } from './form-chart.tsx'
import { allDays, type FormSeries, formSeries, morningOf } from './form-series.ts'
import { fitnessWords, formWords, isWarmingUp, wholeFatigue } from './form-words.ts'
import { ProposalsCard } from './proposals-card.tsx'
import { Room } from './room.tsx'
import { SpanCard } from './span-card.tsx'

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
  // what stands above the chart comes with it, so that nothing moves
  const proposals = useResource(`/training/proposals?${offsetQuery()}`)
  if (now.error !== null && now.data === null) return <LoadFailure message={now.error.message} />
  if (now.data === null || (proposals.data === null && proposals.error === null)) return <Skeleton height="900px" />
  return (
    <>
      <Standing now={now.data} />
      <ProposalsCard />
      <Course />
    </>
  )
}

function Standing({ now }: { readonly now: FormToday }) {
  return (
    <Card
      title="Today"
      aside={
        <Help about="form">
          Fitness is the 42-day average of your load, fatigue the 7-day average, both before today’s runs. Form is
          fitness minus fatigue. A load of 100 is an hour at threshold pace. The words for form are a convention, as %
          of fitness: heavy below −30%, building below −10%, steady below 5%, fresh up to 20%, rested above.
        </Help>
      }
    >
      {now.recomputing && <Notice>Loads are being recalculated. The numbers update automatically.</Notice>}
      <Facts
        of={[
          [TERMS.form, formWords(now)],
          [TERMS.fitness, fitnessWords(now)],
          [TERMS.fatigue, number(now.form.value === null ? null : wholeFatigue(now.morning.fitness, now.form.value))],
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
              heads={['Day', TERMS.load, 'Fitness, morning', 'Fatigue, morning', TERMS.form]}
              rows={() =>
                series.days.toReversed().map(({ date: on, load }, back) => {
                  const { fitness, fatigue, form } = morningOf(series.days, series.days.length - 1 - back)
                  return [date(on, 'short'), number(load), number(fitness), number(fatigue), signed(form)]
                })
              }
            />
          </>
        )
      }
    </SpanCard>
  )
}

/**
 * Load and form of the last days and two weeks ahead; `series` is null while loading.
 * @param dayCount null: all days from the first run on
 */
export function useFormSeries(dayCount: number | null) {
  const path = `/training/load?${offsetQuery()}` as const
  const since = `${path}&from=${shiftedDay(today(), -(dayCount ?? 0))}` as const
  const ask = (from: string, to: string) => api.get(`${path}&from=${from}&to=${to}`)
  const loads = useLoaded<Pick<LoadDays, 'days'>>(
    dayCount === null ? `${path}&all` : since,
    dayCount === null ? () => allDays(today(), ask) : () => api.get(since),
  )
  const rest = useResource(`/training/forecast?${offsetQuery()}&plan=rest`)
  const usual = useResource(`/training/forecast?${offsetQuery()}&plan=usual`)
  const series = useMemo<FormSeries | null>(() => {
    if (loads.data === null || rest.data === null || usual.data === null) return null
    return formSeries(loads.data.days, rest.data.days, usual.data.days)
  }, [loads.data, rest.data, usual.data])
  return { series, error: loads.error ?? rest.error ?? usual.error }
}

interface DayRunsProps {
  /** Local day of the runs. */
  readonly day: string
  readonly onClose: () => void
}

/** The runs of a day with their loads, whose sources can be chosen. */
export function DayRuns({ day, onClose }: DayRunsProps) {
  const box = useRef<HTMLElement>(null)
  const { data, error } = useResource(callOf(day))
  useEffect(() => box.current?.focus({ preventScroll: true }), [day])
  const runs = data?.items.filter((run) => localDay(run.startedAt, run.utcOffsetMinutes) === day) ?? []
  return (
    <section class="day-runs" ref={box} tabIndex={-1} aria-label={`Runs of ${date(day, 'full')}`}>
      <div class="goal-head level">
        <h3>{date(day, 'full')}</h3>
        <Link class="small" href={daysPath(day, day)}>
          Show in list
        </Link>
        <Button kind="quiet" size="small" icon="close" aria-label="Close" onClick={onClose} />
      </div>
      {data === null && <Pending error={error} height="64px" />}
      <ul class="training-list">
        {runs.map((run) => (
          <RunLoad key={run.id} run={run} />
        ))}
      </ul>
    </section>
  )
}

function RunLoad({ run }: { readonly run: Run }) {
  const units = useUnits()
  const path = `/workouts/${run.id}` as const
  const { data } = useResource(`${path}/training`)
  const choose = (loadSource: LoadChoice) => attempt(() => api.send('PATCH', path, { loadSource }), TERMS.notSaved)
  const options = data === null ? [] : loadOptions(data)
  return (
    <li>
      <p>
        <Link href={`/app/runs/${run.id}`}>{runName(run)}</Link>, {text(roughDistance(run.distanceM, units))}
        {data !== null && `: load ${bandWords(data.load, number)}`}{' '}
        {data !== null && <span class="muted small">{confidenceWords(data.load)}</span>}
      </p>
      {data !== null && options.length > 2 && (
        <Select<LoadChoice>
          label={`Load source of ${runName(run)}`}
          isLabelHidden
          value={data.chosen}
          options={options}
          onValue={(source) => void choose(source)}
        />
      )}
    </li>
  )
}

/** Requests runs around a day in any time zone; those of other local days are filtered out. */
function callOf(day: string): `/workouts?${string}` {
  const query = new URLSearchParams({
    startDate: `${shiftedDay(day, -1)}T00:00:00.000Z`,
    endDate: `${shiftedDay(day, 2)}T00:00:00.000Z`,
    pageSize: '100',
  })
  return `/workouts?${query}`
}
