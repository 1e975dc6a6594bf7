import { useEffect, useState } from 'preact/hooks'

/** The style sheets of charts use the same width. */
const NARROW = '(max-width: 719px)'

/** Whether the window is as narrow as a phone's. */
export function useIsNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => window.matchMedia(NARROW).matches)
  useEffect(() => {
    const query = window.matchMedia(NARROW)
    const follow = () => setNarrow(query.matches)
    query.addEventListener('change', follow)
    return () => query.removeEventListener('change', follow)
  }, [])
  return isNarrow
}
