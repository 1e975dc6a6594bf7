import { describe, expect, test } from 'bun:test'
import { FormatError } from '../../../src/formats/format.ts'
import type { FitFileOptions } from '../../fixtures/fit.ts'
import { FIT_EPOCH_S } from '../../fixtures/fit-writer.ts'
import { pairs } from '../../fixtures/pairs.ts'
import { parse, run, steady } from './runs.ts'

describe('sports', () => {
  test('running, unspecific and future ones are runs; others are refused by their name', () => {
    for (const sport of [0, 1, 254, 199])
      expect(parse({ session: { sport } })).toMatchObject({ skippedOther: 0, activities: [{ source: 'fit_import' }] })
    const others = { cycling: 2, transition: 3, swimming: 5, walking: 11, hiking: 17, 'e-biking': 21, canoeing: 88 }
    for (const [name, sport] of Object.entries(others)) {
      const refused = new FormatError(`The file is not a run: its sport is ${name}`)
      expect(() => parse({ session: { sport } })).toThrow(refused)
    }
  })

  test('trail is a run outdoors; treadmill, indoor and virtual runs are indoors', () => {
    const indoor = ([sport, subSport]: [number, number]) => run({ session: { sport, subSport } }).recording!.indoor
    expect(pairs('1,3 1,1 1,45 1,58 4,1').map(indoor)).toEqual([false, true, true, true, true])
  })

  test('for a row that says it is a run the first session counts, whatever its sport', () => {
    const session = [
      { sport: 2, totalElapsedS: 50 },
      { startS: 50, sport: 1 },
    ]
    const { activities, skippedOther } = parse({ session }, true)
    expect(activities.map(({ totals }) => totals.elapsedS)).toEqual([50])
    expect(skippedOther).toBe(0)
  })
})

test('files that are not activities, without a date, or without records are refused', () => {
  const kinds = { settings: 2, 'workout plan': 5, course: 6, monitoring: 32 }
  for (const [name, fileType] of Object.entries(kinds))
    expect(() => parse({ fileType })).toThrow(new FormatError(`This is a FIT ${name} file, not an activity`))
  expect(() => parse({ startMs: (FIT_EPOCH_S + 17_217_864) * 1000 })).toThrow(
    'The times of this file have no date: the clock of the watch was not set',
  )
  expect(() => parse({ samples: [], session: { totalElapsedS: 600, totalDistanceM: 2000 } })).toThrow(
    'The FIT file has no records of a run',
  )
})

test('heart rates of 0 and altitudes of raw 0 are gaps, in the raw data too', () => {
  const samples = steady(20).map((one) => ({ ...one, hr: one.t < 10 ? 0 : 120, elevM: one.t < 10 ? -500 : 7 }))
  const { recording, rawFitData } = run({ samples })
  expect([...recording!.heartRateBpm].slice(9, 11)).toEqual([Number.NaN, 120])
  expect([...recording!.elevM].slice(9, 11)).toEqual([Number.NaN, 7])
  expect((rawFitData!().trackPoints as object[])[0]).toEqual({ time: '2024-05-05T06:07:08Z' })
})

describe('texts', () => {
  const creator = { deviceIndex: 0, manufacturer: 1, product: 1967 }
  const strap = { deviceIndex: 3, manufacturer: 123, product: 2, productName: 'H10' }
  test.each<[what: 'device' | 'name' | 'runType', expected: string | null, options: Partial<FitFileOptions>]>([
    // product name, else known product, else maker
    ['device', 'file_id name', { devices: [strap, creator], productName: 'file_id name' }],
    ['device', 'My watch', { devices: [strap, { ...creator, productName: 'My watch' }] }],
    ['device', 'Fenix 2', { devices: [strap, creator] }],
    ['device', 'Forerunner 920XT', { manufacturer: 1, product: 1765 }],
    ['device', 'Suunto', { manufacturer: 23, product: 9999 }],
    ['device', null, { manufacturer: 255, product: 1 }],
    ['name', '6 x 800 m', { workoutName: '6 x 800 m' }],
    ['name', null, { workoutName: '  ' }],
    ['name', null, { sportName: 'Laufen' }],
    ['runType', 'Race', { sportName: 'race' }],
    ['runType', 'Long Run', { session: { sportProfileName: 'Long Run' } }],
    ['runType', 'Easy Run', { workoutName: 'EASY RUN' }],
    ['runType', null, { sportName: 'Run Race' }],
  ])('the %s is %p: %j', (what, expected, options) => {
    expect(run(options)[what]).toBe(expected)
  })

  test('perceived effort is a tenth of workout_rpe, from 1 to 10', () => {
    const rpe = (workoutRpe: number) => run({ session: { workoutRpe } }).rpe
    expect([rpe(0), rpe(4), rpe(10), rpe(50), rpe(100), rpe(120)]).toEqual([null, null, 1, 5, 10, null])
  })

  test('the local time gives the offset in quarter hours, up to 14 hours', () => {
    const offset = (localOffsetS: number) => run({ localOffsetS }).utcOffsetMinutes
    expect([7200, -12_600, 20_700 + 40, 0, 14 * 3600].map(offset)).toEqual([120, -210, 345, 0, 840])
    expect([offset(15 * 3600), offset(-576_963), run({}).utcOffsetMinutes]).toEqual([null, null, null])
  })
})

describe('altitude and weather', () => {
  test('a local barometer, or a watch known to have one, makes the altitude barometric', () => {
    const source = (options: Partial<FitFileOptions>) => run(options).recording!.elevationSource
    expect(source({ devices: [{ deviceIndex: 1, deviceType: 4, sourceType: 5 }] })).toBe('baro')
    expect(source({ manufacturer: 1, product: 1328 })).toBe('baro')
    expect(source({ devices: [{ deviceIndex: 1, deviceType: 4, sourceType: 1 }] })).toBe('unknown')
    expect(source({ manufacturer: 1, product: 1018 })).toBe('unknown')
  })

  test('the weather message is read with its code and text', () => {
    const air = { temperatureC: -4, feelsLikeC: -9, humidity: 93, windSpeedMps: 3.25, windDirection: 270 }
    expect(run({ weather: { condition: 16, ...air } }).weather).toEqual({
      ...{ source: 'fit_import', temperature: -4, temperatureFeelsLike: -9, humidity: 93, windSpeed: 3.25 },
      ...{ windDirection: 270, weatherCode: 61, condition: 'Slight rain' },
    })
    const unnamed = { source: 'fit_import', temperature: 3, weatherCode: null, condition: null } as const
    expect(run({ weather: { condition: 5, temperatureC: 3 } }).weather).toEqual(unnamed)
    expect(run({ weather: {} }).weather).toBeNull()
    expect(run({}).weather).toBeNull()
  })
})
