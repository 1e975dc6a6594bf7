import { expect, test } from 'bun:test'
import { mendBackwardSteps, removeSurplus } from '../../../src/engine/calendar/clock.ts'

const ms = (...seconds: number[]) => Float64Array.from(seconds, (s) => s * 1000)
const s = (...seconds: number[]) => Float64Array.from(seconds)

test('a backward step of up to a minute is left for sorting', () => {
  expect(mendBackwardSteps(ms(0, 100, 40, 41))).toEqual(ms(0, 100, 40, 41))
})

test('after a longer backward step the rest follows one second after, with its own spacing', () => {
  expect(mendBackwardSteps(ms(0, 100, 39, 40, 45))).toEqual(ms(0, 100, 101, 102, 107))
})

test('a clock that is set back twice is fixed twice', () => {
  expect(mendBackwardSteps(ms(1000, 1001, 10, 12, -500, -498))).toEqual(ms(1000, 1001, 1002, 1004, 1005, 1007))
})

test('a record without a time stays without one and takes no part', () => {
  expect([...mendBackwardSteps(ms(500, Number.NaN, 400, 401))]).toEqual([500_000, Number.NaN, 501_000, 502_000])
  expect(mendBackwardSteps(new Float64Array(0))).toEqual(new Float64Array(0))
})

test('records that end within a minute of the elapsed time stay', () => {
  expect(removeSurplus(s(0, 1, 160), 100)).toEqual({ tS: s(0, 1, 160), kept: 3 })
})

test('a jump of the clock is taken out of the largest gap, which keeps a second', () => {
  // 20 days jumped between 50 and 51 s of a run of 100 s.
  const jumped = s(0, 10, 50, 51 + 1_728_000, 100 + 1_728_000)
  expect(removeSurplus(jumped, 100)).toEqual({ tS: s(0, 10, 50, 51, 100), kept: 5 })
})

test('what one gap cannot take leaves records beyond the end, which are dropped', () => {
  // Surplus 300; the largest gap, 200, gives 199: 350 becomes 151 and 400 becomes 201.
  expect(removeSurplus(s(0, 50, 250, 349, 400), 100)).toEqual({ tS: s(0, 50, 51), kept: 3 })
})

test('a session without an elapsed time keeps all records', () => {
  for (const elapsedS of [0, -1, Number.NaN]) expect(removeSurplus(s(0, 5000), elapsedS).kept).toBe(2)
  expect(removeSurplus(new Float64Array(0), 100).kept).toBe(0)
})
