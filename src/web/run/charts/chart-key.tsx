import { useRef } from 'preact/hooks'
import type { PaceClock } from '../../shown-pace.ts'
import { useUnits } from '../../state.ts'
import { type RunView, useDrawing } from '../run-view.ts'
import { METRIC_NAMES, metricQuantity } from './metrics.ts'
import { type Metric, nearestRow, type RunSeries, sectionMean } from './series.ts'

/** Means of the whole run, and the clock of its paces; means that are absent or null are computed from the samples. */
export interface Means extends Readonly<Partial<Record<Metric, number | null>>> {
  readonly clock: PaceClock
}

interface KeyProps {
  readonly metric: Metric
  readonly isOn: boolean
  readonly onToggle: (metric: Metric) => void
  readonly colour: string
  /** The line is drawn in the colours of the zones. */
  readonly isZoned?: boolean
  readonly series: RunSeries
  readonly means: Means
  readonly view: RunView
}

/** Switches a line on and off, and shows its value under the cursor, or its mean over the visible part. */
export function ChartKey({ metric, isOn, onToggle, colour, isZoned = false, series, means, view }: KeyProps) {
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
    <span class={isOn ? 'chart-key' : 'chart-key off'}>
      <button type="button" class="bare" aria-pressed={isOn} onClick={() => onToggle(metric)}>
        <span class={isZoned ? 'chart-swatch zoned' : 'chart-swatch'} style={{ color: colour }} />
        {METRIC_NAMES[metric]}
      </button>
      <span class="chart-kind" ref={kind} />
      <span>
        <span class="chart-value" ref={value} /> <span class="chart-unit">{unit}</span>
      </span>
    </span>
  )
}

interface GhostKeyProps extends Pick<KeyProps, 'metric' | 'view'> {
  /** A value for every row of the run. */
  readonly values: Float64Array
}

/** Names the line of the ghost, and shows its value at the place under the cursor. */
export function GhostKey({ metric, values, view }: GhostKeyProps) {
  const units = useUnits()
  const value = useRef<HTMLSpanElement>(null)
  const { unit } = metricQuantity(metric, Number.NaN, units)
  useDrawing([view.cursor], () => {
    const row = view.cursor.get()
    if (value.current === null) return
    value.current.textContent = row < 0 ? '' : metricQuantity(metric, values[row] ?? Number.NaN, units).value
  }, [values, units, metric])
  return (
    <span class="chart-key">
      <span class="chart-swatch dashed" />
      Ghost
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
  let [least, most] = [Infinity, -Infinity]
  for (const value of values) {
    least = Math.min(least, value)
    most = Math.max(most, value)
  }
  return [least, most]
}

export function ZoneKey() {
  return (
    <span class="chart-zones muted tiny" aria-hidden="true">
      {[1, 2, 3, 4, 5].map((zone) => (
        <span key={zone}>
          <span class="zone-dot" style={{ background: `var(--zone${zone})` }} />Z{zone}
        </span>
      ))}
    </span>
  )
}
