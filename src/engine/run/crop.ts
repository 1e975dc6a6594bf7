import { firstFrom } from '../gather.ts'
import { columnsWith, eastOfLimit, scalesOf, timeScale } from '../grid.ts'
import { quantise } from '../quantise.ts'
import { distanceBetweenM, wrappedDeg } from '../route/geo.ts'
import type { Column, DistanceSource, Position, Span, Track } from '../track.ts'
import { filledDistance, gpsDistance, isJump } from './distance.ts'
import { filledElevation, usedSource } from './elevation.ts'
import { MAX_HOLD_S } from './hold.ts'

/** Columns whose value holds until the next sample; distance, position and elevation are interpolated. */
const HELD = ['heartRateBpm', 'cadenceRpm', 'powerW', 'temperatureC', 'speedMps'] as const satisfies readonly Column[]

/** Rows of a track at work. */
interface Rows {
  readonly tS: Float64Array
  readonly columns: Record<Column, Float64Array>
}

/**
 * The part of a track between two times, as if it had been recorded alone: with a row at either end, clock and distance
 * from 0, and a distance of positions computed again. A crop from 0 to the end changes nothing. How noisy the altitude
 * is stays as found for the whole track, since a calm part judged alone would get more climb than the whole.
 * @param cut elapsed seconds, rounded to the track's time grid
 * @throws RangeError when the cut leaves no time or extends beyond an end
 */
export function crop(track: Track, cut: Span): Track {
  const lastS = track.tS.at(-1) ?? 0
  const scale = timeScale(lastS)
  const startS = Math.round(cut.startS * scale) / scale
  const endS = Math.round(cut.endS * scale) / scale
  if (!(startS >= 0 && startS < endS && endS <= lastS)) {
    throw new RangeError(`Cannot cut ${cut.startS} to ${cut.endS} s out of ${lastS} s`)
  }
  if (startS === 0 && endS === lastS) return track

  const whole = rowsWithEnds(track, { startS, endS })
  const first = whole.tS.indexOf(startS)
  const last = whole.tS.indexOf(endS)
  fillEnds(whole, track, { begins: first, ends: last })
  const scales = scalesOf(track.positionUnit)
  const columns = columnsWith((name) => {
    const part = whole.columns[name].subarray(first, last + 1)
    return quantise(part, scales[name], part)
  })
  const tS = whole.tS.subarray(first, last + 1).map((atS) => onGrid(atS - startS, scale))
  const off = track.off
    .map((span) => ({
      startS: onGrid(Math.max(0, span.startS - startS), scale),
      endS: onGrid(Math.min(endS, span.endS) - startS, scale),
    }))
    .filter((span) => span.endS > span.startS)
  const seams = track.seams?.filter((atS) => atS > startS && atS <= endS).map((atS) => onGrid(atS - startS, scale))
  const { climb: _, ...uncut } = track
  return {
    ...uncut,
    ...(seams === undefined ? {} : { seams }),
    ...columns,
    ...cutDistance(track, { tS, columns }, { off, isFromStart: startS === 0 }),
    n: tS.length,
    startMs: track.startMs + Math.round(startS * 1000),
    tS,
    off,
    elevationSource: wholeElevationSource(track),
  }
}

/** All rows, with one at either end of a span, empty where none was recorded, in columns that may be written to. */
export function rowsWithEnds(track: Track, { startS, endS }: Span): Rows {
  const { tS } = track
  const missing = [startS, endS].filter((atS) => tS[firstFrom(tS, atS)] !== atS)
  const places = missing.map((atS) => firstFrom(tS, atS))
  return {
    tS: withRows(tS, places, missing),
    columns: columnsWith((name) => withRows(track[name], places, [Number.NaN, Number.NaN])),
  }
}

/** A copy with values inserted before rows, ascending, in one pass: a column of a run of days takes megabytes. */
function withRows(values: Float64Array, places: readonly number[], inserted: readonly number[]): Float64Array {
  const longer = new Float64Array(values.length + places.length)
  let from = 0
  for (const [count, place] of places.entries()) {
    longer.set(values.subarray(from, place), from + count)
    longer[place + count] = inserted[count]!
    from = place
  }
  longer.set(values.subarray(from), from + places.length)
  return longer
}

/** Fills the rows at which a part begins and ends with the value that holds there, or that is interpolated there. */
export function fillEnds(
  { tS, columns }: Rows,
  track: Track,
  { begins, ends }: { readonly begins: number; readonly ends: number },
): void {
  const distanceM = filledDistance(tS, columns.distanceM)
  const elevation = filledElevation(tS, columns.elevM, distanceM)
  const start = Object.fromEntries(HELD.map((name) => [name, heldValue(tS, columns[name], begins)]))
  const positions = [begins, ends].map((row) => positionAt({ tS, columns }, row, track))
  for (const [k, row] of [begins, ends].entries()) {
    if (distanceM !== null) columns.distanceM[row] = distanceM[row]!
    if (elevation !== null) columns.elevM[row] = elevation.elevM[row]!
    columns.latDeg[row] = positions[k]!.latDeg
    columns.lonDeg[row] = positions[k]!.lonDeg
  }
  // nothing is added at the end, where the last sample of the part still holds
  for (const name of HELD) columns[name][begins] = start[name]!
}

/** NaN when the last sample before the row is too old to hold there. */
function heldValue(tS: Float64Array, values: Float64Array, row: number): number {
  let from = row
  while (from >= 0 && Number.isNaN(values[from]!) && tS[row]! - tS[from]! <= MAX_HOLD_S) from -= 1
  return from >= 0 && tS[row]! - tS[from]! <= MAX_HOLD_S ? values[from]! : Number.NaN
}

const NOWHERE: Position = { latDeg: Number.NaN, lonDeg: Number.NaN }

/** Interpolated between the positions around; none on a step that adds no distance, which is a jump or a pause. */
function positionAt(rows: Rows, row: number, { off, positionUnit }: Track): Position {
  const { tS, columns } = rows
  const { latDeg, lonDeg } = columns
  if (!Number.isNaN(latDeg[row]!)) return { latDeg: latDeg[row]!, lonDeg: lonDeg[row]! }
  const ends = around(latDeg, { first: row, last: row })
  if (ends === null) return NOWHERE
  const { before, after } = ends
  const isPause = off.some(({ startS, endS }) => startS < tS[after]! && endS > tS[before]!)
  const metres = distanceBetweenM(latDeg[before]!, lonDeg[before]!, latDeg[after]!, lonDeg[after]!)
  if (isPause || isJump(metres, tS[after]! - tS[before]!)) return NOWHERE
  return positionBetween(rows, { before, row, after }, positionUnit)
}

/** Consecutive rows, both ends included. */
export interface RowRange {
  readonly first: number
  readonly last: number
}

/** The nearest rows with a reading before and after others; null: one side has none. */
export function around(values: Float64Array, { first, last }: RowRange): { before: number; after: number } | null {
  let before = first - 1
  let after = last + 1
  while (before >= 0 && Number.isNaN(values[before]!)) before -= 1
  while (after < values.length && Number.isNaN(values[after]!)) after += 1
  return before < 0 || after >= values.length ? null : { before, after }
}

/** The position at the time of a row on the straight line between two others. */
export function positionBetween(
  { tS, columns: { latDeg, lonDeg } }: Rows,
  { before, row, after }: { readonly before: number; readonly row: number; readonly after: number },
  positionUnit: Track['positionUnit'],
): Position {
  const part = (tS[row]! - tS[before]!) / (tS[after]! - tS[before]!)
  const lon = wrappedDeg(lonDeg[before]! + part * wrappedDeg(lonDeg[after]! - lonDeg[before]!))
  return {
    latDeg: latDeg[before]! + part * (latDeg[after]! - latDeg[before]!),
    lonDeg: positionUnit === 'semicircle' ? eastOfLimit(lon) : lon,
  }
}

function cutDistance(
  track: Track,
  { tS, columns }: Rows,
  { off, isFromStart }: { off: readonly Span[]; isFromStart: boolean },
): { readonly distanceM: Float64Array; readonly distanceSource: DistanceSource } {
  const { distanceSource } = track
  const scale = scalesOf(track.positionUnit).distanceM
  if (distanceSource === 'gps') {
    const gps = gpsDistance(tS, columns, off)
    if (gps !== null) return { distanceM: quantise(gps.distanceM, scale), distanceSource }
    return { distanceM: new Float64Array(tS.length).fill(Number.NaN), distanceSource: 'none' }
  }
  const { distanceM } = columns
  // kept as written: a distance that does not begin at 0 is what the source states
  if (isFromStart) return { distanceM, distanceSource }
  const startM = distanceM[0]!
  return {
    distanceM: quantise(
      distanceM.map((metres) => metres - startM),
      scale,
    ),
    distanceSource,
  }
}

/** The altitude source of the whole track: unknown altitude as noisy as that of a GPS receiver counts as 'gps'. */
export function wholeElevationSource({ tS, elevM, distanceM, elevationSource }: Track): Track['elevationSource'] {
  const filled = filledElevation(tS, elevM, filledDistance(tS, distanceM))
  return filled === null ? elevationSource : usedSource(tS, filled, elevationSource)
}

/** Seconds rounded to a grid of `scale` steps a second. */
export function onGrid(seconds: number, scale: number): number {
  return Math.round(seconds * scale) / scale
}
