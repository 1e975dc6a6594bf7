import type { DepsBy } from '../../library/deps.ts'
import type { OpenReceipt } from '../../library/receipts/record.ts'
import type { OpenArchive } from '../format/data-rows.ts'
import type { Parts } from './parts.ts'
import type { RestoreReport } from './report.ts'

/** One restore. */
export interface RestoreWork {
  readonly deps: DepsBy
  readonly archive: OpenArchive
  readonly parts: Parts
  readonly report: RestoreReport
  readonly receipt: OpenReceipt | null
}

/** One restore, once shoes were restored and the parts of workouts read. */
export interface WorkoutWork extends RestoreWork {
  /** Archive shoes that an existing one replaces. */
  readonly standIns: ReadonlyMap<string, string>
  /** Ids under which recordings of the archive are stored, where these are other ones. */
  readonly otherIds: Map<string, string>
  /** Whether Harrier wrote the archive, so that it says all that a document carries. */
  readonly isExact: boolean
}
