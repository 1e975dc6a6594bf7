import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import type { Units } from '../../format.ts'
import type { PaceClock } from '../../shown-pace.ts'
import { useInk } from '../ink.ts'
import { inFrame, type RunView, useDrawing } from '../run-view.ts'
import type { Section } from '../types.ts'
import { AXIS_PX, CHART_PX, type ChartSpec, chartOptions, ELEVATION_PX, lineColour } from './chart-options.ts'
import { METRIC_NAMES, metricQuantity } from './metrics.ts'
import { type Metric, nearestRow, type RunSeries, sectionMean } from './series.ts'

/** Means of the whole run, and the clock that its paces go by; what is absent or null is taken from the samples. */
export interface Means extends Readonly<Partial<Record<Metric, number | null>>> {
  readonly clock: PaceClock
}

interface ChartProps {
  readonly spec: ChartSpec
  readonly series: RunSeries
  readonly means: Means
  /** Metres or seconds of every row. */
  readonly xs: number[]
  readonly axis: 'distance' | 'time'
  readonly units: Units
  readonly view: RunView
  /** From the top, 0 is the first. */
  readonly place: number
  readonly isLast: boolean
  readonly onZoom: (from: number, to: number) => void
}

/** One measure along the run. */
export function Chart({ spec, series, means, xs, axis, units, view, place, isLast, onZoom }: ChartProps) {
  const ink = useInk()
  const host = useRef<HTMLDivElement>(null)
  const band = useRef<HTMLDivElement | null>(null)
  const plot = useRef<uPlot | null>(null)
  const zoomTo = useRef(onZoom)
  zoomTo.current = onZoom
  const height = (spec.metric === 'elevation' ? ELEVATION_PX : CHART_PX) + (isLast ? AXIS_PX - 4 : 0)
  const data = useMemo<uPlot.AlignedData>(() => {
    const names = spec.also === null ? [spec.metric] : [spec.also, spec.metric]
    return [xs, ...names.map((name) => withNulls(series.metrics[name]))]
  }, [xs, series, spec])

  const placeBand = () => placed(band.current, plot.current, { section: view.section.get(), series, xs })
  useLayoutEffect(() => {
    const element = host.current
    if (element === null) return
    const options = chartOptions(
      spec,
      { ink, units, axis, hasAxis: isLast },
      {
        size: { width: element.clientWidth, height },
        events: {
          onRow: (row) => view.cursor.set(row),
          onSelect: (from, to) => zoomTo.current(from, to),
          onReset: () => view.zoom.set(null),
          onScale: () => placeBand(),
        },
      },
    )
    const made = new uPlot(options, data, element)
    const mark = document.createElement('div')
    mark.className = 'chart-band'
    made.over.append(mark)
    const stopTouch = followTouch(made, view)
    plot.current = made
    band.current = mark
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
      stopTouch()
      made.destroy()
      plot.current = null
    }
  }, [spec, ink, units, axis, isLast, data, height])

  useEffect(() => {
    const show = () => {
      if (plot.current !== null) showZoom(plot.current, { zoom: view.zoom.get(), series, xs })
    }
    // one chart a frame: all of them in one would be felt
    return view.zoom.watch(() => inFrame(place, show))
  }, [view, series, xs, place])
  useDrawing([view.cursor], () => pointAt(plot.current, view.cursor.get(), xs), [data, ink])
  useDrawing([view.section], placeBand, [data, ink])

  const shown = { series, means, units, view }
  return (
    <div class="run-chart">
      <div class="chart-head" aria-hidden="true">
        <Key
          metric={spec.metric}
          colour={lineColour(spec, false, ink)}
          isZoned={spec.metric === 'heartRate' && spec.zones.length > 0}
          {...shown}
        />
        {spec.also !== null && <Key metric={spec.also} colour={lineColour(spec, true, ink)} {...shown} />}
        {spec.zones.length > 0 && <ZoneKey />}
      </div>
      <div class="chart-host" ref={host} style={{ height: `${height}px` }} />
    </div>
  )
}

interface KeyProps {
  readonly metric: Metric
  readonly colour: string
  /** The line has the colours of the zones instead. */
  readonly isZoned?: boolean
  readonly series: RunSeries
  readonly means: Means
  readonly units: Units
  readonly view: RunView
}

/** Name of a line and its value under the cursor, or its mean over what is shown. */
function Key({ metric, colour, isZoned = false, series, means, units, view }: KeyProps) {
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
    <span class="chart-key">
      <span class={isZoned ? 'chart-swatch zoned' : 'chart-swatch'} style={{ color: colour }} />
      {METRIC_NAMES[metric]}
      <span class="chart-kind" ref={kind} />
      <span>
        <span class="chart-value" ref={value} /> <span class="chart-unit">{unit}</span>
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

/** Of what has no mean worth telling, such as an altitude. */
function extentShown(
  metric: Metric,
  { series, view }: Pick<KeyProps, 'series' | 'view'>,
): readonly [number, number] | null {
  const section = view.section.get() ?? view.zoom.get()
  const from = section === null ? 0 : nearestRow(series.elapsedS, section.fromS)
  const to = section === null ? series.n - 1 : nearestRow(series.elapsedS, section.toS)
  const values = series.metrics[metric]?.subarray(from, to + 1).filter((value) => !Number.isNaN(value))
  if (values === undefined || values.length === 0) return null
  let [least, most] = [Infinity, -Infinity]
  for (const value of values) {
    least = Math.min(least, value)
    most = Math.max(most, value)
  }
  return [least, most]
}

function ZoneKey() {
  return (
    <span class="chart-zones">
      {[1, 2, 3, 4, 5].map((zone) => (
        <span key={zone}>
          <span class={`zone-dot zone${zone}`} />Z{zone}
        </span>
      ))}
    </span>
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

/** Moves the cursor without telling of it again. */
function pointAt(chart: uPlot | null, row: number, xs: readonly number[]): void {
  if (chart === null) return
  const left = row < 0 ? -10 : chart.valToPos(xs[row]!, 'x')
  if (chart.cursor.idx === row && row >= 0) return
  chart.setCursor({ left, top: row < 0 ? -10 : 0 }, false)
}

/** The stretch that a table speaks of, as a band over the chart. */
function placed(
  band: HTMLDivElement | null,
  chart: uPlot | null,
  { section, series, xs }: Place & { readonly section: Section | null },
): void {
  if (band === null || chart === null) return
  band.hidden = section === null
  if (section === null) return
  const from = chart.valToPos(xs[nearestRow(series.elapsedS, section.fromS)]!, 'x')
  const to = chart.valToPos(xs[nearestRow(series.elapsedS, section.toS)]!, 'x')
  const width = chart.over.clientWidth
  const left = Math.max(0, Math.min(width, from))
  band.style.left = `${left}px`
  band.style.width = `${Math.max(0, Math.min(width, to) - left)}px`
}

/** A finger follows the run; up and down still scrolls the page. */
function followTouch(chart: uPlot, view: RunView): () => void {
  const { over } = chart
  const follow = (event: PointerEvent) => {
    if (event.pointerType !== 'touch') return
    const { left } = over.getBoundingClientRect()
    const row = chart.posToIdx(event.clientX - left)
    view.cursor.set(row)
  }
  const leave = (event: PointerEvent) => {
    if (event.pointerType === 'touch') view.cursor.set(-1)
  }
  over.addEventListener('pointerdown', follow)
  over.addEventListener('pointermove', follow)
  over.addEventListener('pointercancel', leave)
  return () => {
    over.removeEventListener('pointerdown', follow)
    over.removeEventListener('pointermove', follow)
    over.removeEventListener('pointercancel', leave)
  }
}
