import { describe, expect, test } from 'bun:test'
import {
  blended,
  colourScale,
  css,
  paceRange,
  parsedColour,
  stepOf,
  trimmedRange,
} from '../../../../src/web/run/map/colour-scale.ts'
import { pairs } from '../../../fixtures/pairs.ts'

const [BLACK, WHITE] = [[0, 0, 0] as const, [255, 255, 255] as const]

describe('colours', () => {
  test('a blend begins and ends at its stops and meets the one between', () => {
    const stops = [BLACK, [200, 100, 50], WHITE] as const
    for (const [part, stop] of pairs('0,0 0.5,1 1,2 -3,0 7,2')) {
      for (const k of [0, 1, 2] as const) expect(blended(stops, part)[k]).toBeCloseTo(stops[stop]![k], 2)
    }
  })

  test('the middle of black and white is the grey of half the lightness in OKLab', () => {
    // Ottosson's L is the cube root of the light: L 0.5 is 0.125 of it, in sRGB 99.4
    for (const channel of blended([BLACK, WHITE], 0.5)) expect(channel).toBeCloseTo(99.4, 0)
  })

  test('values fall into steps, beyond the ends into the last ones, and gaps into none', () => {
    const scale = colourScale(100, 200, [BLACK, WHITE])
    const last = scale.colours.length - 1
    expect([100, 50, 200, 999, Number.NaN].map((value) => stepOf(scale, value))).toEqual([0, 0, last, last, -1])
    expect(stepOf(scale, 150)).toBe(Math.floor(scale.colours.length / 2))
  })

  test('a scale may run downwards, as paces do, and a run of one value has the middle colour', () => {
    const pace = colourScale(400, 300, [BLACK, WHITE])
    expect(stepOf(pace, 420)).toBe(0)
    expect(stepOf(pace, 280)).toBe(pace.colours.length - 1)
    expect(stepOf(colourScale(5, 5, [BLACK, WHITE]), 5)).toBe(14)
  })

  test('reads the forms in which themes write colours', () => {
    expect(parsedColour(' #0b6a70 ')).toEqual([11, 106, 112])
    expect(parsedColour('#fff')).toEqual([255, 255, 255])
    expect(parsedColour('rgb(1 2 3 / 50%)')).toEqual([1, 2, 3])
    expect(parsedColour('rgba(1, 2, 3, 0.5)')).toEqual([1, 2, 3])
    expect(parsedColour('teal')).toBeNull()
    expect(css([1.4, 2.6, 3], 0.5)).toBe('rgb(1 3 3 / 0.5)')
  })

  test('a trimmed range leaves out the spikes', () => {
    const values = Float64Array.from({ length: 1001 }, (_, i) => (i === 3 ? 9999 : i))
    expect(trimmedRange(values, 0.01)).toEqual([11, 991])
    expect(trimmedRange(values, 0)).toEqual([0, 9999])
    expect(trimmedRange(values, 0, 0.5)).toEqual([0, 501])
    expect(trimmedRange(new Float64Array([Number.NaN]), 0.1)).toBeNull()
  })
})

describe('the range of paces', () => {
  test('has no room for stops, however long they were', () => {
    // 600 samples at 5:00/km and 100 of standing around at 30:00/km
    const paces = Float64Array.from({ length: 700 }, (_, k) => (k < 600 ? 300 : 1800))
    expect(paceRange(paces, 0.02)).toEqual([300, 540])
  })

  test('keeps a walk, and every pace of a steady run', () => {
    const walks = Float64Array.from({ length: 100 }, (_, k) => (k < 70 ? 360 : 600))
    expect(paceRange(walks, 0.02)).toEqual([360, 600])
    expect(paceRange(Float64Array.of(300, 310, Number.NaN, 320), 0)).toEqual([300, 320])
    expect(paceRange(Float64Array.of(Number.NaN), 0.02)).toBeNull()
  })
})
