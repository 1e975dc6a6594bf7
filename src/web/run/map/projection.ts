import { METRES_PER_FOOT, METRES_PER_MILE } from '../../../engine/units.ts'
import { number, type Units } from '../../format.ts'

// Web Mercator (EPSG:3857) in units of the world's width: x to the east, y to the south. A run across the date line
// continues beyond 0 and 1, so that it stays in one piece.

export interface Points {
  /** NaN where there is no position. */
  readonly x: Float64Array
  readonly y: Float64Array
}

interface Box {
  readonly west: number
  readonly east: number
  readonly north: number
  readonly south: number
}

/** The visible part of the map: position of its middle, and pixels per world width. */
export interface View {
  readonly x: number
  readonly y: number
  readonly scale: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

const EQUATOR_M = 40_075_016.686
/** Limit of Mercator, whose poles are infinitely far away. */
const MOST_LAT_DEG = 85.0511287798
/** Closest zoom, so that a run on a track shows 100 m and not GPS jitter. */
const CLOSEST_M_PER_PX = 0.05
const FARTHEST_M_PER_PX = 40_000
/** Size of the box around a run in one place. */
const SMALLEST_BOX_M = 60

/** @param lat,lon degrees, NaN is a gap; longitudes may jump at the date line */
export function projected(lat: Float64Array, lon: Float64Array): Points {
  const x = new Float64Array(lat.length).fill(Number.NaN)
  const y = new Float64Array(lat.length).fill(Number.NaN)
  let last = Number.NaN
  for (let i = 0; i < lat.length; i += 1) {
    if (Number.isNaN(lat[i]!) || Number.isNaN(lon[i]!)) continue
    let worldX = lon[i]! / 360 + 0.5
    if (!Number.isNaN(last)) worldX -= Math.round(worldX - last)
    x[i] = worldX
    y[i] = worldY(lat[i]!)
    last = worldX
  }
  return { x, y }
}

export function worldY(latDeg: number): number {
  const lat = (Math.max(-MOST_LAT_DEG, Math.min(MOST_LAT_DEG, latDeg)) * Math.PI) / 180
  return 0.5 - Math.asinh(Math.tan(lat)) / (2 * Math.PI)
}

/** The inverse of the projection's y, degrees. */
export function latitudeAt(y: number): number {
  return (Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI)) * 180) / Math.PI
}

/** @returns null without any position */
export function boxOf({ x, y }: Points): Box | null {
  let west = Infinity
  let east = -Infinity
  let north = Infinity
  let south = -Infinity
  for (let i = 0; i < x.length; i += 1) {
    if (Number.isNaN(x[i]!)) continue
    west = Math.min(west, x[i]!)
    east = Math.max(east, x[i]!)
    north = Math.min(north, y[i]!)
    south = Math.max(south, y[i]!)
  }
  return west <= east ? { west, east, north, south } : null
}

/** The view that contains a box with `padding` pixels around it. */
export function fittedView(box: Box, { width, height }: Size, padding: number): View {
  const y = (box.north + box.south) / 2
  const least = SMALLEST_BOX_M / metresPerWorld(y)
  const boxWidth = Math.max(box.east - box.west, least)
  const boxHeight = Math.max(box.south - box.north, least)
  const scale = Math.min(Math.max(1, width - 2 * padding) / boxWidth, Math.max(1, height - 2 * padding) / boxHeight)
  return limited({ x: (box.west + box.east) / 2, y, scale })
}

/** The view after dragging the map by pixels. */
export function pannedView(view: View, dx: number, dy: number): View {
  return { ...view, x: view.x - dx / view.scale, y: view.y - dy / view.scale }
}

/** The view after zooming around a pixel, which stays in place. @param factor above 1: closer */
export function zoomedView(
  view: View,
  factor: number,
  { px, py, size }: { readonly px: number; readonly py: number; readonly size: Size },
): View {
  const zoomed = limited({ ...view, scale: view.scale * factor })
  const dx = px - size.width / 2
  const dy = py - size.height / 2
  return {
    ...zoomed,
    x: view.x + dx / view.scale - dx / zoomed.scale,
    y: view.y + dy / view.scale - dy / zoomed.scale,
  }
}

function limited(view: View): View {
  const world = metresPerWorld(view.y)
  const scale = Math.max(world / FARTHEST_M_PER_PX, Math.min(world / CLOSEST_M_PER_PX, view.scale))
  return { ...view, scale }
}

function metresPerWorld(y: number): number {
  return EQUATOR_M * Math.cos((latitudeAt(y) * Math.PI) / 180)
}

/** Metres per pixel in the middle of a view. */
export function metresPerPixel(view: View): number {
  return metresPerWorld(view.y) / view.scale
}

interface ScaleBar {
  readonly px: number
  readonly metres: number
  readonly label: string
}

/** The longest bar of 1, 2 or 5 times a power of ten of the reader's unit within `mostPx`. */
export function scaleBar(view: View, mostPx: number, units: Units): ScaleBar {
  const perPx = metresPerPixel(view)
  const mostM = perPx * mostPx
  const isShort = units === 'metric' ? mostM < 1000 : mostM < METRES_PER_MILE
  const unitM = units === 'metric' ? (isShort ? 1 : 1000) : isShort ? METRES_PER_FOOT : METRES_PER_MILE
  const count = roundBelow(mostM / unitM)
  const name = units === 'metric' ? (isShort ? 'm' : 'km') : isShort ? 'ft' : 'mi'
  return { px: (count * unitM) / perPx, metres: count * unitM, label: `${number(count)}\u00a0${name}` }
}

function roundBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  const digit = value / power
  return (digit >= 5 ? 5 : digit >= 2 ? 2 : 1) * power
}
