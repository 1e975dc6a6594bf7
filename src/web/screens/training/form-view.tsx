import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { attempt } from '../../actions.ts'
import { api } from '../../api.ts'
import { Level, Levels, Line, MonthNames, Plot, PlotTitle, TableView } from '../../charts/plot.tsx'
import { linePath, ticks } from '../../charts/scale.ts'
import { date, localDay, lowered, number, roughDistance, runName, shiftedDay, signed, text } from '../../format.ts'
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
import { allDays, barUnit, extent, type FormSeries, formSeries, loadBars, morningOf, weekLoad } from './series.ts'
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

function Course() {
  const [span, setSpan] = useState<Span>('3')
  const [day, setDay] = useState<string | null>(null)
  const { series: data, error } = useFormSeries(DAYS_BACK[span])
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
            <p class="tc-key flow small" aria-hidden="true">
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
function useFormSeries(dayCount: number | null) {
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
function DayRuns({ day, onClose }: DayRunsProps) {
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

/** Position and height of a part, pixels. */
interface Place {
  readonly top: number
  readonly height: number
}
const LAYOUT = {
  fitness: { top: 20, height: 150 },
  form: { top: 196, height: 84 },
  load: { top: 314, height: 70 },
  height: 412,
}
/** Loads that were not measured have a pattern, so that colour is not the only distinction. */
const PATTERNS: Readonly<Record<string, string>> = { pace: 'tc-pace', rpe: 'tc-rough', duration: 'tc-rough' }

/** Height of a number of the axis, pixels; closer to zero its place is not shown. */
const NUMBER_PX = 13

/** With more days than this lines are thinner. */
const MANY = 200

type Point = readonly [x: number, y: number]

interface FormChartProps {
  readonly series: FormSeries
  /** Called when a day with runs is chosen. */
  readonly onDay: (day: string) => void
}

/** Fitness and fatigue, form, and load below each other with a common cursor; future days are dashed. */
function FormChart({ series, onDay }: FormChartProps) {
  const { days, rest } = series
  const count = days.length + rest.length
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
            <Warming days={days} x={x} height={LAYOUT.height - 38} />
            <FitnessLines place={LAYOUT.fitness} series={series} x={x} />
            <FormArea place={LAYOUT.form} series={series} x={x} />
            <LoadBars place={LAYOUT.load} days={days} x={x} />
            <Months series={series} x={x} />
            {rest.length > 0 && <Line at={x(days.length - 0.5)} class="tc-now" />}
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
  readonly place: Place
  readonly series: FormSeries
  readonly x: (index: number) => number
}

interface WarmingProps {
  readonly days: FormSeries['days']
  readonly x: PartProps['x']
  readonly height: number
}

/** Background of the days on which the averages are still warming up. */
function Warming({ days, x, height }: WarmingProps) {
  const count = days.filter(({ warmingUp }) => warmingUp).length
  if (count === 0) return null
  return <rect fill="url(#tc-warming)" x={x(-0.5)} y={12} width={x(count) - x(0)} height={height} />
}

function FitnessLines({ place, series: { days, rest, usual }, x }: PartProps) {
  const all = [...days, ...rest, ...usual].flatMap(({ fitness, fatigue }) => [fitness, fatigue])
  const marks = ticks(Math.max(1, ...all), 3, true)
  const max = marks.at(-1) ?? 1
  const y = (value: number) => place.top + (1 - value / max) * place.height
  const line = (name: 'fitness' | 'fatigue') => days.map((day, index): Point => [x(index), y(day[name])])
  const ahead = (name: 'fitness' | 'fatigue', plan: FormSeries['rest']) => {
    const last = days.at(-1)
    const start: Point[] = last === undefined ? [] : [[x(days.length - 1), y(last[name])]]
    return [...start, ...plan.map((day, index): Point => [x(days.length + index), y(day[name])])]
  }
  return (
    <g>
      <PlotTitle y={place.top} text="Fitness and fatigue" />
      <Levels at={marks} y={y} text={(mark) => number(mark)} />
      <path class="line tc-fatigue" d={linePath(line('fatigue'))} />
      <path class="line tc-fatigue ahead" d={linePath(ahead('fatigue', rest))} />
      <path class="line" d={linePath(line('fitness'))} />
      <path class="line ahead" d={linePath(ahead('fitness', rest))} />
      <path class="line ahead usual" d={linePath(ahead('fitness', usual))} />
    </g>
  )
}

function FormArea({ place, series: { days, rest, usual }, x }: PartProps) {
  const [low, high] = extent([...days, ...rest, ...usual].map(({ form }) => form))
  const span = Math.max(10, high - low)
  const y = (value: number) => place.top + ((high - value) / span) * place.height
  const line = days.map((day, index): Point => [x(index), y(day.form)])
  const ahead = (plan: FormSeries['rest']) => [
    ...line.slice(-1),
    ...plan.map((day, index): Point => [x(days.length + index), y(day.form)]),
  ]
  const ends = `L${x(days.length - 1)} ${y(0)}L${x(0)} ${y(0)}Z`
  return (
    <g>
      <PlotTitle y={place.top} text={TERMS.form} />
      <Level y={y(0)} text="0" isBase />
      {[high, low].map(
        (end) => Math.abs(y(end) - y(0)) >= NUMBER_PX && <Level key={end} y={y(end)} text={signed(end)} />,
      )}
      {line.length > 0 && <path class="tc-form-area" d={linePath(line) + ends} />}
      <path class="line tc-form" d={linePath(line)} />
      <path class="line tc-form ahead" d={linePath(ahead(rest))} />
      <path class="line tc-form ahead usual" d={linePath(ahead(usual))} />
    </g>
  )
}

interface LoadBarsProps extends Pick<PartProps, 'place' | 'x'> {
  readonly days: FormSeries['days']
}

function LoadBars({ place, days, x }: LoadBarsProps) {
  const step = x(1) - x(0)
  const bars = loadBars(days)
  const marks = ticks(Math.max(1, ...bars.map(({ load }) => load)), 2, true)
  const max = marks.at(-1) ?? 1
  const height = (load: number) => (load / max) * place.height
  const bottom = place.top + place.height
  return (
    <g>
      <PlotTitle y={place.top} text={`Load by ${barUnit(days.length)}`} />
      <Levels at={marks} y={(mark) => bottom - height(mark)} text={(mark) => number(mark)} />
      {bars.flatMap(({ start, length, sources }) => {
        let below = 0
        const gap = length * step > 5 ? 1.5 : 0.2
        return sources.map(([source, load]) => {
          below += load
          const pattern = PATTERNS[source]
          const box = { x: x(start - 0.5) + gap / 2, y: bottom - height(below), height: height(load) }
          const width = Math.max(0.8, length * step - gap)
          const fill = pattern === undefined ? {} : { style: { fill: `url(#${pattern})` } }
          return <rect key={`${start} ${source}`} class="tc-fill" {...box} width={width} {...fill} />
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
        <rect class="tc-fill" width={2} height={4} />
      </pattern>
      <pattern id="tc-rough" width={4} height={4} patternUnits="userSpaceOnUse">
        <circle class="tc-fill" cx={2} cy={2} r={1.1} />
      </pattern>
      <pattern id="tc-warming" width={8} height={8} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect class="tc-hatch" width={1.5} height={8} />
      </pattern>
    </defs>
  )
}

interface MonthsProps {
  readonly series: FormSeries
  readonly x: (index: number) => number
}

/** Names of the months of the days that are drawn. */
function Months({ series: { days, rest }, x }: MonthsProps) {
  const firsts = [...days, ...rest].flatMap(({ date: day }, index) =>
    day.endsWith('-01') ? [{ day, x: x(index) }] : [],
  )
  return <MonthNames firsts={firsts} />
}
