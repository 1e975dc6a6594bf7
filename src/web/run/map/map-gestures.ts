import { useEffect, useRef } from 'preact/hooks'

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
