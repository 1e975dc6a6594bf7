import type { Size, View } from './projection.ts'

/** One tile and its position, in units of the world's width; copies of the world have another `left`. */
export interface TileSpot {
  /** `z/x/y`, as in its address. */
  readonly key: string
  readonly z: number
  /** From 0 to 2^z - 1. */
  readonly x: number
  readonly y: number
  readonly left: number
  readonly top: number
  readonly extent: number
}

/** Size of a tile, pixels. */
export const TILE_PX = 256
/** The closest zoom level of OpenStreetMap's servers. */
export const CLOSEST_ZOOM = 19
/** A tile is enlarged up to 2^0.4 times: text becomes blurred beyond, and tiny when the next level is used earlier. */
const STRETCH = 0.4
/** Limit of the pixel density: at 2 the tiles' text would be half as large; at this value it is sharp and readable. */
const MOST_DENSITY = 1.5

interface TileChoice {
  /** Device pixels per CSS pixel. */
  readonly density: number
  /** Closer views enlarge tiles of this zoom. */
  readonly closestZoom?: number
}

/** The tiles of a view, from the middle outwards. */
export function tilesInView(
  view: View,
  { width, height }: Size,
  { density, closestZoom = CLOSEST_ZOOM }: TileChoice,
): TileSpot[] {
  const ideal = Math.log2((view.scale * Math.max(1, Math.min(MOST_DENSITY, density))) / TILE_PX)
  const z = Math.max(0, Math.min(closestZoom, Math.ceil(ideal - STRETCH)))
  const count = 2 ** z
  const reachX = width / 2 / view.scale
  const reachY = height / 2 / view.scale
  const firstY = Math.max(0, Math.floor((view.y - reachY) * count))
  const lastY = Math.min(count - 1, Math.ceil((view.y + reachY) * count) - 1)
  const spots: TileSpot[] = []
  for (let column = Math.floor((view.x - reachX) * count); column < (view.x + reachX) * count; column += 1) {
    const x = ((column % count) + count) % count
    for (let y = firstY; y <= lastY; y += 1) {
      spots.push({ key: `${z}/${x}/${y}`, z, x, y, left: column / count, top: y / count, extent: 1 / count })
    }
  }
  const distance = ({ left, top, extent }: TileSpot) =>
    Math.hypot(left + extent / 2 - view.x, top + extent / 2 - view.y)
  return spots.sort((a, b) => distance(a) - distance(b))
}

/** An area of another tile, and the area of the spot that it fills; both from 0 to 1. */
interface StandIn {
  readonly key: string
  readonly area: { readonly left: number; readonly top: number; readonly extent: number }
  readonly place: { readonly left: number; readonly top: number; readonly extent: number }
}

/** A stand-in may be this many zoom levels coarser. */
const COARSEST = 5
const WHOLE = { left: 0, top: 0, extent: 1 }

/** Tiles to show until a tile is loaded: a coarser one around it, and finer ones within it on top. */
export function standIns({ z, x, y }: TileSpot, isThere: (key: string) => boolean): StandIn[] {
  const found: StandIn[] = []
  for (let up = 1; up <= Math.min(COARSEST, z); up += 1) {
    const key = `${z - up}/${x >> up}/${y >> up}`
    if (!isThere(key)) continue
    const extent = 1 / 2 ** up
    const inside = (index: number) => (index & (2 ** up - 1)) * extent
    found.push({ key, area: { left: inside(x), top: inside(y), extent }, place: WHOLE })
    break
  }
  for (const right of [0, 1]) {
    for (const below of [0, 1]) {
      const key = `${z + 1}/${2 * x + right}/${2 * y + below}`
      if (isThere(key)) found.push({ key, area: WHOLE, place: { left: right / 2, top: below / 2, extent: 0.5 } })
    }
  }
  return found
}
