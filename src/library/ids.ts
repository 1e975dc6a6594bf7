import type { Tx } from '../db/open.ts'
import { preparedOnce } from '../db/prepared.ts'

type TableOfIds = 'workout' | 'document' | 'shoe' | 'recording' | 'workout_split'

export function isTaken(tx: Tx, table: TableOfIds, id: string): boolean {
  return tx.$client.query(`SELECT 1 FROM ${table} WHERE id = ?`).get(id) !== null
}

/** Whether a run with this id is stored, and not in the trash. */
export function workoutExists(tx: Tx, id: string): boolean {
  return isTaken(tx, 'workout', id)
}

const shoeById = preparedOnce((tx) => tx.$client.prepare('SELECT 1 FROM shoe WHERE id = ?'))

/** Whether a shoe with this id is stored; prepared, since it is asked for each of many runs. */
export function shoeExists(tx: Tx, id: string): boolean {
  return shoeById(tx).get(id) !== null
}

/** The id that an archive gives, or a new one when it is taken. */
export function freeId(tx: Tx, table: TableOfIds, id: string): string {
  return isTaken(tx, table, id) ? Bun.randomUUIDv7() : id
}
