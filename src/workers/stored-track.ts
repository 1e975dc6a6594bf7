import { type ChosenLayers, overlaid } from '../engine/merge/overlay.ts'
import { type JoinGap, joined } from '../engine/repair/join.ts'
import { offsetOf, type Repair, recordedClock, repaired } from '../engine/repair/repairs.ts'
import type { ClimbLimit, Positions, Track } from '../engine/track.ts'
import { type PackedSamples, startMsOf, unpackPlaces, unpackPositions, unpackTrack } from './pack.ts'

/** Stored samples, or the tracks of several runs that were joined. */
export type StoredSource = { readonly samples: PackedSamples; readonly laid?: LaidSamples } | StoredJoin

/** Other recordings of the same run, laid over the first; indexes count the first as 0. */
export interface LaidSamples {
  readonly others: readonly { readonly samples: PackedSamples; readonly shiftS: number }[]
  readonly chosen: ChosenLayers
  /** Of the one whose rows follow; null: none. */
  readonly tail: number | null
}

export interface StoredJoin {
  /** In order of time, at least one. */
  readonly join: readonly StoredTrack[]
  readonly gap: JoinGap
  /** Climb of all runs together, which a treadmill run never has; null: unknown. */
  readonly climb: ClimbLimit | null
}

/** A track as it is stored, and its active repairs. */
export type StoredTrack = StoredSource & { readonly repairs: readonly Repair[] }
export type RecordedTrack = Extract<StoredTrack, { readonly samples: PackedSamples }>

type Unpack = (samples: PackedSamples) => Track

/** The track with its repairs applied. */
export function trackOf(stored: StoredTrack, unpack: Unpack = unpackTrack): Track {
  return repaired(sourceTrack(stored, unpack), stored.repairs)
}

/**
 * The track before its own repairs.
 * @throws Error for a straight line between tracks without positions, which no plan gives
 */
export function sourceTrack(stored: StoredSource, unpack: Unpack = unpackTrack): Track {
  if ('samples' in stored) {
    const track = unpack(stored.samples)
    return stored.laid === undefined ? track : laidTrack(track, stored.laid, unpack)
  }
  const parts = stored.join.map((part) => trackOf(part, unpack))
  const track = joinedTrack(parts, stored)
  if (track === null) throw new Error('A straight line between tracks without positions')
  return track
}

/** Several recordings of one run as one track, on the clock of the first. */
export function laidTrack(first: Track, { others, chosen, tail }: LaidSamples, unpack: Unpack = unpackTrack): Track {
  const layers = others.map(({ samples, shiftS }) => ({ track: unpack(samples), shiftS }))
  return overlaid([{ track: first, shiftS: 0 }, ...layers], chosen, tail)
}

/** @returns null when the straight line across a gap is asked for, but one of its ends has no position */
export function joinedTrack(parts: readonly Track[], { gap, climb }: Pick<StoredJoin, 'gap' | 'climb'>): Track | null {
  const track = joined(parts, gap)
  return track === null || climb === null || track.indoor ? track : { ...track, climb }
}

/** The positions with the repairs applied, NaN where a row has none; the other columns are not unpacked. */
export function positionsOf(stored: StoredTrack): Positions {
  if ('samples' in stored && !stored.laid && stored.repairs.length === 0) return unpackPositions(stored.samples.track)
  return trackOf(stored, unpackPlaces)
}

/** Rows that are unpacked. */
export function rowsOf(stored: StoredSource): number {
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
  if (!('samples' in stored)) return sum(stored.join.map(rowsOf))
  return stored.samples.sampleCount + sum((stored.laid?.others ?? []).map(({ samples }) => samples.sampleCount))
}

/**
 * The track, and a function that converts its elapsed seconds to the clock of what its repairs were made of, whole
 * milliseconds since that began, at `sourceMs`.
 */
export function clockedTrack(stored: StoredTrack) {
  const track = trackOf(stored)
  const clock = recordedClock(stored.repairs)
  const sourceMs = 'samples' in stored ? startMsOf(stored.samples) : trackOf(stored.join[0]!).startMs
  const startMs = track.startMs - sourceMs - offsetOf(stored.repairs)
  const recordedMs = (elapsedS: number) => clock.recordedMs(startMs + Math.round(elapsedS * 1000))
  return { track, sourceMs, recordedMs }
}
