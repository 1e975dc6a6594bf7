import type { Db } from '../db/open.ts'
import type { Track } from '../engine/track.ts'
import { roundHalfUp } from '../engine/units.ts'
import { notFound } from '../errors.ts'
import { workoutExists } from '../library/add-workout.ts'
import { workoutTrack } from '../library/recordings.ts'

/**
 * One page of the samples that have a heart rate, by elapsed time, then in recorded order.
 * @throws AppError 404 for an unknown workout and for a page past the end (the first page always exists)
 */
export function timeSeries(db: Db, id: string, { page, pageSize }: { page: number; pageSize: number }) {
  if (!workoutExists(db, id)) throw notFound('Workout')
  const track = workoutTrack(db, id)
  const rows: number[] = []
  for (let i = 0; track !== null && i < track.n; i++) {
    const bpm = track.heartRateBpm[i]!
    if (!Number.isNaN(bpm)) rows.push(i)
  }
  const totalPages = Math.ceil(rows.length / pageSize)
  if (page > Math.max(totalPages, 1)) throw notFound('Page')
  const ofPage = rows.slice((page - 1) * pageSize, page * pageSize)
  const items = track === null ? [] : ofPage.map((i) => sample(track, i))
  return { items, page, pageSize, totalCount: rows.length, totalPages }
}

/** One instant with a heart rate; the other values are null when the record has none. */
function sample(track: Track, i: number) {
  return {
    elapsedSeconds: roundHalfUp(track.tS[i]!, 0),
    heartRateBpm: track.heartRateBpm[i]!,
    distanceM: known(track.distanceM[i]!, 2),
    cadenceRpm: known(track.cadenceRpm[i]!, 0),
    powerWatts: known(track.powerW[i]!, 0),
    speedMps: known(track.speedMps[i]!, 3),
    elevationM: known(track.elevM[i]!, 1),
    temperatureC: known(track.temperatureC[i]!, 1),
  }
}

function known(value: number, decimals: number): number | null {
  return Number.isFinite(value) ? roundHalfUp(value, decimals) : null
}
