import { eq } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { archivedBestEfforts, effortWords, workoutBestEfforts, workouts } from '../db/schema.ts'
import type { ImplausibleReason } from '../engine/analysis.ts'
import { STANDARD_DISTANCES } from '../engine/run/best-efforts.ts'
import { raced } from './race-efforts.ts'

// Which efforts may hold a record: those that are plausible or that the runner counts, except those that the runner
// excluded and those of runs that are left out of statistics.

/** One effort of one workout, with everything that decides whether it counts. */
export interface JudgedEffort {
  readonly distanceIndex: number
  readonly timeMs: number
  /** Milliseconds since the start of the run; null: the effort comes from an archive, which does not say where it was. */
  readonly startMs: number | null
  /** null: the effort is plausible. */
  readonly implausibleReason: ImplausibleReason | null
  readonly isRecord: boolean | null
  readonly counts: boolean
  /** The time of a race over its official distance. */
  readonly isRaceResult: boolean
}

/**
 * Why an effort that only an archive has is implausible. It has no samples to check, so it is compared with the world
 * record.
 */
function archivedReason({
  distanceIndex,
  timeMs,
}: Pick<JudgedEffort, 'distanceIndex' | 'timeMs'>): ImplausibleReason | null {
  return timeMs < fastestEverMs(distanceIndex) ? 'fasterThanRecord' : null
}

function fastestEverMs(distanceIndex: number): number {
  return Math.round(1000 * (STANDARD_DISTANCES[distanceIndex]?.fastestS ?? 0))
}

/** SQL: the world record of a distance, milliseconds. @param index SQL of the distance index */
export function fastestEver(index: string): string {
  return `CASE ${index} ${STANDARD_DISTANCES.map((_, at) => `WHEN ${at} THEN ${fastestEverMs(at)}`).join(' ')} END`
}

/** Index of the standard distance with so many metres, as in a path; null: there is none. */
export function distanceIndexOf(metres: unknown): number | null {
  const index = STANDARD_DISTANCES.findIndex(({ distanceM }) => String(distanceM) === metres)
  return index === -1 ? null : index
}

/**
 * The efforts computed from the samples of a workout, by distance, and those from archives at distances where the
 * samples give none.
 */
export function judgedEfforts(tx: Tx, workoutId: string): JudgedEffort[] {
  const workout = tx.select({ leftOut: workouts.leftOut }).from(workouts).where(eq(workouts.id, workoutId)).get()
  const decided = tx.select().from(effortWords).where(eq(effortWords.workoutId, workoutId)).all()
  const words = new Map(decided.map(({ distanceIndex, isRecord }) => [distanceIndex, isRecord]))
  const own = tx.select().from(workoutBestEfforts).where(eq(workoutBestEfforts.workoutId, workoutId)).all()
  const archived = tx.select().from(archivedBestEfforts).where(eq(archivedBestEfforts.workoutId, workoutId)).all()
  const others = archived
    .filter(({ distanceIndex }) => own.every((effort) => effort.distanceIndex !== distanceIndex))
    .map((effort) => ({ ...effort, startMs: null, implausibleReason: archivedReason(effort) }))
  const races = raced(tx)
    .efforts.filter(({ id, distanceIndex }) => id === workoutId && distanceIndex >= 0)
    .map(({ distanceIndex, timeMs }) => ({
      distanceIndex,
      timeMs,
      startMs: 0,
      implausibleReason: null,
      isRaceResult: true,
    }))
  const measured = [...own, ...others].filter((one) => races.every((race) => race.distanceIndex !== one.distanceIndex))
  return [...measured.map((one) => ({ ...one, isRaceResult: false })), ...races]
    .toSorted((a, b) => a.distanceIndex - b.distanceIndex)
    .map(({ distanceIndex, timeMs, startMs, implausibleReason, isRaceResult }) => {
      const isRecord = words.get(distanceIndex) ?? null
      const counts = workout?.leftOut === false && (isRecord ?? implausibleReason === null)
      return { distanceIndex, timeMs, startMs, implausibleReason, isRecord, counts, isRaceResult }
    })
}
