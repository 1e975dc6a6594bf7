import { useEffect } from 'preact/hooks'
import { createStore, type Store } from '../store.ts'
import type { GhostPlaces } from './again/ghost-places.ts'
import type { Section } from './types.ts'

/** Stretches with what stands on them. */
export type Halves = readonly (Section & { readonly words: string })[]

export type PickingPlace = 'map' | 'charts'

/** What charts, map and tables share while someone looks at a run. */
export interface RunView {
  /** The row under the cursor; -1: none. */
  readonly cursor: Store<number>
  /** The stretch that a row of a table speaks of. */
  readonly section: Store<Section | null>
  /** The part of the run that the charts show; null: all of it. */
  readonly zoom: Store<Section | null>
  /** Both halves of a decoupling, while they are to be seen. */
  readonly halves: Store<Halves | null>
  /** Where the runner is selecting a stretch with two handles; null: nowhere. */
  readonly picking: Store<PickingPlace | null>
  /** The run that this one races against, by its id. */
  readonly rival: Store<string | null>
  /** Its ghost, once the race is known. */
  readonly ghost: Store<GhostPlaces | null>
}

export function createRunView(): RunView {
  return {
    cursor: createStore(-1),
    section: createStore<Section | null>(null),
    zoom: createStore<Section | null>(null),
    halves: createStore<Halves | null>(null),
    picking: createStore<PickingPlace | null>(null),
    rival: createStore<string | null>(null),
    ghost: createStore<GhostPlaces | null>(null),
  }
}

/**
 * Calls `draw` when one of the stores changes, at most once a frame, and once at the beginning: moving the cursor must
 * not render components anew.
 */
export function useDrawing(stores: readonly Store<unknown>[], draw: () => void, reasons: readonly unknown[]): void {
  useEffect(() => {
    const schedule = () => inNextFrame(draw)
    draw()
    const stops = stores.map((store) => store.watch(schedule))
    return () => {
      drawings.delete(draw)
      for (const stop of stops) stop()
    }
  }, reasons)
}

/** What is to be drawn in the next frame: a dozen watch the cursor, and each frame asked for costs. */
const drawings = new Set<() => void>()

/** Calls a function once in the next frame, however often it is asked for until then. */
export function inNextFrame(draw: () => void): void {
  if (drawings.size === 0) requestAnimationFrame(drawAll)
  drawings.add(draw)
}

/** Calls a function in one of the next frames. @param frames 0: the next one */
export function inFrame(frames: number, draw: () => void): void {
  inNextFrame(frames === 0 ? draw : () => inFrame(frames - 1, draw))
}

function drawAll(): void {
  const due = [...drawings]
  drawings.clear()
  for (const draw of due) draw()
}

/** What a row of a table needs so that pointing at it or reaching it by keyboard shows its stretch everywhere. */
export function sectionHandlers(view: RunView, section: Section | null) {
  const show = () => view.section.set(section)
  const hide = () => view.section.set(null)
  return { onMouseEnter: show, onMouseLeave: hide, onFocusCapture: show, onBlurCapture: hide }
}
