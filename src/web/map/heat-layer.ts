import type { Ink } from '../run/ink.ts'
import type { Frame } from '../run/map/map-drawing.ts'
import { createTileLayer, TILE_PX } from '../run/map/tile-layer.ts'

/** Zoom levels that the service draws. */
const ZOOMS = { farthest: 6, closest: 15 } as const
/** A line of one pixel is found this far from the pointer. */
const REACH_PX = 3
/**
 * The lines are drawn from smaller copies of the tiles, which makes them smooth and soft: pixels of the screen in one of
 * a copy, and opacity. The first are the glow; a way that is run often has the stronger and denser colours, so it glows
 * more.
 */
const PASSES = [
  [16, 0.7],
  [6, 0.75],
  [2, 1],
  [1.25, 1],
] as const

interface HeatTile {
  /** One byte a pixel; null: no run. */
  readonly codes: Uint8Array | null
  /** As coloured with a table. */
  picture: { readonly table: Uint32Array; readonly canvas: HTMLCanvasElement } | null
}

/**
 * The runs as lines that glow. `draw` returns false where the view is too wide for tiles; `codeAt` the brightest code near
 * a pixel, 0 where no run is; `most` the code of the most runs in view; `renew` is for another filter, or other runs.
 * @param queryOf filters of the present, with their question mark
 */
export function createHeatLayer(queryOf: () => string, onTile: () => void) {
  const lines = document.createElement('canvas')
  const passes = PASSES.map(([coarse, alpha]) => ({ coarse, alpha, canvas: document.createElement('canvas') }))
  let [table, most, isDark] = [new Uint32Array(0), 0, false]
  const layer = createTileLayer<HeatTile>(
    {
      addressOf: (key) => `/map/heat/${key}${queryOf()}`,
      closestZoom: ZOOMS.closest,
      read: async (answer) => {
        const codes = answer.status === 204 ? null : new Uint8Array(await answer.arrayBuffer())
        return { codes, picture: null }
      },
      picture: (tile) => {
        if (tile.codes === null) return null
        if (tile.picture?.table === table) return tile.picture.canvas
        const canvas = tile.picture?.canvas ?? document.createElement('canvas')
        paint(canvas, tile.codes, table)
        tile.picture = { table, canvas }
        return canvas
      },
    },
    { onTile, onTrouble: () => {} },
  )
  const draw = (context: CanvasRenderingContext2D, frame: Frame, ink: Ink): boolean => {
    if (Math.log2(frame.view.scale / TILE_PX) < ZOOMS.farthest - 0.5) return false
    if (table.length === 0 || ink.isDark !== isDark) {
      isDark = ink.isDark
      table = heatTable(most, ink)
    }
    const { width, height } = frame.size
    layer.draw(emptied(lines, width, height), frame)
    context.imageSmoothingQuality = 'high'
    for (const { coarse, alpha, canvas } of passes) {
      const [across, down] = [width / coarse, height / coarse]
      const copy = emptied(canvas, across, down)
      copy.imageSmoothingQuality = 'high'
      copy.drawImage(lines, 0, 0, across, down)
      context.globalAlpha = alpha
      context.globalCompositeOperation = ink.isDark && coarse > 2 ? 'lighter' : 'source-over'
      context.drawImage(canvas, 0, 0, across, down, 0, 0, width, height)
    }
    context.globalAlpha = 1
    context.globalCompositeOperation = 'source-over'
    const seen = layer.shown().reduce((so, { tile }) => Math.max(so, brightest(tile)), 0)
    if (seen > 0 && seen !== most) {
      most = seen
      table = heatTable(most, ink)
      onTile()
    }
    return true
  }
  return {
    draw,
    most: () => most,
    codeAt: ({ view, size }: Frame, px: number, py: number): number => {
      const [x, y] = [view.x + (px - size.width / 2) / view.scale, view.y + (py - size.height / 2) / view.scale]
      const found = layer
        .shown()
        .find(({ spot: { left, top, extent } }) => x >= left && x < left + extent && y >= top && y < top + extent)
      if (found?.tile.codes == null) return 0
      const { codes } = found.tile
      const { left, top, extent } = found.spot
      const [column, row] = [x - left, y - top].map((share) => Math.floor((share / extent) * TILE_PX))
      let code = 0
      for (let down = Math.max(0, row! - REACH_PX); down <= Math.min(TILE_PX - 1, row! + REACH_PX); down += 1) {
        const line = down * TILE_PX
        const [from, to] = [Math.max(0, column! - REACH_PX), Math.min(TILE_PX, column! + REACH_PX + 1)]
        code = codes.subarray(line + from, line + to).reduce((most, one) => Math.max(most, one), code)
      }
      return code
    },
    renew: layer.renew,
    stop: layer.stop,
  }
}

const brightestOf = new WeakMap<Uint8Array, number>()

function brightest({ codes }: HeatTile): number {
  if (codes === null) return 0
  const known = brightestOf.get(codes)
  if (known !== undefined) return known
  let most = 0
  for (const code of codes) if (code > most) most = code
  brightestOf.set(codes, most)
  return most
}

/** The same canvas in a size in CSS pixels, empty; a size that it has already would make its memory anew. */
function emptied(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
  const [across, down] = [Math.max(1, Math.ceil(width)), Math.max(1, Math.ceil(height))]
  const context = canvas.getContext('2d')!
  if (canvas.width === across && canvas.height === down) context.clearRect(0, 0, across, down)
  else Object.assign(canvas, { width: across, height: down })
  return context
}

function paint(canvas: HTMLCanvasElement, codes: Uint8Array, table: Uint32Array): void {
  const context = emptied(canvas, TILE_PX, TILE_PX)
  const image = context.createImageData(TILE_PX, TILE_PX)
  const pixels = new Uint32Array(image.data.buffer)
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = table[codes[at]!]!
  context.putImageData(image, 0, 0)
}

type Colour = readonly [red: number, green: number, blue: number, alpha: number]

/** From one run to the most; on both grounds the way from the quiet to the bright end grows in contrast. */
const LIGHT: readonly Colour[] = [
  [236, 122, 40, 170],
  [229, 88, 30, 205],
  [178, 24, 72, 235],
  [74, 16, 74, 255],
]
const DARK: readonly Colour[] = [
  [150, 98, 222, 170],
  [214, 57, 115, 205],
  [255, 154, 60, 235],
  [255, 247, 205, 255],
]
/** Code of a pixel with one run. */
const ONE = 19
const MOST = 255

/** How many runs a code stands for: exact to 33, else within 4 %. */
export function runsOf(code: number): number {
  return Math.round(2 ** (code / ONE) - 1)
}

/** A colour for each code, as the four bytes of a pixel; the brightest is for `most`. */
export function heatTable(most: number, { isDark }: Pick<Ink, 'isDark'>): Uint32Array<ArrayBuffer> {
  const bytes = new Uint8Array(4 * (MOST + 1))
  for (let code = 1; code <= MOST; code += 1) {
    const share = most <= ONE ? 0 : Math.min(1, Math.max(0, (code - ONE) / (most - ONE)))
    bytes.set(colourAt(isDark ? DARK : LIGHT, share), 4 * code)
  }
  return new Uint32Array(bytes.buffer)
}

function colourAt(stops: readonly Colour[], share: number): number[] {
  const place = share * (stops.length - 1)
  const at = Math.min(stops.length - 2, Math.floor(place))
  const [from, to] = [stops[at]!, stops[at + 1]!]
  return from.map((part, k) => Math.round(part + (to[k]! - part) * (place - at)))
}

/** The scale of the map as CSS colours. */
export function heatRamp({ isDark }: Pick<Ink, 'isDark'>): string[] {
  return (isDark ? DARK : LIGHT).map(([red, green, blue]) => `rgb(${red} ${green} ${blue})`)
}
