import { RUN_TYPES } from '../../engine/limits.ts'
import { DAY_MS } from '../../engine/units.ts'
import { localDay } from '../format.ts'
import type { Frame } from '../run/map/map-drawing.ts'
import { latitudeAt, type View, worldY } from '../run/map/projection.ts'
import type { Answer } from '../types.ts'

// What the map shows is in its address, so that going back restores it: the view, and which runs.

/** Which runs; empty: all. */
export interface MapFilter {
  /** `2025`, or `30` for the last 30 days. */
  readonly time: string
  readonly type: string
  /** Id of a shoe. */
  readonly shoe: string
  /** `squares` or `photos`; empty: the heat map. */
  readonly layer: string
}

/** `layer` of the squares. */
export const SQUARES = 'squares'
/** `layer` of the photos on the heat map. */
export const PHOTOS = 'photos'
/** `time` of the last 30 days. */
export const LATELY = '30'
const TILE_PX = 256

export function filterOf(query: URLSearchParams): MapFilter {
  const time = query.get('time') ?? ''
  return {
    time: /^(\d{4}|30)$/.test(time) ? time : '',
    type: RUN_TYPES.find((type) => type === query.get('type')) ?? '',
    shoe: query.get('shoe') ?? '',
    layer: [SQUARES, PHOTOS].find((layer) => layer === query.get('layer')) ?? '',
  }
}

/** The view of an address, as `at=lat,lon,zoom`; null: it has none. */
export function viewOf(query: URLSearchParams): View | null {
  const [lat = Number.NaN, lon = Number.NaN, zoom = Number.NaN] = (query.get('at') ?? '').split(',').map(Number)
  if (!(Math.abs(lat) <= 90 && Math.abs(lon) <= 180 && zoom >= 0 && zoom <= 20)) return null
  return viewAt({ lat, lon }, zoom)
}

export function viewAt({ lat, lon }: { readonly lat: number; readonly lon: number }, zoom: number): View {
  return { x: lon / 360 + 0.5, y: worldY(lat), scale: TILE_PX * 2 ** zoom }
}

/** Where a pixel is, degrees. */
export function spotOf({ x, y }: Pick<View, 'x' | 'y'>): { readonly lat: number; readonly lon: number } {
  return { lat: latitudeAt(y), lon: ((((x % 1) + 1) % 1) - 0.5) * 360 }
}

/** @param view null: the usual one */
export function mapPath({ time, type, shoe, layer }: MapFilter, view: View | null): string {
  const query = new URLSearchParams()
  if (view !== null) {
    const { lat, lon } = spotOf(view)
    query.set('at', `${lat.toFixed(5)},${lon.toFixed(5)},${Math.log2(view.scale / TILE_PX).toFixed(2)}`)
  }
  for (const [name, value] of Object.entries({ time, type, shoe, layer })) if (value !== '') query.set(name, value)
  return `/app/map${query.size === 0 ? '' : `?${query}`}`
}

/** The query of the service. */
export function runsQuery({ time, type, shoe }: MapFilter): URLSearchParams {
  const query = new URLSearchParams()
  if (time === LATELY) query.set('startDate', localDay(new Date(Date.now() - 29 * DAY_MS).toISOString()))
  else if (time !== '') {
    query.set('startDate', `${time}-01-01`)
    query.set('endDate', `${time}-12-31`)
  }
  if (type !== '') query.set('runType', type)
  if (shoe !== '') query.set('shoeId', shoe)
  return query
}

/** A place where fewer runs start, and that has no name, is not shown. */
export const LEAST_RUNS = 3

/** A row of GET /places. */
export type Place = Answer<'/places'>['places'][number]

/** What a place is called: its own name, or of one where many runs start the one that is suggested; null: neither. */
export function nameOf({ name, suggested, runs }: Place): string | null {
  return name ?? (runs < LEAST_RUNS ? null : suggested)
}

/** Where a place is on a map, on the copy of the world that is nearest to the middle. */
export function pixelOf({ lat, lon }: Pick<Place, 'lat' | 'lon'>, { view, size }: Frame): readonly [number, number] {
  const x = lon / 360 + 0.5
  const near = x + Math.round(view.x - x)
  return [(near - view.x) * view.scale + size.width / 2, (worldY(lat) - view.y) * view.scale + size.height / 2]
}
