import type { Static } from '@sinclair/typebox'
import { invalid, notApplicable } from '../../../base/errors.ts'
import { type Intervals, NO_INTERVALS } from '../../../engine/intervals/intervals.ts'
import { SHORTEST_REPETITION_S } from '../../../engine/limits.ts'
import { roundHalfUp } from '../../../engine/units.ts'
import { whileCurrent } from '../../../library/change-run.ts'
import type { Deps, DepsBy } from '../../../library/deps.ts'
import { type GivenStretch, neededHead, type RunDocument, type RunHead } from '../../../library/documents/run.ts'
import { elevationOptions } from '../../../library/inputs.ts'
import { givenLaps, workoutLaps } from '../../../library/laps.ts'
import { announceReceipt } from '../../../library/receipts/record.ts'
import { packedTrack } from '../../../library/recordings.ts'
import { commitEdit } from '../../../library/words.ts'
import type { IntervalsEdit, WorkoutIntervals } from './laps-schemas.ts'
import { nearest } from './samples.ts'

/**
 * The repetitions of a workout: as the runner gave them, else from the laps of the device or from steps of the pace. A
 * long track is processed by the Worker.
 * @throws AppError 404
 */
export async function intervalsOfWorkout(
  deps: Pick<Deps, 'db' | 'config' | 'log' | 'worker'>,
  id: string,
): Promise<Static<typeof WorkoutIntervals>> {
  const { db, worker } = deps
  const { body } = neededHead(deps.db, id)
  const given = givenLaps(db, body)
  const laps = given === null ? workoutLaps(deps.db, id) : []
  const stored = packedTrack(db, body.track)
  if (stored === null) return served(NO_INTERVALS)
  const job = { ...stored, laps, given, elevation: elevationOptions(deps) }
  return served((await nearest(worker, stored).ask('intervals', job)).found)
}

function served({ source, sets, summary }: Intervals): Static<typeof WorkoutIntervals> {
  return { source, summary, sets: sets.map((set) => ({ ...set, repetitions: [...set.repetitions] })) }
}

/**
 * Replaces the repetitions of a workout; null: they are recognised again.
 * @throws AppError 404; 400 for stretches that are too short, out of order or not within the run
 */
export async function correctIntervals(
  deps: DepsBy,
  id: string,
  { stretches }: Static<typeof IntervalsEdit>,
): Promise<Static<typeof WorkoutIntervals>> {
  const { db, events } = deps
  const receiptId = await whileCurrent(db, [id], async () => {
    const head = neededHead(deps.db, id)
    const { intervals: _, ...choices } = head.body.choices ?? {}
    const given = stretches && { intervals: { stretches: await recordedStretches(deps, head, stretches) } }
    const to: RunDocument = { ...head.body, choices: { ...choices, ...given } }
    return db.transaction((tx) => commitEdit(tx, deps, head, { to }))
  })
  events.emit({ event: 'workout.updated', data: { id } })
  announceReceipt(deps, receiptId)
  return await intervalsOfWorkout(deps, id)
}

type Stretches = NonNullable<Static<typeof IntervalsEdit>['stretches']>

/** The stretches on the clock of the recording. @throws AppError 400 */
async function recordedStretches(
  { db, worker }: DepsBy,
  { body }: RunHead,
  stretches: Stretches,
): Promise<GivenStretch[]> {
  for (const [k, { startS, endS }] of stretches.entries()) {
    const lengthS = roundHalfUp(endS - startS, 3)
    if (lengthS < SHORTEST_REPETITION_S) {
      throw invalid(`A repetition takes at least ${SHORTEST_REPETITION_S} s, not ${lengthS} s`, { field: 'stretches' })
    }
    const { endS: beforeS } = stretches[k - 1] ?? { endS: Number.NEGATIVE_INFINITY }
    if (startS <= beforeS) {
      throw invalid(`Repetitions must be in order and apart; one starts at ${startS} s, before ${beforeS} s`, {
        field: 'stretches',
      })
    }
  }
  const stored = packedTrack(db, body.track)
  if (stored === null) throw notApplicable('The workout has no recorded points, so it cannot have reps')
  const timesS = stretches.flatMap(({ startS, endS }) => [startS, endS])
  const { lastS, times } = await nearest(worker, stored).ask('recordedTimes', { ...stored, timesS })
  const endS = timesS.at(-1) ?? 0
  const endOfRunS = roundHalfUp(lastS, 3)
  if (endS > endOfRunS)
    throw invalid(`A repetition ends at ${endS} s, after the end of the run at ${endOfRunS} s`, { field: 'stretches' })
  return stretches.map((_, k) => ({ startMs: times[2 * k]!, endMs: times[2 * k + 1]! }))
}
