import { expect, test } from 'bun:test'
import { placed, valueAt } from '../../../src/engine/gather.ts'
import { elapsedClock, partOf, without } from '../../../src/engine/run/clock.ts'
import type { Span } from '../../../src/engine/track.ts'
import { seededRandom } from '../../fixtures/knots.ts'

/** A run whose records come after 0.2 to 20 s, with heart rates in most of them. */
function made(random: () => number) {
  const tS = new Float64Array(200)
  const distanceM = new Float64Array(200)
  const held = { tS: [] as number[], values: [] as number[] }
  for (let row = 0; row < tS.length; row += 1) {
    tS[row] = (tS[row - 1] ?? 5 * random()) + 0.2 + random() * (random() < 0.05 ? 20 : 1)
    distanceM[row] = (distanceM[row - 1] ?? 0) + Math.max(0, 4 * random() - 0.5)
    if (random() < 0.1) continue
    held.tS.push(tS[row]!)
    held.values.push(Math.round(100 + 80 * random()))
  }
  return {
    tS,
    distanceM,
    heartRate: { tS: Float64Array.from(held.tS), values: Float64Array.from(held.values) },
  }
}

function spansWithin(random: () => number, lengthS: number): Span[] {
  const edges = Array.from({ length: 8 }, () => lengthS * (1.1 * random() - 0.05)).sort((a, b) => a - b)
  return [0, 2, 4, 6].map((k) => ({ startS: edges[k]!, endS: edges[k + 1]! }))
}

test('a run without some spans has what is outside of them, joined', () => {
  for (let seed = 1; seed <= 50; seed += 1) {
    const random = seededRandom(seed)
    const { tS, ...readings } = made(random)
    const whole = elapsedClock({ tS }, { ...readings, equivalentM: null })
    const [firstS, lastS] = [tS[0]!, tS.at(-1)!]
    const spans = spansWithin(random, lastS)
    const kept = without(whole, spans)
    const within = (name: 'distanceM' | 'heldS' | 'beats', fromS: number, toS: number) =>
      valueAt(whole[name], placed(whole.atS, toS)) - valueAt(whole[name], placed(whole.atS, fromS))
    for (const name of ['distanceM', 'heldS', 'beats'] as const) {
      const lost = spans.reduce((sum, { startS, endS }) => sum + within(name, startS, endS), 0)
      expect(kept[name].at(-1)!).toBeCloseTo(within(name, firstS, lastS) - lost, 6)
    }
    // every knot is at an elapsed second outside of the spans, which lies as far behind as was left out before it
    for (let place = 0; place < kept.atS.length - 1; place += 0.5) {
      const atS = kept.elapsedAt(place, 'begin')
      expect(spans.some(({ startS, endS }) => atS > startS + 1e-6 && atS < endS - 1e-6)).toBe(false)
      const before = spans.filter(({ endS }) => endS <= atS + 1e-6 && endS > firstS)
      const lostS = before.reduce((sum, { startS, endS }) => sum + endS - Math.max(firstS, startS), 0)
      expect(valueAt(kept.atS, place)).toBeCloseTo(atS - firstS - lostS, 6)
      expect(valueAt(kept.distanceM, place)).toBeCloseTo(
        within('distanceM', firstS, atS) -
          before.reduce((sum, { startS, endS }) => sum + within('distanceM', startS, endS), 0),
        6,
      )
    }
  }
})

test('a heart rate holds until the next, before a gap for a second, whose end is a knot', () => {
  const tS = Float64Array.of(0, 1, 2, 3, 33, 34)
  const heartRate = { tS: tS.subarray(0, 5), values: Float64Array.of(100, 120, 130, 140, 150) }
  const distanceM = tS.map((atS) => 3 * atS)
  const clock = elapsedClock({ tS }, { distanceM, equivalentM: null, heartRate })
  expect([...clock.atS]).toEqual([0, 1, 2, 3, 4, 33, 34])
  expect([...clock.distanceM]).toEqual([0, 3, 6, 9, 12, 99, 102])
  expect([...clock.heldS]).toEqual([0, 1, 2, 3, 4, 4, 5])
  expect([...clock.beats]).toEqual([0, 100, 220, 350, 490, 490, 640])
  expect(partOf(clock, 1.5, 5)).toEqual({ seconds: 31.5, gradedM: 94.5, heldS: 2.5, beats: 330 })
})
