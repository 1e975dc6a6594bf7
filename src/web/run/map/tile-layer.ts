import { useEffect, useRef, useState } from 'preact/hooks'
import type { Ink } from '../ink.ts'
import type { Size, View } from './projection.ts'

/** Loads and draws the tiles of a map. */
export interface TileLayer<T = HTMLCanvasElement> {
  draw(context: CanvasRenderingContext2D, frame: { readonly view: View; readonly size: Size }): void
  /** The tiles of the last drawing that were there. */
  shown(): readonly { readonly spot: TileSpot; readonly tile: T }[]
  /** Requests all tiles again; those of before stay until then. */
  renew(): void
  /** Ends all requests. */
  stop(): void
}

/** Concurrent requests: a browser has six connections per host, and the rest of the page needs some. */
const AT_ONCE = 3
/** Tiles kept in memory: several screens full, 256 KB each. */
const MOST_KEPT = 160
/** Delay before a request, so that levels passed while zooming are not loaded. */
const STILL_MS = 90
/** Pause after a failure. */
const PAUSE_MS = 20_000

/** Where tiles come from, and what they look like. */
interface TileSource<T> {
  /** @param key `z/x/y` */
  readonly addressOf: (key: string) => string
  readonly closestZoom: number
  readonly read: (answer: Response) => Promise<T>
  /** null: nothing is drawn in its place. */
  readonly picture: (tile: T) => HTMLCanvasElement | null
}

/** Tiles of streets. @param ink tiles are tinted with it, so that the route stands out in both themes */
function streetTiles(ink: Ink): TileSource<HTMLCanvasElement> {
  return {
    addressOf: (key) => `/map/tiles/${key}`,
    closestZoom: CLOSEST_ZOOM,
    read: async (answer) => muted(await createImageBitmap(await answer.blob()), ink),
    picture: (tile) => tile,
  }
}

interface TileEvents {
  /** Called when another tile can be drawn. */
  readonly onTile: () => void
  /** Called when the tile server stops or resumes answering. */
  readonly onTrouble: (isMissing: boolean) => void
}

export function createTileLayer<T>(source: TileSource<T>, { onTile, onTrouble }: TileEvents): TileLayer<T> {
  /** In order of last use; null: the server has no such tile. */
  const kept = new Map<string, T | null>()
  /** Those that are to be requested again. */
  const stale = new Set<string>()
  const loading = new Map<string, AbortController>()
  let wanted: readonly TileSpot[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let pausedUntil = 0
  let isStopped = false

  /** Pauses after a failure, then tries again. */
  const pause = () => {
    pausedUntil = Date.now() + PAUSE_MS
    onTrouble(true)
    clearTimeout(timer)
    timer = setTimeout(askForMissing, PAUSE_MS)
  }
  const askForMissing = () => {
    const keys = new Set(wanted.map(({ key }) => key))
    for (const [key, abort] of loading) if (!keys.has(key)) abort.abort()
    if (isStopped || Date.now() < pausedUntil) return
    for (const key of keys) {
      if (loading.size >= AT_ONCE) return
      if ((!kept.has(key) || stale.has(key)) && !loading.has(key)) void load(key)
    }
  }
  const load = async (key: string) => {
    const abort = new AbortController()
    loading.set(key, abort)
    try {
      const answer = await fetch(source.addressOf(key), { signal: abort.signal, credentials: 'same-origin' })
      if (answer.ok) keep(key, await source.read(answer), abort.signal)
      else if (answer.status === 404) keep(key, null, abort.signal)
      else pause()
    } catch {
      if (!abort.signal.aborted) pause()
    }
    if (loading.get(key) === abort) loading.delete(key)
    if (isStopped) return
    if (kept.has(key) && !stale.has(key)) {
      if (Date.now() >= pausedUntil) onTrouble(false)
      onTile()
    }
    askForMissing()
  }
  const keep = (key: string, tile: T | null, signal: AbortSignal) => {
    if (signal.aborted) return
    kept.set(key, tile)
    stale.delete(key)
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST_KEPT) break
      kept.delete(oldest)
      stale.delete(oldest)
    }
  }
  const used = (key: string): T | null => {
    const tile = kept.get(key) ?? null
    if (tile !== null) {
      kept.delete(key)
      kept.set(key, tile)
    }
    return tile
  }
  return {
    draw: (context, { view, size }) => {
      const density = window.devicePixelRatio
      wanted = tilesInView(view, size, density, source.closestZoom)
      const place = painter(context, { view, size, density })
      const paint = (tile: T, ...where: [Square, Square?]) => {
        const picture = source.picture(tile)
        if (picture !== null) place(picture, ...where)
      }
      for (const spot of wanted) {
        const tile = used(spot.key)
        if (tile !== null) paint(tile, spot)
        else {
          for (const { key, area, place: inSpot } of standIns(spot, (other) => kept.get(other) != null)) {
            const other = used(key)
            if (other !== null) paint(other, inside(spot, inSpot), area)
          }
        }
      }
      clearTimeout(timer)
      timer = setTimeout(askForMissing, Math.max(STILL_MS, pausedUntil - Date.now()))
    },
    shown: () =>
      wanted.flatMap((spot) => {
        const tile = kept.get(spot.key) ?? null
        return tile === null ? [] : [{ spot, tile }]
      }),
    renew: () => {
      for (const key of kept.keys()) stale.add(key)
      for (const abort of loading.values()) abort.abort()
      loading.clear()
      askForMissing()
    },
    stop: () => {
      isStopped = true
      clearTimeout(timer)
      for (const abort of loading.values()) abort.abort()
    },
  }
}

interface Square {
  readonly left: number
  readonly top: number
  readonly extent: number
}

function inside(spot: Square, { left, top, extent }: Square): Square {
  return { left: spot.left + left * spot.extent, top: spot.top + top * spot.extent, extent: extent * spot.extent }
}

/** Rounds edges to device pixels, since a seam between tiles would be visible otherwise. */
function painter(
  context: CanvasRenderingContext2D,
  { view, size, density }: { readonly view: View; readonly size: Size; readonly density: number },
) {
  const snapped = (px: number) => Math.round(px * density) / density
  const across = (x: number) => snapped((x - view.x) * view.scale + size.width / 2)
  const down = (y: number) => snapped((y - view.y) * view.scale + size.height / 2)
  return (tile: HTMLCanvasElement, { left, top, extent }: Square, area: Square = WHOLE) => {
    const [x, y] = [across(left), down(top)]
    const from = area.extent * TILE_PX
    context.drawImage(
      tile,
      area.left * TILE_PX,
      area.top * TILE_PX,
      from,
      from,
      x,
      y,
      across(left + extent) - x,
      down(top + extent) - y,
    )
  }
}

/** Reduces colour and contrast, and inverts brightness for the dark theme; once per tile, not per frame. */
function muted(image: ImageBitmap, ink: Ink): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = TILE_PX
  canvas.height = TILE_PX
  const context = canvas.getContext('2d')
  if (context === null) return canvas
  const over = (mode: GlobalCompositeOperation, colour: string, alpha: number) => {
    context.globalCompositeOperation = mode
    context.globalAlpha = alpha
    context.fillStyle = colour
    context.fillRect(0, 0, TILE_PX, TILE_PX)
  }
  context.drawImage(image, 0, 0, TILE_PX, TILE_PX)
  image.close()
  if (ink.isDark) over('difference', '#fff', 1)
  over('saturation', '#808080', ink.isDark ? 0.9 : 0.55)
  over('source-over', ink.ground, ink.isDark ? 0.5 : 0.4)
  return canvas
}

/** One tile and its position, in units of the world's width; copies of the world have another `left`. */
interface TileSpot extends Square {
  /** `z/x/y`, as in its address. */
  readonly key: string
  readonly z: number
  /** From 0 to 2^z - 1. */
  readonly x: number
  readonly y: number
}

/** Size of a tile, pixels. */
export const TILE_PX = 256
/** The closest zoom level of OpenStreetMap's servers. */
export const CLOSEST_ZOOM = 19
/** A tile is enlarged up to 2^0.4 times: text becomes blurred beyond, and tiny when the next level is used earlier. */
const STRETCH = 0.4
/** Limit of the pixel density: at 2 the tiles' text would be half as large; at this value it is sharp and readable. */
const MOST_DENSITY = 1.5

/**
 * The tiles of a view, from the middle outwards.
 * @param density device pixels per CSS pixel
 * @param closestZoom closer views enlarge tiles of this zoom
 */
export function tilesInView(view: View, { width, height }: Size, density: number, closestZoom = CLOSEST_ZOOM) {
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

/** A stand-in may be this many zoom levels coarser. */
const COARSEST = 5
const WHOLE = { left: 0, top: 0, extent: 1 }

/**
 * Tiles to show until a tile is loaded: a coarser one around it, and finer ones within it on top.
 * @returns areas of other tiles, and the places in the spot that they fill; both from 0 to 1
 */
export function standIns({ z, x, y }: TileSpot, isThere: (key: string) => boolean) {
  const found: { readonly key: string; readonly area: Square; readonly place: Square }[] = []
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

/** Provides tiles while they are enabled; another theme draws them again. */
export function useTiles(isOn: boolean, ink: Ink, onTile: () => void) {
  const [tiles, setTiles] = useState<TileLayer | null>(null)
  const [isMissing, setMissing] = useState(false)
  const latest = useRef(onTile)
  latest.current = onTile
  useEffect(() => {
    if (!isOn) return
    const made = createTileLayer(streetTiles(ink), { onTile: () => latest.current(), onTrouble: setMissing })
    setTiles(made)
    return () => {
      made.stop()
      setTiles(null)
      setMissing(false)
    }
  }, [isOn, ink])
  return { tiles, isMissing }
}
