import type { Positions } from '../engine/track.ts'
import { roundHalfUp } from '../engine/units.ts'
import { arrayText, objectText } from './json-text.ts'

const ROUTE_DECIMALS = 7

/** Positions converted to text at once. */
const POSITIONS_A_PIECE = 8192

/**
 * Every position as a GeoJSON LineString, in pieces of JSON text, between which other requests can be served; `null`
 * for fewer than two.
 */
export function* routeText(positions: Positions | null): Generator<string, void> {
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
