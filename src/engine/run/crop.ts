import { quantise } from '../codec.ts'
import { columnsWith, eastOfLimit, scalesOf, timeScale } from '../grid.ts'
import { distanceBetweenM, wrappedDeg } from '../route/geo.ts'
import type { Column, DistanceSource, Position, Span, Track } from '../track.ts'
import { filledDistance, gpsDistance, IMPOSSIBLE_MPS, JUMP_SLACK_M } from './distance.ts'
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
 * The part of a track between two times, with a row at either end, as if it had been recorded alone: its clock and its
 * distance begin at 0, and a distance that is computed from positions is computed again. A crop from 0 to the end
 * changes nothing. How noisy the altitude is stays as found for the whole track, since a calm part judged alone would
 * get more climb than the whole.
 * @param cut elapsed seconds, rounded to the track's time grid
 * @returns a track whose values are on its grids
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

/**
 * All rows of a track, with one at either end of a span; where no row was recorded, an empty one.
 * @param span its start before its end
 * @returns columns of their own, which may be written to
 */
export function rowsWithEnds(track: Track, { startS, endS }: Span): Rows {
  const { tS } = track
  const missing = [startS, endS].flatMap((atS) => {
    const before = tS.findIndex((rowS) => rowS >= atS)
    return tS[before] === atS ? [] : [{ before, atS }]
  })
  const places = missing.map(({ before }) => before)
  return {
    tS: withRows(
      tS,
      places,
      missing.map(({ atS }) => atS),
    ),
    columns: columnsWith((name) => withRows(track[name], places, [Number.NaN, Number.NaN])),
  }
}

/**
 * A copy with values inserted, made in one pass: each column of a run of days takes megabytes.
 * @param places before which rows, ascending
 */
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
function positionAt({ tS, columns: { latDeg, lonDeg } }: Rows, row: number, track: Track): Position {
  const position = (at: number): Position => ({ latDeg: latDeg[at]!, lonDeg: lonDeg[at]! })
  if (!Number.isNaN(latDeg[row]!)) return position(row)
  let before = row - 1
  let after = row + 1
  while (before >= 0 && Number.isNaN(latDeg[before]!)) before -= 1
  while (after < tS.length && Number.isNaN(latDeg[after]!)) after += 1
  if (before < 0 || after >= tS.length) return NOWHERE
  const [a, b] = [position(before), position(after)]
  const seconds = tS[after]! - tS[before]!
  const isPause = track.off.some(({ startS, endS }) => startS < tS[after]! && endS > tS[before]!)
  const metres = distanceBetweenM(a.latDeg, a.lonDeg, b.latDeg, b.lonDeg)
  if (isPause || metres > IMPOSSIBLE_MPS * seconds + JUMP_SLACK_M) return NOWHERE
  const part = (tS[row]! - tS[before]!) / seconds
  const lon = wrappedDeg(a.lonDeg + part * wrappedDeg(b.lonDeg - a.lonDeg))
  return {
    latDeg: a.latDeg + part * (b.latDeg - a.latDeg),
    lonDeg: track.positionUnit === 'semicircle' ? eastOfLimit(lon) : lon,
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
