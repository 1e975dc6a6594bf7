import type { Static } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import { workouts } from '../db/schema.ts'
import type { DepsBy } from '../deps.ts'
import type { NumberName } from '../engine/numbers.ts'
import { invalid } from '../errors.ts'
import { type RunHead, recordingIds } from '../library/documents/run.ts'
import { hasSamples } from '../library/recordings.ts'
import { withoutRepairs, withRepair } from '../library/repairs.ts'
import { repairRun, type Trial } from './change.ts'
import { repairable } from './repairable.ts'
import type { NumbersEdit, Revert, WorkoutShift } from './schemas.ts'
import { checkStart, checkZone, timeOfText } from './times.ts'

// Repairs that need no samples: time and time zone of a run, and numbers of a run without samples. All return the
// numbers of a dry run, or null when it is applied.

/**
 * Moves a run in time, or sets its time zone.
 * @throws AppError 404; 400 unless exactly one of the two is given, and for an implausible start
 */
export async function shiftWorkout(
  deps: DepsBy,
  id: string,
  asked: Static<typeof WorkoutShift>,
): Promise<Trial | null> {
  const { startedAt, offsetSeconds, timeZone, dryRun } = asked
  if ([startedAt, offsetSeconds, timeZone].filter((value) => value !== undefined).length !== 1) {
    throw invalid('Send exactly one of startedAt, offsetSeconds and timeZone')
  }
  if (timeZone !== undefined) checkZone(timeZone)
  const startMs = startedAt === undefined ? null : timeOfText(startedAt)
  const plan = (head: RunHead) => {
    const stored = repairable(deps.db, id)
    const offsetMs = startMs === null ? Math.round((offsetSeconds ?? 0) * 1000) : startMs - stored.startedAt
    if (timeZone === undefined) checkStart(stored.startedAt + offsetMs, deps.now())
    return withRepair(deps.db, deps, head, { kind: 'shift', offsetMs, timeZone: timeZone ?? null })
  }
  const title = timeZone === undefined ? 'Moved the run in time' : `Set the time zone to ${timeZone}`
  return await repairRun(deps, id, { dryRun, receipt: { kind: 'repair', title }, plan })
}

/** The calls that change the same numbers of a run with samples. */
const CALLS: Readonly<Record<string, string>> = {
  startedAt: 'shift',
  durationS: 'crop or cut',
  movingTimeS: 'crop or cut',
  distanceM: 'distance',
  avgHeartRateBpm: 'mend',
  maxHeartRateBpm: 'mend',
  elevGainM: 'mend',
  calories: 'crop or cut',
}

/** @throws AppError 404; 400 for a run with samples, for nothing to change, and for numbers that contradict each other */
export async function editNumbers(deps: DepsBy, id: string, asked: Static<typeof NumbersEdit>): Promise<Trial | null> {
  const { startedAt, dryRun, ...values } = asked
  const sent = Object.keys({ ...values, ...(startedAt === undefined ? {} : { startedAt }) })
  const startMs = startedAt === undefined ? null : timeOfText(startedAt)
  const plan = (head: RunHead) => {
    const stored = deps.db.select().from(workouts).where(eq(workouts.id, id)).get()!
    if (sent.length === 0) throw invalid(`One of ${Object.keys(CALLS).join(', ')} is required`)
    if (hasSamples(deps.db, recordingIds(head.body.track))) {
      const calls = [...new Set(sent.map((name) => CALLS[name]))].join(', ')
      throw invalid(
        `The workout has recorded points, which its numbers come from; the call that changes them is ${calls}`,
      )
    }
    if (startMs !== null) checkStart(startMs, deps.now())
    checkTogether({ ...stored, ...values })
    const offsetMs = startMs === null ? 0 : startMs - stored.startedAt
    return withRepair(deps.db, deps, head, { kind: 'numbers', offsetMs, values })
  }
  const receipt = { kind: 'repair', title: 'Changed the numbers of the run' } as const
  return await repairRun(deps, id, { dryRun, receipt, plan })
}

/** @throws AppError 400 for a moving time beyond the duration, or an average heart rate beyond the highest */
export function checkTogether(numbers: { readonly [K in NumberName]?: number | null | undefined }): void {
  const { durationS, movingTimeS, avgHeartRateBpm, maxHeartRateBpm } = numbers
  if ((movingTimeS ?? 0) > (durationS ?? 0))
    throw invalid(`movingTimeS must not be more than the ${durationS} s of the run`)
  if ((avgHeartRateBpm ?? 0) > (maxHeartRateBpm ?? Number.POSITIVE_INFINITY)) {
    throw invalid(`avgHeartRateBpm must not be more than the maxHeartRateBpm of ${maxHeartRateBpm}`)
  }
}

/** Kinds of repairs that stay: other runs have what these left. */
const STAYING: readonly string[] = ['split', 'join']

/** Reverts all repairs of a run. @throws AppError 404; 400 when none is active */
export async function revertWorkout(
  deps: DepsBy,
  id: string,
  { dryRun }: Static<typeof Revert>,
): Promise<Trial | null> {
  const plan = (head: RunHead) => {
    const planned = withoutRepairs(deps, head, ({ kind }) => !STAYING.includes(kind))
    if (planned === null) throw invalid('The workout has no repair that could be taken back')
    return planned
  }
  const receipt = { kind: 'repair', title: 'Took all repairs back' } as const
  return await repairRun(deps, id, { dryRun, receipt, plan })
}
