import { type Units, unitLengthM } from '../format.ts'

export const RUN_TYPES = ['Race', 'Workout', 'Long Run', 'Easy Run'] as const
export const SORTS = [
  ['startedAt', 'Date'],
  ['distance', 'Distance'],
  ['duration', 'Time'],
  ['elevation', 'Climb'],
  ['relativeeffort', 'Effort'],
  ['name', 'Name'],
] as const

export type SortKey = (typeof SORTS)[number][0]

/** What the list of runs is narrowed to; it stands in the address, so that going back finds it again. */
export interface Filters {
  readonly search: string
  /** Local days, `yyyy-MM-dd`; empty: open. */
  readonly from: string
  readonly to: string
  /** In the unit of the reader, as typed; empty: open. */
  readonly min: string
  readonly max: string
  /** Empty: all. */
  readonly type: string
  readonly sort: SortKey
  readonly isAscending: boolean
}

const PAGE_SIZE = 25

export function filtersOf(query: URLSearchParams): Filters {
  const get = (key: string) => query.get(key) ?? ''
  const day = (key: string) => (/^\d{4}-\d{2}-\d{2}$/.test(get(key)) ? get(key) : '')
  const sort = SORTS.find(([key]) => key === get('sort'))?.[0] ?? 'startedAt'
  return {
    search: get('q'),
    from: day('from'),
    to: day('to'),
    min: get('min'),
    max: get('max'),
    type: RUN_TYPES.find((type) => type === get('type')) ?? '',
    sort,
    isAscending: get('order') === 'asc' || (get('order') === '' && sort === 'name'),
  }
}

export function pageOf(query: URLSearchParams): number {
  const page = Number(query.get('page') ?? 1)
  return Number.isInteger(page) && page > 0 ? page : 1
}

export function isFiltered({ search, from, to, min, max, type }: Filters): boolean {
  return [search, from, to, min, max, type].some((value) => value !== '')
}

/** The address of a page of the list. */
export function runsPath(filters: Filters, page: number): string {
  const { search, from, to, min, max, type, sort, isAscending } = filters
  const isUsualOrder = isAscending === (sort === 'name')
  const query = new URLSearchParams(
    [
      ['q', search],
      ['from', from],
      ['to', to],
      ['min', min],
      ['max', max],
      ['type', type],
      ['sort', sort === 'startedAt' ? '' : sort],
      ['order', isUsualOrder ? '' : isAscending ? 'asc' : 'desc'],
      ['page', page === 1 ? '' : String(page)],
    ].filter((pair) => pair[1] !== ''),
  ).toString()
  return query === '' ? '/app/runs' : `/app/runs?${query}`
}

/** The call behind it. A day of the reader is asked for by its first and last instant: days alone would mean UTC. */
export function listPath(filters: Filters, page: number, units: Units): string {
  const { search, from, to, min, max, type, sort, isAscending } = filters
  const query = new URLSearchParams({
    page: String(page),
    pageSize: String(PAGE_SIZE),
    sortBy: sort,
    sortOrder: isAscending ? 'asc' : 'desc',
  })
  const add = (key: string, value: string | null) => {
    if (value !== null && value !== '') query.set(key, value)
  }
  add('keyword', search)
  add('runType', type)
  add('startDate', instant(from, '00:00:00.000'))
  add('endDate', instant(to, '23:59:59.999'))
  add('minDistanceM', metres(min, units))
  add('maxDistanceM', metres(max, units))
  return `/workouts?${query}`
}

function instant(day: string, time: string): string | null {
  const atMs = Date.parse(`${day}T${time}`)
  return Number.isNaN(atMs) ? null : new Date(atMs).toISOString()
}

function metres(typed: string, units: Units): string | null {
  const value = Number(typed.replace(',', '.'))
  return typed.trim() === '' || !Number.isFinite(value) ? null : String(Math.round(value * unitLengthM(units)))
}
