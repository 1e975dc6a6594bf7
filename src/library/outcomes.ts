import type { FormatProblem } from '../formats/format.ts'

export type ImportAction = 'created' | 'updated' | 'skipped'

export interface Done {
  readonly action: ImportAction
  readonly id: string
  /** Set when it was merged into a stored run, of which it is another recording. */
  readonly merged?: true
  readonly reason?: string
}

export interface Failure {
  readonly error: string
  /**
   * Problem of the file; absent: the file is intact, but disk or database refused it, so that another attempt may
   * succeed.
   */
  readonly problem?: FormatProblem
  readonly sport?: string
}
