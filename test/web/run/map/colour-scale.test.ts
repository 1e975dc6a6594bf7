import { expect, test } from 'bun:test'
import { blended, colourScale, paceRange, stepOf, trimmedRange } from '../../../../src/web/run/map/route-colours.ts'
import { pairs } from '../../../fixtures/pairs.ts'

const [BLACK, WHITE] = [[0, 0, 0] as const, [255, 255, 255] as const]

test('a blend begins and ends at its stops and meets the one between; its middle has half the lightness in OKLab', () => {
  const stops = [BLACK, [200, 100, 50], WHITE] as const
  for (const [part, stop] of pairs('0,0 0.5,1 1,2 -3,0 7,2')) {
    for (const k of [0, 1, 2] as const) expect(blended(stops, part)[k]).toBeCloseTo(stops[stop]![k], 2)
  }
  // Ottosson's L is the cube root of the light: L 0.5 is 0.125 of it, in sRGB 99.4
  for (const channel of blended([BLACK, WHITE], 0.5)) expect(channel).toBeCloseTo(99.4, 0)
})

test('values fall into steps, beyond the ends into the last ones, and gaps into none; a scale may run downwards', () => {
  const scale = colourScale(100, 200, [BLACK, WHITE])
  const last = scale.colours.length - 1
  const middle = Math.floor(scale.colours.length / 2)
  const steps = [100, 50, 200, 999, Number.NaN, 150].map((value) => stepOf(scale, value))
  expect(steps).toEqual([0, 0, last, last, -1, middle])
  const pace = colourScale(400, 300, [BLACK, WHITE])
  expect([stepOf(pace, 420), stepOf(pace, 280)]).toEqual([0, last])
  // a run of one value has the middle colour
  expect(stepOf(colourScale(5, 5, [BLACK, WHITE]), 5)).toBe(14)
})

test('a trimmed range leaves out the spikes, one of paces stops, however long; it keeps walks', () => {
  const values = Float64Array.from({ length: 1001 }, (_, i) => (i === 3 ? 9999 : i))
  expect([trimmedRange(values, 0.01), trimmedRange(values, 0), trimmedRange(values, 0, 0.5)]).toEqual(
    pairs('11,991 0,9999 0,501'),
  )
  const nothing = Float64Array.of(Number.NaN)
  expect([trimmedRange(nothing, 0.1), paceRange(nothing, 0.02)]).toEqual([null, null])
  const paces = (count: number, first: number, pace: number, rest: number) =>
    paceRange(
      Float64Array.from({ length: count }, (_, k) => (k < first ? pace : rest)),
      0.02,
    )
  // 600 samples at 5:00/km and 100 of standing around at 30:00/km
  expect(paces(700, 600, 300, 1800)).toEqual([300, 540])
  expect(paces(100, 70, 360, 600)).toEqual([360, 600])
  expect(paceRange(Float64Array.of(300, 310, Number.NaN, 320), 0)).toEqual([300, 320])
})
