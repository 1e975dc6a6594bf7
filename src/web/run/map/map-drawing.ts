import type { Units } from '../../format.ts'
import { decimalStep } from '../charts/series.ts'
import type { Ink } from '../ink.ts'
import { metresPerPixel, type Points, type Size, scaleBar, type View } from './projection.ts'
import type { RouteColours } from './route-colours.ts'
import type { TileLayer } from './tile-layer.ts'

export interface RouteDrawing {
  readonly points: Points
  readonly distanceM: Float64Array | null
  readonly isBreak: Uint8Array
  readonly colours: RouteColours | null
  readonly ink: Ink
  readonly units: Units
  /** Metres of a kilometre or mile. */
  readonly unitM: number
  /** null: no tiles. */
  readonly tiles: TileLayer | null
}

const ROUTE_PX = 4
const CASING_PX = 8
/** Opacity of the background over parts that are not selected. */
const DIM = 0.7
/** Distance marks closer than this would overlap. */
const MARK_GAP_PX = 46
const BAR_PX = 120
const GRID_PX = 110

/** Draws everything that does not move with the cursor: tiles, grid, route, marks, scale. */
export function drawRoute(context: CanvasRenderingContext2D, route: RouteDrawing, { view, size }: Frame): void {
  const { ink, points } = route
  context.fillStyle = ink.ground
  context.fillRect(0, 0, size.width, size.height)
  if (route.tiles === null) drawGrid(context, ink, { view, size })
  else route.tiles.draw(context, { view, size })
  const steps = route.colours?.steps ?? new Int8Array(points.x.length)
  const strokes = pathStrokes(points, { view, size, steps, isBreak: route.isBreak })
  context.lineJoin = 'round'
  context.lineCap = 'round'
  context.lineWidth = CASING_PX
  context.strokeStyle = ink.surface
  strokeAll(context, strokes)
  context.lineWidth = ROUTE_PX
  const colours = route.colours?.colours ?? [ink.accent]
  strokeSteps(context, strokes, colours)
  drawMarks(context, route, { view, size })
  drawEnds(context, route, { view, size })
  drawScale(context, route, { view, size })
}

function strokeAll(context: CanvasRenderingContext2D, strokes: readonly Stroke[]): void {
  context.beginPath()
  for (const { xy } of strokes) {
    context.moveTo(xy[0]!, xy[1]!)
    for (let k = 2; k < xy.length; k += 2) context.lineTo(xy[k]!, xy[k + 1]!)
  }
  context.stroke()
}

/** Each step of the strokes in its colour. */
export function strokeSteps(context: CanvasRenderingContext2D, strokes: readonly Stroke[], colours: readonly string[]) {
  for (const [step, colour] of colours.entries()) {
    context.strokeStyle = colour
    const own = strokes.filter((stroke) => stroke.step === step)
    strokeAll(context, own)
  }
}

export interface Frame {
  readonly view: View
  readonly size: Size
}

/** A grid of round distances, as a scale for maps without tiles. */
export function drawGrid(context: CanvasRenderingContext2D, ink: Ink, { view, size }: Frame): void {
  const everyPx = decimalStep(metresPerPixel(view) * GRID_PX, 1) / metresPerPixel(view)
  const first = (middle: number, extent: number) => {
    const origin = extent / 2 - middle * view.scale
    return ((origin % everyPx) + everyPx) % everyPx
  }
  context.strokeStyle = ink.line
  context.lineWidth = 1
  context.beginPath()
  for (let x = first(view.x, size.width); x < size.width; x += everyPx) {
    context.moveTo(Math.round(x) + 0.5, 0)
    context.lineTo(Math.round(x) + 0.5, size.height)
  }
  for (let y = first(view.y, size.height); y < size.height; y += everyPx) {
    context.moveTo(0, Math.round(y) + 0.5)
    context.lineTo(size.width, Math.round(y) + 0.5)
  }
  context.stroke()
}

function drawMarks(context: CanvasRenderingContext2D, route: RouteDrawing, frame: Frame): void {
  if (route.distanceM === null) return
  const { ink, points, unitM } = route
  const perMark = unitM / metresPerPixel(frame.view)
  const every = decimalStep(Math.max(1, MARK_GAP_PX / perMark), 1)
  const whole = Math.max(1, Math.round(every))
  context.font = `600 10px ${ink.font}`
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  const placed = endsOf(points, frame)
  for (const { count, x, y } of distanceMarks(points, route.distanceM, unitM * whole)) {
    const [px, py] = pixelOf(x, y, frame)
    if (placed.some(([otherX, otherY]) => Math.hypot(px - otherX, py - otherY) < 20)) continue
    placed.push([px, py])
    const label = String(count * whole)
    const width = Math.max(17, label.length * 6.2 + 8)
    context.fillStyle = ink.surface
    context.strokeStyle = ink.muted
    context.lineWidth = 1
    context.beginPath()
    context.roundRect(px - width / 2, py - 8.5, width, 17, 8.5)
    context.fill()
    context.stroke()
    context.fillStyle = ink.text
    context.fillText(label, px, py + 0.5)
  }
}

/** Pixels of start and finish; empty without positions. */
function endsOf({ x, y }: Points, frame: Frame): (readonly [number, number])[] {
  const first = x.findIndex((value) => !Number.isNaN(value))
  const last = x.findLastIndex((value) => !Number.isNaN(value))
  return first < 0 ? [] : [first, last].map((row) => pixelOf(x[row]!, y[row]!, frame))
}

function drawEnds(context: CanvasRenderingContext2D, { points, ink }: RouteDrawing, frame: Frame): void {
  const [start, finish] = endsOf(points, frame)
  if (start === undefined || finish === undefined) return
  // for a loop, the finish flag is drawn around the start
  const isRound = Math.hypot(finish[0] - start[0], finish[1] - start[1]) < 12
  const cell = isRound ? 4.4 : 3
  const edge = 1.5 * cell
  const [x, y] = isRound ? start : finish
  context.lineWidth = 3
  context.strokeStyle = ink.surface
  context.fillStyle = ink.text
  context.beginPath()
  context.roundRect(x - edge - 2, y - edge - 2, 2 * edge + 4, 2 * edge + 4, 3)
  context.stroke()
  context.fill()
  context.fillStyle = ink.surface
  for (const [column, row] of [
    [0, 0],
    [1, 1],
    [2, 0],
    [0, 2],
    [2, 2],
  ] as const) {
    context.fillRect(x - edge + column * cell, y - edge + row * cell, cell, cell)
  }
  context.fillStyle = ink.good
  context.beginPath()
  context.arc(start[0], start[1], isRound ? 4.2 : 6.5, 0, 2 * Math.PI)
  context.stroke()
  context.fill()
}

/** Metres or feet in pixels, at the foot. */
export function drawScale(
  context: CanvasRenderingContext2D,
  { ink, units }: Pick<RouteDrawing, 'ink' | 'units'>,
  { view, size }: Frame,
): void {
  const bar = scaleBar(view, BAR_PX, units)
  const x = 16
  const y = size.height - 16
  context.beginPath()
  context.moveTo(x + 0.5, y - 5)
  context.lineTo(x + 0.5, y)
  context.lineTo(x + bar.px, y)
  context.lineTo(x + bar.px, y - 5)
  context.lineJoin = 'miter'
  // dark seams under the line first, so that crossings stay readable
  for (const [width, cap, colour] of [
    [4.5, 'square', ink.surface],
    [1.5, 'butt', ink.muted],
  ] as const) {
    context.lineWidth = width
    context.lineCap = cap
    context.strokeStyle = colour
    context.stroke()
  }
  context.font = `550 11px ${ink.font}`
  context.textAlign = 'left'
  context.textBaseline = 'alphabetic'
  context.lineJoin = 'round'
  context.lineWidth = 3.5
  context.strokeStyle = ink.surface
  context.strokeText(bar.label, x + 5, y - 5)
  context.fillStyle = ink.muted
  context.fillText(bar.label, x + 5, y - 5)
}

interface Moving extends Frame {
  readonly rows: readonly [number, number] | null
  readonly row: number
  /** Row of the ghost; -1: none. */
  readonly ghostRow: number
}

/** Draws what follows the cursor and the tables: a stretch of the route, the position of a row, and the ghost. */
export function drawPointer(context: CanvasRenderingContext2D, route: RouteDrawing, moving: Moving): void {
  const { rows, row, ghostRow, ...frame } = moving
  const { view, size } = frame
  context.clearRect(0, 0, size.width, size.height)
  if (rows !== null) {
    drawSection(context, route, { view, size, rows })
    // drawn again, since the stretch covers those of the route
    drawMarks(context, route, { view, size })
    drawEnds(context, route, { view, size })
  }
  drawDot(context, route, { view, size, row: ghostRow, colours: [route.ink.surface, route.ink.muted] })
  drawDot(context, route, { view, size, row, colours: [route.ink.accent, route.ink.surface] })
}

/** @param colours of the inside and of the rim */
export function drawDot(
  context: CanvasRenderingContext2D,
  { points }: Pick<RouteDrawing, 'points'>,
  { view, size, row, colours }: Frame & { readonly row: number; readonly colours: readonly [string, string] },
): void {
  const at = row < 0 ? -1 : nearestPlace(points, row)
  if (at < 0) return
  const [px, py] = pixelOf(points.x[at]!, points.y[at]!, { view, size })
  context.beginPath()
  context.arc(px, py, 8, 0, 2 * Math.PI)
  context.fillStyle = colours[0]
  context.fill()
  context.lineWidth = 3
  context.strokeStyle = colours[1]
  context.stroke()
}

/** Dims the route and draws a stretch of it again in its own colours. */
function drawSection(
  context: CanvasRenderingContext2D,
  { points, ink, isBreak, colours }: RouteDrawing,
  { view, size, rows: [from, to] }: Frame & { readonly rows: readonly [number, number] },
): void {
  const none = new Int8Array(points.x.length)
  context.lineJoin = 'round'
  context.lineCap = 'round'
  context.globalAlpha = DIM
  context.strokeStyle = ink.ground
  context.lineWidth = CASING_PX + 1
  strokeAll(context, pathStrokes(points, { view, size, steps: none, isBreak }))
  context.globalAlpha = 1
  const part = { x: points.x.subarray(from, to + 1), y: points.y.subarray(from, to + 1) }
  const steps = (colours?.steps ?? none).subarray(from, to + 1)
  const strokes = pathStrokes(part, { view, size, steps, isBreak: isBreak.subarray(from, to + 1) })
  context.strokeStyle = ink.surface
  context.lineWidth = CASING_PX + 3
  strokeAll(context, strokes)
  context.lineWidth = ROUTE_PX + 1.5
  strokeSteps(context, strokes, colours?.colours ?? [ink.accent])
}

/** The last row with a position up to this one, else the first after it. */
function nearestPlace({ x }: Points, row: number): number {
  let at = Math.min(row, x.length - 1)
  while (at >= 0 && Number.isNaN(x[at]!)) at -= 1
  return at >= 0 ? at : x.findIndex((value) => !Number.isNaN(value))
}

function pixelOf(x: number, y: number, { view, size }: Frame): readonly [number, number] {
  return [(x - view.x) * view.scale + size.width / 2, (y - view.y) * view.scale + size.height / 2]
}

/** A line in pixels, x and y alternating, in one colour of the scale. */
interface Stroke {
  readonly step: number
  readonly xy: readonly number[]
}

/** Points closer than this to the last one drawn are skipped. */
const LEAST_PX = 0.8
/** Lines are drawn up to this far outside, so that their round ends stay invisible. */
const MARGIN_PX = 24

interface StrokeOptions extends Frame {
  /** Colour index of the line from the row before to this one. */
  readonly steps: Int8Array
  /** Marks rows before which no line is drawn: pauses and jumps. */
  readonly isBreak: Uint8Array
}

/** A route as few strokes, without parts outside of the view and without points closer than a pixel. O(n). */
export function pathStrokes({ x, y }: Points, { view, size, steps, isBreak }: StrokeOptions): Stroke[] {
  const strokes: Stroke[] = []
  const offsetX = size.width / 2 - view.x * view.scale
  const offsetY = size.height / 2 - view.y * view.scale
  let open: { step: number; xy: number[] } | null = null
  let lastX = Number.NaN
  let lastY = Number.NaN
  for (let i = 0; i < x.length; i += 1) {
    if (Number.isNaN(x[i]!)) continue
    const px = x[i]! * view.scale + offsetX
    const py = y[i]! * view.scale + offsetY
    if (Number.isNaN(lastX) || isBreak[i] === 1) {
      open = null
    } else {
      const isNew = open === null || open.step !== steps[i]
      if (!isNew && Math.abs(px - lastX) < LEAST_PX && Math.abs(py - lastY) < LEAST_PX) continue
      if (isOutside(lastX, lastY, px, py)) open = null
      else if (open === null || isNew) {
        open = { step: steps[i]!, xy: [lastX, lastY, px, py] }
        strokes.push(open)
      } else open.xy.push(px, py)
    }
    lastX = px
    lastY = py
  }
  return strokes

  function isOutside(fromX: number, fromY: number, toX: number, toY: number): boolean {
    const { width, height } = size
    return (
      (fromX < -MARGIN_PX && toX < -MARGIN_PX) ||
      (fromX > width + MARGIN_PX && toX > width + MARGIN_PX) ||
      (fromY < -MARGIN_PX && toY < -MARGIN_PX) ||
      (fromY > height + MARGIN_PX && toY > height + MARGIN_PX)
    )
  }
}

/** The row whose point is nearest to a pixel; -1 when none is within `mostPx`. */
export function rowNear(
  { x, y }: Points,
  view: View,
  { px, py, size, mostPx }: { readonly px: number; readonly py: number; readonly size: Size; readonly mostPx: number },
): number {
  const worldX = view.x + (px - size.width / 2) / view.scale
  const worldY = view.y + (py - size.height / 2) / view.scale
  let nearest = -1
  let least = (mostPx / view.scale) ** 2
  for (let i = 0; i < x.length; i += 1) {
    const squared = (x[i]! - worldX) ** 2 + (y[i]! - worldY) ** 2
    // false for NaN
    if (squared < least) {
      least = squared
      nearest = i
    }
  }
  return nearest
}

/** Rows at which the distance passes each multiple of `everyM`, with interpolated positions. */
export function distanceMarks(
  points: Points,
  distanceM: Float64Array,
  everyM: number,
): { readonly count: number; readonly x: number; readonly y: number }[] {
  const marks: { count: number; x: number; y: number }[] = []
  let last = -1
  let next = 1
  for (let i = 0; i < distanceM.length; i += 1) {
    if (Number.isNaN(points.x[i]!)) continue
    if (last < 0) next = Math.floor(distanceM[i]! / everyM) + 1
    while (last >= 0 && distanceM[i]! >= next * everyM) {
      const part = (next * everyM - distanceM[last]!) / (distanceM[i]! - distanceM[last]!)
      const between = (column: Float64Array) => column[last]! + part * (column[i]! - column[last]!)
      marks.push({ count: next, x: between(points.x), y: between(points.y) })
      next += 1
    }
    last = i
  }
  return marks
}
