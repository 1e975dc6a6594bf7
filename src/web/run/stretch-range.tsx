import type { ComponentChildren } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import type { Span } from '../../engine/track.ts'
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
}

/** Two handles over the pace of the run; the parts outside of the stretch, or the removed stretch, are faint. */
export function StretchRange({ series, fromS, toS, onChange, labels, isTakenOut = false }: StretchRangeProps) {
  const share = (atS: number) => (atS / series.elapsedS.at(-1)!) * 100
  const handles = [
    { label: labels[0], atS: fromS, onMove: (value: number) => onChange(value, toS) },
    { label: labels[1], atS: toS, onMove: (value: number) => onChange(fromS, value) },
  ]
  return (
    <HandledProfile series={series} handles={handles}>
      {isTakenOut ? (
        <span class="crop-cut" style={{ left: `${share(fromS)}%`, width: `${share(toS - fromS)}%` }} />
      ) : (
        <>
          <span class="crop-cut" style={{ left: '0', width: `${share(fromS)}%` }} />
          <span class="crop-cut" style={{ left: `${share(toS)}%`, width: `${100 - share(toS)}%` }} />
        </>
      )}
    </HandledProfile>
  )
}

interface PlacesRangeProps {
  readonly series: RunSeries
  /** Where the run is divided, ascending elapsed seconds. */
  readonly places: readonly number[]
  readonly onMove: (place: number, atS: number) => void
  readonly labelOf: (place: number) => string
}

/** A handle at each place that divides the run; every other part is faint. */
export function PlacesRange({ series, places, onMove, labelOf }: PlacesRangeProps) {
  const lastS = series.elapsedS.at(-1)!
  const share = (atS: number) => (atS / lastS) * 100
  return (
    <HandledProfile
      series={series}
      handles={places.map((atS, place) => ({ label: labelOf(place), atS, onMove: (to) => onMove(place, to) }))}
    >
      {places.map((atS, place) => {
        const endS = places[place + 1] ?? lastS
        return place % 2 === 1 ? null : (
          <span key={place} class="crop-cut" style={{ left: `${share(atS)}%`, width: `${share(endS - atS)}%` }} />
        )
      })}
    </HandledProfile>
  )
}

interface SpansRangeProps {
  readonly series: RunSeries
  /** In order and apart. */
  readonly spans: readonly Span[]
  /** Index of the one that has handles. */
  readonly chosen: number
  /** Labels of its handles. */
  readonly labels: readonly [start: string, end: string]
  readonly onMove: (end: keyof Span, atS: number) => void
}

/** Several spans of the run, one of which has handles; the rest of the run is faint. */
export function SpansRange({ series, spans, chosen, labels, onMove }: SpansRangeProps) {
  const lastS = series.elapsedS.at(-1)!
  const share = (atS: number) => (atS / lastS) * 100
  const span = spans[chosen]
  const ends = ['startS', 'endS'] as const
  return (
    <HandledProfile
      series={series}
      handles={
        span === undefined
          ? []
          : ends.map((end, k) => ({ label: labels[k]!, atS: span[end], onMove: (atS) => onMove(end, atS) }))
      }
    >
      {[...spans, null].map((next, k) => {
        const fromS = spans[k - 1]?.endS ?? 0
        const toS = next?.startS ?? lastS
        return <span key={k} class="crop-cut" style={{ left: `${share(fromS)}%`, width: `${share(toS - fromS)}%` }} />
      })}
    </HandledProfile>
  )
}

interface Handle {
  readonly label: string
  readonly atS: number
  readonly onMove: (atS: number) => void
}

interface HandledProfileProps {
  readonly series: RunSeries
  readonly handles: readonly Handle[]
  /** Drawn between the profile and the handles. */
  readonly children: ComponentChildren
}

/** The pace profile of the run with handles that are moved by mouse, finger or keys. */
function HandledProfile({ series, handles, children }: HandledProfileProps) {
  const frame = useRef<HTMLDivElement>(null)
  const lastS = series.elapsedS.at(-1)!
  const path = useMemo(() => profilePath(series), [series])
  const secondsAt = (event: PointerEvent) => {
    const { left, width } = frame.current!.getBoundingClientRect()
    return Math.round(((event.clientX - left) / width) * lastS)
  }
  return (
    <div class="crop-range" ref={frame}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path d={path} />
      </svg>
      {children}
      {handles.map(({ label, atS, onMove }) => (
        <div
          key={label}
          class="crop-handle"
          style={{ left: `${(atS / lastS) * 100}%` }}
          role="slider"
          tabIndex={0}
          aria-label={label}
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
            if (event.currentTarget.hasPointerCapture(event.pointerId)) onMove(secondsAt(event))
          }}
          onKeyDown={(event) => {
            const to = movedByKey(event, atS, lastS)
            if (to === null) return
            event.preventDefault()
            onMove(to)
          }}
        />
      ))}
    </div>
  )
}

/** The place after a key press. @returns null for other keys */
function movedByKey({ key, shiftKey }: KeyboardEvent, atS: number, lastS: number): number | null {
  const step = shiftKey ? 10 : 1
  const places: Readonly<Record<string, number>> = {
    ArrowLeft: atS - step,
    ArrowDown: atS - step,
    ArrowRight: atS + step,
    ArrowUp: atS + step,
    PageDown: atS - 60,
    PageUp: atS + 60,
    Home: 0,
    End: lastS,
  }
  return places[key] ?? null
}

/** Speed over time as a filled shape; gaps are drawn as standing. */
function profilePath({ elapsedS, metrics }: RunSeries): string {
  const values = metrics.pace ?? metrics.heartRate ?? metrics.elevation
  if (values === null) return ''
  const isPace = metrics.pace !== null
  const heights = values.map((value) => (isPace ? 1000 / value : value))
  const [low, high] = trimmedRange(heights, 0.01) ?? [0, 1]
  const floor = isPace ? 0 : low
  const lastS = elapsedS.at(-1)!
  const points: string[] = [`M0 ${HEIGHT}`]
  for (let x = 0; x <= WIDTH; x += 2) {
    const value = heights[nearestRow(elapsedS, (x / WIDTH) * lastS)]!
    const share = Number.isNaN(value) ? 0 : Math.max(0, Math.min(1, (value - floor) / Math.max(1e-9, high - floor)))
    points.push(`L${x} ${(HEIGHT - share * (HEIGHT - 8)).toFixed(1)}`)
  }
  return `${points.join('')}L${WIDTH} ${HEIGHT}Z`
}
