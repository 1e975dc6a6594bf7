import { useMemo, useRef } from 'preact/hooks'
import { nearestRow, type RunSeries } from './charts/series.ts'
import { useInk } from './ink.ts'
import { pathStrokes } from './map/path-strokes.ts'
import { boxOf, fittedView, projected } from './map/projection.ts'
import { useDrawing } from './run-view.ts'

interface CropRouteProps {
  readonly series: RunSeries
  readonly fromS: number
  readonly toS: number
  /** The stretch is removed, not kept. */
  readonly isTakenOut?: boolean
}

const SIZE = { width: 660, height: 220 }
const PADDING_PX = 18

/** The route with the remaining part in colour. */
export function CropRoute({ series, fromS, toS, isTakenOut = false }: CropRouteProps) {
  return <PartsRoute series={series} ends={[fromS, toS]} isStretch isColoured={(part) => (part === 1) !== isTakenOut} />
}

/** The route with every other part of a split in colour. */
export function SplitRoute({
  series,
  places,
}: Pick<CropRouteProps, 'series'> & { readonly places: readonly number[] }) {
  return <PartsRoute series={series} ends={places} isColoured={(part) => part % 2 === 0} />
}

interface PartsRouteProps {
  readonly series: RunSeries
  /** Ends of all parts but the last, elapsed seconds, ascending; each is marked by a dot. */
  readonly ends: readonly number[]
  readonly isColoured: (part: number) => boolean
  /** The ends are start and end of one stretch; their dots differ. */
  readonly isStretch?: boolean
}

function PartsRoute({ series, ends, isColoured, isStretch = false }: PartsRouteProps) {
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
  }, [series, points, ink, ends.join(), isColoured(0)])
  if (points === null) return null
  return <canvas class="crop-route" ref={canvas} />
}
