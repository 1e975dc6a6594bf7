import { eq } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { repairs, workoutBestEfforts, type workoutSplits, workouts } from '../db/schema.ts'
import type { OurPart, RunnerWord, RunType } from '../db/stored.ts'
import type { Analysis, AnalyzeOptions, Zones } from '../engine/analysis.ts'
import type { Numbers } from '../engine/numbers.ts'
import type { RouteIndex } from '../workers/route-index.ts'
import { boundsOfZones } from './inputs.ts'
import { insertRouteIndex, insertSplits, numberColumns, previewColumn } from './numbers.ts'
import { insertRecording, type NewRecording } from './recordings.ts'
import { nameKey, searchText } from './search-text.ts'
import { servedWeather, weatherColumns } from './weather.ts'

type SplitRow = typeof workoutSplits.$inferInsert

/** A workout with all that belongs to it, ready to be stored: of an import, or as an archive gives it. */
export interface NewWorkout {
  readonly id: string
  readonly startedAtMs: number
  readonly createdAtMs: number
  readonly numbers: Numbers
  readonly preview: Analysis['preview']
  readonly hasHeartRate: boolean
  readonly splits: readonly SplitRow[]
  readonly bestEfforts: Analysis['bestEfforts']
  readonly routeIndex: RouteIndex | null
  readonly words: WorkoutWords
  readonly timeZone: string | null
  readonly utcOffsetMinutes: number | null
  /** JSON text. */
  readonly weather: string | null
  /** What was read out of a FIT file has a heart rate. */
  readonly hasRawHeartRate: boolean
  readonly engineVersion: number
  readonly splitUnitM: number
  readonly zones: Zones | null
  readonly elevation: AnalyzeOptions['elevation'] | null
  /** undefined: a new one. */
  readonly routeId?: string | undefined
  readonly ours: readonly OurPart[]
  readonly runnerSet: readonly RunnerWord[]
  /** In the order of their arrival; `primary` is the place of the one whose samples count. */
  readonly recordings: readonly NewRecording[]
  readonly primary: number
  /** Places of all recordings, as an archive gives them; undefined: the primary one first, the others as they arrived. */
  readonly positions?: readonly number[]
  /** As an archive gives them. */
  readonly repairs?: readonly NewRepair[]
  /** When the best efforts were computed; undefined: when the workout was created. */
  readonly calculatedAtMs?: number
}

export type NewRepair = Omit<typeof repairs.$inferSelect, 'workoutId'>

/** The words of a workout as they stand now. */
export interface WorkoutWords {
  readonly name: string | null
  readonly notes: string | null
  readonly runType: RunType | null
  readonly rpe: number | null
  readonly source: string | null
  readonly device: string | null
  readonly shoeId: string | null
}

/** Stores it with everything that belongs to it. Runs inside the caller's transaction. */
export function insertWorkout(tx: Tx, workout: NewWorkout): void {
  const { id, words, weather, numbers, splits, routeIndex, startedAtMs } = workout
  tx.insert(workouts)
    .values({
      id,
      startedAt: startedAtMs,
      createdAt: workout.createdAtMs,
      ...numberColumns(numbers),
      ...words,
      utcOffsetMinutes: workout.utcOffsetMinutes,
      timeZone: workout.timeZone,
      searchText: searchText(words.name, words.device, words.source),
      nameKey: nameKey(words.name),
      splitsCount: splits.length,
      routePreview: previewColumn(workout.preview),
      hasTimeSeriesHr: workout.hasHeartRate,
      hasRawHr: workout.hasRawHeartRate,
      ...(weather === null ? {} : { weather, ...weatherColumns(servedWeather(weather)) }),
      engineVersion: workout.engineVersion,
      splitUnitM: workout.splitUnitM,
      effortZones: workout.zones === null ? null : boundsOfZones(workout.zones),
      elevationSettings: workout.elevation,
      ours: workout.ours,
      runnerSet: workout.runnerSet,
      ...(workout.routeId === undefined ? {} : { routeId: workout.routeId }),
    })
    .run()
  let position = 1
  for (const [seq, recording] of workout.recordings.entries()) {
    const place = workout.positions?.[seq] ?? (seq === workout.primary ? 0 : position++)
    insertRecording(tx, id, { recording, seq, position: place })
  }
  for (const repair of workout.repairs ?? []) {
    tx.insert(repairs)
      .values({ ...repair, workoutId: id })
      .run()
  }
  insertSplits(tx, splits)
  const calculatedAt = workout.calculatedAtMs ?? workout.createdAtMs
  if (workout.bestEfforts.length > 0) {
    tx.insert(workoutBestEfforts)
      .values(workout.bestEfforts.map((effort) => ({ ...effort, calculatedAt, workoutId: id })))
      .run()
  }
  if (routeIndex !== null) insertRouteIndex(tx, id, { startedAtMs, index: routeIndex })
}

/** True when a workout of this id is stored. */
export function workoutExists(tx: Tx, id: string): boolean {
  return tx.select({ id: workouts.id }).from(workouts).where(eq(workouts.id, id)).get() !== undefined
}
