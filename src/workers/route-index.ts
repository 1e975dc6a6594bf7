import { encodePath, routePath } from '../engine/route/path.ts'
import { type RouteBounds, routeBounds } from '../engine/route/similarity.ts'
import { packSketch, routeSketch } from '../engine/route/sketch.ts'
import type { Positions } from '../engine/track.ts'

/** Data that the search for similar routes stores of a route (docs/algorithms.md 6). */
export interface RouteIndex {
  /** Encoded by `encodePath` of engine/route/path.ts. */
  readonly path: Uint8Array
  readonly lengthM: number
  readonly bounds: RouteBounds
  /** Packed by `packSketch` of engine/route/sketch.ts. */
  readonly sketch: Uint8Array
}

/** @returns null for fewer than two positions */
export function routeIndex({ latDeg, lonDeg }: Positions): RouteIndex | null {
  const path = routePath(latDeg, lonDeg)
  if (path === null) return null
  return {
    path: encodePath(path),
    lengthM: path.lengthM,
    bounds: routeBounds(path),
    sketch: packSketch(routeSketch(path)),
  }
}
