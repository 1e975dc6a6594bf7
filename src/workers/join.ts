import { MAX_ROWS } from '../engine/limits.ts'
import type { Track } from '../engine/track.ts'
import { joinedTrack, type StoredJoin } from './stored-track.ts'

/** How runs are joined. */
export type JoinAsked = Pick<StoredJoin, 'gap' | 'climb'>

/** When the joined run begins, Unix milliseconds, and how long it is; or a message for the runner. */
export type JoinFound = { readonly startedAt: number; readonly durationS: number } | { readonly refusal: string }

/** How far runs may overlap, and be apart, seconds. */
const [MOST_OVERLAP_S, MOST_GAP_S] = [60, 43_200]

/** @param tracks in order of time */
export function plannedJoin(tracks: readonly Track[], how: JoinAsked): JoinFound {
  for (const [k, track] of tracks.entries()) {
    const before = tracks[k - 1]
    if (before === undefined) continue
    const gapS = (track.startMs - before.startMs) / 1000 - (before.tS.at(-1) ?? 0)
    if (gapS < -MOST_OVERLAP_S) return { refusal: 'These runs overlap, so they are two recordings of one run' }
    if (gapS > MOST_GAP_S) return { refusal: 'There are more than 12 hours between two of these runs' }
  }
  if (tracks.reduce((sum, { n }) => sum + n, 0) > MAX_ROWS)
    return { refusal: `Together they have more than ${MAX_ROWS} points` }
  const track = joinedTrack(tracks, how)
  if (track === null) return { refusal: 'A straight line needs a position at both ends of the gap' }
  return { startedAt: track.startMs, durationS: track.tS.at(-1) ?? 0 }
}
