import { placed, reader } from '../../gather.ts'
import { type Clock, partOf } from '../../run/clock.ts'

const LEAST_KM = 20
const SEGMENT_KM = 5
const FIRST_KM = 5
const LEAST_COVERAGE = 0.9
/** Heart rate over speed, relative to kilometres 5 to 10, that counts as loss of durability (Smyth 2022). */
const ONSET = 1.025
const EPSILON_M = 1e-6

/**
 * Heart rate over speed of each 5 km, from a kilometre on, relative to that of km 5 to 10; of the last full ones; and the
 * first kilometre from which on the loss persists, null: there is none.
 */
export type Durability = NonNullable<ReturnType<typeof durability>>

/**
 * How heart rate relative to speed develops over a long run. @param moving without stops
 * @returns null below 20 km, or when a segment has too little heart rate
 */
export function durability(moving: Clock) {
  const lengthM = moving.distanceM.at(-1) ?? 0
  if (lengthM < 1000 * LEAST_KM - EPSILON_M) return null
  const last = Math.floor((lengthM + EPSILON_M) / 1000) - SEGMENT_KM
  const secondsAt = reader(moving.distanceM, moving.atS)
  const places = Array.from({ length: last + SEGMENT_KM + 1 }, (_, km) => placed(moving.atS, secondsAt(1000 * km)))
  const costs: number[] = []
  for (let km = FIRST_KM; km <= last; km += 1) {
    const { seconds, gradedM, heldS, beats } = partOf(moving, places[km]!, places[km + SEGMENT_KM]!)
    if (!(seconds > 0 && gradedM > 0) || heldS < LEAST_COVERAGE * seconds) return null
    costs.push(((beats / heldS) * seconds) / gradedM)
  }
  const ratios = costs.map((cost, i): [number, number] => [FIRST_KM + i, cost / costs[0]!])
  const onset = ratios.findIndex(([, ratio], i) => ratio > ONSET && (ratios[i + 1]?.[1] ?? 0) > ONSET)
  return { ratios, last: ratios.at(-1)![1], onsetKm: onset === -1 ? null : ratios[onset]![0] }
}
