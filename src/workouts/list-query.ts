import { parseDate, parseTimestamp } from '../engine/calendar/timestamp.ts'
import { invalid } from '../errors.ts'
import { type ListQuery, sorting } from './list.ts'

/** The parameters of GET /workouts as they were sent; absent ones are missing. */
export interface ListParameterValues {
  readonly page?: number
  readonly pageSize?: number
  readonly startDate?: string
  readonly endDate?: string
  readonly minDistanceM?: number
  readonly maxDistanceM?: number
  readonly keyword?: string
  readonly runType?: string
  readonly sortBy?: string
  readonly sortOrder?: string
}

const DAY_MS = 86_400_000
const PAGE_SIZE = { standard: 20, largest: 100 }

/**
 * Sent parameters to one question: pages clamped, a date alone a whole UTC day, blanks ignored.
 * @throws AppError 400 for a date that is none
 */
export function listQuery(sent: ListParameterValues): ListQuery {
  return {
    ...paging(sent, PAGE_SIZE),
    startMs: bound(sent.startDate, 'startDate', 0),
    endMs: bound(sent.endDate, 'endDate', DAY_MS - 1),
    minDistanceM: sent.minDistanceM ?? null,
    maxDistanceM: sent.maxDistanceM ?? null,
    keyword: given(sent.keyword),
    runType: given(sent.runType),
    ...sorting(sent.sortBy, sent.sortOrder),
  }
}

/** A page below 1 is the first; a size below 1 is the standard, one above the largest is the largest. */
export function paging(
  { page = 1, pageSize = 0 }: { readonly page?: number; readonly pageSize?: number },
  { standard, largest }: { readonly standard: number; readonly largest: number },
): { readonly page: number; readonly pageSize: number } {
  return { page: Math.max(1, page), pageSize: pageSize < 1 ? standard : Math.min(pageSize, largest) }
}

/** @param wholeDayMs what a date alone reaches beyond its midnight */
function bound(text: string | undefined, field: string, wholeDayMs: number): number | null {
  const sent = given(text)
  if (sent === null) return null
  const dayMs = parseDate(sent.trim())
  if (dayMs !== null) return dayMs + wholeDayMs
  const ms = parseTimestamp(sent)
  if (ms === null) throw invalid(`${field} must be a date (yyyy-MM-dd) or an ISO 8601 date-time`)
  return ms
}

function given(text: string | undefined): string | null {
  return text === undefined || text.trim() === '' ? null : text
}
