import { describe, expect } from 'bun:test'
import { Decoder, Stream } from '@garmin/fitsdk'
import { decodeFit } from '../../../src/formats/fit/decode.ts'
import { fitFormat } from '../../../src/formats/fit/fit.ts'
import { FIT_EPOCH_S } from '../../../src/formats/fit/profile.ts'
import { corpusFile, corpusTest, expectedOf } from '../../corpus.ts'
import { pairs } from '../../fixtures/pairs.ts'

/** Every file of corpus/fit and fit-gz, and the FIT runs of the Strava export. */
const RUNS = `
  fit/10kUNLP2014-Garmin15-hr255.fit fit/2013-02-06-12-11-14.fit fit/2019-05-09-051352-Running-iWatchSeries3.fit
  fit/2067489619.fit fit/3386684871-vivoactive-hr.fit fit/6860622783-treadmill-fr945.fit
  fit/6909950168-suunto9baro-trail.fit fit/6914538454-suunto9-no-hr.fit fit/6916663933-coros-apex-pro.fit
  fit/FR70-intervals-compressed-timestamps.fit fit/FR735XT-with-performance-condition.fit
  fit/FR920xt-with-Stryd-no-hr.fit fit/Fenix-2-pauses.fit fit/Fr955v19.28andStryd.fit fit/Standard-fr310xt.fit
  fit/activity-small-fenix2-run.fit fit/garmin-fenix-5-run.fit fit/invalid-altitude-and-empty-record-at-end.fit
  fit/running-with-developer-data.fit fit-gz/FR920-additional-start-events.fit.gz
  fit-gz/Move_2020_01_15_19_27_16_Running.fit.gz strava-export/activities/1543210987.fit.gz
  strava-export/activities/1987654321.fit.gz`
  .trim()
  .split(/\s+/)
const COMPRESSED_TIMESTAMPS = 'fit/FR70-intervals-compressed-timestamps.fit'
/**
 * Its clock jumps, so that the pauses after the jump move (docs/algorithms.md 0): the last one is in the time taken
 * out.
 */
const JUMPING = 'fit/invalid-altitude-and-empty-record-at-end.fit'

interface Expected {
  readonly records: number
  readonly points: number
  readonly distance_samples: number
  readonly record_distance_last_m: number
  readonly hr: { readonly samples_nonnull: number; readonly max?: number; readonly min?: number }
  readonly elevation?: { readonly samples: number; readonly min: number; readonly max: number }
  readonly first_record_utc: string
  readonly activity_local_offset_s?: number
  readonly timer_pauses: readonly (readonly [number, number])[]
  readonly sessions: readonly {
    readonly start_time_utc: string
    readonly total_elapsed_time_s: number
    readonly total_timer_time_s: number
    readonly total_moving_time_s: number | null
    readonly total_distance_m: number
    readonly avg_hr: number | null
    readonly max_hr: number | null
    readonly total_calories: number
  }[]
}

function fitBytes(name: string): Uint8Array {
  const bytes = corpusFile(name)
  return name.endsWith('.gz') ? Bun.gunzipSync(new Uint8Array(bytes)) : bytes
}

function parse(name: string) {
  return fitFormat.parse(fitBytes(name), { filename: name })
}

function numbers(column: Float64Array): number[] {
  return [...column].filter((value) => !Number.isNaN(value))
}

describe('real files against python-fitparse', () => {
  for (const name of RUNS) {
    corpusTest(`the records of ${name}`, () => {
      const expected = expectedOf(name) as unknown as Expected
      const { records, notes } = decodeFit(fitBytes(name))
      const hr = numbers(records.heartRateBpm)
      const elevations = numbers(records.altitudeM)
      expect(notes).toEqual([])
      expect(records.n).toBe(expected.records)
      expect(isoTime(records.timestampS[0]!)).toBe(expected.first_record_utc)
      const points = records.latDeg.filter((lat, i) => !Number.isNaN(lat + records.lonDeg[i]!))
      expect(points).toHaveLength(expected.points)
      expect(numbers(records.distanceM)).toHaveLength(expected.distance_samples)
      // Written in 1/100 m or, compressed, in 1/16 m; EXPECTED has two decimals.
      const lastM = numbers(records.distanceM).at(-1)!
      expect(Math.abs(lastM - expected.record_distance_last_m)).toBeLessThanOrEqual(0.00501)
      expect(hr).toHaveLength(expected.hr.samples_nonnull)
      if (expected.hr.max !== undefined)
        expect([Math.max(...hr), Math.min(...hr)]).toEqual([expected.hr.max, expected.hr.min!])
      expect(elevations).toHaveLength(expected.elevation?.samples ?? 0)
      if (expected.elevation !== undefined) {
        expect(Math.max(...elevations)).toBeCloseTo(expected.elevation.max, 9)
        expect(Math.min(...elevations)).toBeCloseTo(expected.elevation.min, 9)
      }
    })

    corpusTest(`the run of ${name}`, () => {
      const expected = expectedOf(name) as unknown as Expected
      const session = expected.sessions[0]!
      const { activities, skippedOther } = parse(name)
      const [run] = activities
      expect([activities.length, skippedOther]).toEqual([1, 0])
      expect(new Date(run!.startedAtMs).toISOString().replace('.000Z', 'Z')).toBe(session.start_time_utc)
      expect(run!.totals).toMatchObject({
        elapsedS: session.total_elapsed_time_s,
        timerS: session.total_timer_time_s,
        distanceM: session.total_distance_m,
        avgHeartRateBpm: session.avg_hr || null,
        maxHeartRateBpm: session.max_hr || null,
        caloriesKcal: session.total_calories || null,
      })
      const offsetMin = (expected.activity_local_offset_s ?? Number.NaN) / 60
      expect(run!.utcOffsetMinutes).toBe(Math.abs(offsetMin) <= 840 ? offsetMin : null)
      if (name === JUMPING) return
      expect(innerPauses(run!, session.total_elapsed_time_s)).toEqual(expected.timer_pauses as [number, number][])
    })
  }

  /** Pauses that a start ended; EXPECTED leaves the stop at the end out. */
  function innerPauses(run: ReturnType<typeof parse>['activities'][number], elapsedS: number): [number, number][] {
    return run
      .recording!.timerOffMs.map(([from, to]): [number, number] => [
        (from - run.startedAtMs) / 1000,
        (to - from) / 1000,
      ])
      .filter(([from, length]) => from + length < elapsedS)
  }

  corpusTest('a clock that jumped over the last pause ends with the session', () => {
    const [run] = parse(JUMPING).activities
    const last = (run!.recording!.timeMs.at(-1)! - run!.startedAtMs) / 1000
    expect(last).toBeLessThanOrEqual(4820)
    expect(innerPauses(run!, 4820)).toEqual(pairs('1164,19 1239,86'))
  })
})

describe("real files against Garmin's SDK, value for value", () => {
  const files = [
    ...RUNS.filter((name) => name !== COMPRESSED_TIMESTAMPS),
    'bad/multisport-chained-hr.fit',
    'bad/hr-only-zeros-zwift-ride.fit',
    'bad/one-second-jump-to-past.fit',
    'bad/activity-unexpected-eof.fit',
  ]
  for (const name of files) {
    corpusTest(name, () => {
      const bytes = fitBytes(name)
      const theirs = sdkRecords(bytes)
      const { records } = decodeFit(bytes)
      expect(records.n).toBe(theirs.length)
      theirs.forEach((record, i) => {
        const lat = record.positionLat === undefined ? Number.NaN : record.positionLat * (180 / 2 ** 31)
        const lon = record.positionLong === undefined ? Number.NaN : record.positionLong * (180 / 2 ** 31)
        const cadence = record.cadence === undefined ? Number.NaN : record.cadence + (record.fractionalCadence ?? 0)
        const timestampS = record.timestamp && record.timestamp.getTime() / 1000 - FIT_EPOCH_S
        const { enhancedAltitude, distance, enhancedSpeed, heartRate, temperature } = record
        const powerW = record.power ?? ourPower(records.powerW[i]!, theirs)
        const { timestampS: at, latDeg, lonDeg, altitudeM, distanceM, speedMps, ...rest } = records
        const { heartRateBpm, cadenceRpm, temperatureC, powerW: watts } = rest
        const columns = [at, latDeg, lonDeg, altitudeM, distanceM, speedMps, heartRateBpm, cadenceRpm]
        const ours = [...columns, temperatureC, watts].map((column) => column[i])
        const expected = [timestampS, lat, lon, enhancedAltitude, distance, enhancedSpeed, heartRate, cadence]
        expect(ours).toEqual([...expected, temperature, powerW].map((value) => value ?? Number.NaN))
      })
    })
  }

  /** Power of a developer field is not compared: the SDK leaves it among the developer fields. */
  function ourPower(power: number, theirs: readonly SdkRecord[]): number {
    return theirs.some((record) => record.power !== undefined) ? Number.NaN : power
  }

  corpusTest("heart rates that a strap stored are the SDK's merged ones", () => {
    const bytes = fitBytes('bad/multisport-chained-hr.fit')
    const merged = sdkRecords(bytes, true)
    const [run] = fitFormat.parse(bytes, { filename: 'a.fit' }).activities
    const { timeMs, heartRateBpm } = run!.recording!
    const bySecond = new Map(merged.map(({ timestamp, heartRate }) => [timestamp!.getTime(), heartRate]))
    const compared = [...heartRateBpm].map((bpm, i) => [bpm, bySecond.get(timeMs[i]!)])
    expect(compared.length).toBeGreaterThan(500)
    for (const [ours, theirs] of compared) expect(ours).toBe(theirs!)
  })

  corpusTest('Stryd power is that of its developer field', () => {
    const name = 'fit/FR920xt-with-Stryd-no-hr.fit'
    const power = sdkRecords(fitBytes(name)).map((record) => record.developerFields?.[POWER_KEY])
    expect([...decodeFit(fitBytes(name)).records.powerW]).toEqual(power as number[])
  })
})

type SdkNumber = 'positionLat' | 'positionLong' | 'enhancedAltitude' | 'distance' | 'enhancedSpeed' | 'heartRate'
interface SdkRecord
  extends Partial<Record<SdkNumber | 'cadence' | 'fractionalCadence' | 'temperature' | 'power', number>> {
  readonly timestamp?: Date
  readonly developerFields?: Readonly<Record<string, unknown>>
}
const POWER_KEY = '0'

function sdkRecords(bytes: Uint8Array, mergeHeartRates = false): readonly SdkRecord[] {
  const { messages } = new Decoder(Stream.fromArrayBuffer(bytes.slice().buffer)).read({ mergeHeartRates })
  return (messages.recordMesgs ?? []) as readonly SdkRecord[]
}

function isoTime(fitTimeS: number): string {
  return new Date((fitTimeS + FIT_EPOCH_S) * 1000).toISOString().replace('.000Z', 'Z')
}
