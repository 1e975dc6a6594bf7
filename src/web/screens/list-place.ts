import { useEffect, useRef } from 'preact/hooks'

/** The run that was looked at last, and when its page was left: the way back to a list leads to its row. */
const place: { run: string | null; leftMs: number } = { run: null, leftMs: 0 }

/** Between leaving a run and showing the list; whoever comes from elsewhere begins at the top. */
const WAY_MS = 1000
/** The bar on top of the page hides what is above. */
const HEAD_PX = 64

/** Notes the run that is looked at, for as long as it is. */
export function useRememberedRun(id: string): void {
  useEffect(() => {
    place.run = id
    return () => {
      place.leftMs = performance.now()
    }
  }, [id])
}

/**
 * Has the row of the run that was just left in sight and in focus; once.
 * @param isThere the rows are drawn
 */
export function useReturnToRow(isThere: boolean): void {
  const wanted = useRef<string | null>(null)
  useEffect(() => {
    if (performance.now() - place.leftMs < WAY_MS) wanted.current = place.run
    place.run = null
  }, [])
  useEffect(() => {
    if (!isThere || wanted.current === null) return
    const row = document.querySelector<HTMLElement>(`.run-line[data-run="${wanted.current}"]`)
    wanted.current = null
    // after the heading took the focus, and the router its scroll
    const timer = setTimeout(() => {
      if (row === null) return
      row.focus({ preventScroll: true })
      const { top, bottom } = row.getBoundingClientRect()
      if (top < HEAD_PX || bottom > window.innerHeight) row.scrollIntoView({ block: 'center' })
    }, 50)
    return () => clearTimeout(timer)
  }, [isThere])
}
