import { describe, expect, test } from 'bun:test'
import { bestEffort, STANDARD_DISTANCES } from '../../../src/engine/run/best-efforts.ts'
import { knots, seededRandom } from '../../fixtures/knots.ts'
import oracles from '../../oracles.json'

describe('bestEffort', () => {
  const made = oracles.bestEfforts.map(({ parts, dt, ...rest }) => ({ ...knots(parts, dt), ...rest }))
  const raw = oracles.bestEffortsRaw.map(({ t, d, expect }) => ({ name: `knots at ${t}`, tS: t, distanceM: d, expect }))
  test.each([...made, ...raw])('oracle: $name', ({ tS, distanceM, expect: wanted }) => {
    for (const [targetM, timeS] of Object.entries(wanted)) {
      const effort = bestEffort(Float64Array.from(tS), Float64Array.from(distanceM), Number(targetM))
      if (timeS === null) expect(effort).toBeNull()
      else expect(effort!.timeS).toBeCloseTo(timeS, 6)
    }
  })

  test('equals the minimum over all windows on random tracks with plateaus', () => {
    const random = seededRandom(7)
    let compared = 0
    for (let round = 0; round < 1500; round += 1) {
      const n = 2 + Math.floor(random() * 30)
      const tS = new Float64Array(n)
      const distanceM = new Float64Array(n)
      for (let i = 1; i < n; i += 1) {
        tS[i] = tS[i - 1]! + 1 + Math.floor(random() * 12)
        distanceM[i] = distanceM[i - 1]! + (random() < 0.3 ? 0 : Math.floor(random() * 60))
      }
      const targetM = 1 + Math.floor(random() * 1.1 * distanceM.at(-1)!)
      const found = bestEffort(tS, distanceM, targetM)
      const wanted = exhaustiveMinimum(tS, distanceM, targetM)
      if (wanted === null) {
        expect(found).toBeNull()
      } else {
        compared += 1
        expect(found!.timeS).toBeCloseTo(wanted, 7)
      }
    }
    expect(compared).toBeGreaterThan(1000)
  })

  test('a receiver that catches up within 12.5 m/s and 100 m is not a jump', () => {
    const tS = Float64Array.of(0, 1, 2)
    expect(bestEffort(tS, Float64Array.of(0, 112.5, 113), 113)!.timeS).toBe(2)
    expect(bestEffort(tS, Float64Array.of(0, 112.6, 113), 113)).toBeNull()
  })
})

test('the standard distances are those of the specification', () => {
  expect(STANDARD_DISTANCES.map(({ label }) => label).join(', ')).toBe(
    '400m, 1/2 mile, 1K, 1 mile, 2 mile, 5K, 10K, 15K, 10 mile, 20K, Half-Marathon, 30K, Marathon',
  )
  expect(STANDARD_DISTANCES.map(({ distanceM }) => distanceM)).toEqual([
    400, 804.672, 1000, 1609.344, 3218.688, 5000, 10000, 15000, 16093.44, 20000, 21097.5, 30000, 42195,
  ])
})

/**
 * min t-(s + D) - t+(s) over every s where either end meets a knot, each by a plain search (definition in
 * docs/algorithms.md 1).
 */
function exhaustiveMinimum(tS: Float64Array, d: Float64Array, targetM: number): number | null {
  const last = d.length - 1
  const starts = [...d, ...d.map((x) => x - targetM)].filter((s) => s >= d[0]! && s + targetM <= d[last]!)
  const arrival = (x: number) => {
    const j = d.findIndex((value) => value >= x)
    return j === 0 ? tS[0]! : tS[j - 1]! + ((tS[j]! - tS[j - 1]!) * (x - d[j - 1]!)) / (d[j]! - d[j - 1]!)
  }
  const departure = (x: number) => {
    const i = d.findLastIndex((value) => value <= x)
    return i === last ? tS[last]! : tS[i]! + ((tS[i + 1]! - tS[i]!) * (x - d[i]!)) / (d[i + 1]! - d[i]!)
  }
  return starts.length === 0 ? null : Math.min(...starts.map((s) => arrival(s + targetM) - departure(s)))
}
