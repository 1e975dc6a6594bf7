import { useMemo, useRef } from 'preact/hooks'
import { boxOf, fittedView, projected } from '../map/projection.ts'
import { type RunView, useDrawing } from '../run-view.ts'
import type { RunSeries } from './series.ts'

const SIZE = { width: 84, height: 60 }
const PADDING_PX = 7
const MOST_POINTS = 240

/** A small map with the place of the cursor, shown while the large map is out of sight. */
export function MiniMap({ series, view }: { readonly series: RunSeries; readonly view: RunView }) {
  const dot = useRef<SVGCircleElement>(null)
  const ghost = useRef<SVGCircleElement>(null)
  const route = useMemo(() => smallRoute(series), [series])
  useDrawing([view.cursor, view.ghost], () => {
    const row = view.cursor.get()
    const ghostRow = row < 0 ? -1 : (view.ghost.get()?.rowOf(row) ?? -1)
    for (const [circle, at] of [[dot.current, row] as const, [ghost.current, ghostRow] as const]) {
      const place = at < 0 ? null : (route?.placeOf(at) ?? null)
      circle?.toggleAttribute('hidden', place === null)
      if (place === null) continue
      circle?.setAttribute('cx', place[0].toFixed(1))
      circle?.setAttribute('cy', place[1].toFixed(1))
    }
  }, [route])
  if (route === null) return null
  return (
    <svg class="mini-map" viewBox={`0 0 ${SIZE.width} ${SIZE.height}`} aria-hidden="true">
      <path d={route.path} />
      <circle class="ghost" ref={ghost} r="4" hidden />
      <circle ref={dot} r="4.5" hidden />
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
