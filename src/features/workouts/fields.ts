import type { Static } from '@sinclair/typebox'
import { getTableColumns, sql } from 'drizzle-orm'
import { workouts } from '../../db/schema.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { eachNumber, type NumberName } from '../../engine/numbers.ts'
import { LOAD_PARTS, type LoadSource } from '../../engine/training/library-loads.ts'
import type { SuggestedRunType } from '../../engine/training/suggested-type.ts'
import type { LineString } from './schemas.ts'

const all = getTableColumns(workouts)

/** The shoe that a run names, while it is there. */
export const wornShoe = sql<string | null>`(SELECT id FROM shoe WHERE shoe.id = workout.shoe_id)`

/** The columns of the workout object of docs/api.md 7.1, without blobs, files and raw data. */
export const WORKOUT_COLUMNS = {
  id: all.id,
  startedAt: all.startedAt,
  createdAt: all.createdAt,
  updatedAt: sql<number>`(SELECT at FROM changed WHERE changed.kind = 'workout' AND changed.id = workout.id)`,
  ...numberFields(),
  hrZoneSeconds: all.hrZoneSeconds,
  rpe: all.rpe,
  runType: all.runType,
  name: all.name,
  source: all.source,
  device: all.device,
  shoeId: wornShoe,
  splitsCount: all.splitsCount,
  utcOffsetMinutes: all.utcOffsetMinutes,
  leftOut: all.leftOut,
  load: loadOfWorkout(),
  loadSource: sourceOfLoad(),
  routePreview: all.routePreview,
} as const

function numberFields(): Pick<typeof all, NumberName> {
  return eachNumber((name) => all[name]) as Pick<typeof all, NumberName>
}

function ofLoad(value: string): string {
  return `(SELECT ${value} FROM workout_load WHERE workout_load.workout_id = workout.id)`
}

/**
 * Load of a workout; in its own table, since loads are computed from all runs together; null: not computed yet, or the
 * run is left out.
 */
export function loadOfWorkout() {
  return sql<number | null>`${sql.raw(ofLoad(`load / ${LOAD_PARTS}.0`))}`
}

function sourceOfLoad() {
  return sql<LoadSource | null>`${sql.raw(ofLoad('source'))}`
}

type Columns = typeof WORKOUT_COLUMNS
type WorkoutRow = {
  readonly [K in Exclude<keyof Columns, 'updatedAt' | 'load' | 'loadSource'>]: (typeof workouts.$inferSelect)[K]
} & { readonly updatedAt: number; readonly load: number | null; readonly loadSource: LoadSource | null }

/** One row in the form of the API, with the preview as its route. @param suggested null: no type is suggested */
export function workoutObject(row: WorkoutRow, suggested: SuggestedRunType | null) {
  const { routePreview, startedAt, createdAt, updatedAt, ...rest } = row
  return {
    ...rest,
    startedAt: isoTime(startedAt),
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
    suggestedRunType: suggested,
    hasRoute: routePreview !== null,
    route: routePreview === null ? null : lineString(routePreview),
  }
}

function lineString(coordinates: number[][]): Static<typeof LineString> {
  return { type: 'LineString', coordinates }
}
