import { useEffect, useState } from 'preact/hooks'
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
  const points = routePoints(coordinates, { x: MARGIN, y: MARGIN, width, height })
  const line = points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')
  return { line: `M${line}`, start: points[0] ?? [0, 0] }
}

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/**
 * Points of a route within a box, north up. A degree of longitude is shorter by the cosine of the latitude, which keeps
 * the proportions of the shape.
 * @param coordinates [longitude, latitude]
 */
export function routePoints(coordinates: readonly (readonly number[])[], box: Box): [x: number, y: number][] {
  const squeeze = Math.cos(((coordinates[0]?.[1] ?? 0) * Math.PI) / 180)
  const xs = unwrapped(coordinates.map(([lon = 0]) => lon)).map((lon) => lon * squeeze)
  const ys = coordinates.map(([, lat = 0]) => -lat)
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - top]
  const scale = Math.min(box.width / (width || 1e-9), box.height / (height || 1e-9))
  const x = (value: number) => (value - left - width / 2) * scale + box.x + box.width / 2
  const y = (value: number) => (value - top - height / 2) * scale + box.y + box.height / 2
  return xs.map((value, index) => [x(value), y(ys[index] ?? 0)])
}

/** Longitudes that continue beyond ±180° where the route crosses the date line, so that it stays in one piece. */
export function unwrapped(lons: readonly number[]): number[] {
  let turns = 0
  return lons.map((lon, index) => {
    const step = lon - (lons[index - 1] ?? lon)
    if (Math.abs(step) > 180) turns -= Math.sign(step)
    return lon + turns * 360
  })
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
