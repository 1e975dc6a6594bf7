import type { RunType } from '../engine/limits.ts'
import type { ExternalId } from '../formats/format.ts'
import type { AnalyzedRun } from '../workers/analyze-file.ts'

// What a service or an export says of a run beside its file.

/** Its words take precedence over those of the file, except a name that the service made up. */
export interface Told {
  readonly external: ExternalId | null
  readonly name: string | null
  /** The service made the name up, such as `Berlin Running`: it counts only where the file has none. */
  readonly isAutoName?: boolean
  readonly notes: string | null
  /** 1 to 10. */
  readonly rpe: number | null
  readonly runType: RunType | null
  readonly gear: string | null
  /** Minutes ahead of UTC; only for runs without a position. */
  readonly utcOffsetMinutes: number | null
}

export const NOTHING_TOLD = {
  external: null,
  name: null,
  notes: null,
  rpe: null,
  runType: null,
  gear: null,
  utcOffsetMinutes: null,
} as const satisfies Told

/** A run of a file, as far as an export needs it to find its own row of that run. */
export interface ReadRun {
  readonly startedAtMs: number
  readonly elapsedS: number
  /** null: the file states none. */
  readonly timerS: number | null
  readonly distanceM: number
}

/** What is said of the runs of a file; a function where only the parsed run shows which row is meant. */
export type ToldBy = Told | null | ((run: ReadRun) => Told | null)

/** What is said of one run of a file. @param isOnly of several runs in a file, a constant id would mean none */
export function toldOf(toldBy: ToldBy, run: AnalyzedRun, isOnly: boolean): Told | null {
  if (typeof toldBy !== 'function') return isOnly || toldBy === null ? toldBy : { ...toldBy, external: null }
  const { startedAtMs, analysis } = run
  const { durationS: elapsedS, timerTimeS: timerS, distanceM } = analysis
  return toldBy({ startedAtMs, elapsedS, timerS, distanceM })
}

export function withTold(run: AnalyzedRun, told: Told | null): AnalyzedRun {
  if (told === null) return run
  const words = {
    name: told.isAutoName ? (run.name ?? told.name) : (told.name ?? run.name),
    notes: told.notes ?? run.notes,
    rpe: run.rpe ?? told.rpe,
    runType: told.runType ?? run.runType,
    gear: told.gear ?? run.gear,
  }
  return {
    ...run,
    ...words,
    statements: run.statements.map((statement) => ({ ...statement, words: { ...statement.words, ...words } })),
    fileOffsetMinutes: run.fileOffsetMinutes ?? told.utcOffsetMinutes,
    external: told.external ?? run.external,
  }
}
