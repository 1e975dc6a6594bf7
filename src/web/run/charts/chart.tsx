import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { useUnits } from '../../state.ts'
import { useInk } from '../ink.ts'
import { type Halves, inTurn, type RunView, useDrawing } from '../run-view.ts'
import type { Section } from '../types.ts'
import { ChartKey, GhostKey, type Means, ZoneKey } from './chart-key.tsx'
import { AXIS_PX, CHART_PX, chartOptions, ELEVATION_PX, lineColour } from './chart-options.ts'
import type { ChartSpec } from './chart-scale.ts'
import { around, type ChartTouch, followTouch } from './chart-touch.ts'
import { type Metric, nearestRow, type RunSeries } from './series.ts'

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
  /** Index from the top, 0 is the first chart. */
  readonly place: number
  readonly isLast: boolean
  /** Lines that are switched off; a chart without any line shows only its name. */
  readonly hidden: readonly Metric[]
  readonly onToggle: (metric: Metric) => void
  readonly onZoom: (from: number, to: number) => void
}

/** A chart of one metric along the run. */
export function Chart(props: ChartProps) {
  const { spec, series, means, ghost, xs, axis, view, place, isLast, hidden, onZoom } = props
  const units = useUnits()
  const ink = useInk()
  const host = useRef<HTMLDivElement>(null)
  const band = useRef<HTMLDivElement | null>(null)
  const halves = useRef<HTMLDivElement | null>(null)
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

  const lines = spec.also === null ? [spec.metric] : [spec.metric, spec.also]
  const off = lines.filter((line) => hidden.includes(line))
  const shownLines = lines.length - off.length === 0 ? 'none' : `all but ${off.join()}`
  const isHalved = spec.metric === 'pace' || spec.metric === 'heartRate'
  const placeBand = () => {
    placed(band.current, plot.current, { section: view.section.get(), series, xs })
    if (isHalved)
      showHalves(halves.current, plot.current, { halves: view.halves.get(), hasWords: place === 0, series, xs })
  }
  useLayoutEffect(() => {
    const element = host.current
    if (element === null) return
    const options = chartOptions(
      spec,
      { ink, units, axis, hasAxis: isLast, hasGhost: ghost !== null, hidden: off },
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
    const mark = bandOver(made)
    touch.current = followTouch(made, {
      onRow: (row) => view.cursor.set(row),
      onRange: (from, to) => zoomTo.current(from, to),
      onToggleZoom: (at) => {
        if (view.zoom.get() !== null) return view.zoom.set(null)
        const [first = 0, last = 0] = [xs[0], xs.at(-1)]
        const [from, to] = around(at, [first, last], TAP_ZOOM)
        zoomTo.current(from, to)
      },
    })
    plot.current = made
    band.current = mark
    halves.current = frameOver(made, 'chart-halves')
    ghostMark.current = frameOver(made, 'chart-ghost')
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
  }, [spec, ink, units, axis, isLast, data, height, shownLines])

  useEffect(() => {
    const show = () => {
      if (plot.current !== null) showZoom(plot.current, { zoom: view.zoom.get(), series, xs })
    }
    // drawing all charts in one frame would be noticeable
    return view.zoom.watch(() => inTurn(show))
  }, [view, series, xs])
  useDrawing([view.cursor], () => pointAt(plot.current, view.cursor.get(), xs), [data, ink, shownLines])
  useDrawing([view.section, view.halves], placeBand, [data, ink, shownLines])
  useDrawing([view.cursor, view.ghost, view.zoom], () => {
    const row = view.cursor.get()
    placeGhost(ghostMark.current, plot.current, row < 0 ? null : (xs[view.ghost.get()?.rowOf(row) ?? -1] ?? null))
  }, [data, ink, shownLines])

  const key = { series, means, view, onToggle: props.onToggle }
  return (
    <div class="run-chart">
      <div class="chart-head flow small">
        <ChartKey
          metric={spec.metric}
          isOn={!hidden.includes(spec.metric)}
          colour={lineColour(spec, false, ink)}
          isZoned={spec.metric === 'heartRate' && spec.zones.length > 0}
          {...key}
        />
        {spec.also !== null && (
          <ChartKey
            metric={spec.also}
            isOn={!hidden.includes(spec.also)}
            colour={lineColour(spec, true, ink)}
            {...key}
          />
        )}
        {ghost !== null && !hidden.includes(spec.metric) && (
          <GhostKey metric={spec.metric} values={ghost} view={view} />
        )}
        {spec.zones.length > 0 && <ZoneKey />}
      </div>
      {shownLines !== 'none' && <div class="chart-host" ref={host} style={{ height: `${height}px` }} />}
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

/** The element that dims a chart outside a stretch. */
function bandOver(chart: uPlot): HTMLDivElement {
  const band = document.createElement('div')
  band.className = 'chart-band'
  frameOver(chart, 'chart-dim').append(band)
  return band
}

function frameOver({ over }: uPlot, name: string): HTMLDivElement {
  const frame = document.createElement('div')
  frame.className = name
  over.append(frame)
  return frame
}

interface HalvesPlace extends Place {
  readonly halves: Halves | null
  /** Whether the halves are labelled; only in the first chart. */
  readonly hasWords: boolean
}

/** Shades both halves of a decoupling. */
function showHalves(frame: HTMLDivElement | null, chart: uPlot | null, options: HalvesPlace): void {
  if (frame === null || chart === null) return
  frame.replaceChildren(
    ...(options.halves ?? []).map((half) => {
      const shade = document.createElement('div')
      shade.className = 'chart-half'
      if (options.hasWords) shade.append(half.words)
      placeOver(shade, chart, { section: half, ...options })
      return shade
    }),
  )
}

/** Positions the stretch that a table row refers to. */
function placed(
  band: HTMLDivElement | null,
  chart: uPlot | null,
  { section, series, xs }: Place & { readonly section: Section | null },
): void {
  if (band === null || chart === null) return
  band.hidden = section === null
  if (section !== null) placeOver(band, chart, { section, series, xs })
}

function placeOver(
  element: HTMLDivElement,
  chart: uPlot,
  { section, series, xs }: Place & { readonly section: Section },
): void {
  const from = chart.valToPos(xs[nearestRow(series.elapsedS, section.fromS)]!, 'x')
  const to = chart.valToPos(xs[nearestRow(series.elapsedS, section.toS)]!, 'x')
  const width = chart.over.clientWidth
  const left = Math.max(0, Math.min(width, from))
  element.style.left = `${left}px`
  element.style.width = `${Math.max(0, Math.min(width, to) - left)}px`
}
