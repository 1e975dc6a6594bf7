import type { Static } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { workouts } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { roundHalfUp } from '../engine/units.ts'
import { invalid } from '../errors.ts'
import { derivedJoin, joinRuns } from '../library/join-runs.ts'
import { tellReceipt } from '../library/receipts/record.ts'
import { storedTrack } from '../library/recordings.ts'
import { computed } from '../workers/compute.ts'
import { runNumbers, type Trial } from './change.ts'
import type { WorkoutJoin } from './schemas.ts'

/**
 * Joins consecutive runs into one.
 * @returns the id of the run, or the numbers of a dry run, where `before` is that of the earliest
 * @throws AppError 400 for unknown runs, runs without samples, runs that overlap or are far apart
 */
export async function joinWorkouts(
  deps: Deps,
  { ids, gap = 'pause', dryRun = false }: Static<typeof WorkoutJoin>,
): Promise<{ readonly id: string } | Trial> {
  const wanted = [...new Set(ids)]
  if (wanted.length < 2) throw invalid('ids must name at least two workouts')
  for (;;) {
    const joined = await attempted(deps, wanted, { gap, dryRun })
    if (joined !== null) return joined
  }
}

/** Thrown to roll back a transaction. */
class TrialEnd extends Error {}

type How = Required<Pick<Static<typeof WorkoutJoin>, 'gap' | 'dryRun'>>

/** @returns null when one of them was changed meanwhile */
async function attempted(
  deps: Deps,
  ids: readonly string[],
  { gap, dryRun }: How,
): Promise<{ readonly id: string } | Trial | null> {
  const { db, analyzer, events } = deps
  const rows = rowsOf(db, ids)
  const runs = rows.map((row) => storedTrack(db, row.id))
  const recorded = runs.filter((run) => run !== null)
  if (recorded.length < runs.length) throw invalid('A run without recorded points cannot be joined to another')
  const gains = rows.flatMap(({ elevGainM }) => elevGainM ?? [])
  const losses = rows.flatMap(({ elevLossM }) => elevLossM ?? [])
  const climb =
    gains.length === 0 ? null : { gainM: roundHalfUp(sumOf(gains), 1), lossM: roundHalfUp(sumOf(losses), 1) }
  const { found } = await computed(analyzer, { what: 'join', runs: recorded, gap, climb })
  if ('refusal' in found) throw invalid(found.refusal)
  const energies = rows.flatMap(({ calories }) => calories ?? [])
  const totals = {
    durationS: sumOf(rows.map(({ durationS }) => durationS)),
    caloriesKcal: energies.length === 0 ? null : sumOf(energies),
  }
  const joining = await derivedJoin(deps, found, totals)
  const [first] = rows
  if (first === undefined) return null
  let tried: Trial | null = null
  try {
    const receiptId = db.transaction((tx) => {
      const now = rowsOf(tx, ids)
      if (!Bun.deepEquals(now, rows)) return undefined
      const before = runNumbers(tx, first.id)
      const receiptId = joinRuns(tx, deps, rows, joining)
      if (receiptId === undefined || !dryRun) return receiptId
      tried = { before, after: runNumbers(tx, first.id) }
      throw new TrialEnd()
    })
    if (receiptId === undefined) return null
    for (const { id } of rows.slice(1)) events.emit({ event: 'workout.deleted', data: { id } })
    events.emit({ event: 'workout.updated', data: { id: first.id } })
    tellReceipt(deps, receiptId)
    return { id: first.id }
  } catch (error) {
    if (error instanceof TrialEnd && tried !== null) return tried
    throw error
  }
}

/** In order of time. @throws AppError 400 for an unknown run */
function rowsOf(tx: Tx, ids: readonly string[]) {
  const rows = ids.map((id) => {
    const row = tx.select().from(workouts).where(eq(workouts.id, id)).get()
    if (row === undefined) throw invalid(`There is no workout ${id}`)
    return row
  })
  return rows.toSorted((a, b) => a.startedAt - b.startedAt || a.id.localeCompare(b.id))
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}
