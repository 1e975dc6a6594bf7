import type { Db } from '../../db/open.ts'
import { LOAD_COLUMNS, type StoredLoad } from '../../engine/training/run-loads.ts'

const named = (write: (column: string, place: number) => string) => LOAD_COLUMNS.map(write).join(', ')
const WRITE = `
  INSERT INTO workout_load (workout_id, ${LOAD_COLUMNS.join(', ')})
  SELECT ?1, ${named((_, place) => `?${place + 2}`)} WHERE EXISTS (SELECT 1 FROM workout WHERE id = ?1)
  ON CONFLICT (workout_id) DO UPDATE SET ${named((column) => `${column} = excluded.${column}`)}
  WHERE (${LOAD_COLUMNS.join(', ')}) IS NOT (${named((column) => `excluded.${column}`)})`

/** Writes the loads that differ, and removes those of runs that are left out. */
export function writeLoads(
  db: Db,
  { ids, loads }: { readonly ids: readonly string[]; readonly loads: readonly StoredLoad[] },
): void {
  const client = db.$client
  const write = client.query(WRITE)
  client.transaction(() => {
    for (const [i, id] of ids.entries()) write.run(id, ...loads[i]!)
    client.run('DELETE FROM workout_load WHERE workout_id IN (SELECT id FROM workout WHERE left_out = 1)')
  })()
}
