import { firstFrom, gathered, rowsWith } from '../gather.ts'
import { filledDistance } from '../run/distance.ts'
import type { Position, Positions, Span, Track } from '../track.ts'
import { distanceBetweenM, lengthOf, metresPerDegreeEast, wrappedDeg } from './geo.ts'

/** Metres between two points of a stretch; more for stretches beyond 100 km. */
const STEP_M = 10
const MOST_POINTS = 10_000
/** A position this many metres from the last one that counted counts, so that standing still adds no length. */
export const GATE_M = 5
/** The direction at an end is that of the chord to the point this many metres along the stretch. */
const CHORD_M = 20

/** A plane around a position: metres east and north of it. */
export interface Plane {
  readonly latDeg: number
  readonly lonDeg: number
  readonly eastMPerDeg: number
  readonly northMPerDeg: number
}

/** A part of a route: points at equal steps, on its own plane. */
export interface Stretch {
  readonly plane: Plane
  readonly n: number
  /** Metres east and north. */
  readonly xM: Float64Array
  readonly yM: Float64Array
  /** Metres between the points, along the stretch. */
  readonly lengthM: number
}

/** A line across the stretch at one of its ends: a position, and the unit vector of the direction of travel. */
export interface Gate {
  readonly xM: number
  readonly yM: number
  readonly eastward: number
  readonly northward: number
}

/** A stretch with its position in the run that it was taken from. */
export interface OwnStretch {
  readonly stretch: Stretch
  /** Elapsed seconds at its ends. */
  readonly span: Span
}

/** Metres of a run from start to end; null: it has no distance. */
export function runLengthM({ tS, distanceM }: Pick<Track, 'tS' | 'distanceM'>): number | null {
  return filledDistance(tS, distanceM)?.at(-1) ?? null
}

/**
 * @param fromM metres of the run, as `toM`
 * @returns null where the run has fewer than two positions there, or does not move between them
 * @throws RangeError for distances that are not ascending or not within the run
 */
export function stretchOf(
  track: Pick<Track, 'tS' | 'distanceM'> & Positions,
  fromM: number,
  toM: number,
): OwnStretch | null {
  const along = filledDistance(track.tS, track.distanceM)
  const rows = rowsWith(track.latDeg, track.lonDeg)
  if (along === null || rows.length < 2) return null
  if (!(fromM >= 0 && fromM < toM && toM <= along.at(-1)!)) {
    throw new RangeError(`No section from ${fromM} to ${toM} m of a run of ${along.at(-1)} m`)
  }
  const way = {
    tS: gathered(track.tS, rows),
    along: gathered(along, rows),
    latDeg: gathered(track.latDeg, rows),
    lonDeg: gathered(track.lonDeg, rows),
  }
  const from = placeAt(way, lastUpTo(way.along, fromM), fromM)
  const to = placeAt(way, firstFrom(way.along, toM) - 1, toM)
  if (!(to.tS > from.tS)) return null
  const places = [from]
  for (let i = 0; i < rows.length; i += 1) {
    if (way.tS[i]! <= from.tS || way.tS[i]! >= to.tS) continue
    places.push({ tS: way.tS[i]!, latDeg: way.latDeg[i]!, lonDeg: way.lonDeg[i]! })
  }
  places.push(to)
  const stretch = evenly(places)
  return stretch && { stretch, span: { startS: from.tS, endS: to.tS } }
}

export function turned(stretch: Stretch): Stretch {
  return { ...stretch, xM: stretch.xM.toReversed(), yM: stretch.yM.toReversed() }
}

export function startGate({ n, lengthM, xM, yM }: Stretch): Gate {
  const ahead = Math.min(n - 1, chordSteps(n, lengthM))
  return { xM: xM[0]!, yM: yM[0]!, ...unit(xM[ahead]! - xM[0]!, yM[ahead]! - yM[0]!) }
}

export function endGate({ n, lengthM, xM, yM }: Stretch): Gate {
  const behind = Math.max(0, n - 1 - chordSteps(n, lengthM))
  const [x, y] = [xM[n - 1]!, yM[n - 1]!]
  return { xM: x, yM: y, ...unit(x - xM[behind]!, y - yM[behind]!) }
}

/** Metres east of the plane's origin, the short way round the globe. */
export function eastM({ lonDeg, eastMPerDeg }: Plane, ofLonDeg: number): number {
  return wrappedDeg(ofLonDeg - lonDeg) * eastMPerDeg
}

export function northM({ latDeg, northMPerDeg }: Plane, ofLatDeg: number): number {
  return (ofLatDeg - latDeg) * northMPerDeg
}

/** Scales of WGS84 at the origin; exact to a thousandth over 20 km. */
export function planeAt(latDeg: number, lonDeg: number): Plane {
  const lowDeg = Math.max(-89.9, Math.min(latDeg, 89.9))
  return {
    latDeg,
    lonDeg,
    eastMPerDeg: metresPerDegreeEast(lowDeg),
    northMPerDeg: distanceBetweenM(lowDeg - 0.0005, 0, lowDeg + 0.0005, 0) / 0.001,
  }
}

interface Place extends Position {
  readonly tS: number
}

interface Way extends Positions {
  readonly tS: Float64Array
  readonly along: Float64Array
}

/** Position at a distance, interpolated between two rows; the first or last position for distances beyond the ends. */
function placeAt({ tS, along, latDeg, lonDeg }: Way, row: number, atM: number): Place {
  const i = Math.max(0, Math.min(row, tS.length - 1))
  const next = Math.min(i + 1, tS.length - 1)
  const stepM = along[next]! - along[i]!
  const part = stepM > 0 ? Math.max(0, Math.min(1, (atM - along[i]!) / stepM)) : 0
  return {
    tS: tS[i]! + part * (tS[next]! - tS[i]!),
    latDeg: latDeg[i]! + part * (latDeg[next]! - latDeg[i]!),
    lonDeg: lonDeg[i]! + part * wrappedDeg(lonDeg[next]! - lonDeg[i]!),
  }
}

/** The last row at or before a distance; -1: none. */
function lastUpTo(along: Float64Array, metres: number): number {
  return firstFrom(along, metres + Number.EPSILON * Math.max(1, metres)) - 1
}

/** Points at equal steps along positions that are at least 5 m apart. */
function evenly(places: readonly Place[]): Stretch | null {
  const middle = places[places.length >> 1]!
  const plane = planeAt(middle.latDeg, middle.lonDeg)
  const xs = [eastM(plane, places[0]!.lonDeg)]
  const ys = [northM(plane, places[0]!.latDeg)]
  const alongM = [0]
  for (const [k, place] of places.entries()) {
    const [x, y] = [eastM(plane, place.lonDeg), northM(plane, place.latDeg)]
    const stepM = lengthOf(x - xs.at(-1)!, y - ys.at(-1)!)
    if (stepM === 0 || (stepM < GATE_M && k < places.length - 1)) continue
    xs.push(x)
    ys.push(y)
    alongM.push(alongM.at(-1)! + stepM)
  }
  const lengthM = alongM.at(-1)!
  if (lengthM === 0) return null
  const steps = Math.min(MOST_POINTS, Math.max(1, Math.round(lengthM / STEP_M)))
  const xM = new Float64Array(steps + 1)
  const yM = new Float64Array(steps + 1)
  let j = 0
  for (let k = 0; k <= steps; k += 1) {
    const atM = k === steps ? lengthM : (k * lengthM) / steps
    while (j + 2 < alongM.length && alongM[j + 1]! < atM) j += 1
    const part = (atM - alongM[j]!) / (alongM[j + 1]! - alongM[j]!)
    xM[k] = xs[j]! + part * (xs[j + 1]! - xs[j]!)
    yM[k] = ys[j]! + part * (ys[j + 1]! - ys[j]!)
  }
  return { plane, n: steps + 1, xM, yM, lengthM }
}

function chordSteps(n: number, lengthM: number): number {
  return Math.max(1, Math.round((CHORD_M * (n - 1)) / lengthM))
}

function unit(x: number, y: number): Pick<Gate, 'eastward' | 'northward'> {
  const length = lengthOf(x, y)
  return length === 0 ? { eastward: 1, northward: 0 } : { eastward: x / length, northward: y / length }
}
