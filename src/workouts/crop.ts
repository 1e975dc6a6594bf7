import type { Static } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { workouts } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import type { AnalyzeOptions } from '../engine/analysis.ts'
import { crop } from '../engine/run/crop.ts'
import { exceeds, type Readings, trackReadings } from '../engine/run/readings.ts'
import type { CropRepair } from '../engine/settle.ts'
import type { ClimbLimit, Span } from '../engine/track.ts'
import { roundHalfUp } from '../engine/units.ts'
import { invalid, notFound } from '../errors.ts'
import { workoutExists } from '../library/add-workout.ts'
import { elevationOptions } from '../library/inputs.ts'
import { recordedStartMs, workoutTrack } from '../library/recordings.ts'
import { addCrop, revertRepairs } from '../library/repairs.ts'
import type { WorkoutCrop } from './schemas.ts'

const SHORTEST_S = 10

/**
 * Cuts a workout: a repair is added, and everything is derived of the samples that are left; the device's own totals no
 * longer count. What was recorded stays as it is. A track takes a few milliseconds, so that all of it is one transaction.
 * @throws AppError 404; 400 without a number, without route, or with less than 10 s left
 */
export function cropWorkout(deps: Deps, id: string, request: Static<typeof WorkoutCrop>): void {
  const { removeFromStartSeconds = null, removeFromEndSeconds = null } = request
  if (removeFromStartSeconds === null && removeFromEndSeconds === null) {
    throw invalid('removeFromStartSeconds or removeFromEndSeconds is required and must be a number of at least 0')
  }
  const removed = { startS: removeFromStartSeconds ?? 0, endS: removeFromEndSeconds ?? 0 }
  deps.db.transaction(
    (tx) => {
      const stored = storedRun(tx, id)
      addCrop(tx, deps, id, cropRepair(stored, cutOf(stored, removed), elevationOptions(deps)))
    },
    { behavior: 'immediate' },
  )
  deps.events.emit({ event: 'workout.updated', data: { id } })
}

/**
 * Takes all repairs of a workout back.
 * @throws AppError 404; 400 when none is active
 */
export function revertWorkout(deps: Deps, id: string): void {
  deps.db.transaction(
    (tx) => {
      if (!workoutExists(tx, id)) throw notFound('Workout')
      if (!revertRepairs(tx, deps, id)) throw invalid('The workout has no repair that could be taken back')
    },
    { behavior: 'immediate' },
  )
  deps.events.emit({ event: 'workout.updated', data: { id } })
}

type StoredRun = ReturnType<typeof storedRun>

function storedRun(tx: Tx, id: string) {
  const workout = tx
    .select({
      durationS: workouts.durationS,
      elevGainM: workouts.elevGainM,
      elevLossM: workouts.elevLossM,
      calories: workouts.calories,
      routePreview: workouts.routePreview,
    })
    .from(workouts)
    .where(eq(workouts.id, id))
    .get()
  if (workout === undefined) throw notFound('Workout')
  if (workout.routePreview === null) throw invalid('The workout has no route, so it cannot be cropped')
  const track = workoutTrack(tx, id)
  if (track === null) throw invalid('The workout has no recorded points, so it cannot be cropped')
  return { ...workout, track, clockMs: track.startMs - (recordedStartMs(tx, id) ?? track.startMs) }
}

/** The recorded time that is left. @throws AppError 400 */
function cutOf({ track, durationS }: StoredRun, removed: Span): Span {
  const recordedS = track.tS.at(-1) ?? 0
  const removedS = removed.startS + removed.endS
  const leftS = Math.min(durationS, recordedS) - removedS
  // what is on the clock comes off a grid of milliseconds
  if (removedS > 0 && !(leftS >= SHORTEST_S - 0.0005)) {
    throw invalid(
      `Cannot crop ${roundHalfUp(removedS, 3)} s from a workout of ${durationS} s: at least ${SHORTEST_S} s must be left`,
    )
  }
  return { startS: removed.startS, endS: recordedS - removed.endS }
}

function cropRepair(stored: StoredRun, cut: Span, elevation: AnalyzeOptions['elevation']): Omit<CropRepair, 'kind'> {
  const track = crop(stored.track, cut)
  const leftS = roundHalfUp(track.tS.at(-1) ?? 0)
  // samples may last longer than the device said: taking nothing away must not add
  const share = stored.durationS > 0 ? Math.min(1, leftS / stored.durationS) : 1
  const fromMs = stored.clockMs + track.startMs - stored.track.startMs
  return {
    fromMs,
    toMs: fromMs + Math.round((track.tS.at(-1) ?? 0) * 1000),
    climbLimit: climbLimit(stored, trackReadings(track, elevation)),
    caloriesKcal: stored.calories === null ? null : stored.calories * share,
  }
}

/** null: what is left climbs no more than the run did before. */
function climbLimit({ elevGainM, elevLossM }: StoredRun, { profile }: Readings): ClimbLimit | null {
  const limit = { gainM: elevGainM ?? Number.MAX_VALUE, lossM: elevLossM ?? Number.MAX_VALUE }
  const isOver = exceeds(profile?.gainM.at(-1) ?? 0, limit.gainM) || exceeds(profile?.lossM.at(-1) ?? 0, limit.lossM)
  return isOver ? limit : null
}
