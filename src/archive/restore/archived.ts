import type { OurPart, StashedSplit } from '../../db/stored.ts'
import type { Track } from '../../engine/track.ts'
import type { NewRecording, NewRepair } from '../../library/add-workout.ts'
import type { RunFiles } from '../../library/files/paths.ts'
import type { RawData } from '../../library/files/raw-data.ts'
import type { ReadRecording } from '../format/recording-rows.ts'
import type { SampleTable } from '../format/sample-rows.ts'
import type { ReadMember, WorkoutValues } from '../format/workout-rows.ts'
import type { RawFile } from './files.ts'

// The shapes between the rows of an archive and those of the database.

/** What an archive says of one workout, read. */
export interface ArchivedWorkout {
  readonly id: string
  readonly values: WorkoutValues
  /** null: the row is not Harrier's. */
  readonly member: ReadMember | null
  /** By arrival; empty in archives of before they had a file of their own, and in those of others. */
  readonly told: readonly ReadRecording[]
  /** In the order in which they were made. */
  readonly repairs: readonly NewRepair[]
  /** By the id that a recording has in the archive, else that of the workout. */
  readonly originals: ReadonlyMap<string, RawFile>
  readonly rawData: RawData
  /** Its rows of `time-series.json`. */
  readonly table: SampleTable
  readonly routeGeoJson: unknown
  readonly routeId: string | null
  /** By index. */
  readonly splits: readonly StashedSplit[]
}

/** A recording with the files that belong to it. */
export interface RestoredRecording {
  readonly recording: NewRecording
  readonly original: RawFile | null
  readonly rawData: RawData | null
}

/** Its files as they are stored: the original as it is, raw data packed. */
export function filesOf({ recording, original, rawData }: RestoredRecording): RunFiles {
  return {
    id: recording.id,
    original: original && { path: original.path },
    rawData: recording.hasRaw
      ? Bun.zstdCompressSync(new TextEncoder().encode(JSON.stringify(rawData)), { level: 3 })
      : null,
  }
}

/** What a workout is made of here. */
export interface RestoredInputs {
  /** By arrival. */
  readonly recordings: readonly RestoredRecording[]
  readonly repairs: readonly NewRepair[]
  /** As the repairs leave it. */
  readonly track: Track | null
  readonly ours: readonly OurPart[]
}
