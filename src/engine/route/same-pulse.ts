/** A season has to have so many passes to be compared with. */
const LEAST_PASSES = 3
/** Passes beyond the first of each season: so many say how the time depends on the pulse. */
const LEAST_FREEDOM = 4
/** Beats per minute that the passes of a season are apart, in the mean, for the pulse to say something. */
const LEAST_SPREAD_BPM = 3
/** A pulse further than this beyond those of the season is not compared with it. */
const BEYOND_BPM = 5
const SEASONS = ['winter', 'spring', 'summer', 'autumn'] as const
const MONTHS_A_SEASON = 3

export type SeasonName = (typeof SEASONS)[number]

/** A pass on one way round: in which season it was, how long it took, and at what pulse. */
export interface PulsedPass {
  /** Of `seasonNumber`. */
  readonly season: number
  readonly movingS: number
  readonly heartRateBpm: number
}

export interface SamePulse {
  readonly season: number
  /** Passes of the season. */
  readonly passes: number
  /** What the stretch took in that season at the pulse of the pass. */
  readonly expectedS: number
  /** Of the pass, less the expected: negative is faster. */
  readonly differenceS: number
  /** One standard error of the difference. */
  readonly standardErrorS: number
  /** Seconds a beat; never positive. */
  readonly secondsPerBpm: number
}

/**
 * Counts meteorological seasons, three months each from December on: winter, spring, summer and autumn of the northern
 * half of the globe.
 * @param year of a calendar date; @param month 1 to 12
 */
export function seasonNumber(year: number, month: number): number {
  return Math.floor((year * 12 + month) / MONTHS_A_SEASON)
}

/** The name of a season, and the year in which it ends. */
export function seasonName(season: number, latDeg: number): { readonly name: SeasonName; readonly year: number } {
  const shift = latDeg < 0 ? 2 : 0
  const lastMonth = season * MONTHS_A_SEASON + MONTHS_A_SEASON - 1
  return { name: SEASONS[(season + shift) % SEASONS.length]!, year: Math.floor((lastMonth - 1) / 12) }
}

/**
 * How much longer a pass took than the stretch took at the same pulse in an earlier season (docs/algorithms.md, passes):
 * the same season of the year before where it has three passes, else the last season before that has. Time without stops
 * falls in a straight line with the pulse; its slope is common to all seasons (least squares about the mean of each), so
 * that a season needs no more than its mean to be compared with.
 * @param pass which is compared; it may be among `all`
 * @param all the passes of one way round that have a pulse
 * @returns null where too few passes, too equal pulses, a pulse out of the season's range or a slope that rises leave
 * nothing to say
 */
export function samePulse(pass: PulsedPass, all: readonly PulsedPass[]): SamePulse | null {
  const seasons = [...Map.groupBy(all, ({ season }) => season).entries()].map(([season, passes]) =>
    means(season, passes),
  )
  const freedom = seasons.reduce((sum, { n }) => sum + n - 1, 0)
  const spread = seasons.reduce((sum, { squares }) => sum + squares, 0)
  if (freedom < LEAST_FREEDOM || spread < freedom * LEAST_SPREAD_BPM ** 2) return null
  const slope = seasons.reduce((sum, { products }) => sum + products, 0) / spread
  if (slope > 0) return null
  const usable = seasons.filter(
    ({ season, n, least, most }) =>
      season < pass.season &&
      n >= LEAST_PASSES &&
      pass.heartRateBpm >= least - BEYOND_BPM &&
      pass.heartRateBpm <= most + BEYOND_BPM,
  )
  const yearBefore = pass.season - SEASONS.length
  const compared =
    usable.find(({ season }) => season === yearBefore) ??
    usable.reduce<Means | null>((last, one) => (last === null || one.season > last.season ? one : last), null)
  if (compared === null) return null

  const off = pass.heartRateBpm - compared.heartRateBpm
  const expectedS = compared.movingS + slope * off
  const errors = seasons.reduce(
    (sum, one) => sum + one.timeSquares - 2 * slope * one.products + slope ** 2 * one.squares,
    0,
  )
  const variance = Math.max(0, errors) / Math.max(1, freedom - 1)
  return {
    season: compared.season,
    passes: compared.n,
    expectedS,
    differenceS: pass.movingS - expectedS,
    standardErrorS: Math.sqrt(variance * (1 + 1 / compared.n + off ** 2 / spread)),
    secondsPerBpm: slope,
  }
}

/** Means of a season and sums about them. */
interface Means {
  readonly season: number
  readonly n: number
  readonly least: number
  readonly most: number
  readonly heartRateBpm: number
  readonly movingS: number
  readonly squares: number
  readonly products: number
  readonly timeSquares: number
}

function means(season: number, passes: readonly PulsedPass[]): Means {
  const n = passes.length
  const heartRateBpm = passes.reduce((sum, pass) => sum + pass.heartRateBpm, 0) / n
  const movingS = passes.reduce((sum, pass) => sum + pass.movingS, 0) / n
  let [least, most, squares, products, timeSquares] = [Infinity, -Infinity, 0, 0, 0]
  for (const pass of passes) {
    const beats = pass.heartRateBpm - heartRateBpm
    const seconds = pass.movingS - movingS
    least = Math.min(least, pass.heartRateBpm)
    most = Math.max(most, pass.heartRateBpm)
    squares += beats * beats
    products += beats * seconds
    timeSquares += seconds * seconds
  }
  return { season, n, least, most, heartRateBpm, movingS, squares, products, timeSquares }
}
