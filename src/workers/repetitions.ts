import { believedSession, type Intervals } from '../engine/intervals/intervals.ts'
import { type DeviceLap, lapSeries } from '../engine/laps.ts'
import { type PlacedLap, placedLaps } from '../engine/run/laps.ts'
import type { Readings } from '../engine/run/readings.ts'
import type { Track } from '../engine/track.ts'

/** How many repetitions are recognised in a track. */
export function repetitionCount(track: Track, readings: Readings, laps: readonly DeviceLap[]): number {
  return ofLapSeries(track, laps, (placed) => believedSession(track, readings, placed))?.works.length ?? 0
}

/** What the first series of laps that shows repetitions gives, else the pace. */
export function ofLapSeries<T extends Pick<Intervals, 'source'>>(
  track: Track,
  laps: readonly DeviceLap[],
  search: (series: readonly PlacedLap[]) => T | null,
): T | null {
  const [first = [], ...others] = lapSeries(laps)
  const found = (series: readonly DeviceLap[]) => search(placedLaps(track, series))
  const ofFirst = found(first)
  if (ofFirst?.source === 'laps') return ofFirst
  return others.map(found).find((one) => one?.source === 'laps') ?? ofFirst
}
