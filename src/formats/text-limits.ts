/**
 * What a number that somebody wrote as text must stay below to be a measurement; the grid's own limits come after them. Of
 * altitudes the absolute value; an amount is one of seconds, metres or metres per second.
 */
export const TEXT_LIMITS = { amount: 1e9, elevM: 12_000, cadence: 500, powerW: 10_000, caloriesKcal: 1e6 } as const

/** What is kept of the texts of a file as raw data, code points. */
export const RAW_LENGTHS = { name: 500, description: 10_000, other: 2000 } as const
