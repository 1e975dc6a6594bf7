import { MAX_ROWS } from '../engine/codec.ts'
import { type JoinGap, joined } from '../engine/repair/join.ts'
import { type Channel, channelsOf } from '../engine/run/channels.ts'
import type { ClimbLimit, Track } from '../engine/track.ts'
import { type PackedSamples, packTrack } from './pack.ts'

/** How runs are joined. */
export interface JoinAsked {
  readonly gap: JoinGap
  /** Climb of all runs together; null: unknown. */
  readonly climb: ClimbLimit | null
}

/** The joined samples, or a message for the runner. */
export type JoinFound =
  | { readonly samples: PackedSamples; readonly channels: readonly Channel[]; readonly startMs: number }
  | { readonly refusal: string }

/** How far runs may overlap, and be apart, seconds. */
const [MOST_OVERLAP_S, MOST_GAP_S] = [60, 43_200]

/** @param tracks in order of time */
export function plannedJoin(tracks: readonly Track[], { gap, climb }: JoinAsked): JoinFound {
  for (const [k, track] of tracks.entries()) {
    const before = tracks[k - 1]
    if (before === undefined) continue
    const gapS = (track.startMs - before.startMs) / 1000 - (before.tS.at(-1) ?? 0)
    if (gapS < -MOST_OVERLAP_S)
      return { refusal: 'These runs overlap: they are two recordings of one, not parts of one' }
    if (gapS > MOST_GAP_S) return { refusal: 'There are more than 12 hours between two of these runs' }
  }
  if (tracks.reduce((sum, { n }) => sum + n, 0) > MAX_ROWS)
    return { refusal: `Together they have more than ${MAX_ROWS} points` }
  const all = joined(tracks, gap)
  if (all === null) return { refusal: 'A straight line needs a position at both ends of the gap' }
  const track = climb === null || all.indoor ? all : { ...all, climb }
  return { samples: packTrack(track), channels: channelsOf(track), startMs: track.startMs }
}
