import type { Database } from 'bun:sqlite'
import { decodePath } from '../../engine/route/path.ts'
import { traceOfPath } from '../../engine/route/trace.ts'

/** Step of migration 0023: makes the traces of stored paths. Routes whose path cannot be read get none. */
export function traceRoutes(client: Database): void {
  const paths = client.query<{ id: string; path: Uint8Array; lengthM: number }, []>(
    'SELECT workout_id AS id, path, length_m AS lengthM FROM workout_route',
  )
  const update = client.query('UPDATE workout_route SET trace = ? WHERE workout_id = ?')
  for (const { id, path, lengthM } of paths.all()) {
    try {
      update.run(traceOfPath(decodePath(path, lengthM)), id)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
    }
  }
}
