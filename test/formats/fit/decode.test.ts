import { describe, expect, test } from 'bun:test'
import { decodeFit, type FitFile } from '../../../src/formats/fit/decode.ts'
import { type FitFileOptions, type FitSample, fitFile } from '../../fixtures/fit.ts'
import { chainedFit, FIT_EPOCH_S, FitWriter, fields } from '../../fixtures/fit-writer.ts'
import { pairs } from '../../fixtures/pairs.ts'

const START_MS = Date.UTC(2024, 4, 5, 6, 7, 8)
const START_S = START_MS / 1000 - FIT_EPOCH_S

/** Values that every field of a record holds exactly, so that reading must give them back. */
const SAMPLES: readonly FitSample[] = Array.from({ length: 40 }, (_, t) => ({
  ...{ t, lat: ((600_000_000 + 500 * t) * 180) / 2 ** 31, lon: ((-100_000_000 - 700 * t) * 180) / 2 ** 31 },
  ...{ distanceM: 3.25 * t, elevM: 100.2 + t, speedMps: 3.25, hr: 120 + t, cadence: 85.5, powerW: 250 + t },
  temperatureC: -3,
}))

function column(values: Float64Array): number[] {
  return [...values]
}

function expectSamples({ records }: FitFile, samples: readonly FitSample[]) {
  expect(records.n).toBe(samples.length)
  const columns: Readonly<Record<string, keyof FitSample>> = {
    ...{ latDeg: 'lat', lonDeg: 'lon', distanceM: 'distanceM', speedMps: 'speedMps', heartRateBpm: 'hr' },
    ...{ cadenceRpm: 'cadence', powerW: 'powerW', temperatureC: 'temperatureC' },
  }
  for (const [name, of] of Object.entries(columns)) {
    expect(column(records[name as 'latDeg']), name).toEqual(samples.map((sample) => sample[of]!))
  }
  expect(column(records.timestampS)).toEqual(samples.map(({ t }) => START_S + t))
  expect(column(records.altitudeM)).toEqual(samples.map(({ elevM }) => expect.closeTo(elevM!, 9)))
}

describe('records', () => {
  test.each([{}, { bigEndian: true }, { enhanced: true }, { compressedTimestamps: true }, { headerSize: 12 }] as const)(
    'written with %j are read value for value',
    (way) => {
      const file = decodeFit(fitFile({ startMs: START_MS, samples: SAMPLES, ...way }))
      expectSamples(file, SAMPLES)
      expect(file.notes).toEqual([])
    },
  )

  test('compressed timestamps roll over every 32 seconds and take a full timestamp after a longer gap', () => {
    const samples = [0, 20, 31, 32, 63, 64, 200, 201].map((t) => ({ t, hr: 100 }))
    const file = decodeFit(fitFile({ startMs: START_MS, samples, compressedTimestamps: true }))
    expect(column(file.records.timestampS)).toEqual(samples.map(({ t }) => START_S + t))
  })

  test('compressed speed and distance is unpacked and accumulated over its rollover at 256 m; all ones are no value', () => {
    const writer = new FitWriter().define({ local: 0, global: 20, fields: [{ num: 8, type: 'byte', size: 3 }] })
    for (const metres of [0, 100, 200, 300, 550]) {
      const [sixteenths, speed] = [(metres * 16) & 0xfff, 345]
      writer.data(0, [[speed & 0xff, (speed >> 8) | ((sixteenths & 15) << 4), sixteenths >> 4]])
    }
    const { records } = decodeFit(writer.data(0, [[0xff, 0xff, 0xff]]).finish())
    expect(column(records.distanceM)).toEqual([0, 100, 200, 300, 550, Number.NaN])
    expect(column(records.speedMps)).toEqual([3.45, 3.45, 3.45, 3.45, 3.45, Number.NaN])
  })
})

describe('developer fields', () => {
  test('are passed over by their size; one named Power is the power where the device wrote none', () => {
    const stryd = [0, 1, 2].map((t) => ({ t, hr: 100 + t, strydW: 240 + t }))
    const { records } = decodeFit(fitFile({ startMs: START_MS, samples: stryd }))
    expect([column(records.heartRateBpm), column(records.powerW)]).toEqual([
      [100, 101, 102],
      [240, 241, 242],
    ])
    const samples = stryd.map((sample) => ({ ...sample, powerW: 300 }))
    expect(column(decodeFit(fitFile({ startMs: START_MS, samples })).records.powerW)).toEqual([300, 300, 300])
    const description = (num: number, name: string) => [0, num, 0x84, name] as const
    const writer = new FitWriter()
    writer.define({ local: 1, global: 206, fields: fields('0:uint8 1:uint8 2:uint8 3:string*12') })
    writer.data(1, description(4, 'Form Power')).data(1, description(5, 'Power'))
    const developer = [
      [4, 2, 0],
      [9, 3, 0],
      [5, 2, 0],
    ] as const
    writer.define({ local: 0, global: 20, fields: [{ num: 3, type: 'uint8' }], developer })
    const mixed = decodeFit(writer.data(0, [150], [77, 0x414243, 280]).finish()).records
    expect([mixed.heartRateBpm[0], mixed.powerW[0]]).toEqual([150, 280])
  })
})

describe('framing', () => {
  const whole = fitFile({ startMs: START_MS, samples: SAMPLES })

  test('chained files share the record table, each with its own rows and messages', () => {
    const second = fitFile({ startMs: START_MS + 3_600_000, samples: SAMPLES.slice(0, 5) })
    const file = decodeFit(chainedFit(whole, second))
    expect(file.parts.map(({ firstRow, endRow }) => [firstRow, endRow])).toEqual(pairs('0,40 40,45'))
    expect(file.parts.map(({ messages }) => messages.session?.[0]?.startTime)).toEqual([START_S, START_S + 3600])
  })

  test('a wrong checksum is noted, a data size that is not true loses nothing, bytes behind a file are not read', () => {
    const damaged = (options: Partial<FitFileOptions>) => fitFile({ startMs: START_MS, samples: SAMPLES, ...options })
    for (const [bytes, notes] of [
      [damaged({ badCrc: true }), ['wrong checksum at byte 0']],
      [new Uint8Array([...whole, 0, 0, 0, 0, 0]), [`no FIT header at byte ${whole.length}`]],
      ...[0, 1, 400, 0x7fffffff].map((dataSize) => [damaged({ dataSize }), null] as const),
    ] as const) {
      const file = decodeFit(bytes)
      expectSamples(file, SAMPLES)
      expect(file.parts[0]?.messages.session).toHaveLength(1)
      expect(file.notes.length).toBeGreaterThan(0)
      if (notes !== null) expect(file.notes).toEqual([...notes])
    }
  })
})
