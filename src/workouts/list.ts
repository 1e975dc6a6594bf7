import type { Static } from '@sinclair/typebox'
import { and, asc, desc, eq, gte, inArray, lte, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/open.ts'
import { workouts } from '../db/schema.ts'
import { parseDate, parseTimestamp } from '../engine/calendar/timestamp.ts'
import { invalid, notFound } from '../errors.ts'
import { folded } from '../texts.ts'
import { WORKOUT_COLUMNS, workoutObject } from './fields.ts'
import { countWhere } from './queries.ts'
import type { ListParameters } from './schemas.ts'

type Asked = Static<typeof ListParameters>

const DAY_MS = 86_400_000
const PAGE_SIZE = { standard: 20, largest: 100 }

/** What clients may sort by beside the start, under all the names they have for it, in lower case. */
const SORTS = [
  { names: ['name'], by: sql`${workouts.nameKey}` },
  { names: ['duration', 'durations'], by: sql`${workouts.durationS}` },
  { names: ['distance', 'distancem'], by: sql`${workouts.distanceM}` },
  { names: ['elevation', 'elevgainm'], by: sql`coalesce(${workouts.elevGainM}, 0)` },
  { names: ['relativeeffort', 'relative-effort'], by: sql`coalesce(${workouts.relativeEffort}, 0)` },
] as const satisfies readonly { names: readonly string[]; by: SQL }[]

/**
 * One page of the library; reads no blob and no file.
 * @throws AppError 400 for a date that is none; 404 for a page past the end of a list that is not empty
 */
export function listWorkouts(db: Db, asked: Asked) {
  const where = conditions(asked)
  const { page, pageSize } = paging(asked, PAGE_SIZE)
  const totalCount = countWhere(db, where)
  const totalPages = Math.ceil(totalCount / pageSize)
  if (totalPages > 0 && page > totalPages) throw notFound('Page')
  // sorts narrow rows and reads only those of the page whole: sorting ten thousand with their previews takes 45 ms
  const order = ordering(asked)
  const ids = db
    .select({ id: workouts.id })
    .from(workouts)
    .where(where)
    .orderBy(...order)
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  const rows = db
    .select(WORKOUT_COLUMNS)
    .from(workouts)
    .where(inArray(workouts.id, ids))
    .orderBy(...order)
  return { items: totalCount === 0 ? [] : rows.all().map(workoutObject), totalCount, page, pageSize, totalPages }
}

/** A page below 1 is the first; a size below 1 is the standard, one above the largest is the largest. */
export function paging(
  { page = 1, pageSize = 0 }: Pick<Asked, 'page' | 'pageSize'>,
  { standard, largest }: { readonly standard: number; readonly largest: number },
): { readonly page: number; readonly pageSize: number } {
  return { page: Math.max(1, page), pageSize: pageSize < 1 ? standard : Math.min(pageSize, largest) }
}

/** Any case; anything unknown is the start; without an order the start falls and the others rise. */
function ordering({ sortBy = '', sortOrder = '' }: Asked): readonly SQL[] {
  const sort = SORTS.find(({ names }) => names.some((name) => name === sortBy.toLowerCase()))
  const order = sortOrder.toLowerCase()
  const direction = order === 'asc' || (order !== 'desc' && sort !== undefined) ? asc : desc
  // a second term that repeats the first would keep SQLite from walking its index
  if (sort === undefined) return [direction(workouts.startedAt), asc(workouts.id)]
  return [direction(sort.by), desc(workouts.startedAt), asc(workouts.id)]
}

function conditions(asked: Asked): SQL | undefined {
  const startMs = bound(asked.startDate, 'startDate', 0)
  const endMs = bound(asked.endDate, 'endDate', DAY_MS - 1)
  const { minDistanceM, maxDistanceM, keyword, runType } = asked
  const parts: SQL[] = []
  if (startMs !== null) parts.push(gte(workouts.startedAt, startMs))
  if (endMs !== null) parts.push(lte(workouts.startedAt, endMs))
  if (minDistanceM !== undefined) parts.push(gte(workouts.distanceM, minDistanceM))
  if (maxDistanceM !== undefined) parts.push(lte(workouts.distanceM, maxDistanceM))
  // instr instead of LIKE: % and _ are ordinary characters
  if (isGiven(keyword)) parts.push(sql`instr(${workouts.searchText}, ${folded(keyword)}) > 0`)
  if (isGiven(runType)) parts.push(eq(sql<string>`${workouts.runType}`, runType))
  return and(...parts)
}

/** @param wholeDayMs what a date alone reaches beyond its midnight */
function bound(text: string | undefined, field: string, wholeDayMs: number): number | null {
  if (!isGiven(text)) return null
  const dayMs = parseDate(text.trim())
  if (dayMs !== null) return dayMs + wholeDayMs
  const ms = parseTimestamp(text)
  if (ms === null) throw invalid(`${field} must be a date (yyyy-MM-dd) or an ISO 8601 date-time`)
  return ms
}

/** Blanks count as absent. */
function isGiven(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== ''
}
