import { RUN_TYPES } from '../../engine/limits.ts'
import { METRES_PER_FOOT, METRES_PER_KM } from '../../engine/units.ts'
import { distanceUnit, type PaceClock, type Units, unitLengthM } from '../format.ts'
import { TERMS } from '../words.ts'

/** Filter value for runs without a type or shoe. */
export const NONE = 'none'
export const SORTS = [
  ['startedAt', 'Date'],
  ['distance', TERMS.distance],
  ['duration', TERMS.time],
  ['pace', TERMS.pace],
  ['elevation', TERMS.elevationGain],
  ['heartrate', TERMS.heartRate],
  ['load', TERMS.load],
  ['name', 'Name'],
] as const

export type SortKey = (typeof SORTS)[number][0]

/** What the list can be bounded by: suffix in the address, suffix of the service, label. */
export const RANGES = [
  ['', 'DistanceM', TERMS.distance],
  ['Pace', 'PaceS', TERMS.pace],
  ['Hr', 'HeartRateBpm', TERMS.averageHr],
  ['Climb', 'ElevGainM', TERMS.elevationGain],
  ['Load', 'Load', TERMS.load],
] as const

type RangeName = (typeof RANGES)[number][0]

/** Empty: no filter. The names are those of the address, except `search`. */
export const NO_FILTERS = {
  search: '',
  /** Local days, `yyyy-MM-dd`. */
  from: '',
  to: '',
  /** In the reader's unit, as typed. */
  min: '',
  max: '',
  minPace: '',
  maxPace: '',
  minHr: '',
  maxHr: '',
  minClimb: '',
  maxClimb: '',
  minLoad: '',
  maxLoad: '',
  /** `none`: those without a type. */
  type: '',
  /** Id of a shoe; `none`: those without a shoe. */
  shoe: '',
  /** Part of its name. */
  device: '',
  /** `yes`: only runs that count in statistics, as a bar that leads here does. */
  counted: '',
}

type FilterKey = keyof typeof NO_FILTERS
const FILTER_KEYS = Object.keys(NO_FILTERS) as FilterKey[]

/** Filters of the list of runs; they are in the address, so that going back restores them. */
export type Filters = Readonly<Record<FilterKey, string>> & { readonly sort: SortKey; readonly isAscending: boolean }

/** Runs that the list loads at a time. */
export const PAGE_SIZE = 50
/** A pace of 300.4 s is shown as 5:00, so it is at most 5:00. */
const PACE_ROUNDING_S = 0.49

/** Sort keys of the service for time and pace when moving time is displayed. */
const MOVING_SORTS: Readonly<Partial<Record<SortKey, string>>> = { duration: 'movingtime', pace: 'movingpace' }

export function filtersOf(query: URLSearchParams): Filters {
  const get = (key: string) => query.get(key) ?? ''
  const day = (key: string) => (/^\d{4}-\d{2}-\d{2}$/.test(get(key)) ? get(key) : '')
  const sort = SORTS.find(([key]) => key === get('sort'))?.[0] ?? 'startedAt'
  return {
    ...(Object.fromEntries(FILTER_KEYS.map((key) => [key, get(key)])) as Record<FilterKey, string>),
    search: get('q'),
    from: day('from'),
    to: day('to'),
    type: [...RUN_TYPES, NONE].find((type) => type === get('type')) ?? '',
    counted: get('counted') === 'yes' ? 'yes' : '',
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
  return FILTER_KEYS.some((key) => filters[key] !== '')
}

/** The counted runs from one local day to another, which a bar or a total leads to. */
export function daysPath(from: string, to: string): string {
  return `/app/runs?from=${from}&to=${to}&counted=yes`
}

/** The address of a page of the list. */
export function runsPath(filters: Filters, page: number): string {
  return `/app/runs${addressQuery(filters, page)}`
}

/** The address of a run within a list, which provides its neighbours and the way back. */
export function runPath(id: string, filters: Filters): string {
  return `/app/runs/${id}${addressQuery(filters, 1)}`
}

function addressQuery({ search, sort, isAscending, ...filters }: Filters, page: number): string {
  const query = queryOf({
    q: search,
    ...filters,
    sort: sort === 'startedAt' ? '' : sort,
    order: isAscending === isUsuallyAscending(sort) ? '' : isAscending ? 'asc' : 'desc',
    page: page === 1 ? '' : String(page),
  }).toString()
  return query === '' ? '' : `?${query}`
}

/** A query of what is not empty. */
function queryOf(values: Readonly<Record<string, string>>): URLSearchParams {
  return new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ''))
}

/** The reader's settings, which determine the meaning of bounds and of the order. */
interface ListReader {
  readonly units: Units
  readonly clock: PaceClock
}

/** The call for a page of the list. */
export function listPath(filters: Filters, page: number, reader: ListReader): `/workouts?${string}` {
  const query = callQuery(filters, reader)
  query.set('page', String(page))
  query.set('pageSize', String(PAGE_SIZE))
  return `/workouts?${query}`
}

/** The call for the runs before and after one in its list. */
export function neighboursPath(
  id: string,
  filters: Filters,
  reader: ListReader,
): `/workouts/${string}/neighbours?${string}` {
  return `/workouts/${id}/neighbours?${callQuery(filters, reader)}`
}

function callQuery(filters: Filters, { units, clock }: ListReader): URLSearchParams {
  const { search, from, to, type, shoe, device, counted, sort, isAscending } = filters
  const bounds = RANGES.flatMap(([name, called]) =>
    (['min', 'max'] as const).map((side) => {
      const value = boundOf(name, filters[`${side}${name}`], units)
      const key = name === 'Pace' && clock === 'moving' ? 'MovingPaceS' : called
      const rounding = name === 'Pace' && side === 'max' ? PACE_ROUNDING_S : 0
      return [`${side}${key}`, value === null ? '' : String(value + rounding)] as const
    }),
  )
  return queryOf({
    sortBy: (clock === 'moving' ? MOVING_SORTS[sort] : undefined) ?? sort,
    sortOrder: isAscending ? 'asc' : 'desc',
    search,
    runType: type,
    shoeId: shoe,
    device,
    leftOut: counted === '' ? '' : 'false',
    // days as the statistics count them
    ...(from + to === '' ? {} : { days: 'local', timezoneOffsetMinutes: String(-new Date().getTimezoneOffset()) }),
    startDate: from,
    endDate: to,
    ...Object.fromEntries(bounds),
  })
}

/** What was typed, in the unit of the service; null: not a number. */
export function boundOf(name: RangeName, typed: string, units: Units): number | null {
  const pieces = typed.trim().replace(',', '.').split(':').map(Number)
  const [first = Number.NaN, seconds = 0] = pieces
  if (typed.trim() === '' || pieces.length > (name === 'Pace' ? 2 : 1) || !Number.isFinite(first + seconds)) return null
  if (name === '') return Math.round(first * unitLengthM(units))
  if (name === 'Pace') return Math.round(((first * 60 + seconds) * METRES_PER_KM) / unitLengthM(units))
  return name === 'Climb' && units === 'imperial' ? Math.round(first * METRES_PER_FOOT) : first
}

/** Unit of what is typed. */
export function rangeUnit(name: RangeName, units: Units): string {
  if (name === '') return distanceUnit(units)
  if (name === 'Pace') return `/${distanceUnit(units)}`
  if (name === 'Climb') return units === 'metric' ? 'm' : 'ft'
  return name === 'Hr' ? 'bpm' : ''
}
