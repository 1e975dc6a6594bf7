import { useMemo, useRef, useState } from 'preact/hooks'
import { distance, duration, gapPaceOf, type ShownPace, text, type Units } from '../../format.ts'
import { useUnits } from '../../state.ts'
import { useStore } from '../../store.ts'
import { Button } from '../../ui/button.tsx'
import { Segments } from '../../ui/form.tsx'
import { TERMS } from '../../words.ts'
import { boxOf, fittedView, projected } from '../map/projection.ts'
import { SectionButton, SectionPlace } from '../map/route-map.tsx'
import { type Detail, keySteps, type Section, useDrawing, type Zones } from '../run-view.ts'
import { Chart, type Means } from './chart.tsx'
import type { ChartSpec } from './chart-options.ts'
import {
  figuresText,
  METRIC_NAMES,
  type Metric,
  metricQuantity,
  nearestRow,
  type Parts,
  type RunSeries,
  sectionFigures,
} from './series.ts'

type Axis = 'distance' | 'time'

const ORDER: readonly Metric[] = ['pace', 'heartRate', 'elevation', 'cadence', 'power']
/** A shorter selection counts as a click. */
const LEAST_ZOOM_S = 10
const KEY_SHARE = 1 / 120

/**
 * Charts of everything that was measured, with a common cursor. Stored numbers are used for the whole run, since those of
 * a device may differ from its samples.
 */
export function Charts({ run, shown, series, zones, view }: Parts<'run' | 'shown' | 'series' | 'zones' | 'view'>) {
  const units = useUnits()
  const [axis, setAxis] = useState<Axis>('distance')
  const hasMap = run.hasRoute && series.lat !== null
  const shownAxis: Axis = series.distanceM === null ? 'time' : axis
  const along = shownAxis === 'distance' ? series.distanceM! : series.elapsedS
  const xs = useMemo(() => Array.from(along), [along])
  const ghost = useStore(view.ghostLines)
  const plain = useMemo(() => chartSpecs(series), [series])
  // zones are loaded separately, and only their own chart is created again
  const specs = useMemo(() => plain.map((spec) => withZones(spec, zones)), [plain, zones])
  const means = useMemo(() => wholeMeans(run, shown), [run, shown])
  const slider = useRef<HTMLDivElement>(null)
  const readout = useRef<HTMLParagraphElement>(null)
  const values = useRef<HTMLParagraphElement>(null)
  const reset = useRef<HTMLDivElement>(null)

  useDrawing([view.cursor, view.section, view.zoom, view.picking], () => {
    const row = view.cursor.get()
    const section = view.section.get() ?? view.zoom.get()
    const whole = { seconds: shown.timeS, metres: run.distanceM, paceS: shown.paceS, heartRateBpm: run.avgHeartRateBpm }
    const words =
      row >= 0
        ? placeText(series, row, units)
        : section === null
          ? figuresText(whole, units)
          : figuresText(sectionFigures(series, section, shown.clock), units)
    if (readout.current !== null) readout.current.textContent = words
    if (values.current !== null) values.current.textContent = row < 0 ? '' : valuesText(series, row, units)
    if (reset.current !== null) reset.current.hidden = view.zoom.get() === null || (!hasMap && view.picking.get())
    if (slider.current !== null) {
      const atS = series.elapsedS[Math.max(0, row)]!
      slider.current.setAttribute('aria-valuenow', String(Math.round(atS)))
      slider.current.setAttribute('aria-valuetext', spokenText(series, Math.max(0, row), units))
    }
  }, [run, shown, series, units])

  const zoomTo = (from: number, to: number) => {
    const fromS = series.elapsedS[nearestRow(along, from)]!
    const toS = series.elapsedS[nearestRow(along, to)]!
    const whole = wholeOf(series)
    if (fromS <= whole.fromS && toS >= whole.toS) view.zoom.set(null)
    else if (toS - fromS >= LEAST_ZOOM_S) view.zoom.set({ fromS, toS })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { fromS, toS } = view.zoom.get() ?? wholeOf(series)
    const row = view.cursor.get()
    const atS = row < 0 ? fromS : series.elapsedS[row]!
    const stepS = Math.max(1, (toS - fromS) * KEY_SHARE) * (event.shiftKey ? 8 : 1)
    const places: Readonly<Record<string, number>> = { Home: fromS, End: toS }
    const place = places[event.key] ?? atS + (keySteps(stepS, 10 * stepS)[event.key] ?? Number.NaN)
    if (event.key === 'Escape') view.zoom.set(null)
    else if (Number.isNaN(place) || event.ctrlKey || event.metaKey || event.altKey) return
    else view.cursor.set(nearestRow(series.elapsedS, Math.max(fromS, Math.min(toS, place))))
    event.preventDefault()
  }

  return (
    <section class="card run-charts" aria-label="Charts">
      <div class="charts-bar level gap-3">
        <div class="grow">
          <p class="charts-readout bold" ref={readout} />
          <p class="charts-values muted small" ref={values} />
        </div>
        <MiniMap series={series} view={view} />
      </div>
      <div class="charts-tools flow">
        <div ref={reset} hidden>
          <Button size="small" onClick={() => view.zoom.set(null)}>
            Show all
          </Button>
        </div>
        {!hasMap && <SectionButton view={view} />}
        {series.distanceM !== null && (
          <Segments
            legend="Chart axis"
            value={axis}
            options={[
              ['distance', TERMS.distance],
              ['time', TERMS.time],
            ]}
            onValue={setAxis}
          />
        )}
      </div>
      {!hasMap && <SectionPlace runId={run.id} clock={shown.clock} series={series} view={view} hasRoute={false} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: pressing into the charts is reaching their slider */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the slider has the keys */}
      <div
        class="charts-stack whole"
        onClick={({ target }) => {
          if (!(target instanceof Element && target.closest('button') !== null)) {
            slider.current?.focus({ preventScroll: true })
          }
        }}
      >
        <div
          class="charts-slider"
          ref={slider}
          role="slider"
          tabIndex={0}
          aria-label="Position in the run. Arrow keys move, drag zooms, Escape shows all; Select a section has two handles"
          aria-valuemin={0}
          aria-valuemax={Math.round(series.elapsedS.at(-1) ?? 0)}
          aria-valuenow={0}
          onKeyDown={onKeyDown}
          onBlur={() => view.cursor.set(-1)}
        />
        {specs.map((spec, index) => (
          <Chart
            key={spec.metric}
            spec={spec}
            series={series}
            means={means}
            ghost={spec.metric === 'pace' || spec.metric === 'heartRate' ? (ghost?.[spec.metric] ?? null) : null}
            xs={xs}
            axis={shownAxis}
            view={view}
            isLast={index === specs.length - 1}
            onZoom={zoomTo}
          />
        ))}
      </div>
    </section>
  )
}

/** A chart of everything that the run has; grade-adjusted pace is in that of the pace. */
function chartSpecs({ metrics }: RunSeries): ChartSpec[] {
  return ORDER.filter((metric) => metrics[metric] !== null).map((metric) => ({
    metric,
    also: metric === 'pace' && metrics.gap !== null ? 'gap' : null,
    zones: [],
  }))
}

function withZones(spec: ChartSpec, zones: Zones | null): ChartSpec {
  return spec.metric === 'heartRate' && zones !== null ? { ...spec, zones: zones.zones } : spec
}

function wholeOf({ elapsedS }: RunSeries): Section {
  return { fromS: elapsedS[0]!, toS: elapsedS.at(-1)! }
}

/** Where a row is: `4.21 km · 21:04 · +2.1 %`. */
function placeText(series: RunSeries, row: number, units: Units): string {
  const grade = series.metrics.grade?.[row] ?? Number.NaN
  const temperature = series.metrics.temperature?.[row] ?? Number.NaN
  return [
    ...(series.distanceM === null ? [] : [text(distance(series.distanceM[row]!, units))]),
    duration(series.elapsedS[row]!),
    ...(Number.isNaN(grade)
      ? []
      : [`${grade >= 0 ? '+' : '−'}${text(metricQuantity('grade', Math.abs(grade), units))}`]),
    ...(Number.isNaN(temperature) ? [] : [text(metricQuantity('temperature', temperature, units))]),
  ].join('  ·  ')
}

/** The means that the head of the page shows; null where it shows none. */
function wholeMeans(run: Detail, shown: ShownPace): Means {
  return {
    clock: shown.clock,
    pace: shown.paceS,
    gap: gapPaceOf(run, shown),
    heartRate: run.avgHeartRateBpm,
    cadence: run.avgCadenceSpm,
    power: run.avgPowerWatts,
  }
}

const SPOKEN = ['pace', 'gap', 'heartRate', 'elevation', 'cadence', 'power'] as const

/** What was measured at a row: `5:02/km · 148 bpm · 412 m`. */
function valuesText(series: RunSeries, row: number, units: Units): string {
  return valuesAt(series, row, units)
    .flatMap(([metric, value]) => (metric === 'gap' ? [] : [value]))
    .join('  ·  ')
}

function spokenText(series: RunSeries, row: number, units: Units): string {
  const values = valuesAt(series, row, units).map(([metric, value]) => `${METRIC_NAMES[metric]} ${value}`)
  return [placeText(series, row, units), ...values].join(', ')
}

function valuesAt(series: RunSeries, row: number, units: Units) {
  return SPOKEN.flatMap((metric) => {
    const value = series.metrics[metric]?.[row] ?? Number.NaN
    return Number.isNaN(value) ? [] : [[metric, text(metricQuantity(metric, value, units))] as const]
  })
}

const SIZE = { width: 84, height: 60 }
const PADDING_PX = 7
const MOST_POINTS = 240

/** A small map with the place of the cursor, shown while the large map is out of sight. */
function MiniMap({ series, view }: Parts<'series' | 'view'>) {
  const dot = useRef<SVGCircleElement>(null)
  const ghost = useRef<SVGCircleElement>(null)
  const route = useMemo(() => smallRoute(series), [series])
  useDrawing([view.cursor, view.ghost], () => {
    const row = view.cursor.get()
    const ghostRow = row < 0 ? -1 : (view.ghost.get()?.rowOf(row) ?? -1)
    for (const [circle, at] of [[dot.current, row] as const, [ghost.current, ghostRow] as const]) {
      const place = at < 0 ? null : (route?.placeOf(at) ?? null)
      circle?.setAttribute('display', place === null ? 'none' : 'inline')
      if (place === null) continue
      circle?.setAttribute('cx', place[0].toFixed(1))
      circle?.setAttribute('cy', place[1].toFixed(1))
    }
  }, [route])
  if (route === null) return null
  return (
    <svg class="mini-map" viewBox={`0 0 ${SIZE.width} ${SIZE.height}`} aria-hidden="true">
      <path fill="none" stroke="var(--muted)" stroke-width="1.75" stroke-linejoin="round" d={route.path} />
      <circle
        class="ghost"
        fill="var(--surface)"
        stroke="var(--muted)"
        stroke-width="2"
        ref={ghost}
        r="4"
        display="none"
      />
      <circle fill="var(--accent)" stroke="var(--surface)" stroke-width="2" ref={dot} r="4.5" display="none" />
    </svg>
  )
}

function smallRoute({ lat, lon, n }: RunSeries) {
  if (lat === null || lon === null) return null
  const points = projected(lat, lon)
  const box = boxOf(points)
  if (box === null) return null
  const { x, y, scale } = fittedView(box, SIZE, PADDING_PX)
  const pixelOf = (row: number) =>
    [(points.x[row]! - x) * scale + SIZE.width / 2, (points.y[row]! - y) * scale + SIZE.height / 2] as const
  const step = Math.max(1, Math.floor(n / MOST_POINTS))
  const pieces: string[] = []
  for (let row = 0; row < n; row += step) {
    if (Number.isNaN(points.x[row]!)) continue
    pieces.push(
      `${pieces.length === 0 ? 'M' : 'L'}${pixelOf(row)
        .map((px) => px.toFixed(1))
        .join(' ')}`,
    )
  }
  return {
    path: pieces.join(''),
    /** The last known position up to a row. */
    placeOf: (row: number) => {
      let at = Math.min(row, n - 1)
      while (at >= 0 && Number.isNaN(points.x[at]!)) at -= 1
      return at < 0 ? null : pixelOf(at)
    },
  }
}
