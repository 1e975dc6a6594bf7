import { useEffect, useMemo, useRef } from 'preact/hooks'
import { type Ink, useInk, useSize, withContext } from '../../run/ink.ts'
import { drawGrid, drawScale } from '../../run/map/map-drawing.ts'
import { metresPerPixel, type View } from '../../run/map/projection.ts'
import { inNextFrame } from '../../run/run-view.ts'
import { useUnits } from '../../state.ts'
import { createHeatLayer, type HeatLayer } from '../heat-layer.ts'
import { viewAt } from '../map-address.ts'

interface Spot {
  readonly lat: number
  readonly lon: number
}

interface HiddenMapProps {
  readonly place: Spot
  /** Middle of the circle; null: not known yet. */
  readonly centre: Spot | null
  readonly radiusM: number
}

/** Share of the height that the circle takes. */
const SHARE = 0.72

/** The circle that hides a place, over the heat map of all runs. */
export function HiddenMap({ place, centre, radiusM }: HiddenMapProps) {
  const ink = useInk()
  const units = useUnits()
  const frame = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const size = useSize(frame)
  const heat = useRef<HeatLayer | null>(null)
  const latest = useRef(() => {})
  const drawLatest = useMemo(() => () => latest.current(), [])
  const schedule = () => inNextFrame(drawLatest)
  useEffect(() => {
    const made = createHeatLayer(() => '', { onTile: schedule, onTrouble: () => {} })
    heat.current = made
    schedule()
    return () => made.stop()
  }, [])
  latest.current = () => {
    if (size === null) return
    const start = viewAt(centre ?? place, 0)
    const wantedPx = (SHARE * Math.min(size.width, size.height)) / 2
    const view: View = { ...start, scale: (start.scale * wantedPx * metresPerPixel(start)) / radiusM }
    withContext(canvas.current, size, (context) => {
      context.fillStyle = ink.ground
      context.fillRect(0, 0, size.width, size.height)
      drawGrid(context, ink, { view, size })
      heat.current?.draw(context, { view, size }, ink)
      if (centre !== null) drawCircle(context, ink, { x: size.width / 2, y: size.height / 2, radius: wantedPx })
      const at = viewAt(place, 0)
      drawDot(context, ink, {
        x: size.width / 2 + (at.x - view.x) * view.scale,
        y: size.height / 2 + (at.y - view.y) * view.scale,
      })
      drawScale(context, { ink, units }, { view, size })
    })
  }
  useEffect(schedule, [size, ink, units, place.lat, place.lon, centre?.lat, centre?.lon, radiusM])
  return (
    <div
      class="hidden-map"
      ref={frame}
      role="img"
      aria-label={`A circle of ${radiusM} m with the place in it, off its centre, on the map of all runs`}
    >
      <canvas ref={canvas} />
    </div>
  )
}

interface Pixel {
  readonly x: number
  readonly y: number
}

function drawCircle(
  context: CanvasRenderingContext2D,
  ink: Ink,
  { x, y, radius }: Pixel & { readonly radius: number },
) {
  context.beginPath()
  context.arc(x, y, radius, 0, 2 * Math.PI)
  context.globalAlpha = 0.18
  context.fillStyle = ink.text
  context.fill()
  context.globalAlpha = 1
  context.lineWidth = 2
  context.strokeStyle = ink.text
  context.setLineDash([6, 4])
  context.stroke()
  context.setLineDash([])
}

function drawDot(context: CanvasRenderingContext2D, ink: Ink, { x, y }: Pixel) {
  context.beginPath()
  context.arc(x, y, 6, 0, 2 * Math.PI)
  context.fillStyle = ink.text
  context.fill()
  context.strokeStyle = ink.ground
  context.lineWidth = 2
  context.stroke()
}
