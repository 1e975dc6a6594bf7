import { expect, test } from 'bun:test'
import { blended, colourScale, paceRange, stepOf, trimmedRange } from '../../../../src/web/run/map/route-colours.ts'
import { pairs } from '../../../fixtures/pairs.ts'

const [BLACK, WHITE] = ['#000000', '#ffffff']

test('a blend begins and ends at its stops, meets the one between, and is halfway between two in its middle', () => {
  const places = [0, 0.5, 1, 0.25].map((place) => blended([BLACK, '#c86432', WHITE], place))
  expect(places).toEqual(['rgb(0 0 0)', 'rgb(200 100 50)', 'rgb(255 255 255)', 'rgb(100 50 25)'])
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
