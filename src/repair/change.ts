import type { Static } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { workouts } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { isoTime } from '../engine/calendar/timestamp.ts'
import { eachNumber } from '../engine/numbers.ts'
import { notFound } from '../errors.ts'
import { changeOnTrial, changeRun, type Finish } from '../library/change-run.ts'
import { receiptOfChange } from '../library/receipts/change.ts'
import { detailResponse, jsonResponse } from '../workouts/detail-response.ts'
import type { RunNumbers, TriedChange } from './schemas.ts'

/** What a dry run answers. */
export type Trial = Static<typeof TriedChange>

/** A change of one workout, in the caller's transaction; null: it was found out of a run that is another by now. */
export type Change = (tx: Tx) => Finish | null

interface Repairing {
  readonly dryRun: boolean | undefined
  /** What it is called. */
  readonly receipt: { readonly kind: 'crop' | 'repair'; readonly title: string }
  /** Finds the change out of the run as it is; null: it was changed meanwhile. Asked anew until it fits. */
  readonly plan: () => Promise<Change | null>
}

/**
 * Changes what one workout is made of, and its numbers with it.
 * @returns the numbers before and after of a dry run; null: it is done
 * @throws AppError 404, and what the plan throws
 */
export async function repairRun(deps: Deps, id: string, { dryRun, receipt, plan }: Repairing): Promise<Trial | null> {
  const { changed, tell } = receiptOfChange(deps, id, receipt)
  for (;;) {
    const change = await plan()
    if (change === null) continue
    if (dryRun === true) {
      const before = runNumbers(deps.db, id)
      const after = await changeOnTrial(deps, id, { change, look: (tx) => runNumbers(tx, id) })
      if (after !== null) return { before, after }
    } else if (await changeRun(deps, id, (tx) => changed(tx, () => change(tx)))) {
      tell()
      deps.events.emit({ event: 'workout.updated', data: { id } })
      return null
    }
  }
}

/** What a call that changes a run answers: the numbers of a dry run, else its detail, without raw data. */
export async function repairAnswer(deps: Deps, id: string, trial: Trial | null): Promise<Response> {
  return trial === null ? await detailResponse(deps, id, { includeRaw: false }) : jsonResponse(JSON.stringify(trial))
}

/** The numbers of the workout object. @throws AppError 404 */
export function runNumbers(tx: Tx, id: string): Static<typeof RunNumbers> {
  const row = tx.select().from(workouts).where(eq(workouts.id, id)).get()
  if (row === undefined) throw notFound('Workout')
  const { startedAt, utcOffsetMinutes, hrZoneSeconds, splitsCount } = row
  const numbers = eachNumber((name) => row[name]) as Pick<Static<typeof RunNumbers>, 'durationS'>
  return { startedAt: isoTime(startedAt), utcOffsetMinutes, ...numbers, hrZoneSeconds, splitsCount } as Static<
    typeof RunNumbers
  >
}
