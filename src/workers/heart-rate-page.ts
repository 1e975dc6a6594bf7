import type { Track } from '../engine/track.ts'
import { roundHalfUp } from '../engine/units.ts'

/**
 * One page of the samples with a heart rate, counted from 1, and their total number: ordered by elapsed time, then as
 * recorded; a page past the end is empty.
 */
export function heartRatePage(track: Track, { page, pageSize }: { page: number; pageSize: number }) {
  const items: ReturnType<typeof sample>[] = []
  const first = (page - 1) * pageSize
  let totalCount = 0
  for (let i = 0; i < track.n; i++) {
    if (Number.isNaN(track.heartRateBpm[i]!)) continue
    if (totalCount >= first && totalCount < first + pageSize) items.push(sample(track, i))
    totalCount += 1
  }
  return { items, totalCount }
}

/** One instant with a heart rate; other values are null when missing. */
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
