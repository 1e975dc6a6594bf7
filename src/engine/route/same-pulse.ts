/** Fewest passes that a season must have for a comparison. */
const LEAST_PASSES = 3
/** Fewest passes beyond the first of each season, which the regression of time on heart rate needs. */
const LEAST_FREEDOM = 4
/** Least mean spread of the heart rates within a season, beats per minute; with less the slope is meaningless. */
const LEAST_SPREAD_BPM = 3
/** A pass whose heart rate lies this far outside the range of a season is not compared with it. */
const BEYOND_BPM = 5
const SEASONS = ['winter', 'spring', 'summer', 'autumn'] as const
const MONTHS_A_SEASON = 3

/** A pass in one direction: its season, its time and its mean heart rate. */
export interface PulsedPass {
  /** As counted by `seasonNumber`. */
  readonly season: number
  readonly movingS: number
  readonly heartRateBpm: number
}

interface SamePulse {
  readonly season: number
  /** Number of passes in that season. */
  readonly passes: number
  /** Time that the stretch took in that season at the heart rate of this pass. */
  readonly expectedS: number
  /** Time of the pass less the expected time: negative is faster. */
  readonly differenceS: number
  /** One standard error of the difference. */
  readonly standardErrorS: number
  /** Seconds per beat; never positive. */
  readonly secondsPerBpm: number
}

/** Meteorological seasons, numbered consecutively, each of three months from December on. @param month 1 to 12 */
export function seasonNumber(year: number, month: number): number {
  return Math.floor((year * 12 + month) / MONTHS_A_SEASON)
}

/** The name of a season on this half of the globe, and the year in which it ends. */
export function seasonName(
  season: number,
  latDeg: number,
): { readonly name: (typeof SEASONS)[number]; readonly year: number } {
  const shift = latDeg < 0 ? 2 : 0
  const lastMonth = season * MONTHS_A_SEASON + MONTHS_A_SEASON - 1
  return { name: SEASONS[(season + shift) % SEASONS.length]!, year: Math.floor((lastMonth - 1) / 12) }
}

/**
 * By how much a pass was slower than the same stretch at the same heart rate in an earlier season (docs/decisions.md):
 * that of the year before, else the last one, with three passes. Time without stops is taken to fall linearly with
 * heart rate; the slope is common to all seasons (least squares about the mean of each), so that a season needs only
 * its mean.
 * @param all the passes in one direction that have a heart rate
 * @returns null when there are too few passes, the heart rates vary too little, that of the pass is outside the
 * season's range, or the slope is positive
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

type Means = ReturnType<typeof means>

/** Means of a season, and sums of squares and products about them. */
function means(season: number, passes: readonly PulsedPass[]) {
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
