import { RUN_TYPES } from '../../engine/limits.ts'
import { type Units, unitLengthM } from '../format.ts'
import type { PaceClock } from '../shown-pace.ts'

/** Filter value for runs without a type or shoe. */
export const NONE = 'none'
export const SORTS = [
  ['startedAt', 'Date'],
  ['distance', 'Distance'],
  ['duration', 'Time'],
  ['pace', 'Pace'],
  ['elevation', 'Climb'],
  ['heartrate', 'Heart rate'],
  ['relativeeffort', 'Effort'],
  ['name', 'Name'],
] as const

export type SortKey = (typeof SORTS)[number][0]

/** Filters of the list of runs; they are in the address, so that going back restores them. */
export interface Filters {
  readonly search: string
  /** Local days, `yyyy-MM-dd`; empty: no limit. */
  readonly from: string
  readonly to: string
  /** In the reader's unit, as typed; empty: no limit. */
  readonly min: string
  readonly max: string
  /** Empty: all; `none`: those without a type. */
  readonly type: string
  /** Id of a shoe; empty: all; `none`: those without a shoe. */
  readonly shoe: string
  readonly sort: SortKey
  readonly isAscending: boolean
}

export const NO_FILTERS = { search: '', from: '', to: '', min: '', max: '', type: '', shoe: '' } as const

const PAGE_SIZE = 25

/** Sort keys of the service for time and pace when moving time is displayed. */
const MOVING_SORTS: Readonly<Partial<Record<SortKey, string>>> = { duration: 'movingtime', pace: 'movingpace' }

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
    type: [...RUN_TYPES, NONE].find((type) => type === get('type')) ?? '',
    shoe: get('shoe'),
    sort,
    isAscending: get('order') === 'asc' || (get('order') === '' && isUsuallyAscending(sort)),
  }
}

/** Names from A and paces from the fastest; everything else is usually descending. */
export function isUsuallyAscending(sort: SortKey): boolean {
  return sort === 'name' || sort === 'pace'
}

export function pageOf(query: URLSearchParams): number {
  const page = Number(query.get('page') ?? 1)
  return Number.isInteger(page) && page > 0 ? page : 1
}

/** The page that contains the run at a position of its list. */
export function pageOfPosition(position: number): number {
  return Math.ceil(position / PAGE_SIZE)
}

export function isFiltered(filters: Filters): boolean {
  return (Object.keys(NO_FILTERS) as (keyof typeof NO_FILTERS)[]).some((key) => filters[key] !== '')
}

/** The address of a page of the list. */
export function runsPath(filters: Filters, page: number): string {
  return `/app/runs${addressQuery(filters, page)}`
}

/** The address of a run within a list, which provides its neighbours and the way back. */
export function runPath(id: string, filters: Filters): string {
  return `/app/runs/${id}${addressQuery(filters, 1)}`
}

function addressQuery(filters: Filters, page: number): string {
  const { search, from, to, min, max, type, shoe, sort, isAscending } = filters
  const isUsualOrder = isAscending === isUsuallyAscending(sort)
  const query = new URLSearchParams(
    [
      ['q', search],
      ['from', from],
      ['to', to],
      ['min', min],
      ['max', max],
      ['type', type],
      ['shoe', shoe],
      ['sort', sort === 'startedAt' ? '' : sort],
      ['order', isUsualOrder ? '' : isAscending ? 'asc' : 'desc'],
      ['page', page === 1 ? '' : String(page)],
    ].filter((pair) => pair[1] !== ''),
  ).toString()
  return query === '' ? '' : `?${query}`
}

/** The reader's settings, which determine the meaning of bounds and of the order. */
interface ListReader {
  readonly units: Units
  readonly clock: PaceClock
}

/** The call for a page of the list. */
export function listPath(filters: Filters, page: number, reader: ListReader): string {
  const query = callQuery(filters, reader)
  query.set('page', String(page))
  query.set('pageSize', String(PAGE_SIZE))
  return `/workouts?${query}`
}

/** The call for the runs before and after one in its list. */
export function neighboursPath(id: string, filters: Filters, reader: ListReader): string {
  return `/workouts/${id}/neighbours?${callQuery(filters, reader)}`
}

/** A reader's day is sent as its first and last instant, since days without time mean UTC. */
function callQuery(filters: Filters, { units, clock }: ListReader): URLSearchParams {
  const { search, from, to, min, max, type, shoe, sort, isAscending } = filters
  const query = new URLSearchParams({
    sortBy: (clock === 'moving' ? MOVING_SORTS[sort] : undefined) ?? sort,
    sortOrder: isAscending ? 'asc' : 'desc',
  })
  const add = (key: string, value: string | null) => {
    if (value !== null && value !== '') query.set(key, value)
  }
  add('keyword', search)
  add('runType', type)
  add('shoeId', shoe)
  add('startDate', instant(from, '00:00:00.000'))
  add('endDate', instant(to, '23:59:59.999'))
  add('minDistanceM', metres(min, units))
  add('maxDistanceM', metres(max, units))
  return query
}

function instant(day: string, time: string): string | null {
  const atMs = Date.parse(`${day}T${time}`)
  return Number.isNaN(atMs) ? null : new Date(atMs).toISOString()
}

function metres(typed: string, units: Units): string | null {
  const value = Number(typed.replace(',', '.'))
  return typed.trim() === '' || !Number.isFinite(value) ? null : String(Math.round(value * unitLengthM(units)))
}
