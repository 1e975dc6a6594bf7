import type { AnalyzeOptions } from '../engine/analysis.ts'
import { givenIntervals, type Intervals, intervals, NO_INTERVALS } from '../engine/intervals/intervals.ts'
import type { DeviceLap } from '../engine/laps.ts'
import { placedLaps, runLaps } from '../engine/run/laps.ts'
import { unpackedFile } from '../formats/gzip.ts'
import { parseFile } from '../formats/registry.ts'
import { fileBytes } from './analyze-file.ts'
import { clockedTrack, type StoredTrack, trackOf } from './stored-track.ts'
import { ofLapSeries } from './training.ts'

interface OriginalRun {
  /** Path of the bytes as uploaded. */
  readonly path: string
  readonly filename: string
  /** Index of the run in the file. */
  readonly session: number
  /** Whether the file counted as a run whatever its sport, because a row of Strava's table said so. */
  readonly anySport: boolean
}

type StoredLapsOfTrack = StoredTrack & {
  readonly laps: readonly DeviceLap[]
  readonly elevation: AnalyzeOptions['elevation']
}

export const LAP_JOBS = {
  laps: (job: StoredLapsOfTrack) => ({ laps: runLaps(trackOf(job), job.laps, job.elevation) }),
  intervals: (job: StoredLapsOfTrack & Given) => ({ found: intervalsOf(job) }),
  recordedTimes: ({ timesS, ...stored }: StoredTrack & { readonly timesS: readonly number[] }) => {
    const { track, sourceMs, recordedMs } = clockedTrack(stored)
    return { lastS: track.tS.at(-1) ?? 0, times: timesS.map((atS) => sourceMs + recordedMs(atS)) }
  },
  originalLaps: async (job: OriginalRun) => ({ laps: await readLaps(job) }),
}

interface Given {
  /** Repetitions that the runner gave, as laps; null: they are recognised. */
  readonly given: readonly DeviceLap[] | null
}

/** The repetitions of a stored track: those given, else of the first series of laps that shows them. */
function intervalsOf({ given, ...stored }: StoredLapsOfTrack & Given): Intervals {
  const track = trackOf(stored)
  if (given !== null) {
    const spans = placedLaps(track, given).map(({ recorded }) => recorded)
    return givenIntervals(track, spans, stored.elevation)
  }
  return ofLapSeries(track, stored.laps, (placed) => intervals(track, placed, stored.elevation)) ?? NO_INTERVALS
}

/** The laps of a run in the original that an archive has. @throws FormatError when the file can no longer be parsed */
async function readLaps({ path, filename, session, anySport }: OriginalRun): Promise<readonly DeviceLap[]> {
  const bytes = await unpackedFile(await fileBytes(path), filename)
  // the date was checked at the import, so it is not checked again
  const { activities } = parseFile(bytes, { filename, anySport, nowMs: Number.POSITIVE_INFINITY })
  return activities[session]?.laps ?? []
}
