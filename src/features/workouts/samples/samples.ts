import { notFound } from '../../../base/errors.ts'
import type { Tx } from '../../../db/open.ts'
import { STANDARD_DISTANCES } from '../../../engine/run/best-efforts.ts'
import type { Deps } from '../../../library/deps.ts'
import { judgedEfforts } from '../../../library/effort-words.ts'
import { workoutExists } from '../../../library/ids.ts'
import { elevationOptions } from '../../../library/inputs.ts'
import { storedTrack } from '../../../library/recordings.ts'
import { done } from '../../../workers/jobs.ts'
import { rowsOf, type StoredTrack } from '../../../workers/stored-track.ts'
import type { WorkerLine } from '../../../workers/worker-line.ts'
import { servedEffort } from '../efforts/edit.ts'

/**
 * Longest track processed on this thread, four hours at one sample a second: deriving takes 15 ms in one piece, and ten
 * times that on a small machine.
 */
const MOST_HERE = 14_400

/** What answers a question about one track: of a long one the Worker, of others this thread. */
export function nearest(worker: Pick<WorkerLine, 'ask'>, stored: StoredTrack | null): Pick<WorkerLine, 'ask'> {
  return stored !== null && rowsOf(stored) > MOST_HERE ? worker : { ask: done }
}

/**
 * The cleaned samples of a workout as columns, thinned to `maxPoints` rows when given, with pauses and best efforts, as
 * JSON text, since validating every number of the answer would take longer than creating it.
 * @throws AppError 404
 */
export async function samplesResponse(
  deps: Pick<Deps, 'db' | 'config' | 'worker'>,
  id: string,
  maxPoints?: number,
): Promise<Response> {
  const { db, worker } = deps
  if (!workoutExists(db, id)) throw notFound('Workout')
  const stored = storedTrack(db, id)
  const options = {
    elevation: elevationOptions(deps),
    maxPoints: maxPoints ?? null,
    bestEfforts: effortsOf(db, id),
  }
  const { text } = await nearest(worker, stored).ask('samples', { stored, ...options })
  return new Response(text, { headers: { 'Content-Type': 'application/json' } })
}

/** Efforts from the samples; those that only an archive has are not located in them. */
function effortsOf(tx: Tx, workoutId: string) {
  return judgedEfforts(tx, workoutId)
    .filter(({ distanceIndex }) => STANDARD_DISTANCES[distanceIndex] !== undefined)
    .flatMap((judged) => {
      const { startMs, isPlausible, implausibleReason, isRecord, counts, isRaceResult, ...effort } =
        servedEffort(judged)
      if (startMs === null) return []
      const span = { startS: startMs / 1000, endS: (startMs + effort.timeMs) / 1000 }
      return [{ ...effort, ...span, isPlausible, implausibleReason, isRecord, counts, isRaceResult }]
    })
}
