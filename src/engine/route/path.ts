import { rowsWith } from '../gather.ts'
import type { Positions } from '../track.ts'
import { corridorGrid, passes, type RouteLine } from './corridor.ts'
import { distanceBetweenM, metresPerDegreeEast, RAD_PER_DEG, wrappedDeg } from './geo.ts'

/** Points this many metres apart count, so that standing still draws no path (docs/algorithms.md 6). */
const GATE_M = 5
const SPACING_M = 20
/** Enough for 1,000 km; longer paths, which come from broken positions, are sampled more widely. */
const MAX_SAMPLES = 50_000
/** The heading of a sample is that of the chord from this many metres before it to as many after it. */
const HALF_CHORD_M = 15
/** Steps per degree, 11 cm: with coarser ones the scores of parallel roads would change. */
const POSITION_SCALE = 1e6
/** Number of stored headings: 0 is none, 1 to 255 go round the circle, from east over north. */
const HEADINGS = 255

/** By heading code; code 0, no heading, has the vector (0, 0). */
const HEADING_EAST = byCode(Math.cos)
const HEADING_NORTH = byCode(Math.sin)

function byCode(of: (angle: number) => number): Float64Array {
  return Float64Array.from({ length: HEADINGS + 1 }, (_, code) =>
    code === 0 ? 0 : of((code * 2 * Math.PI) / HEADINGS),
  )
}

/** A route in the form that similarity is computed on. */
export interface RoutePath extends RouteLine {
  readonly lengthM: number
  /** Passes of the route by its own samples, including the sample's own pass. */
  readonly selfSame: Uint16Array
  readonly selfOpposite: Uint16Array
}

/** The path (docs/algorithms.md 6): samples about 20 m apart, with headings and the passes themselves. */
export function pathThrough(anchors: Anchors): RoutePath {
  const lengthM = anchors.alongM.at(-1)!
  const n = Math.min(MAX_SAMPLES, Math.max(1, Math.round(lengthM / SPACING_M)))
  const positionsOff = (byM: number) => {
    const atM = new Float64Array(n)
    for (let k = 0; k < n; k += 1) atM[k] = Math.min(lengthM, Math.max(0, ((k + 0.5) * lengthM) / n + byM))
    return positionsAt(anchors, atM)
  }
  const centre = positionsOff(0)
  const before = positionsOff(-HALF_CHORD_M)
  const after = positionsOff(HALF_CHORD_M)
  const heading = new Uint8Array(n)
  for (let k = 0; k < n; k += 1) {
    const eastM = (after.lonDeg[k]! - before.lonDeg[k]!) * Math.cos(centre.latDeg[k]! * RAD_PER_DEG)
    heading[k] = headingCode(eastM, after.latDeg[k]! - before.latDeg[k]!)
  }
  const line = lineOf(centre.latDeg, centre.lonDeg, heading)
  const own = passes(corridorGrid(line), line)
  // A sample without heading still counts as passed on its own.
  return { ...line, lengthM, selfSame: own.same.map((count) => Math.max(1, count)), selfOpposite: own.opposite }
}

/** A column of a path as it is stored: stored integer = round(value * scale). */
interface PathColumn {
  readonly id: number
  readonly scale: number
  readonly values: Float64Array
}

/** The columns that are stored of a path; its length is stored separately. @see pathOfColumns */
export function columnsOfPath(path: RoutePath): PathColumn[] {
  const heading = path.headingEast.map((east, k) => headingCode(east, path.headingNorth[k]!))
  return [
    { id: 1, scale: POSITION_SCALE, values: path.latDeg },
    { id: 2, scale: POSITION_SCALE, values: path.lonDeg },
    { id: 3, scale: 1, values: heading },
    { id: 4, scale: 1, values: new Float64Array(path.selfSame) },
    { id: 5, scale: 1, values: new Float64Array(path.selfOpposite) },
  ]
}

/** The path of `columnsOfPath`, by id. @throws RangeError when one is missing */
export function pathOfColumns(columns: ReadonlyMap<number, Float64Array>, lengthM: number): RoutePath {
  const [latDeg, lonDeg, heading, same, opposite] = [1, 2, 3, 4, 5].map((id) => {
    const column = columns.get(id)
    if (column === undefined) throw new RangeError(`A stored path has no column ${id}`)
    return column
  }) as [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array]
  return {
    ...lineOf(latDeg, lonDeg, new Uint8Array(heading)),
    lengthM,
    selfSame: new Uint16Array(same),
    selfOpposite: new Uint16Array(opposite),
  }
}

/** Positions of a route that are 5 m apart at least; longitudes continuous, as in a RouteLine. */
export interface Anchors extends Positions {
  readonly alongM: Float64Array
}

/** @returns null for fewer than two positions @throws RangeError when the columns differ in length */
export function routeAnchors(latDeg: Float64Array, lonDeg: Float64Array): Anchors | null {
  if (latDeg.length !== lonDeg.length) {
    throw new RangeError(`${latDeg.length} latitudes for ${lonDeg.length} longitudes`)
  }
  const rows = rowsWith(latDeg, lonDeg)
  if (rows.length < 2) return null
  let [lat, lon, metres] = [latDeg[rows[0]!]!, wrappedDeg(lonDeg[rows[0]!]!), 0]
  const anchors = { latDeg: new Float64Array(rows.length), lonDeg: new Float64Array(rows.length) }
  const alongM = new Float64Array(rows.length)
  let n = 0
  const keep = () => {
    anchors.latDeg[n] = lat
    anchors.lonDeg[n] = lon
    alongM[n] = metres
    n += 1
  }
  keep()
  for (let k = 0; k < rows.length; k += 1) {
    const i = rows[k]!
    const stepM = distanceBetweenM(lat, lon, latDeg[i]!, lonDeg[i]!)
    if (stepM < GATE_M && k !== rows.length - 1) continue
    if (stepM === 0) continue
    lat = latDeg[i]!
    lon += wrappedDeg(lonDeg[i]! - lon)
    metres += stepM
    keep()
  }
  return {
    latDeg: anchors.latDeg.subarray(0, n),
    lonDeg: anchors.lonDeg.subarray(0, n),
    alongM: alongM.subarray(0, n),
  }
}

/** Positions at ascending distances along the path, interpolated between the anchors. */
function positionsAt({ latDeg, lonDeg, alongM }: Anchors, atM: Float64Array): Positions {
  const lats = new Float64Array(atM.length)
  const lons = new Float64Array(atM.length)
  let j = 0
  for (let k = 0; k < atM.length; k += 1) {
    while (j + 2 < alongM.length && alongM[j + 1]! < atM[k]!) j += 1
    const next = Math.min(j + 1, alongM.length - 1)
    const stepM = alongM[next]! - alongM[j]!
    const part = stepM > 0 ? (atM[k]! - alongM[j]!) / stepM : 0
    lats[k] = latDeg[j]! + part * (latDeg[next]! - latDeg[j]!)
    lons[k] = lonDeg[j]! + part * (lonDeg[next]! - lonDeg[j]!)
  }
  return { latDeg: lats, lonDeg: lons }
}

function lineOf(latDeg: Float64Array, lonDeg: Float64Array, heading: Uint8Array): RouteLine {
  const n = latDeg.length
  const headingEast = new Float64Array(n)
  const headingNorth = new Float64Array(n)
  const eastMPerDeg = new Float64Array(n)
  for (let k = 0; k < n; k += 1) {
    headingEast[k] = HEADING_EAST[heading[k]!]!
    headingNorth[k] = HEADING_NORTH[heading[k]!]!
    eastMPerDeg[k] = metresPerDegreeEast(latDeg[k]!)
  }
  return { n, latDeg, lonDeg, headingEast, headingNorth, eastMPerDeg, northMPerDeg: metresPerDegreeNorth(latDeg) }
}

function headingCode(east: number, north: number): number {
  if (east === 0 && north === 0) return 0
  const code = Math.round((Math.atan2(north, east) * HEADINGS) / (2 * Math.PI))
  return code > 0 ? code : code + HEADINGS
}

function metresPerDegreeNorth(latDeg: Float64Array): number {
  const middle = latDeg[latDeg.length >> 1] ?? 0
  const lowDeg = Math.min(middle, 89.9)
  return distanceBetweenM(lowDeg, 0, lowDeg + 0.001, 0) / 0.001
}
