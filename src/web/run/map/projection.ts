import { useEffect, useRef } from 'preact/hooks'
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

interface Gestures {
  /** Nothing else is in the view: one finger moves the map, and the wheel zooms it without a key. */
  readonly isWhole?: boolean
  readonly onPan: (dx: number, dy: number) => void
  /** Called with a pixel of the element around which to zoom. */
  readonly onZoom: (factor: number, px: number, py: number) => void
  readonly onHover: (px: number, py: number) => void
  readonly onLeave: () => void
  /** A click or tap. */
  readonly onTap: (px: number, py: number) => void
  /** A double click or double tap. */
  readonly onDouble: (px: number, py: number) => void
  /** Called while dragging with Shift, with the pixels of the start and of now. */
  readonly onSelect: (from: Pixel, to: Pixel) => void
}

interface Pixel {
  readonly x: number
  readonly y: number
}

const WHEEL_PER_E = 400
/** A press that moves less than this is a tap, pixels. */
const TAP_PX = 8

/**
 * Mouse: drag moves, with Shift it selects, a wheel with Ctrl, Cmd or in the focused map zooms. Touch: one finger scrolls
 * the page or follows the route, two move and zoom. Both may tap once or twice.
 */
export function useMapGestures(element: { readonly current: HTMLElement | null }, gestures: Gestures): void {
  const latest = useRef(gestures)
  latest.current = gestures
  useEffect(() => {
    const target = element.current
    if (target === null) return
    const fingers = new Map<number, Pixel>()
    let selectedFrom: Pixel | null = null
    /** Where a press began that may become a tap; null: it moved too far. */
    let tapped: Pixel | null = null
    const place = (event: MouseEvent) => {
      const { left, top } = target.getBoundingClientRect()
      return { x: event.clientX - left, y: event.clientY - top }
    }
    const onDown = (event: PointerEvent) => {
      if (event.pointerType === 'mouse' && event.button !== 0) return
      fingers.set(event.pointerId, place(event))
      tapped = fingers.size === 1 && !event.shiftKey ? place(event) : null
      selectedFrom = event.pointerType === 'mouse' && event.shiftKey ? place(event) : null
      target.setPointerCapture(event.pointerId)
    }
    const onMove = (event: PointerEvent) => {
      const at = place(event)
      const before = fingers.get(event.pointerId)
      if (before === undefined) return latest.current.onHover(at.x, at.y)
      if (tapped !== null && Math.hypot(at.x - tapped.x, at.y - tapped.y) > TAP_PX) tapped = null
      if (fingers.size === 1) {
        if (selectedFrom !== null) latest.current.onSelect(selectedFrom, at)
        else if (event.pointerType === 'touch' && latest.current.isWhole !== true) latest.current.onHover(at.x, at.y)
        else latest.current.onPan(at.x - before.x, at.y - before.y)
      } else pinch(event.pointerId, before, at)
      fingers.set(event.pointerId, at)
    }
    const pinch = (id: number, before: Pixel, at: Pixel) => {
      const other = [...fingers].find(([known]) => known !== id)?.[1]
      if (other === undefined) return
      const reach = (one: Pixel) => Math.hypot(one.x - other.x, one.y - other.y)
      latest.current.onPan((at.x - before.x) / 2, (at.y - before.y) / 2)
      latest.current.onZoom(reach(at) / Math.max(1, reach(before)), (at.x + other.x) / 2, (at.y + other.y) / 2)
    }
    const onUp = (event: PointerEvent) => {
      fingers.delete(event.pointerId)
      if (event.type === 'pointerup' && tapped !== null) latest.current.onTap(tapped.x, tapped.y)
      tapped = null
      if (event.pointerType === 'touch') latest.current.onLeave()
    }
    const onLeave = () => {
      if (fingers.size === 0) latest.current.onLeave()
    }
    const onWheel = (event: WheelEvent) => {
      const isMeant = latest.current.isWhole === true || event.ctrlKey || event.metaKey
      if (!isMeant && document.activeElement !== target) return
      event.preventDefault()
      const { x, y } = place(event)
      latest.current.onZoom(Math.exp(-event.deltaY / WHEEL_PER_E), x, y)
    }
    const onDouble = (event: MouseEvent) => {
      const { x, y } = place(event)
      latest.current.onDouble(x, y)
    }
    const listeners = [
      ['pointerdown', onDown],
      ['pointermove', onMove],
      ['pointerup', onUp],
      ['pointercancel', onUp],
      ['pointerleave', onLeave],
      ['wheel', onWheel],
      ['dblclick', onDouble],
    ] as const
    for (const [name, listener] of listeners) {
      target.addEventListener(name, listener as EventListener, { passive: name !== 'wheel' })
    }
    return () => {
      for (const [name, listener] of listeners) target.removeEventListener(name, listener as EventListener)
    }
  }, [element])
}

interface MapKeys {
  readonly move: (change: (view: View, area: Size) => View) => void
  /** How far an arrow key moves the map. */
  readonly panPx: number
  readonly showAll: () => void
  /** Further keys. */
  readonly more?: Readonly<Record<string, () => void>>
}

const STEP = 1.5

/** A zoom about the middle of the window. */
export function zoomAtMiddle(move: MapKeys['move'], factor: number): void {
  move((view, size) => zoomedView(view, factor, { px: size.width / 2, py: size.height / 2, size }))
}

/** What the keys do on a map. @returns a handler of `keydown` */
export function mapKeys({ move, panPx, showAll, more = {} }: MapKeys): (event: KeyboardEvent) => void {
  const pan = (dx: number, dy: number) => () => move((view) => pannedView(view, dx * panPx, dy * panPx))
  const zoom = (factor: number) => () => zoomAtMiddle(move, factor)
  const actions: Readonly<Record<string, () => void>> = {
    ArrowLeft: pan(1, 0),
    ArrowRight: pan(-1, 0),
    ArrowUp: pan(0, 1),
    ArrowDown: pan(0, -1),
    '+': zoom(STEP),
    '=': zoom(STEP),
    '-': zoom(1 / STEP),
    '0': showAll,
    ...more,
  }
  return (event) => {
    const action = actions[event.key]
    if (action === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    action()
  }
}
