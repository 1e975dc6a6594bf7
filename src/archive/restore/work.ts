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
  /** Archive shoes that an existing one replaces. */
  readonly standIns: Map<string, string>
}
