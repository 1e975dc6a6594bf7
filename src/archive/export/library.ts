import type { Db } from '../../db/open.ts'
import type { RawLibrary } from '../../library/files/raw-data.ts'

/** A library during its export. */
export interface ExportedLibrary extends RawLibrary {
  readonly db: Db
  /** Whether the original of a recording exists. */
  readonly hasFile: (recordingId: string) => boolean
  /** Whether the file of a photo or video exists. */
  readonly hasMedia: (id: string) => boolean
  /** Called when the raw data of a workout, or a part of it, cannot be read. */
  readonly whenDamaged: (workoutId: string) => void
}
