import { firstFrom, gathered } from '../gather.ts'
import { columnsOf, scalesOf } from '../grid.ts'
import { columnOf, rowOf } from '../ground/squares.ts'
import type { Spot } from '../ground/starts.ts'
import { quantise } from '../quantise.ts'
import { crop } from '../run/crop.ts'
import type { Track } from '../track.ts'
import { distanceBetweenM, METRES_PER_DEGREE, metresPerDegreeEast, wrappedDeg } from './geo.ts'

/** A circle of the map that nobody else sees. */
export interface HiddenCircle extends Spot {
  readonly radiusM: number
  /** At most so much more is cut where a run enters or leaves it, metres along the run. */
  readonly beyondM: number
}

/** Numbers in 0..1 that nobody but the service can compute. */
export type Secrets = readonly number[]

export interface Trimming {
  readonly circles: readonly HiddenCircle[]
  /** Least metres that are cut from either end of every run. */
  readonly endsM: number
  /** Where the circles about these ends lie: a shift of the squares of the map, east and south, and two numbers a square. */
  readonly endSecrets: Secrets
  /** Of this run: which share of `beyondM` each of its cuts takes. */
  readonly cutSecrets: Secrets
}

/** So that a position is outside by any measure of the earth, and after it was rounded. */
const MARGIN_SHARE = 0.006
const MARGIN_M = 0.1

/** How far a circle's centre is from its place, squared, in radii (docs/ways.md K.2). */
const [LEAST_SQUARED, MOST_SQUARED] = [0.15, 0.5]
/** The circle about a run's end is so much wider that the end lies at least `endsM` inside. */
const END_SHARE = 1 + Math.sqrt(MOST_SQUARED)
/** Squares a side of the block whose `endSecrets` are used again beside it. */
const END_SQUARES = 16
/** A shift, and two numbers a square. */
export const END_SECRETS = 2 + 2 * END_SQUARES ** 2

/**
 * A spot `unitM`·√u away from another, u uniform in 0.15..0.5, in any direction: the centre of a circle about a place, which a
 * circle through the ends of many files finds, is not the place.
 */
export function displaced({ lat, lon }: Spot, unitM: number, [length = 0, turn = 0]: Secrets): Spot {
  const metres = unitM * Math.sqrt(LEAST_SQUARED + (MOST_SQUARED - LEAST_SQUARED) * length)
  return {
    lat: lat + (metres * Math.cos(2 * Math.PI * turn)) / METRES_PER_DEGREE,
    lon: wrappedDeg(lon + (metres * Math.sin(2 * Math.PI * turn)) / metresPerDegreeEast(lat)),
  }
}

/**
 * What others may see of a run (docs/ways.md K.3): nothing in a circle, nor for a secret length before and after it. Its
 * ends are cut off; across a circle a straight line joins the last position before with the first one after. Clock and
 * distance begin at 0, since both measure the way from a hidden start.
 * @returns the track as it is, when it has no position; null when nothing is left
 */
export function trimmedTrack(track: Track, trimming: Trimming): Track | null {
  const rows = positioned(track)
  if (rows.length === 0) return track
  const hidden = hiddenRows(track, rows, trimming)
  const first = rows.find((row) => hidden[row] === 0)
  const last = rows.findLast((row) => hidden[row] === 0)
  if (first === undefined || last === undefined || first >= last) return null
  const part = withoutHidden(crop(track, { startS: track.tS[first]!, endS: track.tS[last]! }), hidden.subarray(first))
  if (part === track) return track
  // a limit of the climb is that of the whole run
  const { climbLimit: _, ...rest } = part
  return rest
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

/** 1 for each row that others do not see. @param rows those with a position */
function hiddenRows({ n, latDeg, lonDeg }: Track, rows: readonly number[], trimming: Trimming): Uint8Array {
  const { circles, cutSecrets } = trimming
  const hidden = new Uint8Array(n)
  for (const [pass, ordered] of [rows, rows.toReversed()].entries()) {
    let end = endCircle(trimming, latDeg[ordered[0]!]!, lonDeg[ordered[0]!]!)
    let [alongM, untilM, cut, wasIn] = [0, 0, pass, false]
    for (const [k, row] of ordered.entries()) {
      const [lat, lon, before] = [latDeg[row]!, lonDeg[row]!, ordered[k - 1]]
      if (before !== undefined) alongM += distanceBetweenM(latDeg[before]!, lonDeg[before]!, lat, lon)
      // of the circle about the end only the first way out of it is cut
      if (end !== null && !isIn(end, lat, lon)) end = null
      let beyondM = end?.beyondM ?? -1
      for (const circle of circles) if (isIn(circle, lat, lon)) beyondM = Math.max(beyondM, circle.beyondM)
      const isInside = beyondM >= 0
      if (isInside) untilM = Math.max(untilM, alongM + beyondM * cutSecrets[cut % cutSecrets.length]!)
      else if (wasIn) cut += 2
      wasIn = isInside
      if (isInside || alongM < untilM) hidden[row] = 1
    }
  }
  return hidden
}

/** The circle about the end of a run (docs/ways.md K.4); with the centre of a hidden place's, since two circles would tell more. */
function endCircle({ circles, endsM, endSecrets }: Trimming, lat: number, lon: number): HiddenCircle | null {
  if (endsM === 0) return null
  const size = { radiusM: END_SHARE * endsM, beyondM: endsM / 2 }
  const place = circles.find((circle) => isIn(circle, lat, lon))
  if (place !== undefined) return { ...place, ...size }
  const [column, row] = [columnOf(lon) + endSecrets[0]!, rowOf(lat) + endSecrets[1]!]
  const square = (Math.floor(column) & (END_SQUARES - 1)) * END_SQUARES + (Math.floor(row) & (END_SQUARES - 1))
  return { ...displaced({ lat, lon }, endsM, endSecrets.slice(2 + 2 * square)), ...size }
}

/** Without the hidden rows in the middle. @param hidden by row; its first and last rows are shown */
function withoutHidden(track: Track, hidden: Uint8Array): Track {
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
      isCrossing = hidden[row] === 1
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
