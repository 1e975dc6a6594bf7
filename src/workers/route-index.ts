import { encodePath, routePath } from '../engine/route/path.ts'
import { type RouteBounds, routeBounds } from '../engine/route/similarity.ts'
import { routeSketch } from '../engine/route/sketch.ts'

/** What the search for similar routes keeps of a route (ALGORITHMS 6). */
export interface RouteIndex {
  /** engine/route/path.ts `encodePath`. */
  readonly path: Uint8Array
  readonly lengthM: number
  readonly bounds: RouteBounds
  /** 512 bytes, engine/route/sketch.ts. */
  readonly sketch: Uint8Array
}

/** @returns null for fewer than two positions */
export function routeIndex(positions: {
  readonly latDeg: Float64Array
  readonly lonDeg: Float64Array
}): RouteIndex | null {
  const path = routePath(positions.latDeg, positions.lonDeg)
  if (path === null) return null
  return { path: encodePath(path), lengthM: path.lengthM, bounds: routeBounds(path), sketch: routeSketch(path) }
}
