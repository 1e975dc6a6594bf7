import type uPlot from 'uplot'
import { firstFrom } from '../../../engine/gather.ts'
import type { Units } from '../../format.ts'
import type { Ink } from '../ink.ts'
import { faded, paceRange, trimmedRange } from '../map/route-colours.ts'
import { axisTicks, type Metric, metricTicks, type Ticks } from './series.ts'

interface ChartLook {
  readonly ink: Ink
  readonly units: Units
  readonly axis: 'distance' | 'time'
  /** Whether labels are shown below; only by the last chart of a stack. */
  readonly hasAxis: boolean
  /** Whether the first line is that of a ghost. */
  readonly hasGhost: boolean
}

export interface ChartEvents {
  /** Called with the row under the pointer or a finger; -1: none. */
  readonly onRow: (row: number) => void
  /** Called with a stretch selected by dragging or with two fingers, in the unit of the axis. */
  readonly onSelect: (from: number, to: number) => void
  /** Called after a double click, as browsers also send it after a double tap. */
  readonly onReset: () => void
  /** Called with the place of a double tap. */
  readonly onToggleZoom: (at: number) => void
  /** Called when scales change, so that overlays can follow. */
  readonly onScale: () => void
}

const GUTTER_PX = 46
export const AXIS_PX = 26
export const CHART_PX = 132
export const ELEVATION_PX = 104
const LABEL_PX = 46
/** Space for half of the last label, which extends beyond the plot. */
const RIGHT_PX = 24
const ROW_PX = 25
/** The options of uPlot, with all of its own styling replaced. */
export function chartOptions(
  spec: ChartSpec,
  look: ChartLook,
  size: { readonly width: number; readonly height: number },
  events: ChartEvents,
): uPlot.Options {
  const { ink, units } = look
  const { metric } = spec
  const plainAxis: uPlot.Axis = {
    font: `11px ${ink.font}`,
    stroke: ink.muted,
    grid: { show: true, stroke: ink.line, width: 1 },
    ticks: { show: false },
    border: { show: false },
  }
  const plainLine: uPlot.Series = { spanGaps: false, points: { show: false } }
  const along = (from: number, to: number) =>
    axisTicks(look.axis, [from, to], { most: parts(size.width, LABEL_PX), units })
  return {
    ...size,
    padding: [10, RIGHT_PX, look.hasAxis ? 0 : 4, 0],
    legend: { show: false },
    pxAlign: false,
    cursor: {
      y: false,
      points: {
        size: 9,
        width: 2.5,
        stroke: () => ink.surface,
        fill: ({ series }, index) => {
          // the line of the chart is the last one, its second line the one before
          const fromLast = series.length - 1 - index
          return fromLast > (spec.also === null ? 0 : 1) ? ink.muted : lineColour(spec, fromLast === 1, ink)
        },
      },
      drag: { x: true, y: false, setScale: false, dist: 6 },
      bind: {
        dblclick: () => () => {
          events.onReset()
          return null
        },
      },
    },
    scales: {
      x: { time: false },
      y: { dir: metric === 'pace' ? -1 : 1, range: (chart) => visibleRange(chart, spec) },
    },
    axes: [
      {
        ...plainAxis,
        size: look.hasAxis ? AXIS_PX : 0,
        gap: 6,
        splits: (_, __, from, to) => along(from, to).values,
        values: (chart, splits) => {
          const { min = 0, max = 0 } = chart.scales.x ?? {}
          return look.hasAxis ? labelsWithUnit(along(min ?? 0, max ?? 0)) : splits.map(() => '')
        },
      },
      {
        ...plainAxis,
        size: GUTTER_PX,
        gap: 8,
        splits: (_, __, from, to) =>
          metricTicks(metric, [from, to], { most: parts(size.height, ROW_PX), units }).values,
        values: (chart) => {
          const { min = 0, max = 1 } = chart.scales.y ?? {}
          return metricTicks(metric, [min ?? 0, max ?? 1], { most: parts(size.height, ROW_PX), units }).labels
        },
      },
    ],
    series: [
      {},
      // thin and dashed, below the lines of the run
      ...(look.hasGhost ? [{ ...plainLine, stroke: ink.muted, width: 1.2, dash: [5, 4] }] : []),
      ...(spec.also === null ? [] : [{ ...plainLine, stroke: faded(ink.accent2, 0.75), width: 1.1 }]),
      { ...plainLine, ...lineOf(spec, ink) },
    ],
    hooks: {
      drawClear: [(chart) => drawBands(chart, spec, ink)],
      drawAxes: [
        ({ ctx }) => {
          // round joins of thousands of points take a tenth of the drawing, and differ by a fraction of a pixel
          ctx.lineJoin = 'bevel'
        },
      ],
      setCursor: [(chart) => events.onRow(chart.cursor.idx ?? -1)],
      setSelect: [
        (chart) => {
          const { left, width } = chart.select
          if (width > 0) events.onSelect(chart.posToVal(left, 'x'), chart.posToVal(left + width, 'x'))
          chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
        },
      ],
      setScale: [(_, key) => (key === 'x' ? events.onScale() : undefined)],
      ready: [events.onScale],
    },
  }
}

function parts(extentPx: number, eachPx: number): number {
  return Math.max(2, Math.floor(extentPx / eachPx))
}

/** The last label includes the unit. */
function labelsWithUnit({ labels, unit }: Ticks): string[] {
  if (unit === undefined) return labels
  return labels.map((label, index) => (index === labels.length - 1 ? `${label} ${unit}` : label))
}

/** Colour of a line, of its points and of its key. */
export function lineColour({ metric }: ChartSpec, isOther: boolean, ink: Ink): string {
  if (isOther) return ink.accent2
  if (metric === 'heartRate') return ink.zones[4] ?? ink.bad
  if (metric === 'elevation') return ink.muted
  if (metric === 'cadence') return ink.zones[1] ?? ink.accent
  if (metric === 'power') return ink.zones[2] ?? ink.accent2
  return ink.accent
}

function lineOf(spec: ChartSpec, ink: Ink): uPlot.Series {
  const colour = lineColour(spec, false, ink)
  const soft = faded(colour, spec.metric === 'elevation' ? 0.22 : 0.1)
  const isFilled = spec.metric === 'elevation' || spec.metric === 'pace' || spec.metric === 'power'
  return {
    stroke: (chart) => (spec.metric === 'heartRate' && spec.zones.length > 0 ? zoneStroke(chart, spec, ink) : colour),
    width: spec.metric === 'elevation' ? 1.25 : 1.6,
    ...(isFilled ? { fill: soft, fillTo: (chart: uPlot) => floorOf(chart) } : {}),
  }
}

/** The value at the lower edge; for paces the greatest one, since slow is low. */
function floorOf(chart: uPlot): number {
  const { min = 0, max = 0, dir = 1 } = chart.scales.y ?? {}
  return (dir === -1 ? max : min) ?? 0
}

/** A gradient that colours a line by heart-rate zone. */
function zoneStroke(chart: uPlot, { zones }: ChartSpec, ink: Ink): CanvasGradient | string {
  const { top, height } = chart.bbox
  if (!(height > 0)) return ink.accent
  const gradient = chart.ctx.createLinearGradient(0, top + height, 0, top)
  const place = (bpm: number) => Math.max(0, Math.min(1, 1 - (chart.valToPos(bpm, 'y', true) - top) / height))
  for (const [k, zone] of zones.entries()) {
    const colour = ink.zones[k] ?? ink.accent
    gradient.addColorStop(k === 0 ? 0 : place(zone.minBpm), colour)
    const next = zones[k + 1]
    gradient.addColorStop(next === undefined ? 1 : place(next.minBpm), colour)
  }
  return gradient
}

function drawBands(chart: uPlot, { metric, zones }: ChartSpec, ink: Ink): void {
  if (metric !== 'heartRate') return
  const { left, top, width, height } = chart.bbox
  for (const [k, zone] of zones.entries()) {
    const next = zones[k + 1]
    const low = k === 0 ? top + height : chart.valToPos(zone.minBpm, 'y', true)
    const high = next === undefined ? top : chart.valToPos(next.minBpm, 'y', true)
    const from = Math.max(top, Math.min(top + height, high))
    const to = Math.max(top, Math.min(top + height, low))
    if (to <= from) continue
    chart.ctx.fillStyle = faded(ink.zones[k] ?? ink.accent, ink.isDark ? 0.14 : 0.11)
    chart.ctx.fillRect(left, from, width, to - from)
  }
}

export interface ChartSpec {
  readonly metric: Metric
  /** A second line on the same scale, drawn below the first. */
  readonly also: Metric | null
  /** Bounds of the heart-rate zones in bpm; empty: no bands. */
  readonly zones: readonly { readonly minBpm: number; readonly maxBpm: number }[]
}

const SAMPLED_VALUES = 1500
/** The second line may extend the range of the first by this share at either end. */
const OTHER_SHARE = 0.25
/**
 * Shares of the lowest and highest values that are ignored for the scale: spikes, and for paces walking at crossings.
 * Heart rate and altitude are shown completely.
 */
const TRIMS: Readonly<Partial<Record<Metric, readonly [number, number]>>> = {
  pace: [0.003, 0.03],
  gap: [0.02, 0.05],
  cadence: [0.04, 0.004],
  power: [0.01, 0.002],
}
/** Smallest range of each scale, so that a steady run shows a calm line instead of enlarged sensor noise. */
const LEAST_SPANS: Readonly<Record<Metric, number>> = {
  pace: 60,
  gap: 60,
  heartRate: 30,
  elevation: 20,
  cadence: 24,
  power: 80,
  grade: 6,
  temperature: 6,
}

/** Range of the visible values, with a margin above and below. */
function visibleRange(chart: uPlot, { metric, also }: ChartSpec): [number, number] {
  const [xs, ...columns] = chart.data
  const { min = null, max = null } = chart.scales.x ?? {}
  const from = min === null ? 0 : firstFrom(xs as ArrayLike<number>, min)
  const to = max === null ? xs.length : firstFrom(xs as ArrayLike<number>, max) + 1
  const rangeOf = (name: Metric, column: Columns[number] | undefined) => {
    const trims = TRIMS[name]
    if (column === undefined) return null
    return trims === undefined ? extremes(column, from, to) : runningRange(name, sampled(column, from, to), trims)
  }
  // the line of the chart is the last one, its second line before it, that of a ghost the first
  const lines = also === null ? [metric] : [also, metric]
  const rangeAt = (fromLast: number) => {
    const name = lines.at(-fromLast)
    return name !== undefined ? rangeOf(name, columns.at(-fromLast)) : null
  }
  const own = rangeAt(1)
  const hasGhost = columns.length > lines.length
  const ghost = hasGhost && own !== null ? rangeOf(metric, columns[0]) : null
  const range = joined(withOther(own, rangeAt(2)), ghost)
  if (range === null) return [0, 1]
  const span = Math.max(LEAST_SPANS[metric], (range[1] - range[0]) * 1.16)
  const middle = (range[0] + range[1]) / 2
  return [middle - span / 2, middle + span / 2]
}

type Range = readonly [number, number]

/**
 * Combines the ranges of both lines; the second one extends the first only by a share, so that its spikes do not
 * flatten the first.
 */
export function withOther(own: Range | null, other: Range | null): Range | null {
  if (own === null || other === null) return own ?? other
  const most = (own[1] - own[0]) * OTHER_SHARE
  return [Math.max(own[0] - most, Math.min(own[0], other[0])), Math.min(own[1] + most, Math.max(own[1], other[1]))]
}

/** Both ranges in one: a ghost may be far slower, and is compared all the same. */
function joined(range: Range | null, ghost: Range | null): Range | null {
  if (range === null || ghost === null) return range
  return [Math.min(range[0], ghost[0]), Math.max(range[1], ghost[1])]
}

/** Range of values while running: standing and walking are ignored for steps, power and pace. */
function runningRange(metric: Metric, values: Float64Array, trims: readonly [number, number]): Range | null {
  if (metric === 'pace' || metric === 'gap') return paceRange(values, ...trims)
  return trimmedRange(
    values.filter((value) => value > 0),
    ...trims,
  )
}

type Columns = readonly ArrayLike<number | null | undefined>[]

/**
 * A sample of the values that suffices for quantiles; sorting 40,000 values of five charts at each zoom would be slow.
 */
function sampled(column: Columns[number], from: number, to: number): Float64Array {
  const step = Math.max(1, Math.floor((to - from) / SAMPLED_VALUES))
  const values: number[] = []
  for (let i = from; i < to; i += step) values.push(column[i] ?? Number.NaN)
  return Float64Array.from(values)
}

function extremes(column: Columns[number], from: number, to: number): Range | null {
  let least = Infinity
  let most = -Infinity
  for (let i = from; i < to; i += 1) {
    const value = column[i]
    if (value === null || value === undefined) continue
    if (value < least) least = value
    if (value > most) most = value
  }
  return least <= most ? [least, most] : null
}

const DOUBLE_TAP_MS = 320
const TAP_PX = 14
const RECENT_MS = 800
/** Fingers closer than this define no scale. */
const LEAST_APART_PX = 12

/**
 * One finger moves the cursor, two zoom and pan, a double tap zooms in and out; vertical movement still scrolls the
 * page.
 * @returns whether a touch ended a moment ago: browsers then also send mouse events
 */
export function followTouch(chart: uPlot, events: ChartEvents): () => boolean {
  const { over } = chart
  const fingers = new Map<number, number>()
  /** The values under the two fingers. */
  let held: Range | null = null
  let tap: { readonly x: number; readonly atMs: number } | null = null
  let lastMs = 0
  const placeOf = ({ clientX }: PointerEvent) => clientX - over.getBoundingClientRect().left
  const isTouch = ({ pointerType }: PointerEvent) => pointerType === 'touch'

  const onDown = (event: PointerEvent) => {
    if (!isTouch(event)) return
    lastMs = performance.now()
    fingers.set(event.pointerId, placeOf(event))
    if (fingers.size === 1) return events.onRow(chart.posToIdx(placeOf(event)))
    tap = null
    events.onRow(-1)
    const [a = 0, b = 0] = fingers.values()
    held = [chart.posToVal(a, 'x'), chart.posToVal(b, 'x')]
  }
  const onMove = (event: PointerEvent) => {
    if (!isTouch(event) || !fingers.has(event.pointerId)) return
    lastMs = performance.now()
    fingers.set(event.pointerId, placeOf(event))
    if (held === null) return events.onRow(chart.posToIdx(placeOf(event)))
    const [a = 0, b = 0] = fingers.values()
    const xs = chart.data[0]
    const whole: Range = [xs[0] ?? 0, xs.at(-1) ?? 0]
    const range = pinchedRange(held, [a, b], { widthPx: over.clientWidth, whole })
    if (range !== null) events.onSelect(...range)
  }
  const onUp = (event: PointerEvent) => {
    if (!isTouch(event) || !fingers.delete(event.pointerId)) return
    const atMs = performance.now()
    lastMs = atMs
    if (held !== null) {
      // the remaining finger must not move the cursor
      if (fingers.size === 0) held = null
      return
    }
    const x = placeOf(event)
    const isDouble = tap !== null && atMs - tap.atMs < DOUBLE_TAP_MS && Math.abs(x - tap.x) < TAP_PX
    tap = isDouble ? null : { x, atMs }
    if (isDouble) events.onToggleZoom(chart.posToVal(x, 'x'))
  }
  const onCancel = (event: PointerEvent) => {
    if (!isTouch(event) || !fingers.delete(event.pointerId)) return
    if (fingers.size === 0) held = null
    tap = null
    events.onRow(-1)
  }
  over.addEventListener('pointerdown', onDown)
  over.addEventListener('pointermove', onMove)
  over.addEventListener('pointerup', onUp)
  over.addEventListener('pointercancel', onCancel)
  return () => performance.now() - lastMs < RECENT_MS
}

/**
 * The visible range such that two values stay under two fingers, within the whole.
 * @param pixels current positions of the fingers
 * @returns null while they are too close
 */
export function pinchedRange(
  [heldA, heldB]: Range,
  [a, b]: Range,
  { widthPx, whole: [first, last] }: { readonly widthPx: number; readonly whole: Range },
): Range | null {
  const perPx = (heldB - heldA) / (b - a)
  if (Math.abs(b - a) < LEAST_APART_PX || !(perPx > 0)) return null
  const extent = Math.min(last - first, perPx * widthPx)
  const from = Math.max(first, Math.min(last - extent, heldA - a * perPx))
  return [from, from + extent]
}

/** A part of a range around a value, shifted to stay within the range. @param share from 0 to 1 */
export function around(at: number, [first, last]: Range, share: number): Range {
  const extent = (last - first) * share
  const from = Math.max(first, Math.min(last - extent, at - extent / 2))
  return [from, from + extent]
}
