import type { Tx } from '../db/open.ts'
import { preparedOnce } from '../db/prepared.ts'
import { LONGEST_RUN_S } from '../engine/grid.ts'
import { madeId } from './row-ids.ts'

type TableOfIds = 'workout' | 'document' | 'shoe' | 'recording' | 'workout_split'

export function isTaken(tx: Tx, table: TableOfIds, id: string): boolean {
  return tx.$client.query(`SELECT 1 FROM ${table} WHERE id = ?`).get(id) !== null
}

export function workoutExists(tx: Tx, id: string): boolean {
  return isTaken(tx, 'workout', id)
}

/** Whether a run is stored that was under way in that time. */
export function isRunAt(tx: Tx, startMs: number, endMs: number): boolean {
  const earliestMs = startMs - LONGEST_RUN_S * 1000
  return runAt(tx).get(earliestMs, endMs, startMs) !== null
}

const runAt = preparedOnce((tx) =>
  tx.$client.prepare('SELECT 1 FROM workout WHERE started_at BETWEEN ? AND ? AND started_at + duration_s * 1000 > ?'),
)

const shoeById = preparedOnce((tx) => tx.$client.prepare('SELECT 1 FROM shoe WHERE id = ?'))

/** Whether a shoe with this id is stored; prepared, since it is asked for each of many runs. */
export function shoeExists(tx: Tx, id: string): boolean {
  return shoeById(tx).get(id) !== null
}

/** The id that an archive gives, or another one when it is taken: the same each time, by which a later restore finds it. */
export function freeId(tx: Tx, table: TableOfIds, id: string): string {
  return [id, otherId(id)].find((one) => !isTaken(tx, table, one)) ?? Bun.randomUUIDv7()
}

export function otherId(id: string): string {
  return madeId(`again ${id}`)
}
