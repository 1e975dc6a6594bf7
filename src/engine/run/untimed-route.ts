import { quantise } from '../codec.ts'
import { rowsWith } from '../gather.ts'
import { GRID } from '../grid.ts'
import { distanceBetweenM } from '../route/geo.ts'
import type { Track } from '../track.ts'

/** What the millisecond grid of a track holds: 24 days. */
const MAX_MS = 2 ** 31 - 1

/**
 * The track of a route without any times, as archives may hold one: each point gets its time in proportion to the
 * distance (CONTRACT 7.9), and no best effort is ever made of it.
 * @param route degrees; points without a position (NaN) are left out
 * @param run when the run began and how long it took
 * @returns null for fewer than two positions
 */
export function untimedTrack(
  route: { readonly latDeg: Float64Array; readonly lonDeg: Float64Array },
  run: { readonly startMs: number; readonly durationS: number },
): Track | null {
  const rows = rowsWith(route.latDeg, route.lonDeg)
  if (rows.length < 2) return null
  const n = rows.length
  const latDeg = quantise(
    Float64Array.from(rows, (row) => route.latDeg[row]!),
    GRID.e7,
  )
  const lonDeg = quantise(
    Float64Array.from(rows, (row) => route.lonDeg[row]!),
    GRID.e7,
  )
  const distanceM = new Float64Array(n)
  for (let i = 1; i < n; i += 1) {
    distanceM[i] = distanceM[i - 1]! + distanceBetweenM(latDeg[i - 1]!, lonDeg[i - 1]!, latDeg[i]!, lonDeg[i]!)
  }
  const empty = () => new Float64Array(n).fill(Number.NaN)
  return {
    n,
    startMs: run.startMs,
    tS: proportionalTimes(distanceM, run.durationS),
    latDeg,
    lonDeg,
    distanceM: quantise(distanceM, GRID.textDistance),
    elevM: empty(),
    heartRateBpm: empty(),
    cadenceRpm: empty(),
    powerW: empty(),
    temperatureC: empty(),
    speedMps: empty(),
    off: [],
    distanceSource: 'device',
    elevationSource: 'unknown',
    indoor: false,
    positionUnit: 'e7',
    hasEstimatedTimes: true,
  }
}

/** Whole milliseconds from 0 to the duration, each later than the one before: points on one spot are a millisecond apart. */
function proportionalTimes(distanceM: Float64Array, durationS: number): Float64Array {
  const n = distanceM.length
  const totalM = distanceM[n - 1]!
  const lastMs = Math.min(MAX_MS, Math.max(n - 1, Math.round(durationS * 1000)))
  let previousMs = -1
  return distanceM.map((metres, i) => {
    const share = totalM > 0 ? metres / totalM : i / (n - 1)
    const atMs = Math.max(previousMs + 1, Math.min(Math.round(share * lastMs), lastMs - (n - 1 - i)))
    previousMs = atMs
    return atMs / 1000
  })
}
