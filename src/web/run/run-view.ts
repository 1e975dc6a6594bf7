import { useEffect } from 'preact/hooks'
import { createStore, type Store } from '../store.ts'
import type { Section } from './types.ts'

/** Position of the ghost and its gap along the run. */
export interface GhostPlaces {
  /** The row of this run at which the ghost is when the runner is at `row`. */
  rowOf(row: number): number
  /** Seconds behind at a row; negative is ahead. */
  gapAt(row: number): number
}

/** Values of the ghost at the places of this run, one for each of its rows; null: it measured none. */
export interface GhostLines {
  readonly pace: Float64Array | null
  readonly heartRate: Float64Array | null
}

/** The run to compare with. */
export interface Rival {
  readonly workoutId: string
  readonly startedAt: string
  readonly utcOffsetMinutes: number | null
}

/** State that charts, map and tables of a run share. */
export interface RunView {
  /** The row under the cursor; -1: none. */
  readonly cursor: Store<number>
  /** The stretch that a table row points at. */
  readonly section: Store<Section | null>
  /** The part that the charts show; null: the whole run. */
  readonly zoom: Store<Section | null>
  /** Whether the two handles for selecting a stretch are open. */
  readonly picking: Store<boolean>
  readonly rival: Store<Rival | null>
  /** Its ghost, once the comparison is loaded. */
  readonly ghost: Store<GhostPlaces | null>
  /** What the ghost measured, once its samples are loaded. */
  readonly ghostLines: Store<GhostLines | null>
}

export function createRunView(): RunView {
  return {
    cursor: createStore(-1),
    section: createStore<Section | null>(null),
    zoom: createStore<Section | null>(null),
    picking: createStore(false),
    rival: createStore<Rival | null>(null),
    ghost: createStore<GhostPlaces | null>(null),
    ghostLines: createStore<GhostLines | null>(null),
  }
}

/**
 * Calls `draw` once, and at most once a frame when one of the stores changes, so that moving the cursor does not render
 * components.
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

/** Drawings for the next frame, collected since a dozen watch the cursor and each frame request has a cost. */
const drawings = new Set<() => void>()

/** Calls a function in the next frame, once for any number of requests. */
export function inNextFrame(draw: () => void): void {
  if (drawings.size === 0) requestAnimationFrame(drawAll)
  drawings.add(draw)
}

/** Drawings of which each frame does one. */
const turns = new Set<() => void>()

/** Calls a function in its turn, one a frame and once for any number of requests. */
export function inTurn(draw: () => void): void {
  turns.add(draw)
  inNextFrame(takeTurn)
}

function takeTurn(): void {
  const [draw] = turns
  if (draw === undefined) return
  turns.delete(draw)
  draw()
  if (turns.size > 0) inNextFrame(takeTurn)
}

function drawAll(): void {
  const due = [...drawings]
  drawings.clear()
  for (const draw of due) draw()
}

/** Event handlers of a table row that show its stretch everywhere while it is pointed at or focused. */
export function sectionHandlers(view: RunView, section: Section | null) {
  const show = () => view.section.set(section)
  const hide = () => view.section.set(null)
  return { onMouseEnter: show, onMouseLeave: hide, onFocusCapture: show, onBlurCapture: hide }
}
