import { eq } from 'drizzle-orm'
import type { Db } from '../db/open.ts'
import { workouts } from '../db/schema.ts'
import { shoes } from '../db/schema-account.ts'
import type { Deps } from '../deps.ts'
import { roundHalfUp } from '../engine/units.ts'
import { notFound } from '../errors.ts'
import { joinedPieces, type TextPieces, workoutRawData } from '../library/files/raw-data.ts'
import { splitObjects } from '../library/numbers.ts'
import { workoutPositions } from '../library/recordings.ts'
import { servedWeather } from '../library/weather.ts'
import { lineString, WORKOUT_COLUMNS, workoutObject } from './fields.ts'

const ROUTE_DECIMALS = 7
const NO_RAW_DATA = ['"rawGpxData":null,"rawFitData":null,"rawStravaData":null']

/**
 * The detail as JSON text, with the raw data taken in as text, or as nulls when it is not wanted.
 * @throws AppError 404
 */
export async function workoutDetailJson(
  { db, config, log, analyzer }: Pick<Deps, 'db' | 'config' | 'log' | 'analyzer'>,
  id: string,
  includeRaw: boolean,
): Promise<TextPieces> {
  const detail = JSON.stringify(workoutDetail(db, id))
  const whenDamaged = (cause: unknown) => log.error(`The raw data of the workout ${id} is damaged`, cause)
  const library = { db, dataDir: config.dataDir, analyzer }
  const raw = includeRaw ? await workoutRawData(library, id, whenDamaged) : NO_RAW_DATA
  return joinedPieces([`${detail.slice(0, -1)},`, ...raw, '}'])
}

/** The detail object without the three raw members. */
function workoutDetail(db: Db, id: string) {
  const row = db
    .select({
      ...WORKOUT_COLUMNS,
      notes: workouts.notes,
      weather: workouts.weather,
      shoe: { id: shoes.id, brand: shoes.brand, model: shoes.model },
    })
    .from(workouts)
    .leftJoin(shoes, eq(shoes.id, workouts.shoeId))
    .where(eq(workouts.id, id))
    .get()
  if (row === undefined) throw notFound('Workout')
  const { notes, weather, shoe, ...columns } = row
  return {
    ...workoutObject(columns),
    route: columns.routePreview === null ? null : fullRoute(db, id),
    notes,
    shoe,
    splits: splitObjects(db, id),
    weather: servedWeather(weather),
  }
}

/** Every position of the cleaned samples, or null when fewer than two are left. */
function fullRoute(db: Db, id: string): ReturnType<typeof lineString> | null {
  const positions = workoutPositions(db, id)
  if (positions === null) return null
  const { latDeg, lonDeg } = positions
  const coordinates: number[][] = []
  for (let i = 0; i < latDeg.length; i++) {
    const lat = latDeg[i]!
    if (!Number.isNaN(lat))
      coordinates.push([roundHalfUp(lonDeg[i]!, ROUTE_DECIMALS), roundHalfUp(lat, ROUTE_DECIMALS)])
  }
  return coordinates.length < 2 ? null : lineString(coordinates)
}
