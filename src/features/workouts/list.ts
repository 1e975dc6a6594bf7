import type { Static } from '@sinclair/typebox'
import {
  and,
  asc,
  between,
  count,
  desc,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  lte,
  or,
  type SQL,
  sql,
  sum,
} from 'drizzle-orm'
import { invalid, notFound } from '../../base/errors.ts'
import { folded } from '../../base/texts.ts'
import type { Db, Tx } from '../../db/open.ts'
import { workouts } from '../../db/schema.ts'
import { shoes } from '../../db/schema-account.ts'
import { parseDate, parseTimestamp } from '../../engine/calendar/timestamp.ts'
import { MAX_OFFSET_MINUTES } from '../../engine/calendar/weeks.ts'
import { PLACE_M } from '../../engine/ground/starts.ts'
import { METRES_PER_DEGREE, RAD_PER_DEG } from '../../engine/route/geo.ts'
import { DAY_MS, roundHalfUp } from '../../engine/units.ts'
import type { Deps } from '../../library/deps.ts'
import { storedPlaces } from '../../library/places.ts'
import { suggestedTypes } from '../../library/training/suggested-types.ts'
import { loadOfWorkout, WORKOUT_COLUMNS, workoutObject } from './fields.ts'
import type { ListParameters, ListQuery } from './list-schemas.ts'
import { countWhere, MOVING_TIME_S } from './queries.ts'

type Asked = Static<typeof ListParameters>
type Which = Static<typeof ListQuery>

/** Decimals that sums of metres are rounded to; smaller digits are noise of binary addition. */
const NOISE_DECIMALS = 6
/** Types are suggested for the runs of so many days. */
const SUGGESTED_DAYS = 90
const PAGE_SIZE = { standard: 20, largest: 100 }

/** Filter value for workouts without a type or a shoe. */
const NONE = 'none'
/** Moving and elapsed time count as equal when they differ by less than this, as in the page; seconds. */
const SAME_CLOCK_S = 5

/** No place's local time is further from UTC. */
const MOST_OFFSET_MS = MAX_OFFSET_MINUTES * 60_000

const movingTime = sql.raw(MOVING_TIME_S)
/** The time that the page displays for a run when the runner prefers moving time; for races it is elapsed time. */
const shownTime = sql`CASE WHEN ${workouts.runType} IS 'Race' OR ${movingTime} <= 0
    OR ${workouts.durationS} - ${movingTime} < ${sql.raw(String(SAME_CLOCK_S))}
  THEN ${workouts.durationS} ELSE ${movingTime} END`

/** Sort keys beside the start, with all names that clients use, in lower case. */
const SORTS = [
  { names: ['name'], by: sql`${workouts.nameKey}` },
  { names: ['duration', 'durations'], by: sql`${workouts.durationS}` },
  { names: ['distance', 'distancem'], by: sql`${workouts.distanceM}` },
  { names: ['elevation', 'elevgainm'], by: sql`coalesce(${workouts.elevGainM}, 0)` },
  { names: ['relativeeffort', 'relative-effort'], by: sql`coalesce(${workouts.relativeEffort}, 0)` },
  { names: ['movingtime', 'movingtimes'], by: shownTime },
  { names: ['pace', 'avgpaces'], by: sql`nullif(${workouts.avgPaceS}, 0)`, isUnknownLast: true },
  { names: ['movingpace'], by: sql`${shownTime} / nullif(${workouts.distanceM}, 0)`, isUnknownLast: true },
  { names: ['heartrate', 'avgheartratebpm'], by: sql`${workouts.avgHeartRateBpm}`, isUnknownLast: true },
  { names: ['load'], by: loadOfWorkout(), isUnknownLast: true },
] as const satisfies readonly { names: readonly string[]; by: SQL; isUnknownLast?: true }[]

/**
 * One page of the library; reads no blobs and no files.
 * @throws AppError 400 for an invalid date; 404 for a page past the end of a list that is not empty
 */
export function listWorkouts({ db, now, loads }: Pick<Deps, 'db' | 'now' | 'loads'>, asked: Asked) {
  const where = conditions(db, asked)
  const { totalCount, ...totals } = totalsWhere(db, where)
  const page = pageOf(totalCount, asked)
  // sorts narrow rows and reads whole rows only for the page: sorting ten thousand with their previews takes 45 ms
  const order = ordering(asked)
  const ids = db
    .select({ id: workouts.id })
    .from(workouts)
    .where(where)
    .orderBy(...order)
    .limit(page.pageSize)
    .offset((page.page - 1) * page.pageSize)
  const rows = db
    .select(WORKOUT_COLUMNS)
    .from(workouts)
    .where(inArray(workouts.id, ids))
    .orderBy(...order)
  const found = totalCount === 0 ? [] : rows.all()
  const sinceMs = now() - SUGGESTED_DAYS * DAY_MS
  const untyped = found.filter(({ runType, startedAt }) => runType === null && startedAt >= sinceMs)
  const suggested = suggestedTypes(
    db,
    untyped.map(({ id }) => id),
    loads.fitness()?.fit ?? null,
  )
  const items = found.map((row) => workoutObject(row, suggested.get(row.id) ?? null))
  return { items, ...page, totals }
}

/**
 * The workouts before and after one in a list with these filters.
 * @throws AppError 404 for an unknown workout; 400 for an invalid date
 */
export function neighboursOf(db: Db, id: string, asked: Which) {
  const ids = idsInOrder(db, asked)
  if (countWhere(db, eq(workouts.id, id)) === 0) throw notFound('Workout')
  const at = ids.indexOf(id)
  const neighbour = (by: number) => (at === -1 ? null : (ids[at + by] ?? null))
  return {
    previousId: neighbour(-1),
    nextId: neighbour(1),
    position: at === -1 ? null : at + 1,
    totalCount: ids.length,
  }
}

/** The matching workouts in the order asked for; faster than a window function. @throws AppError 400 for an invalid date */
export function idsInOrder(tx: Tx, asked: Which): string[] {
  const ids = tx
    .select({ id: workouts.id })
    .from(workouts)
    .where(conditions(tx, asked))
    .orderBy(...ordering(asked))
    .values()
  return ids.map(([id]) => id)
}

/** Count and totals of the matching workouts, in one scan. */
function totalsWhere(db: Db, where: SQL | undefined) {
  const { distanceM, durationS, elevGainM } = workouts
  const total = (of: typeof distanceM | typeof durationS | typeof elevGainM | SQL) =>
    sql<number>`coalesce(${sum(of)}, 0)`.mapWith(Number)
  const columns = {
    totalCount: count(),
    distanceM: total(distanceM),
    durationS: total(durationS),
    movingTimeS: total(movingTime),
    elevGainM: total(elevGainM),
  }
  const found = db.select(columns).from(workouts).where(where).get()!
  const { distanceM: metres, elevGainM: climb } = found
  return { ...found, distanceM: roundHalfUp(metres, NOISE_DECIMALS), elevGainM: roundHalfUp(climb, NOISE_DECIMALS) }
}

/** Clamps: a page below 1 is the first; a size below 1 is the standard size, one above the largest is the largest. */
export function paging(
  { page = 1, pageSize = 0 }: Pick<Asked, 'page' | 'pageSize'>,
  { standard, largest }: { readonly standard: number; readonly largest: number },
): { readonly page: number; readonly pageSize: number } {
  return { page: Math.max(1, page), pageSize: pageSize < 1 ? standard : Math.min(pageSize, largest) }
}

/** What an answer says of one page of a list. @throws AppError 404 for one past the end of a list that is not empty */
export function pageOf(totalCount: number, asked: Pick<Asked, 'page' | 'pageSize'>) {
  const { page, pageSize } = paging(asked, PAGE_SIZE)
  const totalPages = Math.ceil(totalCount / pageSize)
  if (totalPages > 0 && page > totalPages) throw notFound('Page')
  return { totalCount, page, pageSize, totalPages }
}

/**
 * Names in any case; an unknown one means the start. Without an order, the start is descending and others ascending.
 */
function ordering({ sortBy = '', sortOrder = '' }: Which): readonly SQL[] {
  const sort = SORTS.find(({ names }) => names.some((name) => name === sortBy.toLowerCase()))
  const order = sortOrder.toLowerCase()
  const direction = order === 'asc' || (order !== 'desc' && sort !== undefined) ? asc : desc
  // a second term that repeats the first would keep SQLite from using its index
  if (sort === undefined) return [direction(workouts.startedAt), asc(workouts.id)]
  const unknown = 'isUnknownLast' in sort ? [isNull(sort.by)] : []
  return [...unknown, direction(sort.by), desc(workouts.startedAt), asc(workouts.id)]
}

/** What `min…` and `max…` bound; a run without a value fits no bound. */
const BOUNDED = {
  DistanceM: sql`${workouts.distanceM}`,
  PaceS: sql`nullif(${workouts.avgPaceS}, 0)`,
  MovingPaceS: sql`${shownTime} * 1000 / nullif(${workouts.distanceM}, 0)`,
  HeartRateBpm: sql`${workouts.avgHeartRateBpm}`,
  ElevGainM: sql`${workouts.elevGainM}`,
  Load: loadOfWorkout(),
} as const

function conditions(tx: Tx, asked: Which): SQL | undefined {
  const { keyword, search, device, runType, shoeId, leftOut, updatedSince } = asked
  const parts: SQL[] = days(asked)
  for (const [name, value] of Object.entries(BOUNDED) as [keyof typeof BOUNDED, SQL][]) {
    const { [`min${name}` as const]: min = -Number.MAX_VALUE, [`max${name}` as const]: max = Number.MAX_VALUE } = asked
    // as one condition, since each would look up the load again
    if (min > -Number.MAX_VALUE || max < Number.MAX_VALUE) parts.push(between(value, min, max))
  }
  // instr instead of LIKE, so that % and _ are ordinary characters
  if (isGiven(keyword)) parts.push(sql`instr(${workouts.searchText}, ${folded(keyword)}) > 0`)
  if (isGiven(search)) parts.push(searched(tx, folded(search.trim())))
  if (isGiven(device)) parts.push(recordedBy(device))
  if (isGiven(runType))
    parts.push(runType === NONE ? isNull(workouts.runType) : eq(sql<string>`${workouts.runType}`, runType))
  if (isGiven(shoeId)) parts.push(wearing(shoeId.toLowerCase()))
  if (leftOut !== undefined) parts.push(eq(workouts.leftOut, leftOut))
  const sinceMs = bound(updatedSince, 'updatedSince', 0)
  if (sinceMs !== null)
    parts.push(sql`${workouts.id} IN (SELECT id FROM changed WHERE kind = 'workout' AND at >= ${sinceMs})`)
  parts.push(...startingNear(asked))
  return and(...parts)
}

/** Runs that a word belongs to: by what `keyword` finds, notes, shoes, or a named place where they start. */
function searched(tx: Tx, word: string): SQL {
  const has = (text: string | null) => text !== null && folded(text).includes(word)
  const noted = tx
    .select({ id: workouts.id, notes: workouts.notes })
    .from(workouts)
    .where(isNotNull(workouts.notes))
    .all()
  const pairs = tx.select({ id: shoes.id, brand: shoes.brand, model: shoes.model }).from(shoes).all()
  const ids = (of: readonly { readonly id: string }[]) =>
    sql`(SELECT value FROM json_each(${JSON.stringify(of.map(({ id }) => id))}))`
  return or(
    sql`instr(${workouts.searchText}, ${word}) > 0`,
    sql`${workouts.id} IN ${ids(noted.filter(({ notes }) => has(notes)))}`,
    sql`${workouts.shoeId} IN ${ids(pairs.filter(({ brand, model }) => has(`${brand} ${model}`)))}`,
    ...storedPlaces(tx)
      .filter(({ name }) => has(name))
      .map(({ lat, lon }) => and(...startingNear({ startLat: lat, startLon: lon, startM: PLACE_M }))),
  )!
}

/** Runs whose first position is near a place. @throws AppError 400 unless all three or none are given */
function startingNear({ startLat, startLon, startM }: Which): SQL[] {
  if (startLat === undefined && startLon === undefined && startM === undefined) return []
  if (startLat === undefined || startLon === undefined || startM === undefined)
    throw invalid('startLat, startLon and startM are given together')
  const degrees = startM / METRES_PER_DEGREE
  const east = sql`min(abs(start_lon - ${startLon}), 360 - abs(start_lon - ${startLon})) * ${Math.cos(startLat * RAD_PER_DEG)}`
  const north = sql`(start_lat - ${startLat})`
  return [
    sql`${workouts.id} IN (SELECT workout_id FROM ground WHERE start_lat BETWEEN ${startLat - degrees} AND ${startLat + degrees}
      AND ${north} * ${north} + (${east}) * (${east}) <= ${degrees * degrees})`,
  ]
}

/** Both bounds; dates with `days=local` are days of each run's own offset. */
function days({ startDate, endDate, days: frame, timezoneOffsetMinutes = 0 }: Which): SQL[] {
  const { startedAt, utcOffsetMinutes } = workouts
  const ownMs = sql`${startedAt} + 60000 * coalesce(${utcOffsetMinutes}, ${timezoneOffsetMinutes})`
  const isOwn = (text: string | undefined) => frame === 'local' && isGiven(text) && parseDate(text.trim()) !== null
  const startMs = bound(startDate, 'startDate', 0)
  const endMs = bound(endDate, 'endDate', DAY_MS - 1)
  const parts: SQL[] = []
  // the index is of the true start
  if (startMs !== null) parts.push(gte(startedAt, isOwn(startDate) ? startMs - MOST_OFFSET_MS : startMs))
  if (endMs !== null) parts.push(lte(startedAt, isOwn(endDate) ? endMs + MOST_OFFSET_MS : endMs))
  if (startMs !== null && isOwn(startDate)) parts.push(gte(ownMs, startMs))
  if (endMs !== null && isOwn(endDate)) parts.push(lte(ownMs, endMs))
  return parts
}

/** The device's part of the text that a keyword searches; `name_key` is what comes before it. */
function recordedBy(text: string): SQL {
  const { searchText, nameKey, device } = workouts
  if (text === NONE) return isNull(device)
  return sql`instr(substr(${searchText}, length(${nameKey}) + 2, length(${device})), ${folded(text)}) > 0`
}

function wearing(id: string): SQL {
  const { shoeId } = workouts
  return id === NONE
    ? sql`(${shoeId} IS NULL OR ${shoeId} NOT IN (SELECT id FROM shoe))`
    : sql`(${shoeId} = ${id} AND EXISTS (SELECT 1 FROM shoe WHERE shoe.id = ${id}))`
}

/** @param wholeDayMs added to a date without time, to include or exclude the whole day */
function bound(text: string | undefined, field: string, wholeDayMs: number): number | null {
  if (!isGiven(text)) return null
  const dayMs = parseDate(text.trim())
  if (dayMs !== null) return dayMs + wholeDayMs
  const ms = parseTimestamp(text)
  if (ms === null) throw invalid(`${field} must be a date (yyyy-MM-dd) or an ISO 8601 date-time`, { field })
  return ms
}

/** Blank counts as absent. */
function isGiven(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== ''
}
