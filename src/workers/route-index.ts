import { columnsOfPath, pathOfColumns, pathThrough, type RoutePath, routeAnchors } from '../engine/route/path.ts'
import { photoPlace, type StatedPhoto } from '../engine/route/photo-place.ts'
import { type RouteBounds, routeBounds, similarTo } from '../engine/route/similarity.ts'
import { routeSketch } from '../engine/route/sketch.ts'
import { routeTrace } from '../engine/route/trace.ts'
import type { Positions } from '../engine/track.ts'
import { roundHalfUp } from '../engine/units.ts'
import { decodeColumns, encodeColumns } from './columns.ts'
import { positionsOf, type StoredTrack, trackOf } from './stored-track.ts'

/** Data that the searches for similar routes and for passes store of a route (docs/algorithms.md 6 and 19). */
export interface RouteIndex {
  /** The columns of engine/route/path.ts, encoded. */
  readonly path: Uint8Array
  readonly lengthM: number
  readonly bounds: RouteBounds
  readonly sketch: Uint8Array
  /** Made by `routeTrace` of engine/route/trace.ts. */
  readonly trace: Uint8Array
}

export type StoredPath = Pick<RouteIndex, 'path' | 'lengthM'>

export const ROUTE_JOBS = {
  /** JSON in UTF-8; transferred, not copied. */
  route: (job: StoredTrack) => ({ text: new TextEncoder().encode(JSON.stringify(lineString(positionsOf(job)))) }),
  routeIndex: (job: StoredTrack) => ({ index: routeIndex(positionsOf(job)) }),
  similarity: ({ route, other }: { readonly route: StoredPath; readonly other: StoredPath }) => ({
    similarity: similarTo(pathOf(route))(pathOf(other)),
  }),
  photoPlaces: ({ stored, photos }: { readonly stored: StoredTrack; readonly photos: readonly StatedPhoto[] }) => {
    const track = trackOf(stored)
    return { places: photos.map((photo) => photoPlace(track, photo)) }
  },
}

export function pathOf({ path, lengthM }: StoredPath): RoutePath {
  return pathOfColumns(decodeColumns(path).columns, lengthM)
}

/** @returns null for fewer than two positions */
export function routeIndex({ latDeg, lonDeg }: Positions): RouteIndex | null {
  const anchors = routeAnchors(latDeg, lonDeg)
  if (anchors === null) return null
  const path = pathThrough(anchors)
  return {
    path: encodeColumns(path.n, columnsOfPath(path)),
    lengthM: path.lengthM,
    bounds: routeBounds(path),
    sketch: routeSketch(path),
    trace: routeTrace(anchors),
  }
}

const ROUTE_DECIMALS = 7

/** Every position as a GeoJSON LineString; null for fewer than two. */
function lineString({ latDeg, lonDeg }: Positions) {
  const coordinates: (readonly [number, number])[] = []
  for (const [i, lat] of latDeg.entries()) {
    if (Number.isNaN(lat)) continue
    coordinates.push([roundHalfUp(lonDeg[i]!, ROUTE_DECIMALS), roundHalfUp(lat, ROUTE_DECIMALS)])
  }
  return coordinates.length < 2 ? null : { type: 'LineString', coordinates }
}
