// Limits of what the runner enters: the service checks them, archives are read by them, and the page keeps to them.

export const RUN_TYPES = ['Race', 'Workout', 'Long Run', 'Easy Run'] as const
export type RunType = (typeof RUN_TYPES)[number]

/** Rate of perceived exertion, least and most. */
export const RPE_RANGE = [1, 10] as const
/** Least seconds of a run, and of what a crop, a cut or a split leaves of one. */
export const SHORTEST_RUN_S = 10
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
