import { rowsWith } from '../gather.ts'
import type { Correction } from './correction.ts'
import { metres } from './words.ts'

/** An altitude of exactly 0 this far from those beside it is none, unless a slope leads there. */
const FAR_M = 100
const STEEPEST_MPS = 0.5

/**
 * Altitudes of exactly 0 beside others hundreds of metres away become gaps, in place, however many they are; reached by a slope
 * it is the sea (docs/algorithms.md 0, kind L).
 * @param tS strictly ascending seconds
 */
export function dropZeroAltitudes(tS: Float64Array, elevM: Float64Array): Correction[] {
  if (!elevM.includes(0)) return []
  const rows = rowsWith(elevM, elevM)
  let count = 0
  let besideM = 0
  for (let from = 0; from < rows.length; from += 1) {
    if (elevM[rows[from]!] !== 0) continue
    let end = from + 1
    while (end < rows.length && elevM[rows[end]!] === 0) end += 1
    const ends = [
      [from, from - 1],
      [end - 1, end],
    ].filter(([, beside]) => beside! >= 0 && beside! < rows.length) as [number, number][]
    if (ends.length > 0 && ends.every(([zero, beside]) => isFar(rows[zero]!, rows[beside]!))) {
      for (let i = from; i < end; i += 1) elevM[rows[i]!] = Number.NaN
      count += end - from
      besideM = elevM[rows[ends[0]![1]]!]!
    }
    from = end - 1
  }
  if (count === 0) return []
  const reason = `The altitude of 0 m in ${count} records is missing data; beside them the altitude is ${metres(besideM)}`
  return [{ what: 'altitude', stated: 0, used: null, reason }]

  function isFar(zero: number, beside: number): boolean {
    const farM = Math.abs(elevM[beside]!)
    return farM > FAR_M && farM > STEEPEST_MPS * Math.abs(tS[zero]! - tS[beside]!)
  }
}
