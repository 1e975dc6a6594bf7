import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import type { PaceClock } from '../../format.ts'
import { useUnits } from '../../state.ts'
import { useInk } from '../ink.ts'
import { inTurn, type RunView, type Section, useDrawing } from '../run-view.ts'
import {
  AXIS_PX,
  around,
  CHART_PX,
  type ChartSpec,
  type ChartTouch,
  chartOptions,
  ELEVATION_PX,
  followTouch,
  lineColour,
} from './chart-options.ts'
import { METRIC_NAMES, type Metric, metricQuantity, nearestRow, type RunSeries, sectionMean } from './series.ts'

/** Share of the visible range after a double tap. */
const TAP_ZOOM = 0.3

interface ChartProps {
  readonly spec: ChartSpec
  readonly series: RunSeries
  readonly means: Means
  /** The line of a ghost, a value for every row; null: none. */
  readonly ghost: Float64Array | null
  /** Metres or seconds of every row. */
  readonly xs: number[]
  readonly axis: 'distance' | 'time'
  readonly view: RunView
  readonly isLast: boolean
  readonly onZoom: (from: number, to: number) => void
}

/** A chart of one metric along the run. */
export function Chart(props: ChartProps) {
  const { spec, series, means, ghost, xs, axis, view, isLast, onZoom } = props
  const units = useUnits()
  const ink = useInk()
  const host = useRef<HTMLDivElement>(null)
  const band = useRef<HTMLDivElement | null>(null)
  const ghostMark = useRef<HTMLDivElement | null>(null)
  const plot = useRef<uPlot | null>(null)
  const touch = useRef<ChartTouch | null>(null)
  const zoomTo = useRef(onZoom)
  zoomTo.current = onZoom
  const height = (spec.metric === 'elevation' ? ELEVATION_PX : CHART_PX) + (isLast ? AXIS_PX - 4 : 0)
  const data = useMemo<uPlot.AlignedData>(() => {
    const names = spec.also === null ? [spec.metric] : [spec.also, spec.metric]
    const lines = names.map((name) => withNulls(series.metrics[name]))
    return [xs, ...(ghost === null ? [] : [withNulls(ghost)]), ...lines]
  }, [xs, series, spec, ghost])

  const placeBand = () => {
    placed(band.current, plot.current, { section: view.section.get(), series, xs })
  }
  useLayoutEffect(() => {
    const element = host.current
    if (element === null) return
    const options = chartOptions(
      spec,
      { ink, units, axis, hasAxis: isLast, hasGhost: ghost !== null },
      {
        size: { width: element.clientWidth, height },
        events: {
          onRow: (row) => view.cursor.set(row),
          onSelect: (from, to) => zoomTo.current(from, to),
          // a double tap is handled by the touch events
          onReset: () => (touch.current?.isRecent() === true ? undefined : view.zoom.set(null)),
          onScale: () => placeBand(),
        },
      },
    )
    const made = new uPlot(options, data, element)
    touch.current = followTouch(made, {
      onRow: (row) => view.cursor.set(row),
      onRange: (from, to) => zoomTo.current(from, to),
      onToggleZoom: (at) => {
        if (view.zoom.get() !== null) return view.zoom.set(null)
        const [first = 0, last = 0] = [xs[0], xs.at(-1)]
        zoomTo.current(...around(at, [first, last], TAP_ZOOM))
      },
    })
    plot.current = made
    // dims the chart outside a stretch
    band.current = added(added(made.over, 'chart-dim'), 'chart-band')
    ghostMark.current = added(made.over, 'chart-ghost')
    ghostMark.current.hidden = true
    showZoom(made, { zoom: view.zoom.get(), series, xs })
    const observer = new ResizeObserver(() => {
      if (element.clientWidth > 0 && element.clientWidth !== made.width) {
        made.setSize({ width: element.clientWidth, height })
        placeBand()
      }
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      touch.current?.stop()
      touch.current = null
      made.destroy()
      plot.current = null
    }
  }, [spec, ink, units, axis, isLast, data, height])

  useEffect(() => {
    const show = () => {
      if (plot.current !== null) showZoom(plot.current, { zoom: view.zoom.get(), series, xs })
    }
    // drawing all charts in one frame would be noticeable
    return view.zoom.watch(() => inTurn(show))
  }, [view, series, xs])
  useDrawing([view.cursor], () => pointAt(plot.current, view.cursor.get(), xs), [data, ink])
  useDrawing([view.section], placeBand, [data, ink])
  useDrawing([view.cursor, view.ghost, view.zoom], () => {
    const row = view.cursor.get()
    placeGhost(ghostMark.current, plot.current, row < 0 ? null : (xs[view.ghost.get()?.rowOf(row) ?? -1] ?? null))
  }, [data, ink])

  const key = { series, means, view }
  return (
    <div class="run-chart">
      <div class="chart-head flow small">
        <ChartKey
          metric={spec.metric}
          colour={lineColour(spec, false, ink)}
          isZoned={spec.metric === 'heartRate' && spec.zones.length > 0}
          {...key}
        />
        {spec.also !== null && <ChartKey metric={spec.also} colour={lineColour(spec, true, ink)} {...key} />}
        {ghost !== null && <GhostKey metric={spec.metric} values={ghost} view={view} />}
        {spec.zones.length > 0 && <ZoneKey />}
      </div>
      <div class="chart-host" ref={host} style={{ height: `${height}px` }} />
    </div>
  )
}

function withNulls(values: Float64Array | null): (number | null)[] {
  return values === null ? [] : Array.from(values, (value) => (Number.isNaN(value) ? null : value))
}

interface Place {
  readonly series: RunSeries
  readonly xs: readonly number[]
}

function showZoom(chart: uPlot, { zoom, series, xs }: Place & { readonly zoom: Section | null }): void {
  const min = zoom === null ? xs[0]! : xs[nearestRow(series.elapsedS, zoom.fromS)]!
  const max = zoom === null ? xs.at(-1)! : xs[nearestRow(series.elapsedS, zoom.toS)]!
  if (max > min) chart.setScale('x', { min, max })
}

/** Moves the cursor without sending an event. */
function pointAt(chart: uPlot | null, row: number, xs: readonly number[]): void {
  if (chart === null) return
  const left = row < 0 ? -10 : chart.valToPos(xs[row]!, 'x')
  if (chart.cursor.idx === row && row >= 0) return
  chart.setCursor({ left, top: row < 0 ? -10 : 0 }, false)
}

/** Moves the line that runs along with the cursor, where the ghost is at the same time. @param x null: hidden */
function placeGhost(mark: HTMLDivElement | null, chart: uPlot | null, x: number | null): void {
  if (mark === null || chart === null) return
  const left = x === null ? -1 : chart.valToPos(x, 'x')
  mark.hidden = left < 0 || left > chart.over.clientWidth
  mark.style.left = `${left}px`
}

function added(over: HTMLElement, name: string): HTMLDivElement {
  const element = document.createElement('div')
  element.className = name
  over.append(element)
  return element
}

/** Positions the stretch that a table row refers to. */
function placed(
  band: HTMLDivElement | null,
  chart: uPlot | null,
  { section, series, xs }: Place & { readonly section: Section | null },
): void {
  if (band === null || chart === null) return
  band.hidden = section === null
  if (section === null) return
  const width = chart.over.clientWidth
  const [left = 0, right = 0] = [section.fromS, section.toS].map((atS) => {
    const px = chart.valToPos(xs[nearestRow(series.elapsedS, atS)]!, 'x')
    return Math.max(0, Math.min(width, px))
  })
  band.style.left = `${left}px`
  band.style.width = `${right - left}px`
}

/** Means of the whole run, and the clock of its paces; means that are absent or null are computed from the samples. */
export interface Means extends Readonly<Partial<Record<Metric, number | null>>> {
  readonly clock: PaceClock
}

/** What shows the colour of a line in those of the zones. */
const ZONED = 'linear-gradient(90deg, var(--zone2), var(--zone3), var(--zone4))'

interface KeyProps {
  readonly metric: Metric
  readonly colour: string
  /** The line is drawn in the colours of the zones. */
  readonly isZoned?: boolean
  readonly series: RunSeries
  readonly means: Means
  readonly view: RunView
}

/** Names a line, and shows its value under the cursor, or its mean over the visible part. */
function ChartKey({ metric, colour, isZoned = false, series, means, view }: KeyProps) {
  const units = useUnits()
  const value = useRef<HTMLSpanElement>(null)
  const kind = useRef<HTMLSpanElement>(null)
  const unit = metricQuantity(metric, Number.NaN, units).unit
  useDrawing([view.cursor, view.section, view.zoom], () => {
    const row = view.cursor.get()
    const shown = row < 0 ? meanShown(metric, { series, means, view }) : (series.metrics[metric]?.[row] ?? Number.NaN)
    if (value.current === null || kind.current === null) return
    kind.current.textContent = row < 0 && shown !== null ? 'avg' : ''
    const text = (one: number) => metricQuantity(metric, one, units).value
    const range = shown === null ? extentShown(metric, { series, view }) : null
    const [low, high] = range === null ? [text(shown ?? Number.NaN), ''] : range.map(text)
    value.current.textContent = high === '' || high === low ? `${low}` : `${low}–${high}`
  }, [series, means, units, metric])
  return (
    <span class="level gap-1 muted">
      <span class="chart-swatch" style={{ background: isZoned ? ZONED : colour }} />
      {METRIC_NAMES[metric]}
      <span class="chart-kind tiny" ref={kind} />
      <span>
        <span class="chart-value" ref={value} /> <span class="chart-unit tiny">{unit}</span>
      </span>
    </span>
  )
}

interface GhostKeyProps extends Pick<KeyProps, 'metric' | 'view'> {
  /** A value for every row of the run. */
  readonly values: Float64Array
}

/** Names the line of the ghost, and shows its value at the place under the cursor. */
function GhostKey({ metric, values, view }: GhostKeyProps) {
  const units = useUnits()
  const value = useRef<HTMLSpanElement>(null)
  const { unit } = metricQuantity(metric, Number.NaN, units)
  useDrawing([view.cursor], () => {
    const row = view.cursor.get()
    if (value.current === null) return
    value.current.textContent = row < 0 ? '' : metricQuantity(metric, values[row] ?? Number.NaN, units).value
  }, [values, units, metric])
  return (
    <span class="level gap-1 muted">
      <span class="chart-swatch dashed" />
      Ghost
      <span>
        <span class="chart-value" ref={value} /> <span class="chart-unit tiny">{unit}</span>
      </span>
    </span>
  )
}

function meanShown(
  metric: Metric,
  { series, means, view }: Pick<KeyProps, 'series' | 'means' | 'view'>,
): number | null {
  const section = view.section.get() ?? view.zoom.get()
  if (section !== null) return sectionMean(series, metric, section, means.clock)
  const whole = { fromS: series.elapsedS[0]!, toS: series.elapsedS.at(-1)! }
  return means[metric] ?? sectionMean(series, metric, whole, means.clock)
}

/** Range of a metric whose mean is not meaningful, such as altitude. */
function extentShown(
  metric: Metric,
  { series, view }: Pick<KeyProps, 'series' | 'view'>,
): readonly [number, number] | null {
  const section = view.section.get() ?? view.zoom.get()
  const from = section === null ? 0 : nearestRow(series.elapsedS, section.fromS)
  const to = section === null ? series.n - 1 : nearestRow(series.elapsedS, section.toS)
  const values = series.metrics[metric]?.subarray(from, to + 1).filter((value) => !Number.isNaN(value))
  if (values === undefined || values.length === 0) return null
  const sorted = values.sort()
  return [sorted[0]!, sorted.at(-1)!]
}

function ZoneKey() {
  return (
    <span class="chart-zones level muted tiny" aria-hidden="true">
      {[1, 2, 3, 4, 5].map((zone) => (
        <span key={zone} class="level gap-1">
          <span class="zone-dot" style={{ background: `var(--zone${zone})` }} />Z{zone}
        </span>
      ))}
    </span>
  )
}
