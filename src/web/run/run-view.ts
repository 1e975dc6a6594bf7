import { useEffect } from 'preact/hooks'
import { createStore, type Store } from '../store.ts'
import type { Section } from './types.ts'

/** What charts, map and tables share while someone looks at a run. */
export interface RunView {
  /** The row under the cursor; -1: none. */
  readonly cursor: Store<number>
  /** The stretch that a row of a table speaks of. */
  readonly section: Store<Section | null>
  /** The part of the run that the charts show; null: all of it. */
  readonly zoom: Store<Section | null>
}

export function createRunView(): RunView {
  return {
    cursor: createStore(-1),
    section: createStore<Section | null>(null),
    zoom: createStore<Section | null>(null),
  }
}

/**
 * Calls `draw` when one of the stores changes, at most once a frame, and once at the beginning: moving the cursor must
 * not render components anew.
 */
export function useDrawing(stores: readonly Store<unknown>[], draw: () => void, reasons: readonly unknown[]): void {
  useEffect(() => {
    let frame = 0
    const schedule = () => {
      if (frame !== 0) return
      frame = requestAnimationFrame(() => {
        frame = 0
        draw()
      })
    }
    draw()
    const stops = stores.map((store) => store.watch(schedule))
    return () => {
      cancelAnimationFrame(frame)
      for (const stop of stops) stop()
    }
  }, reasons)
}

/** What a row of a table needs so that pointing at it or reaching it by keyboard shows its stretch everywhere. */
export function sectionHandlers(view: RunView, section: Section | null) {
  const show = () => view.section.set(section)
  const hide = () => view.section.set(null)
  return { onMouseEnter: show, onMouseLeave: hide, onFocusCapture: show, onBlurCapture: hide }
}
