import type { Tx } from '../db/open.ts'
import type { BestEffort } from '../engine/analysis.ts'
import type { DerivedRun } from '../workers/derive.ts'
import { timedEfforts } from './change-run.ts'
import { repackSamples, writeAsked } from './commit.ts'
import type { Deps } from './deps.ts'
import { writeRows, writeRunEfforts } from './derive.ts'
import { type RunHead, withOurs } from './documents/run.ts'
import { elevationOptions } from './inputs.ts'
import { runRows } from './run-rows.ts'

/**
 * Writes everything that was derived again for a run whose document stays, where it differs.
 * @returns number of rows that were written
 */
export function rewriteRun(
  tx: Tx,
  deps: Pick<Deps, 'config' | 'now'>,
  { id, body, asked }: RunHead,
  derived: DerivedRun,
): number {
  const timed = timedEfforts(tx, id, { asked, ...derived.analysis, nowMs: deps.now() })
  repackSamples(tx, derived.remade)
  const rows = writeRows(tx, { body }, runRows(tx, { id, body, asked: timed }, derived))
  // numbers that are the same say nothing about what they are computed with
  const now = rows === 0 ? timed : { ...timed, elevation: elevationOptions(deps) }
  if (Bun.deepEquals(now, asked)) return rows
  writeAsked(tx, id, now)
  return rows + 1
}

/** Writes best efforts that were computed again; an archive's no longer count beside them. */
export function rewriteEfforts(
  tx: Tx,
  { id, body, asked }: RunHead,
  bestEfforts: readonly BestEffort[],
  nowMs: number,
): void {
  const ours = (body.carried?.efforts?.length ?? 0) > 0 ? withOurs(asked, 'bestEfforts') : asked
  const timed = timedEfforts(tx, id, { asked: ours, bestEfforts, nowMs })
  writeRunEfforts(tx, { id, body, asked: timed }, bestEfforts)
  writeAsked(tx, id, timed)
}
