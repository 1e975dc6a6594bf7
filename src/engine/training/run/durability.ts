import { firstFrom } from '../../gather.ts'
import type { HeldSpans } from './counted-time.ts'
import { clockLengthS, type MovingClock, placed, valueAt } from './moving-clock.ts'

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
 * How heart rate relative to speed develops over a long run. @param held heart rates on the moving clock
 * @returns null below 20 km, or when a segment has too little heart rate
 */
export function durability(clock: MovingClock, held: HeldSpans) {
  const lengthM = clock.distanceM.at(-1) ?? 0
  if (lengthM < 1000 * LEAST_KM - EPSILON_M) return null
  const last = Math.floor((lengthM + EPSILON_M) / 1000) - SEGMENT_KM
  const beats = cumulative(held)
  const uAt = (km: number) => Math.min(clockLengthS(clock), valueAt(clock.uS, placed(clock.distanceM, 1000 * km)))
  const costs: number[] = []
  for (let km = FIRST_KM; km <= last; km += 1) {
    const fromS = uAt(km)
    const toS = uAt(km + SEGMENT_KM)
    const heldS = beats.secondsAt(toS) - beats.secondsAt(fromS)
    if (!(toS > fromS) || heldS < LEAST_COVERAGE * (toS - fromS)) return null
    const bpm = (beats.bpmSAt(toS) - beats.bpmSAt(fromS)) / heldS
    const metres = valueAt(clock.gradedM, placed(clock.uS, toS)) - valueAt(clock.gradedM, placed(clock.uS, fromS))
    if (!(metres > 0)) return null
    costs.push((bpm * (toS - fromS)) / metres)
  }
  const ratios = costs.map((cost, i): [number, number] => [FIRST_KM + i, cost / costs[0]!])
  const onset = ratios.findIndex(([, ratio], i) => ratio > ONSET && (ratios[i + 1]?.[1] ?? 0) > ONSET)
  return { ratios, last: ratios.at(-1)![1], onsetKm: onset === -1 ? null : ratios[onset]![0] }
}

/** Functions of time: held seconds, and beats, up to it. */
function cumulative({ startS, endS, bpm }: HeldSpans) {
  const seconds = new Float64Array(bpm.length + 1)
  const bpmS = new Float64Array(bpm.length + 1)
  for (let i = 0; i < bpm.length; i += 1) {
    const heldS = endS[i]! - startS[i]!
    seconds[i + 1] = seconds[i]! + heldS
    bpmS[i + 1] = bpmS[i]! + bpm[i]! * heldS
  }
  const until = (total: Float64Array, weight: (row: number) => number) => (atS: number) => {
    const row = firstFrom(startS, atS) - 1
    return row < 0 ? 0 : total[row]! + weight(row) * (Math.min(atS, endS[row]!) - startS[row]!)
  }
  return { secondsAt: until(seconds, () => 1), bpmSAt: until(bpmS, (row) => bpm[row]!) }
}
