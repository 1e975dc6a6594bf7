/** Samples at equal steps along a route. */
export interface RouteLine {
  readonly n: number
  readonly latDeg: Float64Array
  /** In one piece: counts on past 180 where the route does. The first is within -180..180. */
  readonly lonDeg: Float64Array
  /** Unit vector of the direction; zero where the route turns on the spot. */
  readonly headingEast: Float64Array
  readonly headingNorth: Float64Array
  /** Metres of a degree of longitude at each sample, and of latitude in the middle of the route. */
  readonly eastMPerDeg: Float64Array
  readonly northMPerDeg: number
}

/** A route as similarity sees it. */
export interface RoutePath extends RouteLine {
  readonly lengthM: number
  /** Passes of the route by its own samples, the sample's own included. */
  readonly selfSame: Uint16Array
  readonly selfOpposite: Uint16Array
}
