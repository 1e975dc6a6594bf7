import { isPosition } from '../../engine/grid.ts'
import { roundedOrNull } from '../../engine/units.ts'
import { isObject, valueOfKey } from '../../json-object.ts'
import { parsedOrNull } from './json-rows.ts'
import { derivedIds, numberOf } from './row-fields.ts'
import { POSITION_DECIMALS } from './samples.ts'

/** The members of a route that are read. */
export const ROUTE_FIELDS = ['id', 'workoutId', 'routeGeoJson'] as const

/** Degrees; NaN where there is none. */
export interface Positions {
  readonly latDeg: Float64Array
  readonly lonDeg: Float64Array
}

/** One row of `routes.json`; null for fewer than two positions. */
export function routeText(
  { workoutId, routeId }: { readonly workoutId: string; readonly routeId: string | null },
  { latDeg, lonDeg }: Positions,
): string | null {
  const degrees = (value: number) => roundedOrNull(value, POSITION_DECIMALS)
  const points: string[] = []
  for (let i = 0; i < latDeg.length; i += 1) {
    if (Number.isNaN(latDeg[i]!)) continue
    points.push(`[${degrees(lonDeg[i]!)},${degrees(latDeg[i]!)}]`)
  }
  if (points.length < 2) return null
  const id = routeId ?? derivedIds(workoutId, 'route')(0)
  return `{"id":"${id}","workoutId":"${workoutId}","routeGeoJson":{"type":"LineString","coordinates":[${points.join(',')}]}}`
}

/** The positions of a GeoJSON LineString, as an object or as its text; null for fewer than two. */
export function geoJsonPositions(value: unknown): Positions | null {
  const geometry = typeof value === 'string' ? parsedOrNull(value) : value
  const listed = isObject(geometry) ? valueOfKey(geometry, 'coordinates') : null
  const points = (Array.isArray(listed) ? listed : []).filter(
    (point): point is [number, number] =>
      Array.isArray(point) && isPosition(numberOf(point[1]) ?? Number.NaN, numberOf(point[0]) ?? Number.NaN),
  )
  if (points.length < 2) return null
  return {
    lonDeg: Float64Array.from(points, (point) => point[0]),
    latDeg: Float64Array.from(points, (point) => point[1]),
  }
}
