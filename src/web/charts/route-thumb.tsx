import { useEffect, useState } from 'preact/hooks'
import { fittedRoute } from '../../engine/route/box.ts'
import type { Run } from '../types.ts'

const WIDTH = 72
const HEIGHT = 54
const MARGIN = 5

/** Thumbnail of a route, north up; a run without a route gets a plain line. */
export function RouteThumb({ route }: { readonly route: Run['route'] }) {
  const path = route === null ? null : routePath(route.coordinates)
  return (
    <svg class="thumb" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      {path === null ? (
        <path class="none" d={`M${WIDTH / 2 - 12} ${HEIGHT / 2}h24`} />
      ) : (
        <>
          <path d={path.line} />
          <circle cx={path.start[0]} cy={path.start[1]} r={2.6} />
        </>
      )}
    </svg>
  )
}

function routePath(coordinates: readonly (readonly number[])[]) {
  const [width, height] = [WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN]
  const { points } = fittedRoute(coordinates, { x: MARGIN, y: MARGIN, width, height })
  const line = points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')
  return { line: `M${line}`, start: points[0] ?? [0, 0] }
}

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
