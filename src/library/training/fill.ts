import { TRAINING_VERSION } from '../../engine/training/run/run-training.ts'
import { NO_TRAINING } from '../../workers/training.ts'
import type { Deps } from '../deps.ts'
import { writeTraining } from '../derive.ts'
import { type RederiveDeps, rederive } from '../rederive.ts'

/** Number of workout ids read at once. */
const BATCH = 200

/**
 * Computes the training data of every workout that has none, or has that of older formulas. When stopped, it continues
 * at the next start; a workout that cannot be read gets empty data. Never fails.
 */
export async function fillTraining(deps: RederiveDeps & Pick<Deps, 'events'>, signal: AbortSignal): Promise<void> {
  const { db, log, events } = deps
  let filled = 0
  try {
    noteUnfilled(deps)
    for (let ids = unfilled(deps); ids.length > 0 && !signal.aborted; ids = unfilled(deps)) {
      const { unreadable } = await rederive(deps, ids, {
        what: 'training',
        signal,
        write: (tx, { id }, { training }) => writeTraining(tx, id, training),
      })
      filled += ids.length
      for (const { id, error } of unreadable) {
        log.error(`The training facts of workout ${id} could not be read`, error)
        db.transaction((tx) => writeTraining(tx, id, NO_TRAINING))
      }
    }
    noteUnfilled(deps)
  } catch (error) {
    log.error('The training facts of the runs could not be filled in', error)
  }
  if (filled > 0) events.emit({ event: 'workout.updated', data: { id: null } })
}

/** Notes that data is still to be computed, which answers mention. */
export function noteUnfilled(deps: Pick<RederiveDeps, 'db'>): void {
  deps.db.$client.query('UPDATE training_state SET filling = ?1 WHERE filling <> ?1').run(unfilled(deps, 1).length)
}

const recorded = (id: string) => `EXISTS (SELECT 1 FROM naming WHERE run_id = ${id})`
const OLDER = `SELECT workout_id FROM workout_training
  WHERE training_version < ${TRAINING_VERSION} AND ${recorded('workout_training.workout_id')} LIMIT ?`
const MISSING = `SELECT id FROM workout
  WHERE NOT EXISTS (SELECT 1 FROM workout_training WHERE workout_id = workout.id) AND ${recorded('workout.id')} LIMIT ?`

/** Both searches stay within indexes: reading the rows of 10,000 runs would take a tenth of a second of every start. */
function unfilled({ db }: Pick<RederiveDeps, 'db'>, most = BATCH): string[] {
  const ids = (asked: string) => db.$client.query(asked).values(most).flat() as string[]
  const older = ids(OLDER)
  return older.length > 0 ? older : ids(MISSING)
}
