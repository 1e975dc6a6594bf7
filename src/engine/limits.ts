// Limits of what the runner enters: the service checks them, archives are read by them, and the page keeps to them.

/** More than 4 days at one a second; what has more is refused. */
export const MAX_ROWS = 400_000

export const RUN_TYPES = ['Race', 'Workout', 'Long Run', 'Easy Run'] as const
export type RunType = (typeof RUN_TYPES)[number]

/** Other services and apps whose exports are imported, as words for where a run came from. */
export const TAKEOUT_ORIGINS = [
  ...(['garmin_takeout', 'apple_health', 'zip', 'runkeeper', 'runtastic', 'polar_flow', 'nike'] as const),
  ...(['health_connect', 'fittrackee', 'endurain', 'workout_tracker', 'goldencheetah', 'health_auto_export'] as const),
] as const
export type TakeoutOrigin = (typeof TAKEOUT_ORIGINS)[number]

/** Rate of perceived exertion, least and most. */
export const RPE_RANGE = [1, 10] as const
/** Numbers of a run without a recording that are entered, least and most. */
export const ENTERED_RANGES = {
  rpe: RPE_RANGE,
  avgHeartRateBpm: [30, 250],
  maxHeartRateBpm: [30, 250],
  avgCadenceSpm: [1, 500],
  calories: [0, 100_000],
  elevGainM: [0, 100_000],
} as const
/** Least seconds of a run, and of what a crop, a cut or a split leaves of one. */
export const SHORTEST_RUN_S = 10
/** Shorter recordings count, but an import offers to exclude them from statistics. */
export const SHORT_RECORDING = { distanceM: 100, durationS: 60 } as const
/** Least seconds of a repetition that the runner sets, and most of them in one run. */
export const SHORTEST_REPETITION_S = 5
export const MOST_REPETITIONS = 200
/** Most shoes; a limit, since every list of shoes is returned whole. */
export const MOST_SHOES = 1000
/** Most metres that a shoe was run before Harrier. */
export const MOST_WORN_M = 10_000_000
/** Least and most metres at which a shoe is to be retired. */
export const RETIRE_AT_M = [1000, 100_000_000] as const
/** Most runs in one request. */
export const MOST_IDS = 10_000
/** Most places at which a run is split at once. */
export const MOST_SPLITS = 9
/** Shortest stretch of a run of which passes are found, metres. */
export const SHORTEST_STRETCH_M = 100
/** Highest load by hand. */
export const MOST_MANUAL_LOAD = 2000
/** Most days of one answer with a value for each day. */
export const MOST_DAYS = 1100
/** Most days that are looked ahead. */
export const MOST_FORECAST_DAYS = 90
/** Cards of Home and of Statistics, in the order that they have until the runner moves them; `runs` is of earlier pages. */
export const PAGE_CARDS = [
  ...(['today', 'latest', 'week', 'ahead', 'totals', 'effort', 'year', 'days', 'rolling', 'habits'] as const),
  ...(['records', 'highlights', 'runs'] as const),
] as const
export type PageCard = (typeof PAGE_CARDS)[number]

/** Characters of the name of a place. */
export const PLACE_NAME_LENGTH = 60
