import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { attempt } from '../../actions.ts'
import { api } from '../../api.ts'
import { DayAxis, Level, Levels, Line, Plot, PlotTitle, TableView } from '../../charts/plot.tsx'
import { linePath, ticks } from '../../charts/scale.ts'
import {
  date,
  dayNumber,
  localDay,
  lowered,
  number,
  roughDistance,
  runName,
  shiftedDay,
  signed,
  text,
} from '../../format.ts'
import { Link } from '../../router.ts'
import { type LoadChoice, loadOptions } from '../../run/run-view.ts'
import { useLoaded, useResource, useUnits } from '../../state.ts'
import type { FormToday, LoadDays, Run } from '../../types.ts'
import { Button, Skeleton } from '../../ui/button.tsx'
import { Card, Facts } from '../../ui/card.tsx'
import { Select } from '../../ui/form.tsx'
import { Empty, LoadFailure, Notice, Pending } from '../../ui/loaded.tsx'
import { Help } from '../../ui/menu.tsx'
import { TERMS } from '../../words.ts'
import { daysPath } from '../run-query.ts'
import { offsetQuery, today } from '../stats.ts'
import { bandWords, confidenceWords, Room, SpanCard } from './cards.tsx'
import { ProposalsCard } from './proposals-card.tsx'
import { allDays, barUnit, type FormSeries, formSeries, loadBars, morningOf, weekLoad } from './series.ts'
import { fitnessWords, formWords, isWarmingUp, wholeFatigue } from './words.ts'

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

/** Load and form of the last days and two weeks ahead. */
function Course() {
  const [span, setSpan] = useState<Span>('3')
  const [day, setDay] = useState<string | null>(null)
  const dayCount = DAYS_BACK[span]
  const path = `/training/load?${offsetQuery()}` as const
  const since = `${path}&from=${shiftedDay(today(), -(dayCount ?? 0))}` as const
  const ask = (from: string, to: string) => api.get(`${path}&from=${from}&to=${to}`)
  const loads = useLoaded<Pick<LoadDays, 'days'>>(
    dayCount === null ? `${path}&all` : since,
    dayCount === null ? () => allDays(today(), ask) : () => api.get(since),
  )
  const rest = useResource(`/training/forecast?${offsetQuery()}&plan=rest`)
  const usual = useResource(`/training/forecast?${offsetQuery()}&plan=usual`)
  const data = useMemo<FormSeries | null>(() => {
    if (loads.data === null || rest.data === null || usual.data === null) return null
    return formSeries(loads.data.days, rest.data.days, usual.data.days)
  }, [loads.data, rest.data, usual.data])
  const error = loads.error ?? rest.error ?? usual.error
  return (
    <SpanCard
      title="Fitness, fatigue and form"
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
            <p class="tc-key flow gap-3 small above-2" aria-hidden="true">
              {KEY.map(([words, line]) => (
                <span key={words}>
                  <i class="key-line" style={{ borderTop: `2.5px ${line}` }} /> {words}
                </span>
              ))}
            </p>
            {day !== null && <DayRuns day={day} onClose={() => setDay(null)} />}
            <p class="muted small above-2">
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

/** The lines of the chart. */
const KEY = [
  [TERMS.fitness, 'solid var(--accent)'],
  [TERMS.fatigue, 'solid var(--accent-2)'],
  [TERMS.form, 'solid var(--muted)'],
  ['If you rest', 'dashed var(--accent)'],
  ['If you train as usual', 'dotted var(--accent)'],
] as const

/** The runs of a day with their loads, whose sources can be chosen. */
function DayRuns({ day, onClose }: { readonly day: string; readonly onClose: () => void }) {
  const box = useRef<HTMLElement>(null)
  // a day more on both sides, since runs of other time zones may be of this local day
  const around = `startDate=${shiftedDay(day, -1)}T00:00:00.000Z&endDate=${shiftedDay(day, 2)}T00:00:00.000Z`
  const { data, error } = useResource(`/workouts?${around}&pageSize=100`)
  useEffect(() => box.current?.focus({ preventScroll: true }), [day])
  const runs = data?.items.filter((run) => localDay(run.startedAt, run.utcOffsetMinutes) === day) ?? []
  return (
    <section class="card above-3 below-3" ref={box} tabIndex={-1} aria-label={`Runs of ${date(day, 'full')}`}>
      <div class="goal-head level">
        <h3>{date(day, 'full')}</h3>
        <Link class="small grow" href={daysPath(day, day)}>
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

/** Positions and heights of the parts, pixels. */
const LAYOUT = {
  fitness: { top: 20, height: 150 },
  form: { top: 196, height: 84 },
  load: { top: 314, height: 70 },
  height: 412,
}
/** Loads that were not measured have a pattern, so that colour is not the only distinction. */
const PAINTS: Readonly<Record<string, string>> = {
  pace: 'url(#tc-pace)',
  rpe: 'url(#tc-rough)',
  duration: 'url(#tc-rough)',
}
const PAINT = 'var(--strip3)'

/** Height of a number of the axis, pixels; closer to zero its place is not shown. */
const NUMBER_PX = 13

/** With more days than this lines are thinner. */
const MANY = 200

/**
 * Fitness and fatigue, form, and load below each other with a common cursor; future days are dashed.
 * @param onDay called when a day with runs is chosen
 */
function FormChart({ series, onDay }: { readonly series: FormSeries; readonly onDay: (day: string) => void }) {
  const { days, rest } = series
  const count = days.length + rest.length
  const first = days[0]!.date
  // on these the averages are still warming up
  const warming = days.filter(({ warmingUp }) => warmingUp).length
  const shareOf = (index: number) => (index + 0.5) / Math.max(1, count)
  const textOf = (place: number) => dayWords(series, place)
  return (
    <Plot
      label="Fitness, fatigue, form and load by day. Arrow keys move between days, Enter shows a day’s runs"
      height={LAYOUT.height}
      left={34}
      right={8}
      count={count}
      start={days.length - 1}
      textAt={(place) => `${textOf(place).day}: ${textOf(place).values}`}
      caption={(place) => {
        const { day, values } = textOf(place ?? days.length - 1)
        return (
          <span aria-hidden="true">
            <strong>{day}</strong> {values}
          </span>
        )
      }}
      onOpen={(place) => {
        const day = days[place]
        if (day !== undefined && day.runs > 0) onDay(day.date)
      }}
      shareOf={shareOf}
      isDense={days.length > MANY}
      of={[series]}
      draw={(frame) => {
        const x = (index: number) => frame.x(shareOf(index))
        return (
          <>
            <Patterns />
            {warming > 0 && (
              <rect fill="url(#tc-warming)" x={x(-0.5)} y={12} width={x(warming) - x(0)} height={LAYOUT.height - 38} />
            )}
            <FitnessLines series={series} x={x} />
            <FormArea series={series} x={x} />
            <LoadBars series={series} x={x} />
            <DayAxis from={first} to={shiftedDay(first, count - 1)} x={(day) => x(dayNumber(day) - dayNumber(first))} />
            {rest.length > 0 && <Line at={x(days.length - 0.5)} class="pointer ahead" />}
          </>
        )
      }}
    />
  )
}

/** The description of a past or future day. */
function dayWords({ days, rest, usual }: FormSeries, index: number) {
  const day = days[index]
  if (day !== undefined) {
    const { load, warmingUp } = day
    const { fitness, fatigue, form } = morningOf(days, index)
    const week = weekLoad(days, index)
    const ofWeek = week === null ? '' : ` · week total ${number(week)}`
    const values = `morning: fitness ${number(fitness)} − fatigue ${number(fatigue)} = form ${signed(form)} · load ${number(load)}${ofWeek}`
    return { day: date(day.date, 'long'), values: warmingUp ? `${values} · warming up` : values }
  }
  const ahead = rest[index - days.length]
  const same = usual[index - days.length]
  if (ahead === undefined) return { day: '', values: '' }
  const asUsual =
    same === undefined ? '' : `; if you train as usual fitness ${number(same.fitness)}, form ${signed(same.form)}`
  const values = `if you rest fitness ${number(ahead.fitness)}, form ${signed(ahead.form)}${asUsual}`
  return { day: `${date(ahead.date, 'long')}, projected:`, values }
}

interface PartProps {
  readonly series: FormSeries
  /** The pixel of a day, past or ahead. */
  readonly x: (index: number) => number
}

function FitnessLines({ series, x }: PartProps) {
  const { top, height } = LAYOUT.fitness
  const all = [...series.days, ...series.rest, ...series.usual].flatMap(({ fitness, fatigue }) => [fitness, fatigue])
  const marks = ticks(Math.max(1, ...all), 3, true)
  const y = (value: number) => top + (1 - value / (marks.at(-1) ?? 1)) * height
  return (
    <g>
      <PlotTitle y={top} text="Fitness and fatigue" />
      <Levels at={marks} y={y} text={(mark) => number(mark)} />
      <g style={{ '--accent': 'var(--accent-2)' }}>
        <Lines series={{ ...series, usual: [] }} x={x} y={({ fatigue }) => y(fatigue)} />
      </g>
      <Lines series={series} x={x} y={({ fitness }) => y(fitness)} />
    </g>
  )
}

type Ahead = FormSeries['rest'][number]

/** A value of the past days as a line, and with each plan ahead. */
function Lines({ series: { days, rest, usual }, x, y }: PartProps & { readonly y: (day: Ahead) => number }) {
  const points = (some: readonly Ahead[], from: number) => some.map((day, at) => [x(from + at), y(day)] as const)
  const ahead = (plan: readonly Ahead[]) => linePath(points([...days.slice(-1), ...plan], days.length - 1))
  return (
    <>
      <path class="line" d={linePath(points(days, 0))} />
      <path class="line ahead" d={ahead(rest)} />
      {usual.length > 0 && <path class="line ahead usual" d={ahead(usual)} />}
    </>
  )
}

function FormArea({ series, x }: PartProps) {
  const { days, rest, usual } = series
  const { top, height } = LAYOUT.form
  const forms = [...days, ...rest, ...usual].map(({ form }) => form)
  const [low, high] = [Math.min(0, ...forms), Math.max(0, ...forms)]
  const y = (value: number) => top + ((high - value) / Math.max(10, high - low)) * height
  const line = linePath(days.map(({ form }, index) => [x(index), y(form)] as const))
  return (
    <g style={{ '--accent': 'var(--muted)' }}>
      <PlotTitle y={top} text={TERMS.form} />
      <Level y={y(0)} text="0" isBase />
      {[high, low].map(
        (end) => Math.abs(y(end) - y(0)) >= NUMBER_PX && <Level key={end} y={y(end)} text={signed(end)} />,
      )}
      <path class="area" style={{ opacity: 0.16 }} d={`${line}L${x(days.length - 1)} ${y(0)}L${x(0)} ${y(0)}Z`} />
      <Lines series={series} x={x} y={({ form }) => y(form)} />
    </g>
  )
}

function LoadBars({ series: { days }, x }: PartProps) {
  const { top, height } = LAYOUT.load
  const step = x(1) - x(0)
  const bars = loadBars(days)
  const marks = ticks(Math.max(1, ...bars.map(({ load }) => load)), 2, true)
  const heightOf = (load: number) => (load / (marks.at(-1) ?? 1)) * height
  const bottom = top + height
  return (
    <g>
      <PlotTitle y={top} text={`Load by ${barUnit(days.length)}`} />
      <Levels at={marks} y={(mark) => bottom - heightOf(mark)} text={(mark) => number(mark)} />
      {bars.flatMap(({ start, length, sources }) => {
        let below = 0
        const gap = length * step > 5 ? 1.5 : 0.2
        return sources.map(([source, load]) => {
          below += load
          return (
            <rect
              key={`${start} ${source}`}
              fill={PAINTS[source] ?? PAINT}
              x={x(start - 0.5) + gap / 2}
              y={bottom - heightOf(below)}
              width={Math.max(0.8, length * step - gap)}
              height={heightOf(load)}
            />
          )
        })
      })}
    </g>
  )
}

/** Patterns that distinguish areas without colour. */
function Patterns() {
  return (
    <defs>
      <pattern id="tc-pace" width={4} height={4} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect fill={PAINT} width={2} height={4} />
      </pattern>
      <pattern id="tc-rough" width={4} height={4} patternUnits="userSpaceOnUse">
        <circle fill={PAINT} cx={2} cy={2} r={1.1} />
      </pattern>
      <pattern id="tc-warming" width={8} height={8} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect fill="var(--muted)" opacity={0.16} width={1.5} height={8} />
      </pattern>
    </defs>
  )
}
