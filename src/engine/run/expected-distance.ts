import { exactCosine } from '../exact-cosine.ts'
import { AXIS_M, ECCENTRICITY_2, RAD_PER_DEG, wrappedDeg } from '../route/geo.ts'
import type { Positions, Track } from '../track.ts'

// Roughly how far a run has come by each row, as other columns tell it: what a stored distance is beyond that is short.
// Part of the stored format: made of sums, products and roots alone, which every machine rounds in the same way, and never
// to be changed.

/** Along straight lines between positions; rows without one are passed over. @returns whole units of 1 / scale metres */
export function distanceByPositions({ latDeg, lonDeg }: Positions, scale: number): Int32Array {
  const expected = new Int32Array(latDeg.length)
  let units = 0
  let lat = Number.NaN
  let lon = Number.NaN
  for (let i = 0; i < expected.length; i += 1) {
    if (!Number.isNaN(latDeg[i]! + lonDeg[i]!)) {
      if (!Number.isNaN(lat)) units += scale * metresBetween(lat, lon, latDeg[i]!, lonDeg[i]!)
      lat = latDeg[i]!
      lon = lonDeg[i]!
    }
    expected[i] = Math.round(units)
  }
  return expected
}

/** At the speed of each row since the one before it; where it has none, at the last one known. @returns as the other */
export function distanceBySpeed({ tS, speedMps }: Pick<Track, 'tS' | 'speedMps'>, scale: number): Int32Array {
  const expected = new Int32Array(tS.length)
  let units = 0
  let speed = 0
  for (let i = 0; i < expected.length; i += 1) {
    if (!Number.isNaN(speedMps[i]!)) speed = speedMps[i]!
    if (i > 0) units += scale * speed * (tS[i]! - tS[i - 1]!)
    expected[i] = Math.round(units)
  }
  return expected
}

/** On the plane of the ellipsoid's radii at the latitude between. */
function metresBetween(latA: number, lonA: number, latB: number, lonB: number): number {
  const phi = ((latA + latB) / 2) * RAD_PER_DEG
  const cosine = exactCosine(phi)
  const w = 1 - ECCENTRICITY_2 * (1 - cosine * cosine)
  const eastRadiusM = AXIS_M / Math.sqrt(w)
  const northM = ((eastRadiusM * (1 - ECCENTRICITY_2)) / w) * (latB - latA) * RAD_PER_DEG
  const eastM = eastRadiusM * cosine * wrappedDeg(lonB - lonA) * RAD_PER_DEG
  return Math.sqrt(northM * northM + eastM * eastM)
}
