import type { Correction } from '../../engine/judge/correction.ts'
import { distanceBetweenM } from '../../engine/route/geo.ts'
import type { RecordedSamples } from '../../engine/track.ts'
import type { PointTable } from '../table/points.ts'

/** Points without a time get one only where the timed ones around them are this close. */
const LONGEST_UNTIMED_MS = 600_000

/**
 * The times of all points, with those between timed neighbours of one segment filled in by distance (docs/algorithms.md 0, kind I).
 * @returns Unix milliseconds, NaN where there is none, and how many were filled in
 */
export function filledTimes(points: PointTable): { readonly timeMs: Float64Array; readonly count: number } {
  const stated = points.column('timeMs')
  const [lat, lon, segment] = [points.column('latDeg'), points.column('lonDeg'), points.column('segment')]
  let filled = stated
  let count = 0
  let before = -1
  for (let row = 0; row < points.n; row++) {
    if (!points.hasTime(row)) continue
    if (before >= 0 && row - before > 1 && segment[before] === segment[row]) fill(before, row)
    before = row
  }
  return { timeMs: filled, count }

  function fill(from: number, to: number): void {
    const spanMs = stated[to]! - stated[from]!
    if (!(spanMs > 0 && spanMs <= LONGEST_UNTIMED_MS)) return
    const alongM = [0]
    for (let row = from + 1; row <= to; row++) {
      // a point without a position is not on the way
      alongM.push(alongM.at(-1)! + (distanceBetweenM(lat[row - 1]!, lon[row - 1]!, lat[row]!, lon[row]!) || 0))
    }
    if (filled === stated) filled = stated.slice()
    const totalM = alongM.at(-1)!
    for (let row = from + 1; row < to; row++) {
      const share = totalM > 0 ? alongM[row - from]! / totalM : (row - from) / (to - from)
      filled[row] = Math.round(stated[from]! + share * spanMs)
      count++
    }
  }
}

export function filledCorrection(count: number, n: number): Correction[] {
  if (count === 0) return []
  const reason = `Only ${n - count} of ${n} points have a time; the others got times between those around them`
  return [{ what: 'clock', stated: n - count, used: n, reason }]
}

/**
 * A recording without the places that only repeat those of the point before, when such points are stated at earlier times than
 * that: a heart rate or the like was written with the last place known (docs/algorithms.md 0, kind K).
 */
export function withOwnPlaces(recording: RecordedSamples): {
  readonly recording: RecordedSamples
  readonly corrections: readonly Correction[]
} {
  const { n, timeMs, latDeg, lonDeg } = recording
  const repeats = (row: number) => latDeg[row] === latDeg[row - 1] && lonDeg[row] === lonDeg[row - 1]
  let isOutOfOrder = false
  let count = 0
  for (let row = 1; row < n; row++) {
    if (!repeats(row)) continue
    count++
    if (timeMs[row]! < timeMs[row - 1]!) isOutOfOrder = true
  }
  if (!isOutOfOrder) return { recording, corrections: [] }
  const own = (column: Float64Array) => column.map((value, row) => (row > 0 && repeats(row) ? Number.NaN : value))
  const reason = `Of ${n} points ${count} only repeat the place before them, out of order; ${n - count} places count`
  return {
    recording: { ...recording, latDeg: own(latDeg), lonDeg: own(lonDeg) },
    corrections: [{ what: 'position', stated: n, used: n - count, reason }],
  }
}
