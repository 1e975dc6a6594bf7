import { existsSync } from 'node:fs'
import { notApplicable, refusedFile } from '../base/errors.ts'
import { storedLaps } from '../engine/laps.ts'
import { METRES_PER_KM } from '../engine/units.ts'
import { FormatError } from '../formats/format.ts'
import type { AnalyzedRun } from '../workers/analyze-file.ts'
import type { NewRecording } from './commit.ts'
import type { Deps } from './deps.ts'
import {
  activeRepairs,
  isJoined,
  isResampled,
  type RecordedTrack,
  type RunHead,
  type RunTrack,
  recordingIds,
} from './documents/run.ts'
import { placeLink, rawDataPath, rawFilePath } from './files/paths.ts'
import { elevationOptions } from './inputs.ts'
import { recordingsByIds, type StoredRecording } from './recordings.ts'
import type { Planned } from './repairs.ts'
import { zonesOrDefault } from './settings.ts'

// Reads originals again, corrected or as they state. A recording never changes: the one that was read takes its place in
// the document of the run, which names the earlier one again when that is undone.

type Needs = Pick<Deps, 'db' | 'config' | 'worker'>

/** A recording, and the run as its original was read again. */
export interface Reading {
  readonly recording: StoredRecording
  readonly run: AnalyzedRun
}

/** Repairs by which other runs have a part of the recordings, or that lay several together. */
const BOUND: readonly string[] = ['split', 'join', 'merge']

/** Why what is read again cannot take the place of the recordings of a track; null: it can. */
export function refusalOf(track: RunTrack): string | null {
  if (isJoined(track) || activeRepairs(track).some(({ kind }) => BOUND.includes(kind)))
    return 'Corrections of a joined, merged or split run cannot be declined'
  // their times are on the clock of these samples
  return isResampled(track) ? 'Revert the repairs of this run first' : null
}

/**
 * A run whose files count as they state, or corrected again.
 * @throws AppError 400 when nothing was corrected, or it cannot be read again
 */
export async function restated(deps: Needs, head: RunHead, isStated: boolean): Promise<Planned> {
  const { track, choices: { stated: _, ...choices } = {} } = head.body
  const corrected = recordingsByIds(deps.db, recordingIds(track)).filter(({ corrections }) => corrections.length > 0)
  const refusal = corrected.length === 0 ? 'Nothing in the files of this run was corrected' : refusalOf(track)
  if (refusal !== null) throw notApplicable(refusal)
  const readings: Reading[] = []
  for (const recording of corrected) {
    const run = await readAgain(deps, recording, isStated).catch((error: unknown) => {
      throw error instanceof FormatError ? refusedFile(error.message, error.problem) : error
    })
    // what is declined stays listed
    readings.push({ recording, run: isStated ? { ...run, corrections: recording.corrections } : run })
  }
  const body = { ...head.body, choices: { ...choices, ...(isStated ? { stated: true as const } : {}) } }
  return await withReadings(deps, { ...head, body }, readings)
}

/** @throws FormatError when the original is missing, or holds the run no more */
export async function readAgain(
  { db, config, worker }: Needs,
  { storedAs, fileName, fileSession, origin, addedAt }: StoredRecording,
  asStated = false,
): Promise<AnalyzedRun> {
  const path = rawFilePath(config.dataDir, storedAs ?? '')
  if (storedAs === null || !existsSync(path))
    throw new FormatError('The original file of this run is missing, so it cannot be read again')
  const { runs } = await worker.ask('file', {
    ...{ file: path, filename: fileName ?? '', fromRun: fileSession ?? 0, isOnlyRun: true, asStated },
    ...{ anySport: origin === 'strava_archive', nowMs: addedAt, splitLengthM: METRES_PER_KM },
    ...{ zones: zonesOrDefault(db), elevation: elevationOptions({ config }) },
  })
  const [run] = runs
  if (run === undefined || 'error' in run) throw new FormatError(run?.error ?? 'The file has no run')
  return run
}

/** The run with what was read again in the place of its recordings. */
export async function withReadings(
  { config }: Needs,
  { body, asked }: RunHead,
  readings: readonly Reading[],
): Promise<Planned> {
  const recordings: NewRecording[] = []
  const ids = new Map<string, string>()
  for (const { recording, run } of readings) {
    const made = replacing(recording, run)
    recordings.push(made)
    ids.set(recording.id, made.id)
    const rawPath = rawDataPath(config.dataDir, recording.id)
    if (recording.hasRaw && existsSync(rawPath)) await placeLink(rawPath, rawDataPath(config.dataDir, made.id))
  }
  const track = body.track as RecordedTrack
  const named = track.recordings.map((id) => ids.get(id) ?? id)
  return { to: { ...body, track: { ...track, recordings: named } }, asked, recordings }
}

/** Words, weather and origin stay those that the import settled on. */
function replacing(recording: StoredRecording, run: AnalyzedRun): NewRecording {
  const [{ kind, said }] = run.statements as [AnalyzedRun['statements'][number]]
  return {
    ...recording,
    id: Bun.randomUUIDv7(),
    kind,
    totals: said,
    startedAt: run.startedAtMs,
    utcOffsetMinutes: run.fileOffsetMinutes ?? recording.utcOffsetMinutes,
    samples: run.samples,
    channels: run.channels,
    laps: storedLaps(run.laps),
    hasRawHr: run.hasRawHr,
    corrections: run.corrections,
  }
}
