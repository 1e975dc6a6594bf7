import type { FormatProblem } from '../formats/format.ts'

export type ImportAction = 'created' | 'updated' | 'skipped'

/** One run of one file that was read. */
export interface Done {
  readonly action: ImportAction
  readonly id: string
  /** Why it was skipped, where that is noted. */
  readonly reason?: string
}

/** One that was not. */
export interface Failure {
  readonly error: string
  /** What is wrong with the file; absent: nothing, the disk or the database refused it, and it may fare better again. */
  readonly problem?: FormatProblem
}
