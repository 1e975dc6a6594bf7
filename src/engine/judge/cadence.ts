import type { DeviceTotals } from '../numbers.ts'
import { roundHalfUp } from '../units.ts'
import type { Correction } from './correction.ts'

/** No runner keeps this many steps a minute with one foot: 230 with both. */
const MOST_ONE_FOOT_RPM = 115
/** From this share of the values on above that, both feet were counted; a sensor gives a few wrong ones at any time. */
const BOTH_FEET_SHARE = 0.2

interface Judged {
  readonly cadenceRpm: Float64Array
  readonly totals: DeviceTotals
  readonly correction: Correction | null
}

/**
 * Revolutions a minute of one foot: values that counted both feet are halved, and totals with them where they are
 * closer to those (docs/algorithms.md 0, kind F). Zeros are no data.
 * @param cadenceRpm as written, NaN is a gap; not changed
 */
export function oneFootCadence(cadenceRpm: Float64Array, totals: DeviceTotals): Judged {
  let [count, above, sum, most] = [0, 0, 0, 0]
  for (let row = 0; row < cadenceRpm.length; row += 1) {
    const value = cadenceRpm[row]!
    if (!(value > 0 && value < Infinity)) continue
    count += 1
    sum += value
    if (value > MOST_ONE_FOOT_RPM) above += 1
    if (value > most && value <= 2 * MOST_ONE_FOOT_RPM) most = value
  }
  const { avgCadenceRpm, maxCadenceRpm } = totals
  const isOfBoth = count > 0 ? above >= BOTH_FEET_SHARE * count : (avgCadenceRpm ?? 0) > MOST_ONE_FOOT_RPM
  if (!isOfBoth) return { cadenceRpm, totals, correction: null }
  const meanRpm = count > 0 ? sum / count : avgCadenceRpm!
  const halved = (total: number | null, both: number) => (total !== null && total > 0.75 * both ? total / 2 : total)
  const [stated, used] = [roundHalfUp(meanRpm), roundHalfUp(meanRpm / 2)]
  return {
    // what is too fast for both feet, too, is no cadence
    cadenceRpm: cadenceRpm.map((value) => (value > 2 * MOST_ONE_FOOT_RPM ? Number.NaN : value / 2)),
    totals: {
      ...totals,
      avgCadenceRpm: halved(avgCadenceRpm, meanRpm),
      maxCadenceRpm: halved(maxCadenceRpm, most || (maxCadenceRpm ?? 0)),
    },
    correction: {
      what: 'cadence',
      stated,
      used,
      reason: `The cadence of ${stated} a minute counts both feet; one foot is ${used}`,
    },
  }
}
