import { quantise } from './codec.ts'
import { filledDistance, gpsDistance, IMPOSSIBLE_MPS, JUMP_SLACK_M, rowsWith } from './distance.ts'
import { filledElevation, usedSource } from './elevation.ts'
import { distanceBetweenM, wrappedDeg } from './geo.ts'
import { MAX_HOLD_S } from './hold.ts'
import { type Column, type SampleColumns, type Span, scalesOf, type Track, timeScale } from './samples.ts'

/** Columns whose samples hold until the next one; the others are linear between their samples. */
const HELD: readonly Column[] = ['heartRateBpm', 'cadenceRpm', 'powerW', 'temperatureC', 'speedMps']
/** Half of the turn a longitude can be away: 180 degrees east has no semicircle of its own. */
const MAX_LON_DEG = 180

/**
 * The part of a track between two times, with a row of its own at either end, as if it had been recorded like that:
 * its clock and its distance begin at 0 and a distance made of positions is made anew. All values stay on their grids.
 * A cut from 0 to the end changes nothing.
 * @param cut elapsed seconds, taken to the track's time grid
 * @throws RangeError when the cut leaves no time or reaches over an end
 */
export function crop(track: Track, cut: Span): Track {
  const { tS, positionUnit } = track
  const scale = timeScale(tS.at(-1) ?? 0)
  const startS = Math.round(cut.startS * scale) / scale
  const endS = Math.round(cut.endS * scale) / scale
  if (!(startS >= 0 && startS < endS && endS <= (tS.at(-1) ?? 0))) {
    throw new RangeError(`Cannot cut ${cut.startS} to ${cut.endS} s from a track of ${tS.at(-1) ?? 0} s`)
  }
  if (startS === 0 && endS === tS.at(-1)) return track

  const from = rowAt(tS, startS)
  const to = rowAt(tS, endS)
  const index = Array.from({ length: to.row - from.row + 1 }, (_, i) => from.row + i)
  const scales = scalesOf(positionUnit)
  const whole = filledColumns(track)
  const columns = {} as Record<Column, Float64Array>
  for (const name of Object.keys(scales) as Column[]) {
    const values = Float64Array.from(index, (row) => track[name][row]!)
    if (!from.isExact) values[0] = atCut(track, whole, { name, atS: startS, row: from.row, isStart: true })
    if (!to.isExact) values[values.length - 1] = atCut(track, whole, { name, atS: endS, row: to.row, isStart: false })
    columns[name] = quantise(values, scales[name])
  }
  const shifted = Float64Array.from(index, (row) => Math.round((tS[row]! - startS) * scale) / scale)
  shifted[0] = 0
  shifted[shifted.length - 1] = Math.round((endS - startS) * scale) / scale
  const off = cutSpans(track.off, { startS, endS }, scale)
  const distance = cutDistance(track, { tS: shifted, columns, off, isFromStart: startS === 0 })
  return {
    ...track,
    ...columns,
    ...distance,
    n: shifted.length,
    startMs: track.startMs + Math.round(startS * 1000),
    tS: shifted,
    off,
    // what the noise of the whole run told must not be forgotten: a calm part would climb more than all of it
    elevationSource:
      whole.elevation === null ? track.elevationSource : usedSource(tS, whole.elevation, track.elevationSource),
  }
}

interface Row {
  /** Of the cut: the recorded row at this time, else the one that the cut's own row takes the place of. */
  readonly row: number
  readonly isExact: boolean
}
