import type { Position, Track } from '../track.ts'
import { roundHalfUp } from '../units.ts'
import { distanceBetweenM } from './geo.ts'

/** What the file of a photo states; null: nothing. */
export interface StatedPhoto {
  /** Unix milliseconds UTC. */
  readonly takenMs: number | null
  readonly lat: number | null
  readonly lon: number | null
}

export interface PhotoPlace {
  readonly lat: number
  readonly lon: number
  readonly placedBy: 'gps' | 'time'
}

/** A position that a photo states counts this near to the route; cameras without reception state the last place. */
const NEAR_M = 2000
/** A photo belongs to a run for so long before its start and after its end. */
const AROUND_S = 300
const DECIMALS = 6

/** Where a photo of a run was taken: by its own position near the route, else where the run was then; null: unknown. */
export function photoPlace(track: Track, { takenMs, lat, lon }: StatedPhoto): PhotoPlace | null {
  const { latDeg, lonDeg, tS, n, startMs } = track
  const atS = takenMs === null ? Number.NaN : (takenMs - startMs) / 1000
  let isNear = false
  let nearest = -1
  for (let row = 0; row < n; row += 1) {
    if (Number.isNaN(latDeg[row]!)) continue
    if (lat !== null && lon !== null && distanceBetweenM(lat, lon, latDeg[row]!, lonDeg[row]!) <= NEAR_M) {
      isNear = true
      break
    }
    if (nearest === -1 || Math.abs(tS[row]! - atS) < Math.abs(tS[nearest]! - atS)) nearest = row
  }
  if (isNear) return placed({ latDeg: lat!, lonDeg: lon! }, 'gps')
  const isDuring = atS >= -AROUND_S && atS <= (tS.at(-1) ?? 0) + AROUND_S
  return nearest === -1 || !isDuring ? null : placed({ latDeg: latDeg[nearest]!, lonDeg: lonDeg[nearest]! }, 'time')
}

function placed({ latDeg, lonDeg }: Position, placedBy: PhotoPlace['placedBy']): PhotoPlace {
  return { lat: roundHalfUp(latDeg, DECIMALS), lon: roundHalfUp(lonDeg, DECIMALS), placedBy }
}
