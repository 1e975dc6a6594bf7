import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Db, Tx } from '../db/open.ts'
import { preparedOnce, rowsBy } from '../db/prepared.ts'
import { recordings, samples } from '../db/schema.ts'
import { runRecordings } from '../db/schema-documents.ts'
import type { Positions, Track } from '../engine/track.ts'
import { type PackedSamples, startMsOf } from '../workers/pack.ts'
import type { PassSamples } from '../workers/passes.ts'
import { type LaidSamples, positionsOf, type StoredJoin, type StoredTrack, trackOf } from '../workers/stored-track.ts'
import {
  engineRepairs,
  isJoined,
  type JoinedTrack,
  mergeOf,
  type RecordedTrack,
  type RunTrack,
  runHead,
} from './documents/run.ts'

// Reads recordings, and the track that a run's document makes of them.

export type StoredRecording = typeof recordings.$inferSelect

const namedBy = preparedOnce((tx) =>
  tx
    .select(getTableColumns(recordings))
    .from(runRecordings)
    .innerJoin(recordings, eq(recordings.id, runRecordings.recordingId))
    .where(and(eq(runRecordings.runId, sql.placeholder('runId')), eq(runRecordings.isLive, true)))
    .orderBy(asc(runRecordings.place))
    .prepare(),
)

/** The recordings of a run that is not in the trash, in the order of their arrival. */
export function recordingsOf(tx: Tx, runId: string): StoredRecording[] {
  return namedBy(tx).all({ runId })
}

/** Recordings by their ids, in the order of the ids. */
export function recordingsByIds(tx: Tx, ids: readonly string[]): StoredRecording[] {
  return ids.flatMap((id) => byId(tx).get({ is: id }) ?? [])
}

const byId = rowsBy(recordings, recordings.id)
const samplesById = rowsBy(samples, samples.recordingId)

type StoredSamples = typeof samples.$inferSelect

export function samplesOf(tx: Tx, recordingId: string): StoredSamples | null {
  return samplesById(tx).get({ is: recordingId }) ?? null
}

export const metaById = preparedOnce((tx) =>
  tx.$client.prepare<Pick<StoredSamples, 'meta'>, [string]>('SELECT meta FROM samples WHERE recording_id = ?'),
)

/** When the samples of a recording begin, Unix milliseconds; null: it has none. */
export function samplesStartMs(tx: Tx, recordingId: string): number | null {
  const packed = metaById(tx).get(recordingId)
  return packed && startMsOf(packed)
}

/** What decides which recording gives the samples of a run. */
interface RankedRecording {
  readonly id: string
  readonly channels: readonly unknown[]
  /** null: it has no samples. */
  readonly sampleCount: number | null
}

const rankedById = preparedOnce((tx) =>
  tx
    .select({ id: recordings.id, channels: recordings.channels, sampleCount: samples.sampleCount })
    .from(recordings)
    .leftJoin(samples, eq(samples.recordingId, recordings.id))
    .where(eq(recordings.id, sql.placeholder('id')))
    .prepare(),
)

/** The recordings of a track, that whose samples count first, then by arrival. */
export function rankedRecordings(tx: Tx, { recordings: ids, primary }: RecordedTrack): RankedRecording[] {
  return ranked(
    ids.flatMap((id) => rankedById(tx).get({ id }) ?? []),
    primary,
  )
}

/** The most channels decide, then the most samples, then the arrival. @param pinned comes first in any case */
export function ranked(all: readonly RankedRecording[], pinned?: string): RankedRecording[] {
  return all.toSorted(
    (a, b) =>
      Number(b.id === pinned) - Number(a.id === pinned) ||
      Number(b.sampleCount !== null) - Number(a.sampleCount !== null) ||
      b.channels.length - a.channels.length ||
      (b.sampleCount ?? 0) - (a.sampleCount ?? 0),
  )
}

/** The recording whose samples count; null: none has samples. */
export function primaryId(tx: Tx, track: RecordedTrack): string | null {
  const [only, ...others] = track.recordings
  const first = others.length === 0 ? only : rankedRecordings(tx, track)[0]?.id
  return first !== undefined && hasSamples(tx, [first]) ? first : null
}

export function hasSamples(tx: Tx, ids: readonly string[]): boolean {
  return ids.some((id) => metaById(tx).get(id) !== null)
}

/** The samples of a track, packed, with its repairs; null when it has none. */
export function packedTrack(tx: Tx, track: RunTrack, read = samplesReader(tx)): StoredTrack | null {
  const repairs = engineRepairs(track)
  if (isJoined(track)) {
    const joined = packedJoin(tx, track, read)
    return joined && { ...joined, repairs }
  }
  const id = primaryId(tx, track)
  const packed = id === null ? null : read(id)
  return packed && { samples: packed, ...laidSamples(track, read), repairs }
}

/** The samples that a merge lays over the first; empty: none. */
export function laidSamples(
  track: RecordedTrack,
  read: (recordingId: string) => PackedSamples | null,
): { readonly laid?: LaidSamples } {
  const merge = mergeOf(track)
  if (merge === undefined) return {}
  const { shiftsS, fields, tail } = merge
  const others = Object.entries(shiftsS).flatMap(([id, shiftS]) => {
    const samples = id === track.primary ? null : read(id)
    return samples === null ? [] : [{ id, samples, shiftS }]
  })
  const place = (id: string) => others.findIndex((other) => other.id === id) + 1
  const chosen = Object.fromEntries(Object.entries(fields).map(([channel, id]) => [channel, place(id)]))
  return { laid: { others, chosen, tail: tail === null ? null : place(tail) } }
}

/** The tracks that were joined, packed; null when one has no samples. */
export function packedJoin(tx: Tx, { join, gap, climb }: JoinedTrack, read = samplesReader(tx)): StoredJoin | null {
  const parts = join.map((part) => packedTrack(tx, part, read)).filter((part) => part !== null)
  return parts.length < join.length ? null : { join: parts, gap, climb }
}

/** Reads the samples of each recording once, since several of the tracks that were joined may be parts of one. */
function samplesReader(tx: Tx): (recordingId: string) => StoredSamples | null {
  const known = new Map<string, StoredSamples | null>()
  return (id) => {
    if (!known.has(id)) known.set(id, samplesOf(tx, id))
    return known.get(id) ?? null
  }
}

/** As `packedTrack`, of a stored run. */
export function storedTrack(tx: Tx, runId: string): StoredTrack | null {
  const head = runHead(tx, runId)
  return head && packedTrack(tx, head.body.track)
}

const searched = preparedOnce((tx) =>
  tx.$client.prepare<PassSamples, [string]>(
    'SELECT meta, time_hr AS timeHr, track FROM samples WHERE recording_id = ?',
  ),
)

/**
 * The samples that a search through many runs reads: for a run without repairs, neither cadence nor power, which take
 * as much as the rest. null when it has no samples.
 */
export function searchedTrack(db: Db, runId: string): PassSamples | StoredTrack | null {
  const head = runHead(db, runId)
  if (head === null) return null
  const { track } = head.body
  if (isJoined(track) || engineRepairs(track).length > 0) return packedTrack(db, track)
  const id = primaryId(db, track)
  return id === null ? null : searched(db).get(id)
}

/** All samples of a run; null when it has none. */
export function workoutTrack(tx: Tx, runId: string): Track | null {
  const stored = storedTrack(tx, runId)
  return stored && trackOf(stored)
}

/** Degrees; NaN where a row has no position. */
export function workoutPositions(tx: Tx, runId: string): Positions | null {
  const stored = storedTrack(tx, runId)
  return stored && positionsOf(stored)
}

const archiveOf = preparedOnce((tx) =>
  tx.$client.prepare(
    `SELECT 1 FROM run_recording JOIN recording ON recording.id = recording_id WHERE run_id = ? AND live = 1 AND kind = 'archive' LIMIT 1`,
  ),
)

export function hasArchive(tx: Tx, runId: string): boolean {
  return archiveOf(tx).get(runId) !== null
}
