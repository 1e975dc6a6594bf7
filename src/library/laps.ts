import { unlessDiskFull } from '../db/disk-full.ts'
import type { Tx } from '../db/open.ts'
import type { recordings } from '../db/schema.ts'
import { bareLap, type DeviceLap, lapsOfStored, storedLaps } from '../engine/laps.ts'
import { offsetOf, recordedClock } from '../engine/repair/repairs.ts'
import { FormatError } from '../formats/format.ts'
import { computed } from '../workers/compute.ts'
import { completeRecording } from './commit.ts'
import type { Deps } from './deps.ts'
import {
  engineRepairs,
  isJoined,
  mergeOf,
  type RecordedTrack,
  type RunDocument,
  type RunTrack,
  runHead,
} from './documents/run.ts'
import { rawFilePath } from './files/paths.ts'
import { primaryId, rankedRecordings, recordingsByIds, samplesStartMs } from './recordings.ts'

type Needs = Pick<Deps, 'db' | 'config' | 'log' | 'analyzer'>

/** File types with laps. */
const LAPPED: readonly unknown[] = ['fit', 'tcx']

/**
 * The device laps of a workout: of the recording whose samples count, else of the first other one with laps. For a
 * recording stored before laps were, the original is parsed, once.
 */
export async function workoutLaps(deps: Needs, workoutId: string): Promise<readonly DeviceLap[]> {
  const head = runHead(deps.db, workoutId)
  return head === null ? [] : await trackLaps(deps, head.body.track)
}

/** The laps of a track that are stored; originals that were never searched for them are not read. */
export function knownLaps(tx: Tx, track: RunTrack): readonly DeviceLap[] {
  if (isJoined(track)) {
    const laps = track.join.flatMap((part) => knownLaps(tx, part))
    return settledLaps(tx, track, laps)
  }
  const ranked = rankedRecordings(tx, track).map(({ id }) => id)
  const stored = recordingsByIds(tx, ranked).find(({ laps }) => (laps?.length ?? 0) > 0)
  return stored === undefined
    ? []
    : settledLaps(tx, track, ofRecording(track, stored.id, lapsOfStored(stored.laps ?? [])))
}

/** A joined run has the laps of all its parts. */
async function trackLaps(deps: Needs, track: RunTrack): Promise<readonly DeviceLap[]> {
  if (isJoined(track)) {
    const parts = await Promise.all(track.join.map((part) => trackLaps(deps, part)))
    return settledLaps(deps.db, track, parts.flat())
  }
  const ranked = rankedRecordings(deps.db, track).map(({ id }) => id)
  for (const recording of recordingsByIds(deps.db, ranked)) {
    const found = recording.laps === null ? await originalLaps(deps, recording) : lapsOfStored(recording.laps)
    if (found.length > 0) return settledLaps(deps.db, track, ofRecording(track, recording.id, found))
  }
  return []
}

/** The laps of one recording, on the clock of the track. */
function ofRecording(track: RecordedTrack, id: string, laps: readonly DeviceLap[]): readonly DeviceLap[] {
  const shiftMs = (mergeOf(track)?.shiftsS[id] ?? 0) * 1000
  return shiftMs === 0
    ? laps
    : laps.map((lap) => ({ ...lap, startMs: lap.startMs + shiftMs, endMs: lap.endMs + shiftMs }))
}

/** The repetitions that the runner gave, as laps; null: there are none, or they are to be recognised. */
export function givenLaps(tx: Tx, { track, choices }: RunDocument): readonly DeviceLap[] | null {
  const given = choices?.intervals?.stretches.map(({ startMs, endMs }) => bareLap(startMs, endMs))
  return given === undefined ? null : settledLaps(tx, track, given)
}

/** The laps, moved in time as the repairs of the run require. */
function settledLaps(tx: Tx, track: RunTrack, laps: readonly DeviceLap[]): readonly DeviceLap[] {
  const active = engineRepairs(track)
  const offsetMs = offsetOf(active)
  if (offsetMs === 0 && !active.some((repair) => repair.kind === 'cut' && repair.closesGap)) return laps
  const clock = recordedClock(active)
  const startMs = isJoined(track) ? track.startedAt : (samplesStartMs(tx, primaryId(tx, track) ?? '') ?? 0)
  const moved = (ms: number) => startMs + clock.settledMs(ms - startMs) + offsetMs
  return laps.map((lap) => ({ ...lap, startMs: moved(lap.startMs), endMs: moved(lap.endMs) }))
}

type Asked = Pick<
  typeof recordings.$inferSelect,
  'id' | 'origin' | 'fileType' | 'fileName' | 'fileSession' | 'storedAs'
>

/** Empty where the original is missing or cannot be parsed. */
async function originalLaps(
  { db, config, log, analyzer }: Needs,
  { id, origin, fileType, fileName, fileSession, storedAs }: Asked,
): Promise<readonly DeviceLap[]> {
  if (storedAs === null || !LAPPED.includes(fileType)) return []
  const original = {
    path: rawFilePath(config.dataDir, storedAs),
    filename: fileName ?? '',
    session: fileSession ?? 0,
    anySport: origin === 'strava_archive',
  }
  try {
    const laps = await computed(analyzer, { what: 'originalLaps', ...original }).then(
      (found) => found.laps,
      // a file that no longer holds a run will not hold one the next time
      (error: unknown) => {
        if (error instanceof FormatError) return []
        throw error
      },
    )
    unlessDiskFull(() => completeRecording(db, id, { laps: storedLaps(laps) }))
    return laps
  } catch (error) {
    log.error(`The laps of the recording ${id} could not be read from its original`, error)
    return []
  }
}
