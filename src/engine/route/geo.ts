/** WGS84: semi-major axis, m; first eccentricity squared; flattening; semi-minor axis, m. */
export const AXIS_M = 6378137
export const ECCENTRICITY_2 = 0.00669437999014
const FLATTENING = 1 / 298.257223563
const MINOR_AXIS_M = AXIS_M * (1 - FLATTENING)
export const RAD_PER_DEG = Math.PI / 180
/** Metres per degree of latitude on the mean sphere, for shapes and cells: an ellipsoid would gain nothing. */
export const METRES_PER_DEGREE = 111_195
/** The plane approximation is exact to 1.5e-6 up to this distance, and up to this latitude. */
const LOCAL_LIMIT_M = 10_000
const LOCAL_LIMIT_RAD = 85 * RAD_PER_DEG

/**
 * Distance on the WGS84 ellipsoid, metres, the short way round the antimeridian. Up to 10 km the ellipsoid's radii at
 * the mid-latitude make a plane (within 1.5e-6 of Vincenty, measured for |lat| < 75); beyond, and near the poles,
 * Vincenty.
 * @param latA degrees, as all four
 */
export function distanceBetweenM(latA: number, lonA: number, latB: number, lonB: number): number {
  const phi = ((latA + latB) / 2) * RAD_PER_DEG
  const sine = Math.sin(phi)
  const w = 1 - ECCENTRICITY_2 * sine * sine
  const eastRadiusM = AXIS_M / Math.sqrt(w)
  const northRadiusM = (eastRadiusM * (1 - ECCENTRICITY_2)) / w
  const northM = northRadiusM * (latB - latA) * RAD_PER_DEG
  const eastM = eastRadiusM * Math.cos(phi) * wrappedDeg(lonB - lonA) * RAD_PER_DEG
  const localM = Math.sqrt(northM * northM + eastM * eastM)
  if (localM <= LOCAL_LIMIT_M && Math.abs(phi) <= LOCAL_LIMIT_RAD) return localM
  return vincentyM(latA, lonA, latB, lonB)
}

/** On the WGS84 ellipsoid; has a lower limit, so that a route over a pole does not divide by zero. */
export function metresPerDegreeEast(latDeg: number): number {
  const sine = Math.sin(latDeg * RAD_PER_DEG)
  const radiusM = AXIS_M / Math.sqrt(1 - ECCENTRICITY_2 * sine * sine)
  return Math.max(1, radiusM * Math.cos(latDeg * RAD_PER_DEG) * RAD_PER_DEG)
}

/** A difference of longitudes as the short way round, -180..180 degrees. */
export function wrappedDeg(differenceDeg: number): number {
  if (differenceDeg >= -180 && differenceDeg <= 180) return differenceDeg
  return differenceDeg - 360 * Math.round(differenceDeg / 360)
}

/**
 * Inverse geodesic (Vincenty 1975, Survey Review 23(176)), exact to 0.5 mm. Nearly antipodal points, where the
 * iteration does not settle, get the great circle on the mean radius.
 */
function vincentyM(latA: number, lonA: number, latB: number, lonB: number): number {
  const l = wrappedDeg(lonB - lonA) * RAD_PER_DEG
  const u1 = Math.atan((1 - FLATTENING) * Math.tan(latA * RAD_PER_DEG))
  const u2 = Math.atan((1 - FLATTENING) * Math.tan(latB * RAD_PER_DEG))
  const [sinU1, cosU1, sinU2, cosU2] = [Math.sin(u1), Math.cos(u1), Math.sin(u2), Math.cos(u2)]
  let lambda = l
  for (let round = 0; round < 100; round += 1) {
    const sinLambda = Math.sin(lambda)
    const cosLambda = Math.cos(lambda)
    const east = cosU2 * sinLambda
    const north = cosU1 * sinU2 - sinU1 * cosU2 * cosLambda
    const sinSigma = Math.sqrt(east * east + north * north)
    if (sinSigma === 0) return 0
    const cosSigma = sinU1 * sinU2 + cosU1 * cosU2 * cosLambda
    const sigma = Math.atan2(sinSigma, cosSigma)
    const sinAlpha = (cosU1 * cosU2 * sinLambda) / sinSigma
    const cos2Alpha = 1 - sinAlpha * sinAlpha
    // On the equator alpha is 90 degrees and the term vanishes.
    const cos2SigmaM = cos2Alpha === 0 ? 0 : cosSigma - (2 * sinU1 * sinU2) / cos2Alpha
    const c = (FLATTENING / 16) * cos2Alpha * (4 + FLATTENING * (4 - 3 * cos2Alpha))
    const inner = cos2SigmaM + c * cosSigma * (-1 + 2 * cos2SigmaM * cos2SigmaM)
    const next = l + (1 - c) * FLATTENING * sinAlpha * (sigma + c * sinSigma * inner)
    if (Math.abs(next - lambda) < 1e-12) return arcM(sigma, cos2SigmaM, cos2Alpha)
    lambda = next
  }
  const haversine =
    Math.sin(((latB - latA) * RAD_PER_DEG) / 2) ** 2 +
    Math.cos(latA * RAD_PER_DEG) * Math.cos(latB * RAD_PER_DEG) * Math.sin(l / 2) ** 2
  return ((2 * AXIS_M + MINOR_AXIS_M) / 3) * 2 * Math.asin(Math.min(1, Math.sqrt(haversine)))
}

function arcM(sigma: number, cos2SigmaM: number, cos2Alpha: number): number {
  const uSquared = (cos2Alpha * (AXIS_M * AXIS_M - MINOR_AXIS_M * MINOR_AXIS_M)) / (MINOR_AXIS_M * MINOR_AXIS_M)
  const a = 1 + (uSquared / 16384) * (4096 + uSquared * (-768 + uSquared * (320 - 175 * uSquared)))
  const b = (uSquared / 1024) * (256 + uSquared * (-128 + uSquared * (74 - 47 * uSquared)))
  const sinSigma = Math.sin(sigma)
  const square = cos2SigmaM * cos2SigmaM
  const tail = (b / 6) * cos2SigmaM * (-3 + 4 * sinSigma * sinSigma) * (-3 + 4 * square)
  const deltaSigma = b * sinSigma * (cos2SigmaM + (b / 4) * (Math.cos(sigma) * (-1 + 2 * square) - tail))
  return MINOR_AXIS_M * a * (sigma - deltaSigma)
}

/** Length of a vector on a plane; Math.hypot would depend on the platform. */
export function lengthOf(x: number, y: number): number {
  return Math.sqrt(x * x + y * y)
}
