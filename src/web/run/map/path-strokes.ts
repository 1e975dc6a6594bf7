import type { Points, Size, View } from './projection.ts'

/** A line in pixels, x and y alternating, in one colour of the scale. */
export interface Stroke {
  readonly step: number
  readonly xy: readonly number[]
}

/** Points closer than this to the last one drawn are skipped. */
const LEAST_PX = 0.8
/** Lines are drawn up to this far outside, so that their round ends stay invisible. */
const MARGIN_PX = 24

interface StrokeOptions {
  readonly view: View
  readonly size: Size
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
