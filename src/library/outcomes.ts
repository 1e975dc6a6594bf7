import type { FormatProblem } from '../formats/format.ts'

export type ImportAction = 'created' | 'updated' | 'skipped'

/** A run of a file that was parsed. */
export interface Done {
  readonly action: ImportAction
  readonly id: string
  /** Set when it was merged into a stored run, of which it is another recording. */
  readonly merged?: true
  /** Why it was skipped, where known. */
  readonly reason?: string
}

/** A run that was not imported. */
export interface Failure {
  readonly error: string
  /**
   * Problem of the file; absent: the file is intact, but disk or database refused it, so that another attempt may
   * succeed.
   */
  readonly problem?: FormatProblem
  /** The sport of a file that holds another activity instead. */
  readonly sport?: string
}
