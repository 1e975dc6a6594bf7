import type { Static } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import { notFound } from '../../base/errors.ts'
import type { Db } from '../../db/open.ts'
import { workouts } from '../../db/schema.ts'
import { shoes } from '../../db/schema-account.ts'
import type { Deps } from '../../library/deps.ts'
import { splitObjects } from '../../library/derive.ts'
import { isJoined, mergeOf, neededHead, recordingIds } from '../../library/documents/run.ts'
import { joinedPieces, NO_RAW_DATA, type TextPieces, workoutRawData } from '../../library/files/raw-data.ts'
import { fieldSources } from '../../library/merging/merge.ts'
import { recordingsByIds, storedTrack } from '../../library/recordings.ts'
import { suggestedTypes } from '../../library/training/suggested-types.ts'
import { servedWeather } from '../../library/weather.ts'
import { memberTexts, objectText } from '../../workers/json-text.ts'
import { WORKOUT_COLUMNS, workoutObject } from './fields.ts'
import { nearest } from './samples/samples.ts'
import type { DetailParameters } from './schemas.ts'

/** Parts of the detail to leave out; each becomes null. */
interface DetailParts {
  readonly includeRaw: boolean
  readonly includeRoute: boolean
}

/** The detail object without its route and the three raw members, and whether there is a route. @throws AppError 404 */
function workoutDetail({ db, loads }: Pick<Deps, 'db' | 'loads'>, id: string) {
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
  const { route: _preview, ...plain } = workoutObject(
    columns,
    suggestedTypes(db, [id], loads.fitness()?.fit ?? null).get(id) ?? null,
  )
  return {
    isRouted: columns.routePreview !== null,
    detail: { ...plain, notes, shoe, splits: splitObjects(db, id), weather: servedWeather(weather), ...madeOf(db, id) },
  }
}

/** How many recordings a run is made of, what was corrected in them, and of a merged one where its channels come from. */
function madeOf(db: Db, id: string) {
  const { track, choices } = neededHead(db, id).body
  const recordings = recordingsByIds(db, recordingIds(track))
  const isMerged = !isJoined(track) && mergeOf(track) !== undefined
  return {
    sources: recordings.length,
    corrections: recordings.flatMap(({ corrections }) => corrections).length,
    stated: choices?.stated ?? false,
    fieldSources: isMerged ? fieldSources(recordings, track) : null,
  }
}

interface Status {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** The detail object as a response. @throws AppError 404 */
export async function detailResponse(
  deps: Deps,
  id: string,
  { includeRaw = true, includeRoute = true }: Static<typeof DetailParameters>,
  how: Status = {},
): Promise<Response> {
  return jsonResponse(await workoutDetailJson(deps, id, { includeRaw, includeRoute }), how)
}

export function jsonResponse(text: string | TextPieces, { status = 200, headers = {} }: Status = {}): Response {
  // pieces are combined as they are, since joining them to one text would copy everything
  const body = typeof text === 'string' ? text : new Blob([...text])
  return new Response(body, { status, headers: { 'Content-Type': 'application/json', ...headers } })
}

/** The detail as JSON text, with raw data inserted as text, and null for parts that are left out. @throws AppError 404 */
export async function workoutDetailJson(
  deps: Pick<Deps, 'db' | 'config' | 'log' | 'worker' | 'loads'>,
  id: string,
  { includeRaw, includeRoute }: DetailParts,
): Promise<TextPieces> {
  const { db, config, log, worker, loads } = deps
  await loads.upToDate()
  const { detail, isRouted } = workoutDetail(deps, id)
  const whenDamaged = (cause: unknown) => log.error(`The raw data of the workout ${id} is damaged`, cause)
  const library = { db, dataDir: config.dataDir, worker }
  // read first, so that a long original is not parsed while the text of its route is in memory
  const raw = includeRaw ? await workoutRawData(library, id, whenDamaged) : NO_RAW_DATA
  const route = isRouted && includeRoute ? await routePieces(deps, id) : ['null']
  return joinedPieces([...objectText({ ...memberTexts(detail), route, ...raw })])
}

/** Every position of the cleaned samples as a GeoJSON LineString; `null` for fewer than two. */
async function routePieces({ db, worker }: Pick<Deps, 'db' | 'worker'>, id: string): Promise<TextPieces> {
  const stored = storedTrack(db, id)
  return [stored === null ? 'null' : (await nearest(worker, stored).ask('route', stored)).text]
}
