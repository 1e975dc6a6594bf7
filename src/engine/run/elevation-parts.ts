import type { Track } from '../track.ts'
import { type ElevationOptions, type ElevationProfile, elevationProfile, filledElevation } from './elevation.ts'

/**
 * The profile of a track of parts, each computed alone; no climb is counted between them, so that they add up to the
 * whole.
 * @returns null without any altitude
 */
export function profileOfParts(
  { tS, elevM, seams }: Pick<Track, 'tS' | 'elevM' | 'seams'>,
  options: ElevationOptions,
): ElevationProfile | null {
  const begins = (seams ?? []).map((atS) => tS.indexOf(atS)).filter((row) => row > 0)
  if (begins.length === 0) return elevationProfile(tS, elevM, options)
  const filled = filledElevation(tS, elevM, options.distanceM)
  if (filled === null) return null
  const [gainM, lossM] = [new Float64Array(tS.length), new Float64Array(tS.length)]
  const smoothedM = new Float64Array(tS.length).fill(Number.NaN)
  let source = options.source
  for (const [k, first] of [0, ...begins].entries()) {
    const end = begins[k] ?? tS.length
    const distanceM = options.distanceM === null ? null : options.distanceM.subarray(first, end)
    const part = elevationProfile(tS.subarray(first, end), elevM.subarray(first, end), { ...options, distanceM })
    const [gain, loss] = first === 0 ? [0, 0] : [gainM[first - 1]!, lossM[first - 1]!]
    for (let row = first; row < end; row += 1) {
      gainM[row] = gain + (part?.gainM[row - first] ?? 0)
      lossM[row] = loss + (part?.lossM[row - first] ?? 0)
    }
    if (part !== null) smoothedM.set(part.smoothedM, first)
    // when one part is as noisy as GPS altitude, so is the whole
    if (part?.source === 'gps') source = 'gps'
  }
  // a part without altitude is interpolated between its neighbours
  const evenM = smoothedM.map((metres, row) => (Number.isNaN(metres) ? filled.elevM[row]! : metres))
  return { source, gainM, lossM, smoothedM: evenM, filled }
}
