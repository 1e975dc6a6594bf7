export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/**
 * Points of a route within a box, north up. A degree of longitude is shorter by the cosine of the latitude, which keeps
 * the proportions of the shape.
 * @param coordinates [longitude, latitude]
 * @returns points in the unit of the box, and how much of it a degree of latitude is
 */
export function fittedRoute(
  coordinates: readonly (readonly number[])[],
  box: Box,
): { readonly points: [x: number, y: number][]; readonly perDegree: number } {
  const squeeze = Math.cos(((coordinates[0]?.[1] ?? 0) * Math.PI) / 180)
  const xs = unwrapped(coordinates.map(([lon = 0]) => lon)).map((lon) => lon * squeeze)
  const ys = coordinates.map(([, lat = 0]) => -lat)
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - top]
  const scale = Math.min(box.width / (width || 1e-9), box.height / (height || 1e-9))
  const x = (value: number) => (value - left - width / 2) * scale + box.x + box.width / 2
  const y = (value: number) => (value - top - height / 2) * scale + box.y + box.height / 2
  return { points: xs.map((value, index) => [x(value), y(ys[index] ?? 0)]), perDegree: scale }
}

/** Longitudes that continue beyond ±180° where the route crosses the date line, so that it stays in one piece. */
export function unwrapped(lons: readonly number[]): number[] {
  let turns = 0
  return lons.map((lon, index) => {
    const step = lon - (lons[index - 1] ?? lon)
    if (Math.abs(step) > 180) turns -= Math.sign(step)
    return lon + turns * 360
  })
}
