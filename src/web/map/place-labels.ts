import type { Ink } from '../run/ink.ts'
import type { Frame } from '../run/map/map-drawing.ts'
import { worldY } from '../run/map/projection.ts'
import { TILE_PX } from '../run/map/tile-layer.ts'
import { LEAST_RUNS, type Place } from './places/place.ts'

/** From this zoom on names are written; on wider views places are circles. */
const NAMES_ZOOM = 6
const DOT_PX = 3.5
const MOST_CIRCLE_PX = 22

/** Names of places, the most important first, where no other one is. */
export function drawPlaces(
  context: CanvasRenderingContext2D,
  places: readonly Place[],
  { view, size, ink, isWide }: Frame & { readonly ink: Ink; readonly isWide: boolean },
): void {
  if (isWide) drawCircles(context, places, { view, size, ink })
  if (Math.log2(view.scale / TILE_PX) < NAMES_ZOOM) return
  context.font = `600 12px ${ink.font}`
  context.textAlign = 'left'
  context.textBaseline = 'middle'
  context.lineJoin = 'round'
  /** One town is near many places. */
  const suggested = new Set<string>()
  const taken: (readonly [left: number, top: number, right: number, bottom: number])[] = []
  for (const place of places.toSorted((a, b) => Number(b.isHome) - Number(a.isHome) || b.runs - a.runs)) {
    const name = place.name ?? suggestionOf(place, suggested)
    if (name === null) continue
    const [x, y] = pixelOf(place, { view, size })
    const width = context.measureText(name).width
    const box = [x - 6, y - 10, x + 12 + width, y + 10] as const
    const isOut = box[2] < 0 || box[0] > size.width || box[3] < 0 || box[1] > size.height
    const isTaken = taken.some(
      ([left, top, right, bottom]) => box[0] < right && box[2] > left && box[1] < bottom && box[3] > top,
    )
    if (isOut || isTaken) continue
    taken.push(box)
    if (place.name === null) suggested.add(name)
    context.fillStyle = place.name === null ? ink.muted : ink.text
    context.strokeStyle = ink.surface
    context.lineWidth = 2
    context.beginPath()
    context.arc(x, y, DOT_PX, 0, 2 * Math.PI)
    context.stroke()
    context.fill()
    context.lineWidth = 3.5
    context.strokeText(name, x + 9, y)
    context.fillText(name, x + 9, y)
  }
}

function suggestionOf({ suggested, runs }: Place, taken: ReadonlySet<string>): string | null {
  return suggested === null || runs < LEAST_RUNS || taken.has(suggested) ? null : suggested
}

function drawCircles(
  context: CanvasRenderingContext2D,
  places: readonly Place[],
  { view, size, ink }: Frame & { readonly ink: Ink },
): void {
  const most = places.reduce((so, { runs }) => Math.max(so, runs), 1)
  context.fillStyle = ink.accent
  context.strokeStyle = ink.surface
  context.lineWidth = 1.5
  for (const place of places) {
    if (place.runs === 0) continue
    const [x, y] = pixelOf(place, { view, size })
    context.globalAlpha = 0.75
    context.beginPath()
    context.arc(x, y, 4 + (MOST_CIRCLE_PX - 4) * Math.sqrt(place.runs / most), 0, 2 * Math.PI)
    context.fill()
    context.globalAlpha = 1
    context.stroke()
  }
}

/** The copy of the world that is nearest to the middle. */
function pixelOf({ lat, lon }: Place, { view, size }: Frame): readonly [number, number] {
  const x = lon / 360 + 0.5
  const near = x + Math.round(view.x - x)
  return [(near - view.x) * view.scale + size.width / 2, (worldY(lat) - view.y) * view.scale + size.height / 2]
}
