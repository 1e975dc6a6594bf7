import { secondsWithin } from '../../run/moving.ts'
import type { Positions, Span } from '../../track.ts'
import type { HeadingPart } from '../conditions.ts'

/** A direction is that of a chord of this many metres. */
const CHORD_M = 30
const SECTORS = 24
export const SECTOR_DEGREES = 360 / SECTORS

/**
 * Moving time and speed in 24 sectors of the compass; those without running are left out.
 * @param distanceM cumulative metres of every row; @param cut elapsed time that is not moving time
 */
export function headings(
  tS: Float64Array,
  { latDeg, lonDeg }: Positions,
  { distanceM, cut }: { readonly distanceM: Float64Array; readonly cut: readonly Span[] },
): HeadingPart[] {
  const seconds = new Float64Array(SECTORS)
  const metres = new Float64Array(SECTORS)
  let anchor = -1
  let next = 0
  for (let row = 0; row < tS.length; row += 1) {
    if (Number.isNaN(latDeg[row]!) || Number.isNaN(lonDeg[row]!)) continue
    if (anchor === -1) anchor = row
    const chordM = distanceM[row]! - distanceM[anchor]!
    if (chordM < CHORD_M) continue
    while (next < cut.length && cut[next]!.endS <= tS[anchor]!) next += 1
    const movedS = tS[row]! - tS[anchor]! - secondsWithin(cut, tS[anchor]!, tS[row]!, next)
    const north = latDeg[row]! - latDeg[anchor]!
    const east = (lonDeg[row]! - lonDeg[anchor]!) * Math.cos((latDeg[row]! * Math.PI) / 180)
    const degrees = (Math.atan2(east, north) * 180) / Math.PI + 360
    const sector = Math.round(degrees / SECTOR_DEGREES) % SECTORS
    seconds[sector]! += movedS
    metres[sector]! += chordM
    anchor = row
  }
  return [...seconds].flatMap((moved, sector) =>
    moved > 0 ? [{ towardsDeg: sector * SECTOR_DEGREES, seconds: moved, mps: metres[sector]! / moved }] : [],
  )
}
