import type { Static } from '@sinclair/typebox'
import { invalid, notApplicable } from '../../base/errors.ts'
import { isoTime, parseTimestamp } from '../../engine/calendar/timestamp.ts'
import { clock } from '../../engine/intervals/summary.ts'
import type { NumberName } from '../../engine/numbers.ts'
import type { MendedChannel } from '../../engine/repair/mend.ts'
import { DAY_MS, roundHalfUp } from '../../engine/units.ts'
import type { DepsBy } from '../../library/deps.ts'
import { type RunHead, type RunRepair, recordingIds } from '../../library/documents/run.ts'
import { hasSamples, packedTrack } from '../../library/recordings.ts'
import { type Planned, withoutRepairs, withRepair } from '../../library/repairs.ts'
import { utcOffsetMinutes } from '../../library/time-zone.ts'
import type { Change } from '../../workers/plans.ts'
import { foundRepairs, type Repairing, runRow } from './change.ts'
import type {
  NumbersEdit,
  Revert,
  WorkoutCrop,
  WorkoutCut,
  WorkoutDistance,
  WorkoutMend,
  WorkoutShift,
} from './schemas.ts'

// What each call that repairs a run asks for. Recordings never change: a repair is added to the document of the run, or
// undone in it.

const NO_POINTS = 'The workout has no recorded points'

/** Seconds from the ends; the device's own totals no longer count. @throws AppError 400 without a number */
export function crop(asked: Static<typeof WorkoutCrop>): Repairing {
  const { removeFromStartSeconds: startS = null, removeFromEndSeconds: endS = null, dryRun } = asked
  if (startS === null && endS === null) {
    throw invalid('removeFromStartSeconds or removeFromEndSeconds is required and must be a number of at least 0')
  }
  const removed = { startS: startS ?? 0, endS: endS ?? 0 }
  const ends = [startS ? `${startS} s from the start` : '', endS ? `${endS} s from the end` : '']
  const plan = async (deps: DepsBy, head: RunHead) => {
    if (runRow(deps.db, head.id).routePreview === null) {
      throw notApplicable('The workout has no route, so it cannot be cropped')
    }
    return await resampled(deps, head, { kind: 'crop', removed }, `${NO_POINTS}, so it cannot be cropped`)
  }
  const title = `Cropped ${ends.filter(Boolean).join(' and ')}`
  return { dryRun, kind: 'crop', isIdle: !startS && !endS, title, plan }
}

/** A stretch out of the middle. */
export function cut({ fromElapsedS: fromS, toElapsedS: toS, closeGap, dryRun }: Static<typeof WorkoutCut>): Repairing {
  const change = { kind: 'cut', fromS, toS, closesGap: closeGap ?? false } as const
  const title = `Removed ${clock(toS - fromS)} at ${clock(fromS)}`
  return { dryRun, title, plan: (deps, head) => resampled(deps, head, change) }
}

const CHANNEL_NAMES: Readonly<Record<MendedChannel, string>> = {
  position: 'the route',
  heartRate: 'the heart rate',
  elevation: 'the altitude',
  cadence: 'the cadence',
  power: 'the power',
  all: 'all readings',
}

/** Readings of one channel out of a stretch. */
export function mend(asked: Static<typeof WorkoutMend>): Repairing {
  const { fromElapsedS: fromS, toElapsedS: toS, channel, fill, dryRun } = asked
  const change = { kind: 'mend', fromS, toS, channel, fill } as const
  const title = `Fixed ${CHANNEL_NAMES[channel]} from ${clock(fromS)} to ${clock(toS)}`
  return { dryRun, title, plan: (deps, head) => resampled(deps, head, change) }
}

/** The document with a repair of the samples. @throws as `foundRepairs` */
async function resampled(
  deps: DepsBy,
  head: RunHead,
  change: Change,
  refused = `${NO_POINTS}; its numbers can be changed`,
): Promise<Planned> {
  const [repair] = await foundRepairs(deps, head, change, refused)
  return withRepair(deps.db, deps, head, repair!)
}

/** Limits of an entered distance, relative to the current one. */
const [LEAST_FACTOR, MOST_FACTOR] = [0.5, 2]

/** The distance as the runner states it; null: as it was recorded. */
export function distance({ distanceM, dryRun }: Static<typeof WorkoutDistance>): Repairing {
  if (distanceM === null) {
    const plan = without(({ kind }) => kind === 'distance', 'The distance of the workout was not changed')
    return { dryRun, title: 'Removed the set distance', plan }
  }
  const plan = async (deps: DepsBy, head: RunHead) => {
    const run = runRow(deps.db, head.id)
    const factor = distanceM / run.distanceM
    if (run.distanceM > 0 && !(factor >= LEAST_FACTOR && factor <= MOST_FACTOR)) {
      throw invalid(`distanceM must be half to twice the ${run.distanceM} m of the workout`, { field: 'distanceM' })
    }
    if (packedTrack(deps.db, head.body.track) !== null)
      return await resampled(deps, head, { kind: 'distance', distanceM })
    return withRepair(deps.db, deps, head, { kind: 'distance', distanceM, factor: null })
  }
  return { dryRun, title: `Set the distance to ${roundHalfUp(distanceM)} m`, plan }
}

/** @param refusal where no active repair is chosen */
function without(isTaken: (repair: RunRepair) => boolean, refusal: string): Repairing['plan'] {
  return (deps, head) => {
    const planned = withoutRepairs(deps, head, isTaken)
    if (planned === null) throw notApplicable(refusal)
    return planned
  }
}

/** Kinds of repairs that stay: other runs have what these left. */
const STAYING: readonly string[] = ['split', 'join', 'merge']

/** The state before the first repair. */
export function revert({ dryRun }: Static<typeof Revert>): Repairing {
  const plan = without(({ kind }) => !STAYING.includes(kind), 'The workout has no repair to undo')
  return { dryRun, title: 'Reverted all repairs', plan }
}

/** Another start, or another time zone. @throws AppError 400 unless exactly one of the three is given, and for an invalid one */
export function shift(asked: Static<typeof WorkoutShift>): Repairing {
  const { startedAt, offsetSeconds, timeZone, dryRun } = asked
  if ([startedAt, offsetSeconds, timeZone].filter((value) => value !== undefined).length !== 1) {
    throw invalid('Send exactly one of startedAt, offsetSeconds and timeZone')
  }
  if (timeZone !== undefined) checkZone(timeZone)
  const startMs = startedAt === undefined ? null : parseTimestamp(startedAt)
  const plan = (deps: DepsBy, head: RunHead) => {
    const stored = runRow(deps.db, head.id)
    const offsetMs = startMs === null ? Math.round((offsetSeconds ?? 0) * 1000) : startMs - stored.startedAt
    if (timeZone === undefined)
      checkStart(stored.startedAt + offsetMs, {
        nowMs: deps.now(),
        field: startMs === null ? 'offsetSeconds' : 'startedAt',
      })
    return withRepair(deps.db, deps, head, { kind: 'shift', offsetMs, timeZone: timeZone ?? null })
  }
  return { dryRun, title: timeZone === undefined ? 'Moved the run in time' : `Set the time zone to ${timeZone}`, plan }
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

export function numbers({ dryRun, ...asked }: Static<typeof NumbersEdit>): Repairing {
  const { startedAt, ...values } = asked
  const startMs = startedAt === undefined ? null : parseTimestamp(startedAt)
  const plan = (deps: DepsBy, head: RunHead) => {
    const stored = runRow(deps.db, head.id)
    if (Object.keys(asked).length === 0) throw invalid(`One of ${Object.keys(CALLS).join(', ')} is required`)
    if (hasSamples(deps.db, recordingIds(head.body.track))) {
      const calls = [...new Set(Object.keys(asked).map((name) => CALLS[name]))].join(', ')
      throw notApplicable(
        `The workout has recorded points, which its numbers come from; the call that changes them is ${calls}`,
      )
    }
    if (startMs !== null) checkStart(startMs, { nowMs: deps.now(), field: 'startedAt' })
    checkTogether({ ...stored, ...values })
    const offsetMs = startMs === null ? 0 : startMs - stored.startedAt
    return withRepair(deps.db, deps, head, { kind: 'numbers', offsetMs, values })
  }
  return { dryRun, title: 'Changed the numbers of the run', plan }
}

/** @throws AppError 400 for a moving time beyond the duration, or an average heart rate beyond the highest */
export function checkTogether(numbers: { readonly [K in NumberName]?: number | null | undefined }): void {
  const { durationS, movingTimeS, avgHeartRateBpm, maxHeartRateBpm } = numbers
  if ((movingTimeS ?? 0) > (durationS ?? 0))
    throw invalid(`movingTimeS must not be more than the ${durationS} s of the run`, { field: 'movingTimeS' })
  if ((avgHeartRateBpm ?? 0) > (maxHeartRateBpm ?? Number.POSITIVE_INFINITY)) {
    throw invalid(`avgHeartRateBpm must not be more than the maxHeartRateBpm of ${maxHeartRateBpm}`, {
      field: 'avgHeartRateBpm',
    })
  }
}

const EARLIEST_MS = Date.UTC(1990, 0, 1)

/** @param field that states it @throws AppError 400 before 1990 and more than a day in the future */
export function checkStart(startMs: number, { nowMs, field }: { nowMs: number; field: string }): void {
  if (startMs < EARLIEST_MS) throw invalid(`A run cannot start before 1990, at ${isoTime(startMs)}`, { field })
  if (startMs > nowMs + DAY_MS)
    throw invalid(`A run cannot start more than a day ahead, at ${isoTime(startMs)}`, { field })
}

/** @throws AppError 400 for an unknown time zone */
export function checkZone(timeZone: string): void {
  try {
    utcOffsetMinutes(timeZone, 0)
  } catch (error) {
    if (error instanceof RangeError)
      throw invalid(`${JSON.stringify(timeZone)} is not an IANA time zone`, { field: 'timeZone' })
    throw error
  }
}
