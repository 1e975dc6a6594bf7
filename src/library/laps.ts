import type { Tx } from '../db/open.ts'
import { bareLap, type DeviceLap, lapsOfStored } from '../engine/laps.ts'
import { offsetOf, recordedClock } from '../engine/repair/repairs.ts'
import {
  engineRepairs,
  isJoined,
  mergeOf,
  type RecordedTrack,
  type RunDocument,
  type RunTrack,
  runHead,
} from './documents/run.ts'
import { primaryId, rankedRecordings, recordingsByIds, samplesStartMs } from './recordings.ts'

/** The device laps of a workout: of the recording whose samples count, else of the first other one with laps. */
export function workoutLaps(tx: Tx, workoutId: string): readonly DeviceLap[] {
  const head = runHead(tx, workoutId)
  return head === null ? [] : trackLaps(tx, head.body.track)
}

/** As `workoutLaps`; a joined run has those of all its parts. */
export function trackLaps(tx: Tx, track: RunTrack): readonly DeviceLap[] {
  if (isJoined(track)) {
    const laps = track.join.flatMap((part) => trackLaps(tx, part))
    return combinedLaps(tx, track, laps)
  }
  const ranked = rankedRecordings(tx, track).map(({ id }) => id)
  const stored = recordingsByIds(tx, ranked).find(({ laps }) => laps.length > 0)
  return stored === undefined ? [] : combinedLaps(tx, track, ofRecording(track, stored.id, lapsOfStored(stored.laps)))
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
  return given === undefined ? null : combinedLaps(tx, track, given)
}

/** The laps, moved in time as the repairs of the run require. */
function combinedLaps(tx: Tx, track: RunTrack, laps: readonly DeviceLap[]): readonly DeviceLap[] {
  const active = engineRepairs(track)
  const offsetMs = offsetOf(active)
  if (offsetMs === 0 && !active.some((repair) => repair.kind === 'cut' && repair.closesGap)) return laps
  const clock = recordedClock(active)
  const startMs = isJoined(track) ? track.startedAt : (samplesStartMs(tx, primaryId(tx, track) ?? '') ?? 0)
  const moved = (ms: number) => startMs + clock.trackMs(ms - startMs) + offsetMs
  return laps.map((lap) => ({ ...lap, startMs: moved(lap.startMs), endMs: moved(lap.endMs) }))
}
