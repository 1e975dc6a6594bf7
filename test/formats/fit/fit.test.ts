import { describe, expect, test } from 'bun:test'
import { fitFormat } from '../../../src/formats/fit/fit.ts'
import { FormatError } from '../../../src/formats/format.ts'
import { type FitFileOptions, fitFile } from '../../fixtures/fit.ts'
import { FIT_EPOCH_S, FitWriter, fields } from '../../fixtures/fit-writer.ts'
import { parse, run, START_MS, steady } from './runs.ts'

describe('sports', () => {
  const running = { generic: 0, running: 1, 'all sports': 254, 'a number of the future': 199 }
  for (const [name, sport] of Object.entries(running)) {
    test(`${name} is a run`, () => {
      expect(parse({ session: { sport } })).toMatchObject({ skippedOther: 0, activities: [{ source: 'fit_import' }] })
    })
  }

  const others = { cycling: 2, transition: 3, swimming: 5, walking: 11, hiking: 17, 'e-biking': 21, canoeing: 88 }
  for (const [name, sport] of Object.entries(others)) {
    test(`${name} is refused by its name`, () => {
      expect(() => parse({ session: { sport } })).toThrow(
        new FormatError(`The file is not a run: its sport is ${name}`),
      )
    })
  }

  test('trail is a run outdoors; treadmill, indoor and virtual runs are indoors', () => {
    const indoor = (sport: number, subSport: number) => run({ session: { sport, subSport } }).recording!.indoor
    expect([indoor(1, 3), indoor(1, 1), indoor(1, 45), indoor(1, 58), indoor(4, 1)]).toEqual([
      false,
      true,
      true,
      true,
      true,
    ])
  })

  test('a cut file without session message is refused when its sport message names another sport', () => {
    const writer = new FitWriter().define({ local: 0, global: 12, fields: [{ num: 0, type: 'enum' }] }).data(0, [2])
    writer.define({ local: 1, global: 20, fields: fields('253:uint32 5:uint32') })
    for (let t = 0; t < 20; t += 1) writer.data(1, [START_MS / 1000 - FIT_EPOCH_S + t, 500 * t])
    expect(() => fitFormat.parse(writer.finish({ dataSize: 0 }), { filename: 'a.fit' })).toThrow('its sport is cycling')
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

describe('kinds of files', () => {
  const kinds = { settings: 2, 'workout plan': 5, course: 6, monitoring: 32 }
  for (const [name, fileType] of Object.entries(kinds)) {
    test(`a ${name} file is refused as that`, () => {
      expect(() => parse({ fileType })).toThrow(new FormatError(`This is a FIT ${name} file, not an activity`))
    })
  }

  test('times that count from when the watch was switched on are refused', () => {
    const samples = steady(100)
    const bytes = fitFile({ startMs: (FIT_EPOCH_S + 17_217_864) * 1000, samples })
    expect(() => fitFormat.parse(bytes, { filename: 'a.fit' })).toThrow(
      'The times of this file have no date: the clock of the watch was not set',
    )
  })
})

describe('totals', () => {
  test('a file without records is refused', () => {
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
})

describe('texts', () => {
  test('the device is the creator: product name, else known product, else maker', () => {
    const creator = { deviceIndex: 0, manufacturer: 1, product: 1967 }
    const strap = { deviceIndex: 3, manufacturer: 123, product: 2, productName: 'H10' }
    expect(run({ devices: [strap, creator], productName: 'file_id name' }).device).toBe('file_id name')
    expect(run({ devices: [strap, { ...creator, productName: 'My watch' }] }).device).toBe('My watch')
    expect(run({ devices: [strap, creator] }).device).toBe('Fenix 2')
    expect(run({ manufacturer: 1, product: 1765 }).device).toBe('Forerunner 920XT')
    expect(run({ manufacturer: 23, product: 9999 }).device).toBe('Suunto')
    expect(run({ manufacturer: 255, product: 1 }).device).toBeNull()
  })

  test('a name of the workout is the name, blank is none', () => {
    expect(run({ workoutName: '6 x 800 m' }).name).toBe('6 x 800 m')
    expect(run({ workoutName: '  ' }).name).toBeNull()
    expect(run({ sportName: 'Laufen' }).name).toBeNull()
  })

  test('a sport or workout called like a kind of run is that kind', () => {
    expect(run({ sportName: 'race' }).runType).toBe('Race')
    expect(run({ session: { sportProfileName: 'Long Run' } }).runType).toBe('Long Run')
    expect(run({ workoutName: 'EASY RUN' }).runType).toBe('Easy Run')
    expect(run({ sportName: 'Run Race' }).runType).toBeNull()
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

test('raw data is what docs/api.md 11.2 says, unknown members left out', () => {
  const samples = [
    { t: 0, lat: 50, lon: 8, distanceM: 0, elevM: 100.2, hr: 120, cadence: 80.5, powerW: 200, temperatureC: 12 },
    { t: 1, distanceM: 3 },
  ]
  const session = { totalElapsedS: 1, totalDistanceM: 3, avgSpeedMps: 3, avgHr: 121 }
  const { rawFitData } = run({ samples, session, manufacturer: 1, product: 2050 })
  expect(rawFitData?.()).toEqual({
    session: { totalElapsedTime: 1, totalTimerTime: 1, totalDistance: 3, avgSpeed: 3, avgHeartRate: 121 },
    device: { manufacturer: 'Garmin', product: 2050, serialNumber: 123456, productName: 'Fenix 3' },
    trackPoints: [
      { lat: 50, lon: 8, ele: 100.2, time: '2024-05-05T06:07:08Z', hr: 120, cad: 80.5, power: 200, temp: 12 },
      { time: '2024-05-05T06:07:09Z' },
    ],
    recordCount: 2,
    hasTimeSeries: true,
    source: 'fit_import',
  })
})
