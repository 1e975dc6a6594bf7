import { useMemo, useRef } from 'preact/hooks'
import { createStore, type Store, useStore } from '../store.ts'

/** Key names, and by how many places each moves. */
export type Steps = Readonly<Record<string, number>>

export interface PlaceOptions {
  /** Includes what the arrow keys move through. */
  readonly label: string
  /** Number of places, 0 to `count` - 1. */
  readonly count: number
  /** The description of a place. */
  readonly textAt: (place: number) => string
  readonly steps?: Steps | undefined
  /** What is described while nothing is pointed at, and from where the first arrow key moves; by default the last one. */
  readonly start?: number | undefined
  /** Called on Enter and click. */
  readonly onOpen?: ((place: number) => void) | undefined
  /** Touching only moves the cursor, as there is a link beside it. */
  readonly isOpenedByMouse?: boolean | undefined
  /** The cursor, where others share it; -1: none. */
  readonly cursor?: Store<number> | undefined
}

const ALONG: Steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -4, PageUp: 4 }

/**
 * The cursor of a chart for mouse, finger and keys, and the attributes of its element. A finger that scrolls the page
 * vertically, Escape and leaving the chart end the pointing.
 * @param at the place under a pointer; null: none
 */
export function usePlace(at: (event: PointerEvent) => number | null, options: PlaceOptions) {
  const { label, count, textAt, steps = ALONG, start = count - 1, onOpen, isOpenedByMouse = false } = options
  const own = useMemo(() => createStore(-1), [])
  const cursor = options.cursor ?? own
  const pointed = useStore(cursor)
  const isMouse = useRef(false)
  const place = pointed < 0 || count === 0 ? null : Math.min(pointed, count - 1)
  const shown = place ?? start
  const stated = count === 0 ? '' : textAt(shown)
  const leave = () => cursor.set(-1)
  const point = (event: PointerEvent) => {
    isMouse.current = event.pointerType === 'mouse'
    cursor.set(at(event) ?? -1)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const by = steps[event.key]
    if (by !== undefined) cursor.set(Math.max(0, Math.min(count - 1, (place ?? start) + by)))
    else if (event.key === 'Home') cursor.set(0)
    else if (event.key === 'End') cursor.set(count - 1)
    else if (event.key === 'Escape' && place !== null) leave()
    else if (event.key === 'Enter' && place !== null && onOpen !== undefined) onOpen(place)
    else return
    event.preventDefault()
  }
  if (count === 0) return { place, shown, stated, attributes: { role: 'img' as const, 'aria-label': label } }
  const attributes = {
    role: 'slider' as const,
    tabIndex: 0,
    'aria-label': label,
    'aria-valuemin': 1,
    'aria-valuemax': count,
    'aria-valuenow': Math.max(1, Math.min(shown + 1, count)),
    'aria-valuetext': stated,
    onKeyDown,
    onPointerDown: point,
    onPointerMove: point,
    // after touching, the place stays when the finger is lifted
    onPointerLeave: ({ pointerType }: PointerEvent) => pointerType === 'mouse' && leave(),
    onPointerCancel: leave,
    onBlur: leave,
    onClick: () => {
      if (place !== null && (isMouse.current || !isOpenedByMouse)) onOpen?.(place)
    },
  }
  return { place, shown, stated, attributes }
}

/** The share of an element's width at which a pointer is, without its margins. */
export function shareAt({ clientX, currentTarget }: PointerEvent, left = 0, right = 0): number {
  const box = (currentTarget as Element).getBoundingClientRect()
  return (clientX - box.left - left) / Math.max(1, box.width - left - right)
}
