import { AppError } from '../../base/errors.ts'
import { gently } from '../../base/pace.ts'
import type { Tx } from '../../db/open.ts'
import { LONGEST_CLOCK_S, mayBeSameRun, type SameRun } from '../../engine/merge/same-run.ts'
import type { StoredRun } from '../../workers/merge.ts'
import { changeRuns } from '../change-run.ts'
import type { Deps, DepsBy } from '../deps.ts'
import type { OpenReceipt } from '../receipts/record.ts'
import { storedTrack } from '../recordings.ts'
import { secondRecording } from '../settings.ts'
import { plannedMerge } from './merge.ts'

// Finds runs that are two recordings of one run. A trigger notes every run that comes or moves; each is compared with the
// few runs that are near in time.

type Needs = Pick<Deps, 'db' | 'now' | 'worker' | 'events' | 'log'>

/** A pair as stored, in the order of their ids. */
export interface StoredPair extends Omit<SameRun, 'overlap'> {
  readonly id: string
  readonly firstId: string
  readonly secondId: string
  readonly overlap: number
  readonly createdAt: number
}

const PAIRS = `SELECT p.id, first_id AS firstId, second_id AS secondId, certainty, overlap,
    distance_difference_m AS distanceDifferenceM, shift_s AS shiftS, reason, p.created_at AS createdAt
  FROM merge_suggestion AS p JOIN workout AS a ON a.id = first_id JOIN workout AS b ON b.id = second_id
  WHERE dismissed_at IS NULL`

/** Pairs that were not dismissed, of runs that are not in the trash, the latest run first. */
export function suggestedPairs(tx: Tx): StoredPair[] {
  return tx.$client.query<StoredPair, []>(`${PAIRS} ORDER BY a.started_at DESC, p.id`).all()
}

/** @returns whether it was suggested */
export function dismissPair(tx: Tx, { now }: Pick<Deps, 'now'>, id: string): boolean {
  const set = 'UPDATE merge_suggestion SET dismissed_at = ? WHERE id = ? AND dismissed_at IS NULL RETURNING id'
  return tx.$client.query(set).get(now(), id) !== null
}

/** Runs that the runner separated are not suggested again. */
export function dismissAmong(tx: Tx, { now }: Pick<Deps, 'now'>, ids: readonly string[]): void {
  for (const [k, a] of ids.entries()) for (const b of ids.slice(k + 1)) notePair(tx, now(), [a, b], SEPARATED, now())
}

const SEPARATED: SameRun = { certainty: 'possible', overlap: 0, distanceDifferenceM: 0, shiftS: 0, reason: 'Separated' }

/** Compares every run that came or was moved since; others are served in between. A failure is logged. */
export async function comparePairs(deps: Needs, signal?: AbortSignal): Promise<void> {
  // on a full disk, for example, they stay due
  await compareDue(deps, signal).catch((error: unknown) => deps.log.error('The comparison of runs failed', error))
}

async function compareDue(deps: Needs, signal?: AbortSignal): Promise<void> {
  const { db } = deps
  const next = () => db.$client.query<{ id: string }, []>('SELECT run_id AS id FROM pair_due LIMIT 1').get()
  let isAny = false
  for (let due = next(); due !== null && signal?.aborted !== true; due = next()) {
    const { id } = due
    const found = await pairsOf(deps, id)
    db.transaction((tx) => {
      for (const pair of found) isAny = notePair(tx, deps.now(), pair.ids, pair.same) || isAny
      tx.$client.query('DELETE FROM pair_due WHERE run_id = ?').run(id)
    })
    await gently()
  }
  if (isAny) deps.events.emit({ event: 'workout.updated', data: { id: null } })
}

/**
 * Merges a run that was just stored into the run that it certainly is another recording of, when the runner chose so.
 * @param open the receipt of the import
 * @returns id of that run; null: it stays on its own
 */
export async function mergedAtOnce(deps: DepsBy, id: string, open?: OpenReceipt): Promise<string | null> {
  if (secondRecording(deps.db) !== 'merge') return null
  const certain = (await pairsOf(deps, id)).find(({ same }) => same.certainty === 'certain')
  if (certain === undefined) return null
  const other = certain.ids.find((one) => one !== id)!
  return (await mergeRuns(deps, [other, id], open)) ? other : null
}

/** @returns false when they cannot be merged */
export async function mergeRuns(
  deps: DepsBy,
  ids: readonly [string, string],
  open?: OpenReceipt | null,
): Promise<boolean> {
  try {
    await changeRuns(deps, ids, async () => ({
      ...(await plannedMerge(deps, ids)),
      ...(open === undefined ? {} : { open }),
    }))
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

interface Near {
  readonly id: string
  readonly startMs: number
  readonly durationS: number
  readonly distanceM: number
}

interface Pair {
  readonly ids: readonly [string, string]
  readonly same: SameRun
}

const NEAR = `SELECT id, started_at AS startMs, duration_s AS durationS, distance_m AS distanceM FROM workout
  WHERE started_at BETWEEN ?1 AND ?2 AND id <> ?3`
const ONE =
  'SELECT id, started_at AS startMs, duration_s AS durationS, distance_m AS distanceM FROM workout WHERE id = ?'
/** A run that began longer ago is not looked at, seconds. */
const LOOK_BACK_S = 86_400

async function pairsOf(deps: Pick<Needs, 'db' | 'worker' | 'log'>, id: string): Promise<Pair[]> {
  const { db } = deps
  const run = db.$client.query<Near, [string]>(ONE).get(id)
  if (run === null) return []
  const afterS = Math.max(run.durationS, LONGEST_CLOCK_S)
  const near = db.$client
    .query<Near, [number, number, string]>(NEAR)
    .all(run.startMs - LOOK_BACK_S * 1000, run.startMs + afterS * 1000, id)
  const others = near.filter((other) => mayBeSameRun(run, other))
  const pairs: Pair[] = []
  for (const other of others) {
    const ids = [run.id, other.id].toSorted() as [string, string]
    const [a, b] = run.id === ids[0] ? [run, other] : [other, run]
    const runs: [StoredRun, StoredRun] = [storedRun(db, a), storedRun(db, b)]
    // a run that cannot be read is no pair
    const { found } = await deps.worker
      .ask('sameRun', { runs, isAlone: others.length === 1 })
      .catch((error: unknown) => {
        deps.log.error(`The runs ${ids.join(' and ')} could not be compared`, error)
        return { found: null }
      })
    if (found !== null) pairs.push({ ids, same: found })
  }
  return pairs
}

function storedRun(tx: Tx, { id, ...run }: Near): StoredRun {
  return { ...run, stored: storedTrack(tx, id) }
}

/** @returns whether it is a new suggestion */
function notePair(
  tx: Tx,
  nowMs: number,
  ids: readonly [string, string],
  same: SameRun,
  dismissedAt: number | null = null,
): boolean {
  const [first, second] = ids.toSorted() as [string, string]
  const { certainty, overlap, distanceDifferenceM, shiftS, reason } = same
  const before = tx.$client
    .query('SELECT 1 FROM merge_suggestion WHERE first_id = ? AND second_id = ?')
    .get(first, second)
  tx.$client
    .query(
      `INSERT INTO merge_suggestion VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
       ON CONFLICT (first_id, second_id) DO UPDATE SET certainty = ?4, overlap = ?5, distance_difference_m = ?6,
         shift_s = ?7, reason = ?8, dismissed_at = coalesce(?10, dismissed_at)`,
    )
    .run(Bun.randomUUIDv7(), first, second, certainty, overlap, distanceDifferenceM, shiftS, reason, nowMs, dismissedAt)
  return before === null
}
