import { invalid } from '../base/errors.ts'
import type { Tx } from '../db/open.ts'
import { activeRepairs, isJoined, type RunTrack, runHead } from './documents/run.ts'

// Which stretches of recordings a run counts. No two runs may count the same one.

export const STORED_AGAIN = 'The same run is stored again'

/** Part of a clock that a split left, milliseconds, end exclusive. */
interface Window {
  /** Id of a join; empty: of the recording itself. */
  readonly clock: string
  readonly fromMs: number
  readonly toMs: number
}

interface Counted {
  readonly recordingId: string
  readonly windows: readonly Window[]
}

/** The stretches of recordings that a track counts; only splitting divides one among several runs. */
function countedOf(track: RunTrack): Counted[] {
  const clock = isJoined(track) ? track.id : ''
  const windows = activeRepairs(track).flatMap((one) =>
    one.kind === 'split' ? [{ clock, fromMs: one.fromMs, toMs: one.toMs }] : [],
  )
  if (!isJoined(track)) return track.recordings.map((recordingId) => ({ recordingId, windows }))
  return track.join.flatMap(countedOf).map((one) => ({ ...one, windows: [...one.windows, ...windows] }))
}

function areApart(a: Counted, b: Counted): boolean {
  return a.windows.some((one) =>
    b.windows.some(({ clock, fromMs, toMs }) => clock === one.clock && (toMs <= one.fromMs || one.toMs <= fromMs)),
  )
}

const OTHER_RUNS = `
  SELECT DISTINCT other.run_id AS runId, other.recording_id AS recordingId FROM recording AS own
  JOIN recording AS same ON same.id = own.id
    OR (same.file_sha256 = own.file_sha256 AND same.file_session IS own.file_session)
  JOIN run_recording AS other ON other.recording_id = same.id AND other.live = 1
  WHERE own.id = ?1 AND other.run_id <> ?2`

/** A stored run that counts some of the same recordings as a track of another; null: none does. */
export function countingTwice(tx: Tx, id: string, track: RunTrack): string | null {
  const others = tx.$client.query<{ runId: string; recordingId: string }, [string, string]>(OTHER_RUNS)
  for (const own of countedOf(track)) {
    for (const { runId, recordingId } of others.all(own.recordingId, id)) {
      const counted = countedOf(runHead(tx, runId)!.body.track).filter((one) => one.recordingId === recordingId)
      if (!counted.every((other) => areApart(own, other))) return runId
    }
  }
  return null
}

/** @throws AppError 400 when another run counts some of the same recording */
export function refuseTwice(tx: Tx, id: string, track: RunTrack): void {
  if (countingTwice(tx, id, track) !== null) throw invalid(STORED_AGAIN, { code: 'would_overlap' })
}

const RUNS_OF_FILES = `
  SELECT DISTINCT recording.file_sha256 AS sha256, recording.id AS recordingId, workout.id AS runId FROM recording
  JOIN run_recording ON run_recording.recording_id = recording.id AND run_recording.live = 1
  JOIN workout ON workout.id = run_recording.run_id
  WHERE recording.file_sha256 IN (SELECT value FROM json_each(?)) ORDER BY workout.started_at, workout.id`

/** Ids of the stored runs that count recordings of files, by the hash of the file. */
export function runsOfFiles(tx: Tx, sha256s: readonly string[]): ReadonlyMap<string, string[]> {
  const runs = new Map<string, string[]>()
  const named = tx.$client.query<{ sha256: string; recordingId: string; runId: string }, [string]>(RUNS_OF_FILES)
  for (const { sha256, recordingId, runId } of named.all(JSON.stringify(sha256s))) {
    if (!countedOf(runHead(tx, runId)!.body.track).some((one) => one.recordingId === recordingId)) continue
    const ids = runs.get(sha256) ?? []
    if (!ids.includes(runId)) runs.set(sha256, [...ids, runId])
  }
  return runs
}
