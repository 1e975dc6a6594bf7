/** Properties of one number of a run. */
interface NumberRow {
  /** Name of the device's total that may supply it; null: devices state none. */
  readonly total: string | null
  /** Decimals that the stored value is rounded to. */
  readonly decimals: 0 | 1 | 2 | 3
  /** As the API document describes it, with what null means. */
  readonly meaning: string
  /** false: a treadmill run never has it, whatever the device states. */
  readonly onTreadmill: boolean
}

/**
 * THE table of a run's numbers, in the order in which they are served, and their names everywhere: columns, the workout
 * object, what a later recording fills in, archive rows and their restore follow from it.
 */
export const NUMBERS = {
  durationS: { total: 'elapsedS', decimals: 0, meaning: 'Elapsed seconds, pauses included', onTreadmill: true },
  movingTimeS: { total: 'movingS', decimals: 0, meaning: 'Seconds without stops; null: unknown', onTreadmill: true },
  timerTimeS: {
    total: 'timerS',
    decimals: 0,
    meaning: 'Seconds that the timer of the device ran; null: its format has no timer',
    onTreadmill: true,
  },
  distanceM: { total: 'distanceM', decimals: 2, meaning: 'Metres', onTreadmill: true },
  avgPaceS: {
    total: null,
    decimals: 2,
    meaning: 'Seconds per km of the elapsed time, whatever the unit preference; 0 without distance or time',
    onTreadmill: true,
  },
  gapPaceS: {
    total: null,
    decimals: 2,
    meaning: 'Grade-adjusted seconds per km; null: no usable elevation or distance',
    onTreadmill: false,
  },
  // a total of climb counts only from a table or an entry, where no altitude was recorded; a FIT file's climb stays in
  // the raw data
  elevGainM: {
    total: 'elevGainM',
    decimals: 1,
    meaning: 'Metres of climb, smoothed; 0 on a flat run; null: no elevation data',
    onTreadmill: false,
  },
  elevLossM: {
    total: 'elevLossM',
    decimals: 1,
    meaning: 'Metres of descent, smoothed; 0 on a flat run; null: no elevation data',
    onTreadmill: false,
  },
  minElevM: {
    total: 'minElevM',
    decimals: 1,
    meaning: 'Lowest elevation in metres; null: no elevation data',
    onTreadmill: false,
  },
  maxElevM: {
    total: 'maxElevM',
    decimals: 1,
    meaning: 'Highest elevation in metres; null: no elevation data',
    onTreadmill: false,
  },
  maxSpeedMps: {
    total: 'maxSpeedMps',
    decimals: 3,
    meaning: 'Highest mean over 5 s, m/s, at most 12.5; null: unknown',
    onTreadmill: true,
  },
  avgSpeedMps: {
    total: 'avgSpeedMps',
    decimals: 3,
    meaning: 'Mean speed in m/s, distance by elapsed time; null: unknown',
    onTreadmill: true,
  },
  maxHeartRateBpm: {
    total: 'maxHeartRateBpm',
    decimals: 0,
    meaning: "Beats per minute: the device's total, else from the samples; null: no heart rate",
    onTreadmill: true,
  },
  avgHeartRateBpm: {
    total: 'avgHeartRateBpm',
    decimals: 0,
    meaning: "Beats per minute: the device's total, else time-weighted from the samples; null: no heart rate",
    onTreadmill: true,
  },
  minHeartRateBpm: {
    total: 'minHeartRateBpm',
    decimals: 0,
    meaning: "Beats per minute: the device's total, else from the samples; null: no heart rate",
    onTreadmill: true,
  },
  maxCadenceRpm: {
    total: 'maxCadenceRpm',
    decimals: 0,
    meaning: 'Revolutions per minute, one foot; null: no cadence',
    onTreadmill: true,
  },
  avgCadenceRpm: {
    total: 'avgCadenceRpm',
    decimals: 0,
    meaning: 'Revolutions per minute, one foot (about 85); null: no cadence',
    onTreadmill: true,
  },
  maxCadenceSpm: {
    total: null,
    decimals: 0,
    meaning: 'Steps per minute, both feet; null: no cadence',
    onTreadmill: true,
  },
  avgCadenceSpm: {
    total: null,
    decimals: 0,
    meaning: 'Steps per minute, both feet (about 170); null: no cadence',
    onTreadmill: true,
  },
  maxPowerWatts: { total: 'maxPowerW', decimals: 0, meaning: 'Watts; null: no power', onTreadmill: true },
  avgPowerWatts: { total: 'avgPowerW', decimals: 0, meaning: 'Watts; null: no power', onTreadmill: true },
  calories: { total: 'caloriesKcal', decimals: 0, meaning: 'Kilocalories; null: unknown', onTreadmill: true },
  relativeEffort: {
    total: null,
    decimals: 0,
    meaning: 'Sum of the minutes in each heart-rate zone times its number, 1 to 5; null: no heart rate',
    onTreadmill: true,
  },
} as const satisfies Readonly<Record<string, NumberRow>>

export type NumberName = keyof typeof NUMBERS
export const NUMBER_NAMES = Object.keys(NUMBERS) as readonly NumberName[]

/** Numbers that every run has. */
export const NEEDED = ['durationS', 'distanceM', 'avgPaceS'] as const satisfies readonly NumberName[]
export type NeededNumber = (typeof NEEDED)[number]

/** Whole seconds in zones 1 to 5. */
export type ZoneSeconds = readonly [number, number, number, number, number]

/** The numbers of one run, rounded as the table says; null: unknown. */
export type Numbers = { readonly [K in NumberName]: K extends NeededNumber ? number : number | null } & {
  readonly hrZoneSeconds: ZoneSeconds | null
}

/** What one source (file, table row or the runner) states of the numbers, unrounded; absent or null: nothing. */
export type Said = { readonly [K in NumberName]?: number | null | undefined } & {
  readonly hrZoneSeconds?: ZoneSeconds | null
}

/** Totals of the whole run as a device or a table states them, in the units of the numbers; null: not stated. */
export type DeviceTotals = {
  readonly [K in NonNullable<(typeof NUMBERS)[NumberName]['total']>]: number | null
}

export const NO_TOTALS = Object.fromEntries(
  NUMBER_NAMES.flatMap((name) => NUMBERS[name].total ?? []).map((total) => [total, null]),
) as DeviceTotals

/** The totals of a device or a table under the names of the numbers; missing ones are left out. */
export function saidTotals(totals: DeviceTotals): Said {
  const said: { [K in NumberName]?: number } = {}
  for (const name of NUMBER_NAMES) {
    const { total } = NUMBERS[name]
    const value = total === null ? null : totals[total]
    if (value !== null) said[name] = value
  }
  return said
}

/** A record with one value for every number. */
export function eachNumber<T>(make: (name: NumberName) => T): Record<NumberName, T> {
  return Object.fromEntries(NUMBER_NAMES.map((name) => [name, make(name)])) as Record<NumberName, T>
}
