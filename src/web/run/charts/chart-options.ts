import type uPlot from 'uplot'
import type { Units } from '../../format.ts'
import type { Ink } from '../ink.ts'
import { css, parsedColour } from '../map/colour-scale.ts'
import { zoneColour } from '../map/route-colours.ts'
import { type ChartSpec, visibleRange } from './chart-scale.ts'
import { axisTicks, metricTicks, type Ticks } from './metrics.ts'
import type { Metric } from './series.ts'

interface ChartLook {
  readonly ink: Ink
  readonly units: Units
  readonly axis: 'distance' | 'time'
  /** Whether labels are shown below; only by the last chart of a stack. */
  readonly hasAxis: boolean
  /** Whether the first line is that of a ghost. */
  readonly hasGhost: boolean
  /** Lines that are switched off. */
  readonly hidden: readonly Metric[]
}

interface ChartEvents {
  /** Called with the row under the pointer; -1: none. */
  readonly onRow: (row: number) => void
  /** Called with a selected stretch, in the unit of the axis. */
  readonly onSelect: (from: number, to: number) => void
  readonly onReset: () => void
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
  { size, events }: { readonly size: { width: number; height: number }; readonly events: ChartEvents },
): uPlot.Options {
  const { ink, units } = look
  const { metric } = spec
  const font = `11px ${ink.font}`
  const isDown = metric === 'pace'
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
        fill: (chart, index) => pointColour(chart, index, { spec, ink }),
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
      y: { dir: isDown ? -1 : 1, range: (chart) => visibleRange(chart, spec) },
    },
    axes: [
      {
        show: true,
        size: look.hasAxis ? AXIS_PX : 0,
        font,
        stroke: ink.muted,
        gap: 6,
        grid: { show: true, stroke: ink.line, width: 1 },
        ticks: { show: false },
        border: { show: false },
        splits: (_, __, from, to) => along(from, to).values,
        values: (chart, splits) => {
          const { min = 0, max = 0 } = chart.scales.x ?? {}
          return look.hasAxis ? labelsWithUnit(along(min ?? 0, max ?? 0)) : splits.map(() => '')
        },
      },
      {
        size: GUTTER_PX,
        font,
        stroke: ink.muted,
        gap: 8,
        grid: { show: true, stroke: ink.line, width: 1 },
        ticks: { show: false },
        border: { show: false },
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
      ...(look.hasGhost ? [{ ...ghostLine(ink), show: !look.hidden.includes(metric) }] : []),
      ...(spec.also === null ? [] : [{ ...alsoLine(ink), show: !look.hidden.includes(spec.also) }]),
      { ...lineOf(spec, ink), show: !look.hidden.includes(metric) },
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
  const soft = css(parsedColour(colour) ?? [128, 128, 128], spec.metric === 'elevation' ? 0.22 : 0.1)
  const isFilled = spec.metric === 'elevation' || spec.metric === 'pace' || spec.metric === 'power'
  return {
    stroke: (chart) => (spec.metric === 'heartRate' && spec.zones.length > 0 ? zoneStroke(chart, spec, ink) : colour),
    width: spec.metric === 'elevation' ? 1.25 : 1.6,
    spanGaps: false,
    points: { show: false },
    ...(isFilled ? { fill: soft, fillTo: (chart: uPlot) => floorOf(chart) } : {}),
  }
}

function alsoLine(ink: Ink): uPlot.Series {
  return {
    stroke: css(parsedColour(ink.accent2) ?? [128, 128, 128], 0.75),
    width: 1.1,
    spanGaps: false,
    points: { show: false },
  }
}

/** Thin and dashed, below the lines of the run. */
function ghostLine(ink: Ink): uPlot.Series {
  return { stroke: ink.muted, width: 1.2, dash: [5, 4], spanGaps: false, points: { show: false } }
}

/** Colour of the point on a line; the line of the chart is the last one, its second line the one before. */
function pointColour(
  { series }: uPlot,
  index: number,
  { spec, ink }: { readonly spec: ChartSpec; readonly ink: Ink },
): string {
  const fromLast = series.length - 1 - index
  if (fromLast > (spec.also === null ? 0 : 1)) return ink.muted
  return lineColour(spec, fromLast === 1, ink)
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
    chart.ctx.fillStyle = css(zoneColour(ink, k), ink.isDark ? 0.14 : 0.11)
    chart.ctx.fillRect(left, from, width, to - from)
  }
}
