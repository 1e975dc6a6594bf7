import { useState } from 'preact/hooks'

/** Key names, and by how many places each moves. */
export type Steps = Readonly<Record<string, number>>

const ALONG: Steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -4, PageUp: 4 }

interface PlaceOptions {
  /** Number of places, 0 to `count` - 1. */
  readonly count: number
  /** The place under a pointer; null: none. */
  readonly at: (event: PointerEvent) => number | null
  readonly steps?: Steps
  /** Place from which the first arrow key moves; by default the last one. */
  readonly start?: number
  /** Called when Enter is pressed on a place. */
  readonly onEnter?: (place: number) => void
}

/**
 * The place of a chart that mouse, finger or arrow keys point at, and the event handlers for the chart. A finger that
 * scrolls the page vertically, Escape and leaving the chart end the pointing.
 */
export function usePlace({ count, at, steps = ALONG, start = count - 1, onEnter }: PlaceOptions) {
  const [place, setPlace] = useState<number | null>(null)
  const point = (event: PointerEvent) => setPlace(at(event))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const by = steps[event.key]
    if (by !== undefined) setPlace(Math.max(0, Math.min(count - 1, (place ?? start) + by)))
    else if (event.key === 'Home') setPlace(0)
    else if (event.key === 'End') setPlace(count - 1)
    else if (event.key === 'Escape' && place !== null) setPlace(null)
    else if (event.key === 'Enter' && place !== null && onEnter !== undefined) onEnter(place)
    else return
    event.preventDefault()
  }
  return {
    place,
    handlers: {
      onKeyDown,
      onPointerDown: point,
      onPointerMove: point,
      onPointerLeave: ({ pointerType }: PointerEvent) => {
        // after touching, the place stays when the finger is lifted
        if (pointerType === 'mouse') setPlace(null)
      },
      onPointerCancel: () => setPlace(null),
      onBlur: () => setPlace(null),
    },
  }
}

/** The part, of `count` equal parts in a row, that a pointer is over. */
export function partAt({ clientX, currentTarget }: PointerEvent, count: number): number | null {
  if (!(currentTarget instanceof Element)) return null
  const { left, width } = currentTarget.getBoundingClientRect()
  return Math.max(0, Math.min(count - 1, Math.floor(((clientX - left) / Math.max(1, width)) * count)))
}
