import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import type { PaceClock } from '../../format.ts'
import { useUnits } from '../../state.ts'
import type { Store } from '../../store.ts'
import { useInk } from '../ink.ts'
import { inTurn, type Section, useDrawing } from '../run-view.ts'
import {
  AXIS_PX,
  around,
  CHART_PX,
  type ChartEvents,
  type ChartSpec,
  chartOptions,
  ELEVATION_PX,
  followTouch,
  lineColour,
} from './chart-options.ts'
import {
  METRIC_NAMES,
  type Metric,
  metricQuantity,
  nearestRow,
  type Parts,
  type RunSeries,
  sectionMean,
} from './series.ts'

/** Share of the visible range after a double tap. */
const TAP_ZOOM = 0.3

interface ChartProps extends Parts<'series' | 'view'> {
  readonly spec: ChartSpec
  readonly means: Means
  /** The line of a ghost, a value for every row; null: none. */
  readonly ghost: Float64Array | null
  /** Metres or seconds of every row. */
  readonly xs: number[]
  readonly axis: 'distance' | 'time'
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
  const zoomTo = useRef(onZoom)
  zoomTo.current = onZoom
  const height = (spec.metric === 'elevation' ? ELEVATION_PX : CHART_PX) + (isLast ? AXIS_PX - 4 : 0)
  const data = useMemo<uPlot.AlignedData>(() => {
    const names = spec.also === null ? [spec.metric] : [spec.also, spec.metric]
    const lines = names.map((name) => withNulls(series.metrics[name]))
    return [xs, ...(ghost === null ? [] : [withNulls(ghost)]), ...lines]
  }, [xs, series, spec, ghost])

  const xAt = (atS: number) => xs[nearestRow(series.elapsedS, atS)]!
  /** Positions the stretch that a table row refers to. */
  const placeBand = () => {
    const [mark, chart, section] = [band.current, plot.current, view.section.get()]
    if (mark === null || chart === null) return
    mark.hidden = section === null
    if (section === null) return
    const pixel = (atS: number) => Math.max(0, Math.min(chart.over.clientWidth, chart.valToPos(xAt(atS), 'x')))
    mark.style.left = `${pixel(section.fromS)}px`
    mark.style.width = `${pixel(section.toS) - pixel(section.fromS)}px`
  }
  const showZoom = () => {
    const zoom = view.zoom.get()
    const [min, max] = zoom === null ? [xs[0]!, xs.at(-1)!] : [xAt(zoom.fromS), xAt(zoom.toS)]
    if (max > min) plot.current?.setScale('x', { min, max })
  }
  useLayoutEffect(() => {
    const element = host.current
    if (element === null) return
    let isAfterTouch = () => false
    const events: ChartEvents = {
      onRow: (row) => view.cursor.set(row),
      onSelect: (from, to) => zoomTo.current(from, to),
      onReset: () => (isAfterTouch() ? undefined : view.zoom.set(null)),
      onToggleZoom: (at) => {
        if (view.zoom.get() !== null) return view.zoom.set(null)
        zoomTo.current(...around(at, [xs[0]!, xs.at(-1)!], TAP_ZOOM))
      },
      onScale: () => placeBand(),
    }
    const look = { ink, units, axis, hasAxis: isLast, hasGhost: ghost !== null }
    const made = new uPlot(chartOptions(spec, look, { width: element.clientWidth, height }, events), data, element)
    isAfterTouch = followTouch(made, events)
    plot.current = made
    // dims the chart outside a stretch
    band.current = added(added(made.over, 'chart-dim'), 'chart-band')
    ghostMark.current = added(made.over, 'chart-ghost')
    ghostMark.current.hidden = true
    showZoom()
    const observer = new ResizeObserver(() => {
      if (element.clientWidth > 0 && element.clientWidth !== made.width) {
        made.setSize({ width: element.clientWidth, height })
        placeBand()
      }
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      made.destroy()
      plot.current = null
    }
  }, [spec, ink, units, axis, isLast, data, height])

  // drawing all charts in one frame would be noticeable
  useEffect(() => view.zoom.watch(() => inTurn(showZoom)), [view, series, xs])
  useDrawing([view.cursor], () => {
    const [chart, row] = [plot.current, view.cursor.get()]
    if (chart === null || (chart.cursor.idx === row && row >= 0)) return
    // without an event
    chart.setCursor(row < 0 ? { left: -10, top: -10 } : { left: chart.valToPos(xs[row]!, 'x'), top: 0 }, false)
  }, [data, ink])
  useDrawing([view.section], placeBand, [data, ink])
  // a line that runs along with the cursor, where the ghost is at the same time
  useDrawing([view.cursor, view.ghost, view.zoom], () => {
    const [mark, chart, row] = [ghostMark.current, plot.current, view.cursor.get()]
    if (mark === null || chart === null) return
    const x = row < 0 ? undefined : xs[view.ghost.get()?.rowOf(row) ?? -1]
    const left = x === undefined ? -1 : chart.valToPos(x, 'x')
    mark.hidden = left < 0 || left > chart.over.clientWidth
    mark.style.left = `${left}px`
  }, [data, ink])

  /** The value of a line under the cursor, or over the visible part its mean or, without a meaningful one, its range. */
  const shownOf = (metric: Metric): ValueShown => {
    const row = view.cursor.get()
    if (row >= 0) return { values: [series.metrics[metric]?.[row] ?? Number.NaN] }
    const section = view.section.get() ?? view.zoom.get()
    const whole = { fromS: series.elapsedS[0]!, toS: series.elapsedS.at(-1)! }
    const mean = (section === null ? means[metric] : null) ?? sectionMean(series, metric, section ?? whole, means.clock)
    return mean === null ? { values: extent(series, metric, section ?? whole) } : { values: [mean], kind: 'avg' }
  }
  const keyOf = (metric: Metric, isOther = false) => (
    <ChartKey
      name={METRIC_NAMES[metric]}
      metric={metric}
      colour={metric === 'heartRate' && spec.zones.length > 0 ? ZONED : lineColour(spec, isOther, ink)}
      watched={[view.cursor, view.section, view.zoom]}
      shownOf={() => shownOf(metric)}
      reasons={[series, means]}
    />
  )
  return (
    <div class="run-chart">
      <div class="chart-head flow small">
        {keyOf(spec.metric)}
        {spec.also !== null && keyOf(spec.also, true)}
        {ghost !== null && (
          <ChartKey
            name="Ghost"
            metric={spec.metric}
            colour={null}
            watched={[view.cursor]}
            shownOf={() => ({ values: view.cursor.get() < 0 ? [] : [ghost[view.cursor.get()] ?? Number.NaN] })}
            reasons={[ghost]}
          />
        )}
        {spec.zones.length > 0 && (
          <span class="chart-zones push level muted tiny" aria-hidden="true">
            {[1, 2, 3, 4, 5].map((zone) => (
              <span key={zone} class="level gap-1">
                <span class="zone-dot" style={{ background: `var(--zone${zone})` }} />Z{zone}
              </span>
            ))}
          </span>
        )}
      </div>
      <div class="chart-host" ref={host} style={{ height: `${height}px` }} />
    </div>
  )
}

function withNulls(values: Float64Array | null): (number | null)[] {
  return values === null ? [] : Array.from(values, (value) => (Number.isNaN(value) ? null : value))
}

function added(over: HTMLElement, name: string): HTMLDivElement {
  const element = document.createElement('div')
  element.className = name
  over.append(element)
  return element
}

/** Means of the whole run, and the clock of its paces; means that are absent or null are computed from the samples. */
export interface Means extends Readonly<Partial<Record<Metric, number | null>>> {
  readonly clock: PaceClock
}

/** What shows the colour of a line in those of the zones. */
const ZONED = 'linear-gradient(90deg, var(--zone2), var(--zone3), var(--zone4))'

/** One value, or the ends of a range; empty: none. */
type ValueShown = { readonly values: readonly number[]; readonly kind?: string }

interface KeyProps {
  readonly name: string
  readonly metric: Metric
  /** null: dashed, as the line of a ghost. */
  readonly colour: string | null
  readonly watched: readonly Store<unknown>[]
  readonly shownOf: () => ValueShown
  /** What else changes the value. */
  readonly reasons: readonly unknown[]
}

/** Names a line, and shows its value. */
function ChartKey({ name, metric, colour, watched, shownOf, reasons }: KeyProps) {
  const units = useUnits()
  const value = useRef<HTMLSpanElement>(null)
  const kind = useRef<HTMLSpanElement>(null)
  useDrawing(watched, () => {
    if (value.current === null || kind.current === null) return
    const { values, kind: words = '' } = shownOf()
    const texts = values.map((one) => metricQuantity(metric, one, units).value)
    kind.current.textContent = words
    value.current.textContent = [...new Set(texts)].join('–')
  }, [...reasons, units, metric])
  return (
    <span class="level gap-1 muted">
      {colour === null ? <span class="key-line mean" /> : <span class="chart-swatch" style={{ background: colour }} />}
      {name}
      <span class="chart-kind tiny" ref={kind} />
      <span>
        <span class="chart-value" ref={value} />{' '}
        <span class="chart-unit tiny">{metricQuantity(metric, Number.NaN, units).unit}</span>
      </span>
    </span>
  )
}

/** The least and the most of a metric within a stretch. */
function extent({ elapsedS, metrics }: RunSeries, metric: Metric, { fromS, toS }: Section): number[] {
  const rows = metrics[metric]?.subarray(nearestRow(elapsedS, fromS), nearestRow(elapsedS, toS) + 1)
  const sorted = rows?.filter((value) => !Number.isNaN(value)).sort() ?? []
  return sorted.length === 0 ? [Number.NaN] : [sorted[0]!, sorted.at(-1)!]
}
