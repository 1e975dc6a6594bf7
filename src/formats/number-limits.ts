/**
 * Values from here on in text formats are not measurements; the limits of the stored grid apply afterwards. For
 * altitudes the absolute value counts; an amount is one of seconds, metres or metres per second.
 */
export const NUMBER_LIMITS = { amount: 1e9, elevM: 12_000, cadence: 500, powerW: 10_000, caloriesKcal: 1e6 } as const
