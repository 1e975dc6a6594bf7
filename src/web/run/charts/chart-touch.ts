import type uPlot from 'uplot'

type Range = readonly [from: number, to: number]

interface TouchEvents {
  /** Called with the row under a finger; -1: none. */
  readonly onRow: (row: number) => void
  /** Called with the range that two fingers select, in the unit of the axis. */
  readonly onRange: (from: number, to: number) => void
  /** Called with the place of a double tap. */
  readonly onToggleZoom: (at: number) => void
}

export interface ChartTouch {
  /** Whether a touch ended a moment ago: browsers then also send mouse events. */
  readonly isRecent: () => boolean
  readonly stop: () => void
}

const DOUBLE_TAP_MS = 320
const TAP_PX = 14
const RECENT_MS = 800
/** Fingers closer than this define no scale. */
const LEAST_APART_PX = 12

/**
 * One finger moves the cursor, two zoom and pan, a double tap zooms in and out; vertical movement still scrolls the
 * page.
 */
export function followTouch(chart: uPlot, events: TouchEvents): ChartTouch {
  const { over } = chart
  const fingers = new Map<number, number>()
  /** The values under the two fingers. */
  let held: Range | null = null
  let tap: { readonly x: number; readonly atMs: number } | null = null
  let lastMs = 0
  const placeOf = ({ clientX }: PointerEvent) => clientX - over.getBoundingClientRect().left
  const isTouch = ({ pointerType }: PointerEvent) => pointerType === 'touch'

  const onDown = (event: PointerEvent) => {
    if (!isTouch(event)) return
    lastMs = performance.now()
    fingers.set(event.pointerId, placeOf(event))
    if (fingers.size === 1) return events.onRow(chart.posToIdx(placeOf(event)))
    tap = null
    events.onRow(-1)
    const [a = 0, b = 0] = fingers.values()
    held = [chart.posToVal(a, 'x'), chart.posToVal(b, 'x')]
  }
  const onMove = (event: PointerEvent) => {
    if (!isTouch(event) || !fingers.has(event.pointerId)) return
    lastMs = performance.now()
    fingers.set(event.pointerId, placeOf(event))
    if (held === null) return events.onRow(chart.posToIdx(placeOf(event)))
    const [a = 0, b = 0] = fingers.values()
    const xs = chart.data[0]
    const whole: Range = [xs[0] ?? 0, xs.at(-1) ?? 0]
    const range = pinchedRange(held, [a, b], { widthPx: over.clientWidth, whole })
    if (range !== null) events.onRange(...range)
  }
  const onUp = (event: PointerEvent) => {
    if (!isTouch(event) || !fingers.delete(event.pointerId)) return
    const atMs = performance.now()
    lastMs = atMs
    if (held !== null) {
      // the remaining finger must not move the cursor
      if (fingers.size === 0) held = null
      return
    }
    const x = placeOf(event)
    const isDouble = tap !== null && atMs - tap.atMs < DOUBLE_TAP_MS && Math.abs(x - tap.x) < TAP_PX
    tap = isDouble ? null : { x, atMs }
    if (isDouble) events.onToggleZoom(chart.posToVal(x, 'x'))
  }
  const onCancel = (event: PointerEvent) => {
    if (!isTouch(event) || !fingers.delete(event.pointerId)) return
    if (fingers.size === 0) held = null
    tap = null
    events.onRow(-1)
  }
  const listeners = [
    ['pointerdown', onDown],
    ['pointermove', onMove],
    ['pointerup', onUp],
    ['pointercancel', onCancel],
  ] as const
  for (const [name, listener] of listeners) over.addEventListener(name, listener)
  return {
    isRecent: () => performance.now() - lastMs < RECENT_MS,
    stop: () => {
      for (const [name, listener] of listeners) over.removeEventListener(name, listener)
    },
  }
}

/**
 * The visible range such that two values stay under two fingers, within the whole.
 * @param pixels current positions of the fingers
 * @returns null while they are too close
 */
export function pinchedRange(
  [heldA, heldB]: Range,
  [a, b]: Range,
  { widthPx, whole: [first, last] }: { readonly widthPx: number; readonly whole: Range },
): Range | null {
  const perPx = (heldB - heldA) / (b - a)
  if (Math.abs(b - a) < LEAST_APART_PX || !(perPx > 0)) return null
  const extent = Math.min(last - first, perPx * widthPx)
  const from = Math.max(first, Math.min(last - extent, heldA - a * perPx))
  return [from, from + extent]
}

/** A part of a range around a value, shifted to stay within the range. @param share from 0 to 1 */
export function around(at: number, [first, last]: Range, share: number): Range {
  const extent = (last - first) * share
  const from = Math.max(first, Math.min(last - extent, at - extent / 2))
  return [from, from + extent]
}
