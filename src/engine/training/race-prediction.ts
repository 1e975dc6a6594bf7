/** Beyond this distance predictions are extrapolated without any data. */
export const EXTRAPOLATED_M = 50_000
const RIEGEL_EXPONENT = 1.06

/** Seconds for another distance by Riegel's law. */
export function riegel(timeS: number, fromM: number, toM: number, exponent = RIEGEL_EXPONENT): number {
  return timeS * (toM / fromM) ** exponent
}

/** Seconds for another distance by Cameron's formula. */
export function cameron(timeS: number, fromM: number, toM: number): number {
  const f = (metres: number) => 13.49681 - 0.000030363 * metres + 835.7114 / metres ** 0.7905
  return (timeS * (toM / fromM) * f(fromM)) / f(toM)
}
