import { exactCosine } from '../exact-cosine.ts'
import type { Positions } from '../track.ts'
import { METRES_PER_DEGREE, RAD_PER_DEG } from './geo.ts'

// Predicts each sample of a path from the headings, so that only small deviations need to be stored. Part of the stored
// format: it must never change.

/** Number of stored headings: 0 is none, 1 to 255 go round the circle, from east over north. */
export const HEADINGS = 255
const EAST = Float64Array.from({ length: HEADINGS + 1 }, (_, code) => (code === 0 ? 0 : cosineOf(code / HEADINGS)))
const NORTH = Float64Array.from({ length: HEADINGS + 1 }, (_, code) =>
  code === 0 ? 0 : cosineOf((code / HEADINGS + 0.75) % 1),
)

/** @param turns angle as a share of a full turn, 0 to 1 */
function cosineOf(turns: number): number {
  const half = turns > 0.5 ? 1 - turns : turns
  return half > 0.25 ? -exactCosine((0.5 - half) * 2 * Math.PI) : exactCosine(half * 2 * Math.PI)
}

export interface Spacing {
  /** Metres between two samples. */
  readonly spacingM: number
  /** Stored steps per degree. */
  readonly scale: number
}

/** Positions or deviations in whole steps, 32 bits each. */
interface PathSteps {
  readonly lat: Int32Array
  readonly lon: Int32Array
}

/** Deviation from the position that its heading and the sample before predict, in steps; 0 for the first. */
export function beyondHeadings({ lat, lon }: PathSteps, heading: Uint8Array, spacing: Spacing): PathSteps {
  const beyond = { lat: new Int32Array(lat.length), lon: new Int32Array(lat.length) }
  const [north, east] = strides(spacing, lat[0] ?? 0)
  for (let k = 1; k < lat.length; k += 1) {
    const before = heading[k - 1]!
    const after = heading[k]!
    beyond.lat[k] = lat[k]! - lat[k - 1]! - Math.round((NORTH[before]! + NORTH[after]!) * north)
    beyond.lon[k] = lon[k]! - lon[k - 1]! - Math.round((EAST[before]! + EAST[after]!) * east)
  }
  return beyond
}

/** The reverse of `beyondHeadings`, in degrees. @param start the first sample, in steps */
export function alongHeadings(
  beyond: Positions,
  heading: Uint8Array,
  { start, ...spacing }: Spacing & { readonly start: readonly [lat: number, lon: number] },
): Positions {
  const latDeg = new Float64Array(heading.length)
  const lonDeg = new Float64Array(heading.length)
  const { scale } = spacing
  const [north, east] = strides(spacing, start[0])
  let [lat, lon] = start
  for (let k = 0; k < heading.length; k += 1) {
    if (k > 0) {
      const before = heading[k - 1]!
      const after = heading[k]!
      lat = (lat + beyond.latDeg[k]! + Math.round((NORTH[before]! + NORTH[after]!) * north)) | 0
      lon = (lon + beyond.lonDeg[k]! + Math.round((EAST[before]! + EAST[after]!) * east)) | 0
    }
    latDeg[k] = lat / scale
    lonDeg[k] = lon / scale
  }
  return { latDeg, lonDeg }
}

/** Steps north and east of half the distance between two samples, at the latitude where the path begins. */
function strides({ spacingM, scale }: Spacing, latSteps: number): readonly [north: number, east: number] {
  const north = (spacingM * scale) / METRES_PER_DEGREE / 2
  return [north, north / Math.max(0.01, exactCosine((latSteps / scale) * RAD_PER_DEG))]
}
