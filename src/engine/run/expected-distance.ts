import { exactCosine } from '../exact-cosine.ts'
import { AXIS_M, ECCENTRICITY_2, RAD_PER_DEG, wrappedDeg } from '../route/geo.ts'
import type { Positions, Track } from '../track.ts'

// Estimates the cumulative distance of each row from other columns, so that only the small deviation of the real
// distance needs to be stored. Part of the stored format, so it must never change: it uses sums, products and roots
// alone, which every machine rounds alike.

/** Along straight lines between positions; rows without one are skipped. @returns whole 1 / scale metres */
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

/** Each row's speed, else the last known one, applies since the row before. @returns as `distanceByPositions` */
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

/** On a plane, with the ellipsoid's radii at the latitude midway. */
function metresBetween(latA: number, lonA: number, latB: number, lonB: number): number {
  const phi = ((latA + latB) / 2) * RAD_PER_DEG
  const cosine = exactCosine(phi)
  const w = 1 - ECCENTRICITY_2 * (1 - cosine * cosine)
  const eastRadiusM = AXIS_M / Math.sqrt(w)
  const northM = ((eastRadiusM * (1 - ECCENTRICITY_2)) / w) * (latB - latA) * RAD_PER_DEG
  const eastM = eastRadiusM * cosine * wrappedDeg(lonB - lonA) * RAD_PER_DEG
  return Math.sqrt(northM * northM + eastM * eastM)
}
