import { nearestRow, type RunSeries } from '../charts/series.ts'
import type { GhostLines } from '../run-view.ts'
import type { GhostRace } from '../types.ts'
import { between } from './ghost-places.ts'

/** No line is drawn where the runs were on the same ground this far apart only, metres of the run. */
const MOST_APART_M = 100
/** A row of the ghost further away in time has no value for a place. */
const MOST_OFF_S = 20

/**
 * Pace and heart rate of the ghost at the places of this run, one value for each of its rows; NaN where the ghost was
 * not there.
 * @param ghost samples of the other run
 */
export function ghostLines({ places }: Pick<GhostRace, 'places'>, series: RunSeries, ghost: RunSeries): GhostLines {
  const { distanceM, ghostElapsedS } = places
  const rows = new Int32Array(series.n).fill(-1)
  let place = 0
  for (let row = 0; row < series.n; row += 1) {
    const metres = series.distanceM?.[row] ?? Number.NaN
    while (place + 2 < distanceM.length && distanceM[place + 1]! < metres) place += 1
    const [from, to] = [distanceM[place]!, distanceM[place + 1]!]
    if (!(metres >= from && metres <= to) || to - from > MOST_APART_M) continue
    const atS = between(distanceM, ghostElapsedS, metres)
    const nearest = nearestRow(ghost.elapsedS, atS)
    if (Math.abs(ghost.elapsedS[nearest]! - atS) <= MOST_OFF_S) rows[row] = nearest
  }
  const line = (values: Float64Array | null) =>
    values === null ? null : Float64Array.from(rows, (row) => (row < 0 ? Number.NaN : values[row]!))
  return { pace: line(ghost.metrics.pace), heartRate: line(ghost.metrics.heartRate) }
}
