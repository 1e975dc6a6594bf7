import { clock } from '../engine/intervals/summary.ts'
import { METRES_PER_FOOT, METRES_PER_KM, roundHalfUp } from '../engine/units.ts'
import { splitUnitM, type UnitPreference } from './settings.ts'

/** Quantities as texts in the runner's unit, for readers other than the page. */
export function quantities(unit: UnitPreference) {
  const isImperial = unit === 'imperial'
  const [unitM, name] = [splitUnitM(unit), isImperial ? 'mi' : 'km']
  return {
    /** Metres of a km or mile, and its name. */
    ...{ unitM, name },
    /** `12.3 km`; @param decimals of the unit */
    distance: (metres: number, decimals = 1) => `${roundHalfUp(metres / unitM, decimals).toFixed(decimals)} ${name}`,
    /** `87 m`, `285 ft` */
    climb: (metres: number) => (isImperial ? `${Math.round(metres / METRES_PER_FOOT)} ft` : `${Math.round(metres)} m`),
    /** `5:12 /km`; @param secondsPerKm whatever the unit */
    pace: (secondsPerKm: number) => `${clock((secondsPerKm * unitM) / METRES_PER_KM)} /${name}`,
  }
}
