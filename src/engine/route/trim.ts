import { quantise } from '../codec.ts'
import { firstFrom, gathered } from '../gather.ts'
import { columnsOf, scalesOf } from '../grid.ts'
import { crop } from '../run/crop.ts'
import type { Track } from '../track.ts'
import { distanceBetweenM, METRES_PER_DEGREE } from './geo.ts'

/** A circle of the map that nobody else sees. */
export interface HiddenCircle {
  readonly lat: number
  readonly lon: number
  readonly radiusM: number
  /** What is cut of a run that begins or ends in it, once it has left the circle, metres along the run. */
  readonly beyondM: number
}

export interface Trimming {
  readonly circles: readonly HiddenCircle[]
  /** Metres that are cut from either end of every run. */
  readonly endsM: number
}

/** So that a position is outside by any measure of the earth, and after it was rounded. */
const MARGIN_SHARE = 0.006
const MARGIN_M = 0.1

/**
 * What others may see of a run (docs/ways.md K.2). Cut are its ends: until it has left every circle that it begins in, and
 * `beyondM` more. Where it crosses a circle later, its rows in there are left out, so that a straight line joins the last
 * position before with the first one after. Clock and distance begin at 0, since both measure the way from a hidden start.
 * @returns the track as it is, when it has no position; null when nothing is left
 */
export function trimmedTrack(track: Track, trimming: Trimming): Track | null {
  const rows = positioned(track)
  if (rows.length === 0) return track
  const first = shownFrom(track, rows, trimming)
  const last = shownFrom(track, rows.toReversed(), trimming)
  if (first === null || last === null || first >= last) return null
  const part = crop(track, { startS: track.tS[first]!, endS: track.tS[last]! })
  return withoutHidden(part, trimming.circles)
}

/** Whether a position is in none of the circles. */
export function isShown(circles: readonly HiddenCircle[], lat: number, lon: number): boolean {
  return !circles.some((circle) => isIn(circle, lat, lon))
}

function isIn({ lat, lon, radiusM }: HiddenCircle, latDeg: number, lonDeg: number): boolean {
  const reachM = radiusM * (1 + MARGIN_SHARE) + MARGIN_M
  // most positions are far from most circles
  if (Math.abs(latDeg - lat) * METRES_PER_DEGREE > 1.01 * reachM) return false
  return distanceBetweenM(lat, lon, latDeg, lonDeg) <= reachM
}

function positioned({ latDeg, n }: Track): number[] {
  const rows: number[] = []
  for (let row = 0; row < n; row += 1) if (!Number.isNaN(latDeg[row]!)) rows.push(row)
  return rows
}

/** The first row that is shown. @param rows those with a position, from the end that is cut; null: none is */
function shownFrom({ latDeg, lonDeg }: Track, rows: readonly number[], { circles, endsM }: Trimming): number | null {
  let held = circles
  let [alongM, untilM] = [0, endsM]
  for (const [k, row] of rows.entries()) {
    const [lat, lon] = [latDeg[row]!, lonDeg[row]!]
    const before = rows[k - 1]
    if (before === undefined) held = circles.filter((circle) => isIn(circle, lat, lon))
    else alongM += distanceBetweenM(latDeg[before]!, lonDeg[before]!, lat, lon)
    held = held.filter((circle) => {
      if (isIn(circle, lat, lon)) return true
      untilM = Math.max(untilM, alongM + circle.beyondM)
      return false
    })
    if (held.length > 0 || alongM < untilM) continue
    // an end on the edge of the next circle would show how far that reaches
    held = circles.filter((circle) => isIn(circle, lat, lon))
    if (held.length === 0) return row
  }
  return null
}

/** Its first and last rows are shown. */
function withoutHidden(track: Track, circles: readonly HiddenCircle[]): Track {
  const { n, tS, latDeg, lonDeg, seams } = track
  const kept: number[] = []
  const distanceM = track.distanceM.slice()
  let [isCrossing, lessM, knownM] = [false, 0, 0]
  let shown = { row: 0, atM: 0 }
  for (let row = 0; row < n; row += 1) {
    const [lat, lon, metres] = [latDeg[row]!, lonDeg[row]!, track.distanceM[row]!]
    if (!Number.isNaN(metres)) knownM = metres
    if (!Number.isNaN(lat)) {
      const wasCrossing = isCrossing
      isCrossing = !isShown(circles, lat, lon)
      if (wasCrossing && !isCrossing) {
        while (kept.at(-1)! > shown.row) kept.pop()
        const straightM = distanceBetweenM(latDeg[shown.row]!, lonDeg[shown.row]!, lat, lon)
        lessM += Math.max(0, knownM - shown.atM - straightM)
      }
      if (!isCrossing) shown = { row, atM: knownM }
    }
    distanceM[row]! -= lessM
    if (!isCrossing) kept.push(row)
  }
  if (kept.length === n) return track
  const columns = { ...columnsOf(track), distanceM: quantise(distanceM, scalesOf(track.positionUnit).distanceM), tS }
  const picked = Object.entries(columns).map(([name, values]) => [name, gathered(values, kept)])
  const rest = { ...track, ...(Object.fromEntries(picked) as typeof columns), n: kept.length }
  if (seams === undefined) return rest
  const moved = seams.map((atS) => rest.tS[firstFrom(rest.tS, atS)]!)
  return { ...rest, seams: [...new Set(moved)] }
}
