import type { AnalyzeOptions } from '../engine/analysis.ts'
import { type Intervals, intervals } from '../engine/intervals/intervals.ts'
import type { DeviceLap } from '../engine/laps.ts'
import { placedLaps, runLaps } from '../engine/run/laps.ts'
import { unpackedFile } from '../formats/gzip.ts'
import { parseFile } from '../formats/registry.ts'
import { fileBytes } from './analyze-file.ts'
import { type StoredTrack, trackOf } from './stored-track.ts'

/** One run of an original. */
interface OriginalRun {
  /** Path of the bytes as uploaded. */
  readonly path: string
  readonly filename: string
  /** Index of the run in the file. */
  readonly session: number
  /** Whether the file counted as a run whatever its sport, because a row of Strava's table said so. */
  readonly anySport: boolean
}

/** The laps of a device, and the track that they belong to. */
type StoredLapsOfTrack = StoredTrack & {
  readonly laps: readonly DeviceLap[]
  readonly elevation: AnalyzeOptions['elevation']
}

export const LAP_TASKS = {
  laps: (job: StoredLapsOfTrack) => ({ laps: runLaps(trackOf(job), job.laps, job.elevation) }),
  intervals: (job: StoredLapsOfTrack) => ({ found: intervalsOf(job) }),
  originalLaps: async (job: OriginalRun) => ({ laps: await readLaps(job) }),
}

/** The repetitions of a stored track. */
export function intervalsOf(stored: StoredLapsOfTrack): Intervals {
  const track = trackOf(stored)
  return intervals(track, placedLaps(track, stored.laps), stored.elevation)
}

/**
 * The laps of a run that was stored before laps were.
 * @throws FormatError when the file can no longer be parsed
 */
async function readLaps({ path, filename, session, anySport }: OriginalRun): Promise<readonly DeviceLap[]> {
  const bytes = await unpackedFile(await fileBytes(path), filename)
  // the date was checked at the import, so it is not checked again
  const { activities } = parseFile(bytes, { filename, anySport, nowMs: Number.POSITIVE_INFINITY })
  return activities[session]?.laps ?? []
}
