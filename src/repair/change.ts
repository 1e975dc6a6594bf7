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
import { createPace } from '../pace.ts'
import { detailResponse, jsonResponse } from '../workouts/detail-response.ts'
import type { RunNumbers, TriedChange } from './schemas.ts'

/** The answer of a dry run. */
export type Trial = Static<typeof TriedChange>

/** A change of one workout, in the caller's transaction; null: the run has changed since the change was computed. */
export type Change = (tx: Tx) => Finish | null

interface Repairing {
  readonly dryRun: boolean | undefined
  /** Kind and title of the receipt. */
  readonly receipt: { readonly kind: 'crop' | 'repair'; readonly title: string }
  /**
   * Computes the change from the current state of the run; null: the run changed meanwhile. Repeated until it succeeds.
   */
  readonly plan: () => Promise<Change | null>
}

/**
 * Applies a change to one workout and derives its numbers.
 * @returns for a dry run the numbers before and after; null: applied
 * @throws AppError 404, and errors of the plan
 */
export async function repairRun(deps: Deps, id: string, { dryRun, receipt, plan }: Repairing): Promise<Trial | null> {
  const left = receiptOfChange(deps, id, receipt)
  for (;;) {
    const change = await plan()
    if (change === null) continue
    if (dryRun === true) {
      const before = runNumbers(deps.db, id)
      const after = await changeOnTrial(deps, id, { change, look: (tx) => runNumbers(tx, id) })
      if (after !== null) return { before, after }
    } else if (await changeRun(deps, id, change, left)) {
      left.tell()
      deps.events.emit({ event: 'workout.updated', data: { id } })
      // writing and answering take tens of milliseconds each for a run of days, so others are let in between
      await createPace().rest()
      return null
    }
  }
}

/** The answer of calls that change a run: the numbers of a dry run, else the run's detail without raw data. */
export async function repairAnswer(deps: Deps, id: string, trial: Trial | null): Promise<Response> {
  return trial === null ? await detailResponse(deps, id, { includeRaw: false }) : jsonResponse(JSON.stringify(trial))
}

/** Numbers of the workout object. @throws AppError 404 */
export function runNumbers(tx: Tx, id: string): Static<typeof RunNumbers> {
  const row = tx.select().from(workouts).where(eq(workouts.id, id)).get()
  if (row === undefined) throw notFound('Workout')
  const { startedAt, utcOffsetMinutes, hrZoneSeconds, splitsCount } = row
  const numbers = eachNumber((name) => row[name]) as Pick<Static<typeof RunNumbers>, 'durationS'>
  return { startedAt: isoTime(startedAt), utcOffsetMinutes, ...numbers, hrZoneSeconds, splitsCount } as Static<
    typeof RunNumbers
  >
}
