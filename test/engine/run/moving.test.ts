import { expect, test } from 'bun:test'
import { movingS, stops } from '../../../src/engine/run/moving.ts'
import type { Span } from '../../../src/engine/track.ts'
import { knots, seededRandom } from '../../fixtures/knots.ts'
import { pairs } from '../../fixtures/pairs.ts'
import oracles from '../../oracles.json'

function moving(tS: Float64Array, distanceM: Float64Array, off: readonly Span[] = []): [number, number] {
  const found = stops(tS, distanceM, { off, elevM: null })
  return [movingS(tS, off, found), found.reduce((sum, stop) => sum + stop.timerS, 0)]
}

const MADE = oracles.moving.map(({ parts, dt, ...rest }) => ({ ...knots(parts, dt), ...rest, digits: 6 }))
/** A gap between records is moving or not by its own length and distance. */
const GAPS = oracles.movingRaw.map(({ t, d, ...rest }) => ({
  name: `a gap: ${d}`,
  tS: t,
  distanceM: d,
  ...rest,
  digits: 15,
}))

test.each([...MADE, ...GAPS])('moving time of $name', ({ tS, distanceM, moving: expectedS, stopped, digits }) => {
  const [movedS, stoppedS] = moving(Float64Array.from(tS), Float64Array.from(distanceM))
  expect(movedS).toBeCloseTo(expectedS, digits)
  expect(stoppedS).toBeCloseTo(stopped, digits)
})

test('timer-off time is neither moving nor a stop, and a stop may extend over it', () => {
  const { tS, distanceM } = knots(pairs('100,3 60,0 100,3'), 1)
  expect(moving(tS, distanceM, [{ startS: 100, endS: 160 }])).toEqual([200, 0])
  // Three seconds standing before the pause and three after are one stop of six.
  expect(moving(tS, distanceM, [{ startS: 103, endS: 157 }])).toEqual([200, 6])
  expect(stops(tS, distanceM, { off: [{ startS: 103, endS: 157 }], elevM: null })).toEqual([
    { startS: 100, endS: 160, firstIndex: 100, lastIndex: 160, timerS: 6 },
  ])
})

test('climbing a steep trail slowly is moving when a barometer measures it', () => {
  // 0.3 m/s along and 0.2 m/s up: 0.9 m/s with the vertical counted three times.
  const { tS, distanceM } = knots([[600, 0.3]], 1)
  const elevM = tS.map((at) => 0.2 * at)
  expect(stops(tS, distanceM, { off: [], elevM: null })).toHaveLength(1)
  expect(stops(tS, distanceM, { off: [], elevM })).toHaveLength(0)
})

test('stops are the maximal scoring sections: no section beside or around one scores better', () => {
  const random = seededRandom(7)
  for (let round = 0; round < 300; round += 1) {
    const n = 2 + Math.floor(random() * 14)
    const tS = new Float64Array(n)
    const distanceM = new Float64Array(n)
    for (let i = 1; i < n; i += 1) {
      tS[i] = tS[i - 1]! + 1 + Math.floor(random() * 12)
      distanceM[i] = distanceM[i - 1]! + (random() < 0.5 ? 0 : Math.floor(random() * 9))
    }
    const found = stops(tS, distanceM, { off: [], elevM: null })
    expect(found.map(({ firstIndex, lastIndex }) => [firstIndex, lastIndex])).toEqual(bruteForce(tS, distanceM))
  }
})

/** The definition, by exhaustion: the best stretch, then the same left and right of it (Ruzzo & Tompa 1999). */
function bruteForce(tS: Float64Array, distanceM: Float64Array): number[][] {
  const score = (a: number, b: number) => 0.5 * (tS[b]! - tS[a]!) - (distanceM[b]! - distanceM[a]!)
  const within = (first: number, last: number): number[][] => {
    let best = [first, first]
    for (let a = first; a < last; a += 1) {
      for (let b = a + 1; b <= last; b += 1) {
        const better = score(a, b) - score(best[0]!, best[1]!)
        // Of equal ones, one inside the other, the shorter: both of its ends add something.
        const isInside = a >= best[0]! && b <= best[1]!
        if (better > 1e-9 || (better > -1e-9 && isInside)) best = [a, b]
      }
    }
    if (score(best[0]!, best[1]!) <= 1e-9) return []
    return [...within(first, best[0]!), best, ...within(best[1]!, last)]
  }
  return within(0, tS.length - 1).filter(([a, b]) => score(a!, b!) >= 2.5 - 1e-9)
}
