import { columnsOfPath, pathOfColumns, pathThrough, type RoutePath, routeAnchors } from '../engine/route/path.ts'
import { photoPlace, type StatedPhoto } from '../engine/route/photo-place.ts'
import { type RouteBounds, routeBounds } from '../engine/route/similarity.ts'
import { routeSketch } from '../engine/route/sketch.ts'
import { routeTrace } from '../engine/route/trace.ts'
import type { Positions } from '../engine/track.ts'
import { roundHalfUp } from '../engine/units.ts'
import { encodedPieces } from '../formats/write/xml.ts'
import { decodeColumns, encodeColumns } from './columns.ts'
import { arrayText, objectText } from './json-text.ts'
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

/** A route as stored in the index. */
export type StoredPath = Pick<RouteIndex, 'path' | 'lengthM'>

export const ROUTE_JOBS = {
  /** JSON in UTF-8; transferred, not copied. */
  route: (job: StoredTrack) => ({ pieces: [...encodedPieces(routeText(positionsOf(job)))] }),
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

/** Positions converted to text at once. */
const POSITIONS_A_PIECE = 8192

/**
 * Every position as a GeoJSON LineString, in pieces of JSON text, between which other requests can be served; `null`
 * for fewer than two.
 */
function* routeText(positions: Positions | null): Generator<string, void> {
  if (positions === null || !isLine(positions)) yield 'null'
  else yield* objectText({ type: ['"LineString"'], coordinates: arrayText(coordinates(positions)) })
}

function* coordinates({ latDeg, lonDeg }: Positions): Generator<number[][], void> {
  for (let at = 0; at < latDeg.length; at += POSITIONS_A_PIECE) {
    const slice: number[][] = []
    for (let i = at; i < Math.min(at + POSITIONS_A_PIECE, latDeg.length); i += 1) {
      const lat = latDeg[i]!
      if (!Number.isNaN(lat)) slice.push([roundHalfUp(lonDeg[i]!, ROUTE_DECIMALS), roundHalfUp(lat, ROUTE_DECIMALS)])
    }
    yield slice
  }
}

/** Whether there are at least two positions. */
function isLine({ latDeg }: Positions): boolean {
  const isPlaced = (lat: number) => !Number.isNaN(lat)
  return latDeg.findIndex(isPlaced) !== latDeg.findLastIndex(isPlaced)
}
