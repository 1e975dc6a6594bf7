import { api } from '../api.ts'
import { counted, number } from '../format.ts'
import type { Ink } from '../run/ink.ts'
import type { Frame } from '../run/map/map-drawing.ts'
import type { View } from '../run/map/projection.ts'
import { TILE_PX } from '../run/map/tile-layer.ts'
import type { Answer } from '../types.ts'
import { Button } from '../ui/button.tsx'

/** How much of the map a block takes, pixels. */
const BLOCK_PX = 420

/** What the colours of squares mean. @param isLacking whether missing squares are marked */
export function SquaresLegend({ isLacking }: { readonly isLacking: boolean }) {
  return (
    <span class="squares-legend level muted small">
      <i class="swatch" style={{ opacity: 0.26 }} /> Visited
      <i class="swatch" style={{ opacity: 0.5 }} /> All 4 neighbours visited
      {isLacking && (
        <>
          <i class="swatch missing" /> Missing
        </>
      )}
    </span>
  )
}

interface SquaresLineProps {
  readonly squares: Squares
  readonly onShow: (view: View) => void
}

/** How many squares, the largest block of them, and what it lacks to the next size; the figures lead to the map. */
export function SquaresLine({ squares: { count, maxSquare, grow }, onShow }: SquaresLineProps) {
  // a view of what a figure is about
  const show = ({ x, y, size }: { readonly x: number; readonly y: number; readonly size: number }) =>
    onShow({ x: (x + size / 2) / SIDE, y: (y + size / 2) / SIDE, scale: (BLOCK_PX * SIDE) / size })
  return (
    <div class="below-3 flow">
      <strong>{counted(count, 'square')}</strong>
      {maxSquare !== null && (
        <Button size="small" icon="whole" onClick={() => show(maxSquare)}>
          Largest block {number(maxSquare.size)} × {number(maxSquare.size)}
        </Button>
      )}
      {grow !== null && (
        <Button size="small" icon="section" onClick={() => show(grow)}>
          {counted(grow.missing.length, 'square')} to {number(grow.size)} × {number(grow.size)}
        </Button>
      )}
    </div>
  )
}

/** Squares are tiles of this zoom. */
const ZOOM = 14
const SIDE = 2 ** ZOOM
/** On wider views they would be smaller than 8 pixels. */
const FARTHEST_ZOOM = 9
/** Squares around the view that are loaded with it. */
const MARGIN = 0.25
const MOST_SQUARES = 60_000
const FLAGS = { inner: 1, maxSquare: 4 } as const
const STILL_MS = 120

type Squares = Answer<'/map/squares'>

interface Part {
  readonly x0: number
  readonly y0: number
  readonly wide: number
  readonly high: number
}

interface Look {
  readonly ink: Ink
  readonly growing: Squares | null
}

/**
 * The squares that were visited, the largest block and what it lacks. `draw` returns false where the view is too wide;
 * `runsAt` the runs through the square at a pixel, 0 where there is none; `renew` is for another filter, or other runs.
 * @param queryOf filters of the present, beginning with &
 */
export function createSquaresLayer(queryOf: () => string, onLoaded: () => void) {
  let held: { readonly part: Part; readonly squares: readonly (readonly (number | string)[])[] } | null = null
  let [isStale, isLoading, isStopped] = [true, false, false]
  let timer: ReturnType<typeof setTimeout> | undefined
  const load = async (part: Part) => {
    isLoading = true
    isStale = false
    const { x0, y0, wide, high } = part
    const corner = `x0=${wrapped(x0)}&y0=${y0}&x1=${wrapped(x0 + wide - 1)}&y1=${y0 + high - 1}`
    try {
      const { squares } = await api.get(`/map/squares/in?${corner}${queryOf()}`)
      held = { part, squares }
    } catch {
      // drawn again, it is asked again
    }
    isLoading = false
    if (!isStopped) onLoaded()
  }
  const draw = (context: CanvasRenderingContext2D, frame: Frame, { ink, growing }: Look): boolean => {
    const { view, size } = frame
    if (Math.log2(view.scale / TILE_PX) < FARTHEST_ZOOM) return false
    const part = partOf(frame)
    if (!isLoading && (isStale || held === null || !isWithin(partOf(frame, 0), held.part))) {
      clearTimeout(timer)
      timer = setTimeout(() => void load(part), STILL_MS)
    }
    const px = view.scale / SIDE
    const left = (x: number) => {
      const world = x / SIDE
      return (world + Math.round(view.x - world - 0.5 / SIDE) - view.x) * view.scale + size.width / 2
    }
    const top = (y: number) => (y / SIDE - view.y) * view.scale + size.height / 2
    const fill = (x: number, y: number, alpha: number) => {
      context.globalAlpha = alpha
      context.fillRect(left(x) + 0.5, top(y) + 0.5, px - 1, px - 1)
    }
    context.fillStyle = ink.accent
    for (const [x, y, , , flags] of held?.squares ?? [])
      fill(Number(x), Number(y), (Number(flags) & FLAGS.inner) > 0 ? 0.5 : 0.26)
    context.globalAlpha = 1
    const { maxSquare = null, grow = null } = growing ?? {}
    context.lineWidth = 3
    context.strokeStyle = ink.accent2
    if (maxSquare !== null)
      context.strokeRect(left(maxSquare.x), top(maxSquare.y), maxSquare.size * px, maxSquare.size * px)
    context.lineWidth = 1.5
    context.setLineDash([4, 4])
    for (const [x, y] of grow?.missing ?? []) context.strokeRect(left(x!) + 2, top(y!) + 2, px - 4, px - 4)
    context.setLineDash([])
    return true
  }
  return {
    draw,
    runsAt: ({ view, size }: Frame, px: number, py: number): number => {
      const x = wrapped(Math.floor((view.x + (px - size.width / 2) / view.scale) * SIDE))
      const y = Math.floor((view.y + (py - size.height / 2) / view.scale) * SIDE)
      const found = held?.squares.find(([column, row]) => column === x && row === y)
      return Number(found?.[2] ?? 0)
    },
    renew: () => {
      isStale = true
    },
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

function wrapped(x: number): number {
  return ((x % SIDE) + SIDE) % SIDE
}

/** The squares of a view, and some around it. */
function partOf({ view, size }: Frame, margin = MARGIN): Part {
  const [reachX, reachY] = [(size.width / 2 / view.scale) * SIDE, (size.height / 2 / view.scale) * SIDE]
  const more = 4 * reachX * reachY * (1 + margin) ** 2 > MOST_SQUARES ? 1 : 1 + margin
  const x0 = Math.floor(view.x * SIDE - reachX * more)
  const y0 = Math.max(0, Math.floor(view.y * SIDE - reachY * more))
  const y1 = Math.min(SIDE - 1, Math.floor(view.y * SIDE + reachY * more))
  const wide = Math.min(SIDE, Math.floor(view.x * SIDE + reachX * more) - x0 + 1)
  return { x0, y0, wide, high: Math.max(1, Math.min(y1 - y0 + 1, Math.floor(MOST_SQUARES / wide))) }
}

function isWithin(part: Part, held: Part): boolean {
  return (
    part.x0 >= held.x0 &&
    part.x0 + part.wide <= held.x0 + held.wide &&
    part.y0 >= held.y0 &&
    part.y0 + part.high <= held.y0 + held.high
  )
}
