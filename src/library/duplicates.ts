import type { Tx } from '../db/open.ts'
import { preparedOnce } from '../db/prepared.ts'
import { TAKEOUT_ORIGINS } from '../engine/limits.ts'
import { offsetOf } from '../engine/repair/repairs.ts'
import type { ExternalId } from '../formats/format.ts'
import type { AnalyzedRun } from '../workers/analyze-file.ts'
import { activeRepairs, engineRepairs, isJoined, type RunTrack, runHead } from './documents/run.ts'
import { rankedRecordings } from './recordings.ts'
import { secondRecording } from './settings.ts'

interface RunIdentity {
  readonly startedAtMs: number
  readonly distanceM: number
  readonly durationS: number
  /** A row of an export without a file: any run that started in the same second is the same one (docs/api.md 7.3). */
  readonly isSummary: boolean
  /** SHA-256 of the unpacked original, and the run's index in it; null without a file. */
  readonly file: { readonly sha256: string; readonly session: number } | null
}

const SAME_DISTANCE_M = 1

/**
 * The stored run that is the same one: it counts the same bytes and session, or has the same start, duration and distance
 * within 1 m; for a summary row, whose date has whole seconds and whose totals are Strava's, the same second. When the
 * runner moved the start of a stored run, its original start counts as well.
 * @param isOther whether a run with the same extent is known to be another recording
 */
function duplicateOf(
  tx: Tx,
  run: RunIdentity,
  isOther: IsOther,
): { readonly id: string; readonly hasRawFile: boolean } | null {
  const { ofFile, ofSecond, ofExtent, statedSecond, statedExtent } = lookups(tx)
  const { startedAtMs, durationS, distanceM, file } = run
  const secondMs = Math.floor(startedAtMs / 1000) * 1000
  const second = [secondMs, secondMs + 999] as const
  const extent = [startedAtMs, durationS, distanceM - SAME_DISTANCE_M, distanceM + SAME_DISTANCE_M] as const
  const moved = () =>
    (run.isSummary ? statedSecond.all(...second) : statedExtent.all(...extent)).find(({ id }) => isMoved(tx, id))
  const same =
    (file === null ? null : ofFile.get(file.sha256, file.session)) ??
    (run.isSummary ? ofSecond.all(...second) : ofExtent.all(...extent)).find(({ id }) => !isOther(id)) ??
    moved()
  return same == null ? null : { id: same.id, hasRawFile: hasOriginal(tx, same.id) }
}

type IsOther = (id: string) => boolean

/** The id of the stored run that counts one of the files, else of one with this extent; null: there is none. */
export function twinOf(
  tx: Tx,
  run: Pick<RunIdentity, 'startedAtMs' | 'distanceM' | 'durationS'>,
  { files = [], isOther }: { readonly files?: readonly RunIdentity['file'][]; readonly isOther: IsOther },
): string | null {
  for (const file of [...files, null]) {
    const twin = duplicateOf(tx, { ...run, isSummary: false, file }, isOther)
    if (twin !== null) return twin.id
  }
  return null
}

/** Whether one of two runs has a kind of readings that the other lacks, so that they are two recordings. */
export function areTwoRecordings(tx: Tx, a: RunTrack, b: RunTrack): boolean {
  const channels = (track: RunTrack) =>
    isJoined(track) ? [] : rankedRecordings(tx, track).flatMap((one) => one.channels)
  return lacks(tx, a, channels(b)) || lacks(tx, b, channels(a))
}

/** Whether a run can be merged and none of its recordings has one of these kinds of readings. */
function lacks(tx: Tx, track: RunTrack, channels: readonly unknown[]): boolean {
  if (isJoined(track) || activeRepairs(track).some(({ kind }) => kind === 'split' || kind === 'shift')) return false
  const own = rankedRecordings(tx, track)
  return channels.some((channel) => !own.some((one) => one.channels.includes(channel)))
}

function isMoved(tx: Tx, id: string): boolean {
  const head = runHead(tx, id)
  return head !== null && offsetOf(engineRepairs(head.body.track)) !== 0
}

/** The stored run of a run that was just read; `isCompleted`: the file becomes a further recording of it. */
export interface KnownRun {
  readonly id: string
  readonly isCompleted: boolean
}

/**
 * The stored run of a run that was just read. It is completed when it has no file and the run comes from one, or when a
 * service sends the run again with more samples or a first route; a run that was joined to another never is. null: it is
 * new, or a second recording that has what the stored one lacks.
 */
export function knownRun(tx: Tx, run: AnalyzedRun, original: RunIdentity['file']): KnownRun | null {
  const { analysis, startedAtMs, samples, source, external } = run
  const { distanceM, durationS } = analysis
  const isSummary = samples === null && (source === 'strava_import' || original === null)
  const isSent = external !== null && TAKEOUT_ORIGINS.some((origin) => origin === external.origin)
  const sent = isSent ? sentBefore(tx, run, { ...external, file: original }) : null
  if (sent !== null) return sent
  const isOther = (id: string) =>
    original !== null &&
    hasOriginal(tx, id) &&
    secondRecording(tx) !== 'keep' &&
    lacks(tx, runHead(tx, id)!.body.track, run.channels)
  const known = duplicateOf(tx, { startedAtMs, distanceM, durationS, isSummary, file: original }, isOther)
  if (known === null) return null
  const head = runHead(tx, known.id)
  const isJoinedRun = head !== null && isJoined(head.body.track)
  return { id: known.id, isCompleted: !known.hasRawFile && original !== null && !isJoinedRun }
}

function hasOriginal(tx: Tx, id: string): boolean {
  return lookups(tx).original.get(id) !== null
}

interface Sent {
  readonly runId: string
  readonly sha256: string | null
  readonly session: number | null
  readonly channels: string
  readonly count: number | null
}

/** The run that a service sent under this id before; while a repair is active it is not completed. */
function sentBefore(
  tx: Tx,
  { channels, samples: sent }: AnalyzedRun,
  { origin, id, file }: ExternalId & Pick<RunIdentity, 'file'>,
): KnownRun | null {
  const stored = tx.$client
    .query<Sent, [string, string]>(
      `SELECT run_id AS runId, file_sha256 AS sha256, file_session AS session, channels, sample_count AS count
       FROM recording JOIN run_recording ON run_recording.recording_id = recording.id AND live = 1
         LEFT JOIN samples ON samples.recording_id = recording.id
       WHERE origin = ? AND external_id = ?`,
    )
    .all(origin, id)
  const [first] = stored
  if (first === undefined) return null
  const isThere = stored.some((one) => one.sha256 === file?.sha256 && one.session === file?.session)
  const hasRoute = stored.some((one) => one.channels.includes('"position"'))
  const most = Math.max(...stored.map(({ count }) => count ?? 0))
  const isMore = (channels.includes('position') && !hasRoute) || (sent?.sampleCount ?? 0) > most
  const head = runHead(tx, first.runId)
  const isRepaired = head !== null && engineRepairs(head.body.track).length > 0
  return { id: first.runId, isCompleted: isMore && !isThere && !isRepaired }
}

/** Of several runs with parts of one file that which began first. */
const lookups = preparedOnce(({ $client: client }) => {
  const extent = 'duration_s = ?2 AND distance_m > ?3 AND distance_m < ?4'
  const stated =
    'SELECT w.id FROM recording AS r JOIN run_recording ON run_recording.recording_id = r.id AND live = 1 JOIN workout AS w ON w.id = run_id WHERE'
  type Found = { readonly id: string }
  return {
    ofFile: client.prepare<Found, [string, number]>(
      `${stated} r.file_sha256 = ?1 AND r.file_session = ?2 ORDER BY w.started_at LIMIT 1`,
    ),
    ofSecond: client.prepare<Found, [number, number]>('SELECT id FROM workout WHERE started_at BETWEEN ?1 AND ?2'),
    ofExtent: client.prepare<Found, [number, number, number, number]>(
      `SELECT id FROM workout WHERE started_at = ?1 AND ${extent}`,
    ),
    statedSecond: client.prepare<Found, [number, number]>(`${stated} r.started_at BETWEEN ?1 AND ?2`),
    statedExtent: client.prepare<Found, [number, number, number, number]>(`${stated} r.started_at = ?1 AND ${extent}`),
    original: client.prepare<unknown, [string]>(
      'SELECT 1 FROM run_recording JOIN recording ON recording.id = recording_id WHERE run_id = ? AND live = 1 AND file_name IS NOT NULL',
    ),
  }
})
