import { MonthNames } from '../../charts/month-names.tsx'
import { Level, Levels, Line, Plot, PlotTitle } from '../../charts/plot.tsx'
import { linePath, ticks } from '../../charts/scale.ts'
import { date, number, signed } from '../../format.ts'
import { TERMS } from '../../words.ts'
import { barUnit, extent, type FormSeries, loadBars, morningOf, weekLoad } from './form-series.ts'

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
export function FormChart({ series, onDay }: FormChartProps) {
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
export function Patterns() {
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
export function Months({ series: { days, rest }, x }: MonthsProps) {
  const firsts = [...days, ...rest].flatMap(({ date: day }, index) =>
    day.endsWith('-01') ? [{ day, x: x(index) }] : [],
  )
  return <MonthNames firsts={firsts} />
}
