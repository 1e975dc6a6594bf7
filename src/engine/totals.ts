/** What the device itself says of the run; null: it does not. Whole-activity values, SI units. */
export interface DeviceTotals {
  readonly distanceM: number | null
  readonly elapsedS: number | null
  readonly timerS: number | null
  readonly movingS: number | null
  readonly avgHeartRateBpm: number | null
  readonly maxHeartRateBpm: number | null
  readonly minHeartRateBpm: number | null
  /** One foot. */
  readonly avgCadenceRpm: number | null
  readonly maxCadenceRpm: number | null
  readonly avgPowerW: number | null
  readonly maxPowerW: number | null
  readonly caloriesKcal: number | null
  /** Only from summaries without samples (Strava's CSV); FIT's own total_ascent stays in the raw data. */
  readonly elevGainM: number | null
  readonly elevLossM: number | null
  readonly minElevM: number | null
  readonly maxElevM: number | null
  readonly avgSpeedMps: number | null
  readonly maxSpeedMps: number | null
}

export const NO_TOTALS: DeviceTotals = {
  distanceM: null,
  elapsedS: null,
  timerS: null,
  movingS: null,
  avgHeartRateBpm: null,
  maxHeartRateBpm: null,
  minHeartRateBpm: null,
  avgCadenceRpm: null,
  maxCadenceRpm: null,
  avgPowerW: null,
  maxPowerW: null,
  caloriesKcal: null,
  elevGainM: null,
  elevLossM: null,
  minElevM: null,
  maxElevM: null,
  avgSpeedMps: null,
  maxSpeedMps: null,
}
