import { useMemo, useRef } from 'preact/hooks'
import { duration } from '../../format.ts'
import { nearestRow, type RunSeries } from '../charts/series.ts'
import { useInk } from '../ink.ts'
import { pathStrokes } from '../map/map-drawing.ts'
import { boxOf, fittedView, projected } from '../map/projection.ts'
import { trimmedRange } from '../map/route-colours.ts'
import { useDrawing } from '../run-view.ts'

const WIDTH = 600
const HEIGHT = 90

interface Handle {
  readonly label: string
  readonly atS: number
  readonly onMove: (atS: number) => void
}

interface StretchRangeProps {
  readonly series: RunSeries
  readonly handles: readonly Handle[]
  /** Parts that are drawn faint, elapsed seconds. */
  readonly faint: readonly (readonly [fromS: number, toS: number])[]
}

/** The pace profile of the run with handles that are moved by mouse, finger or keys. */
export function StretchRange({ series, handles, faint }: StretchRangeProps) {
  const frame = useRef<HTMLDivElement>(null)
  const lastS = series.elapsedS.at(-1)!
  const share = (atS: number) => (atS / lastS) * 100
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
      {faint.map(([fromS, toS], k) => (
        <span key={k} class="crop-cut" style={{ left: `${share(fromS)}%`, width: `${share(toS - fromS)}%` }} />
      ))}
      {handles.map(({ label, atS, onMove }) => (
        <div
          key={label}
          class="crop-handle"
          style={{ left: `${share(atS)}%` }}
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

const SIZE = { width: 660, height: 220 }
const PADDING_PX = 18

interface RoutePartsProps {
  readonly series: RunSeries
  /** Ends of all parts but the last, elapsed seconds, ascending; each is marked by a dot. */
  readonly ends: readonly number[]
  readonly isColoured: (part: number) => boolean
  /** The ends are start and end of one stretch; their dots differ. */
  readonly isStretch?: boolean
}

/** The route with some of its parts in colour. */
export function RouteParts({ series, ends, isColoured, isStretch = false }: RoutePartsProps) {
  const ink = useInk()
  const canvas = useRef<HTMLCanvasElement>(null)
  const points = useMemo(
    () => (series.lat === null || series.lon === null ? null : projected(series.lat, series.lon)),
    [series],
  )
  useDrawing([], () => {
    const context = canvas.current?.getContext('2d')
    const box = points === null ? null : boxOf(points)
    if (canvas.current === null || context === null || context === undefined || points === null || box === null) return
    const ratio = window.devicePixelRatio
    canvas.current.width = SIZE.width * ratio
    canvas.current.height = SIZE.height * ratio
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    context.clearRect(0, 0, SIZE.width, SIZE.height)
    const rows = ends.map((endS) => nearestRow(series.elapsedS, endS))
    const steps = Int8Array.from(points.x, (_, row) => (isColoured(rows.filter((end) => row > end).length) ? 1 : 0))
    const view = fittedView(box, SIZE, PADDING_PX)
    const strokes = pathStrokes(points, { view, size: SIZE, steps, isBreak: new Uint8Array(points.x.length) })
    context.lineJoin = 'round'
    context.lineCap = 'round'
    for (const step of [0, 1]) {
      context.strokeStyle = step === 0 ? ink.faint : ink.accent
      context.lineWidth = step === 0 ? 2.5 : 4
      context.beginPath()
      for (const stroke of strokes) {
        if (stroke.step !== step) continue
        context.moveTo(stroke.xy[0]!, stroke.xy[1]!)
        for (let k = 2; k < stroke.xy.length; k += 2) context.lineTo(stroke.xy[k]!, stroke.xy[k + 1]!)
      }
      context.stroke()
    }
    const dot = (row: number, colour: string) => {
      const at = points.x.findLastIndex((x, k) => k <= row && !Number.isNaN(x))
      if (at < 0) return
      const px = (points.x[at]! - view.x) * view.scale + SIZE.width / 2
      const py = (points.y[at]! - view.y) * view.scale + SIZE.height / 2
      context.beginPath()
      context.arc(px, py, 6, 0, 2 * Math.PI)
      context.lineWidth = 3
      context.strokeStyle = ink.surface
      context.stroke()
      context.fillStyle = colour
      context.fill()
    }
    for (const [place, row] of rows.entries()) dot(row, isStretch && place === 0 ? ink.good : ink.text)
  }, [series, points, ink, ends.join(), isColoured(0), isColoured(1)])
  if (points === null) return null
  return <canvas class="crop-route" ref={canvas} />
}
