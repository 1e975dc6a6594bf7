// What a list of runs remembers: the run viewed last, and which are selected.
import { useEffect, useRef } from 'preact/hooks'

/** The run viewed last, and when its page was left, so that returning to a list leads to its row. */
const place: { run: string | null; leftMs: number } = { run: null, leftMs: 0 }

/** Most time between leaving a run and showing the list; otherwise the list begins at the top. */
const WAY_MS = 1000
/** Height of the bar at the top, which covers what is below it. */
const HEAD_PX = 64

/** Notes the viewed run while it is shown. */
export function useRememberedRun(id: string): void {
  useEffect(() => {
    place.run = id
    return () => {
      place.leftMs = performance.now()
    }
  }, [id])
}

/** Whether a list that is shown now is come back to from one of its runs. */
export function isReturning(): boolean {
  return place.run !== null && performance.now() - place.leftMs < WAY_MS
}

/**
 * Scrolls to the row of the run just left and focuses it; once.
 * @param isThere whether the rows are rendered
 */
export function useReturnToRow(isThere: boolean): void {
  const wanted = useRef<string | null>(null)
  useEffect(() => {
    if (isReturning()) wanted.current = place.run
    place.run = null
  }, [])
  useEffect(() => {
    if (!isThere || wanted.current === null) return
    const row = document.querySelector<HTMLElement>(`.run-line[data-run="${wanted.current}"]`)
    wanted.current = null
    // after the heading got the focus and the router restored the scroll position
    const timer = setTimeout(() => {
      if (row === null) return
      row.focus({ preventScroll: true })
      const { top, bottom } = row.getBoundingClientRect()
      if (top < HEAD_PX || bottom > window.innerHeight) row.scrollIntoView({ block: 'center' })
    }, 50)
    return () => clearTimeout(timer)
  }, [isThere])
}

/** Selected runs of a list. */
export interface Choice {
  readonly ids: ReadonlySet<string>
  /** The run selected last, from which a range extends. */
  readonly anchor: string | null
}

export const NOTHING_CHOSEN: Choice = { ids: new Set(), anchor: null }

/** The selection with one run added or removed. */
export function toggled({ ids }: Choice, id: string): Choice {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return { ids: next, anchor: id }
}

/** The selection extended from its last run to another one; when the last one is not in the list, only by the other. */
export function reachedTo(choice: Choice, id: string, shown: readonly string[]): Choice {
  const [from, to] = [shown.indexOf(choice.anchor ?? ''), shown.indexOf(id)]
  const range = from === -1 || to === -1 ? [id] : shown.slice(Math.min(from, to), Math.max(from, to) + 1)
  return { ids: new Set([...choice.ids, ...range]), anchor: id }
}
