import type { Frame } from '../run/map/map-drawing.ts'
import { latitudeAt } from '../run/map/projection.ts'
import { TILE_PX } from '../run/map/tile-layer.ts'

/** Tiles beyond the view whose photos are asked for, too, so that small moves ask for nothing. */
const BEYOND = 1

/** The call for the photos of a view and a little around it. @param filters as the service is asked; empty: none */
export function photosPath({ view, size }: Frame, filters: string): `/map/photos?${string}` {
  const tiles = 2 ** Math.max(0, Math.floor(Math.log2(view.scale / TILE_PX)))
  const edge = (at: number, px: number, side: 1 | -1) =>
    (side * (Math.ceil(side * (at + (side * px) / 2 / view.scale) * tiles) + BEYOND)) / tiles
  const [left, right] = [edge(view.x, size.width, -1), edge(view.x, size.width, 1)]
  const [top, bottom] = [edge(view.y, size.height, -1), edge(view.y, size.height, 1)]
  const isWhole = right - left >= 1
  const longitude = (x: number) => ((((x % 1) + 1) % 1) - 0.5) * 360
  const bounds = new URLSearchParams({
    west: String(isWhole ? -180 : longitude(left)),
    south: String(latitudeAt(Math.min(1, bottom))),
    east: String(isWhole ? 180 : longitude(right)),
    north: String(latitudeAt(Math.max(0, top))),
  })
  return `/map/photos?${bounds}${filters === '' ? '' : `&${filters}`}`
}
