import { useMemo, useRef } from 'preact/hooks'
import { duration } from '../format.ts'
import { nearestRow, type RunSeries } from './charts/series.ts'
import { trimmedRange } from './map/colour-scale.ts'
import './crop.css'

const WIDTH = 600
const HEIGHT = 90

interface StretchRangeProps {
  readonly series: RunSeries
  readonly fromS: number
  readonly toS: number
  readonly onChange: (fromS: number, toS: number) => void
  /** Labels of the handles. */
  readonly labels: readonly [start: string, end: string]
  readonly isTakenOut?: boolean
  /** Shows only one handle, between the parts before and after it. */
  readonly isOnePlace?: boolean
}

/** Two handles over the pace of the run; the part that is not chosen, or is removed, is faint. */
export function StretchRange({
  series,
  fromS,
  toS,
  onChange,
  labels,
  isTakenOut = false,
  isOnePlace = false,
}: StretchRangeProps) {
  const frame = useRef<HTMLDivElement>(null)
  const lastS = series.elapsedS.at(-1)!
  const path = useMemo(() => profilePath(series), [series])
  const share = (atS: number) => (atS / lastS) * 100
  const secondsAt = (event: PointerEvent) => {
    const { left, width } = frame.current!.getBoundingClientRect()
    return Math.round(((event.clientX - left) / width) * lastS)
  }
  const handle = (which: 'start' | 'end') => {
    const atS = which === 'start' ? fromS : toS
    const set = (value: number) => (which === 'start' ? onChange(value, toS) : onChange(fromS, value))
    return (
      <div
        class={`crop-handle ${which}`}
        style={{ left: `${share(atS)}%` }}
        role="slider"
        tabIndex={0}
        aria-label={which === 'start' ? labels[0] : labels[1]}
        aria-valuemin={0}
        aria-valuemax={Math.round(lastS)}
        aria-valuenow={Math.round(atS)}
        aria-valuetext={duration(atS)}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          event.currentTarget.focus()
          event.preventDefault()
        }}
        onPointerMove={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) set(secondsAt(event))
        }}
        onKeyDown={(event) => {
          const step = event.shiftKey ? 10 : 1
          const value = {
            ArrowLeft: atS - step,
            ArrowDown: atS - step,
            ArrowRight: atS + step,
            ArrowUp: atS + step,
            PageDown: atS - 60,
            PageUp: atS + 60,
            Home: 0,
            End: lastS,
          }[event.key]
          if (value === undefined) return
          event.preventDefault()
          set(value)
        }}
      />
    )
  }
  return (
    <div class="crop-range" ref={frame}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path d={path} />
      </svg>
      {isTakenOut ? (
        <span class="crop-cut" style={{ left: `${share(fromS)}%`, width: `${share(toS - fromS)}%` }} />
      ) : (
        <>
          <span class="crop-cut" style={{ left: '0', width: `${share(fromS)}%` }} />
          <span class="crop-cut" style={{ left: `${share(toS)}%`, width: `${100 - share(toS)}%` }} />
        </>
      )}
      {!isOnePlace && handle('start')}
      {handle('end')}
    </div>
  )
}

/** Speed over time as a filled shape; unknown speed is drawn as standing. */
function profilePath({ elapsedS, metrics }: RunSeries): string {
  const values = metrics.pace ?? metrics.heartRate ?? metrics.elevation
  if (values === null) return ''
  const isPace = metrics.pace !== null
  const heights = values.map((value) => (isPace ? 1000 / value : value))
  const [low, high] = trimmedRange(heights, 0.01) ?? [0, 1]
  const floor = isPace ? 0 : low
  const lastS = elapsedS.at(-1)!
  const parts: string[] = [`M0 ${HEIGHT}`]
  for (let x = 0; x <= WIDTH; x += 2) {
    const value = heights[nearestRow(elapsedS, (x / WIDTH) * lastS)]!
    const part = Number.isNaN(value) ? 0 : Math.max(0, Math.min(1, (value - floor) / Math.max(1e-9, high - floor)))
    parts.push(`L${x} ${(HEIGHT - part * (HEIGHT - 8)).toFixed(1)}`)
  }
  return `${parts.join('')}L${WIDTH} ${HEIGHT}Z`
}
