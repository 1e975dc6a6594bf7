import type { StatedSplit } from '../../db/stored.ts'
import type { NewRecording } from '../../library/commit.ts'
import type { RunFiles } from '../../library/files/paths.ts'
import type { RawData } from '../../library/files/raw-data.ts'
import type { ReadRecording } from '../format/recording-rows.ts'
import type { ReadRepair } from '../format/repair-rows.ts'
import type { SampleTable } from '../format/sample-rows.ts'
import type { ReadMember, WorkoutValues } from '../format/workout-rows.ts'
import type { RawFile } from './files.ts'

// Data between the rows of an archive and those of the database.

/** One workout as read from an archive. */
export interface ArchivedWorkout {
  readonly id: string
  readonly values: WorkoutValues
  /** null: the row was not written by Harrier. */
  readonly member: ReadMember | null
  /** In order of arrival; empty in archives of other programs. */
  readonly stated: readonly ReadRecording[]
  /** In the order in which they were made. */
  readonly repairs: readonly ReadRepair[]
  /** By the id of the recording in the archive, else by that of the workout. */
  readonly originals: ReadonlyMap<string, RawFile>
  readonly rawData: RawData
  /** Its rows of `time-series.json`. */
  readonly table: SampleTable
  readonly routeGeoJson: unknown
  readonly routeId: string | null
  /** By index. */
  readonly splits: readonly StatedSplit[]
}

/** A recording with its files. */
export interface RestoredRecording {
  readonly recording: NewRecording
  readonly original: RawFile | null
  readonly rawData: RawData | null
}

/** The files of a recording as they are stored: the original unchanged, raw data packed. */
export function filesOf({ recording, original, rawData }: RestoredRecording): RunFiles {
  return {
    id: recording.id,
    original: original && { path: original.path },
    rawData: recording.hasRaw
      ? Bun.zstdCompressSync(new TextEncoder().encode(JSON.stringify(rawData)), { level: 3 })
      : null,
  }
}
