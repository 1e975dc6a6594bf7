import { encodePath, pathThrough, routeAnchors } from '../engine/route/path.ts'
import { type RouteBounds, routeBounds } from '../engine/route/similarity.ts'
import { packSketch, routeSketch } from '../engine/route/sketch.ts'
import { routeTrace } from '../engine/route/trace.ts'
import type { Positions } from '../engine/track.ts'

/** Data that the searches for similar routes and for passes store of a route (docs/algorithms.md 6 and 19). */
export interface RouteIndex {
  /** Encoded by `encodePath` of engine/route/path.ts. */
  readonly path: Uint8Array
  readonly lengthM: number
  readonly bounds: RouteBounds
  /** Packed by `packSketch` of engine/route/sketch.ts. */
  readonly sketch: Uint8Array
  /** Made by `routeTrace` of engine/route/trace.ts. */
  readonly trace: Uint8Array
}

/** @returns null for fewer than two positions */
export function routeIndex({ latDeg, lonDeg }: Positions): RouteIndex | null {
  const anchors = routeAnchors(latDeg, lonDeg)
  if (anchors === null) return null
  const path = pathThrough(anchors)
  return {
    path: encodePath(path),
    lengthM: path.lengthM,
    bounds: routeBounds(path),
    sketch: packSketch(routeSketch(path)),
    trace: routeTrace(anchors),
  }
}
