import { describe, expect, test } from 'bun:test'
import { fitFormat } from '../../../src/formats/fit/fit.ts'
import type { FitFileOptions, FitSample } from '../../fixtures/fit.ts'
import { FIT_EPOCH_S, FitWriter, fields } from '../../fixtures/fit-writer.ts'
import { pairs } from '../../fixtures/pairs.ts'
import { offOf, parse, run, START_MS, secondsOf, steady } from './runs.ts'

describe('sessions', () => {
  test('each running session is a run of its own records; other sports are counted', () => {
    const session = [
      { totalElapsedS: 40, totalDistanceM: 120 },
      { startS: 40, sport: 2, totalElapsedS: 20, totalDistanceM: 60 },
      { startS: 60, totalElapsedS: 40, totalDistanceM: 120 },
    ]
    const { activities, skippedOther } = parse({ session })
    expect(skippedOther).toBe(1)
    expect(activities.map(({ startedAtMs }) => startedAtMs)).toEqual([START_MS, START_MS + 60_000])
    expect(activities.map((one) => [secondsOf(one)[0], secondsOf(one).at(-1)])).toEqual(pairs('0,39 0,40'))
    expect([...activities[1]!.recording!.distanceM].slice(0, 3)).toEqual([0, 3, 6])
  })

  test('one under 10 s beside a longer one is counted, alone it is a run', () => {
    const session = [
      { totalElapsedS: 95, totalDistanceM: 285 },
      { startS: 95, totalElapsedS: 5, totalDistanceM: 15 },
    ]
    expect(parse({ session })).toMatchObject({ skippedOther: 1, activities: [{ totals: { elapsedS: 95 } }] })
    expect(parse({ samples: steady(5) })).toMatchObject({ skippedOther: 0, activities: [{ totals: { elapsedS: 5 } }] })
  })

  test('a session written twice is one run', () => {
    expect(parse({ session: [{}, {}] }).activities).toHaveLength(1)
  })

  test('records before the session are left out', () => {
    const session = { startS: 20, totalElapsedS: 80, totalDistanceM: 240 }
    const activity = run({ session })
    expect(activity.startedAtMs).toBe(START_MS + 20_000)
    expect(secondsOf(activity)).toHaveLength(81)
    expect(activity.recording!.distanceM[0]).toBe(0)
  })

  test('a made file that starts between two seconds keeps its first record', () => {
    const activity = run({ startMs: START_MS + 777 })
    expect(activity.startedAtMs).toBe(START_MS)
    expect(secondsOf(activity)).toEqual(steady(100).map(({ t }) => t))
  })
})

describe('clock', () => {
  test('one without records is counted beside one that has some', () => {
    const session = [
      { totalElapsedS: 100, totalDistanceM: 300 },
      { startS: 5000, totalElapsedS: 600, totalDistanceM: 2000 },
    ]
    expect(parse({ session })).toMatchObject({ skippedOther: 1, activities: [{ totals: { elapsedS: 100 } }] })
  })

  test('a clock set back by an hour continues one second later', () => {
    const samples = steady(100).map((sample) => (sample.t < 60 ? sample : { ...sample, t: sample.t - 3600 }))
    expect(secondsOf(run({ samples, session: { totalElapsedS: 100 } }))).toEqual(steady(100).map(({ t }) => t))
  })

  test('pauses after a clock that was set back move with the records', () => {
    const samples = steady(100).map((sample) => (sample.t < 60 ? sample : { ...sample, t: sample.t - 3600 }))
    const bytes = interleaved(samples, { afterRow: 70, at: 70 - 3600 }, { afterRow: 80, at: 80 - 3600 })
    const [activity] = fitFormat.parse(bytes, { filename: 'a.fit' }).activities
    expect(secondsOf(activity!).at(-1)).toBe(100)
    expect(offOf(activity!)).toEqual([[70, 80]])
  })

  test('records a second apart that are swapped are put in order', () => {
    const samples = steady(100)
    const swapped = [...samples.slice(0, 10), samples[11]!, samples[10]!, ...samples.slice(12)]
    expect(secondsOf(run({ samples: swapped }))).toEqual(samples.map(({ t }) => t))
  })
})

describe('damage', () => {
  test('records without values are dropped', () => {
    const samples = [...steady(100), { t: 101, temperatureC: 20 }]
    expect(secondsOf(run({ samples, session: { totalElapsedS: 101, totalDistanceM: 300 } })).at(-1)).toBe(100)
  })

  test('reading stops at a record more than 366 days after the end', () => {
    const samples = [...steady(100), { t: 100 + 367 * 86_400, distanceM: 900 }]
    const session = { totalElapsedS: 100, totalDistanceM: 300 }
    expect(secondsOf(run({ samples, session })).at(-1)).toBe(100)
    expect(secondsOf(run({ samples, session: null })).at(-1)).toBe(100)
  })

  test('less than half of both distance and time is an error, half of one is enough', () => {
    const session = (totalElapsedS: number, totalDistanceM: number) => ({ session: { totalElapsedS, totalDistanceM } })
    expect(() => parse(session(201, 601))).toThrow('The file is damaged: less than half of the run can be read')
    expect(parse(session(200, 601)).activities).toHaveLength(1)
    expect(parse(session(201, 600)).activities).toHaveLength(1)
  })

  test('without a session whatever is sound is a run', () => {
    const activity = run({ session: null })
    expect(activity.startedAtMs).toBe(START_MS)
    expect(activity.totals.distanceM).toBeNull()
    expect(activity.recording!.distanceM.at(-1)).toBe(300)
  })
})

describe('timer', () => {
  const cases: Record<string, [FitFileOptions['timer'] & object, [number, number][]]> = {
    'a stop and a start': [pairs('0,0 20,4 35,0'), [[20, 35]]],
    'starts without stop': [pairs('0,0 10,0 20,1 30,0 40,0'), [[20, 30]]],
    'a second stop before the start': [pairs('0,0 20,4 25,9 30,0'), [[20, 30]]],
    'a stop that never resumes': [pairs('0,0 80,8'), [[80, 100]]],
    'the stop at the end': [pairs('0,0 100,4'), []],
    'a stop before the start of the session': [pairs('-30,4 15,0'), [[0, 15]]],
    'events out of order': [pairs('35,0 0,0 20,4'), [[20, 35]]],
  }
  for (const [name, [timer, expected]] of Object.entries(cases)) {
    test(`${name} gives ${JSON.stringify(expected)}`, () => {
      expect(offOf(run({ timer }))).toEqual(expected)
    })
  }
})

/** A file without session whose timer events are between the records, as Garmin writes them. */
function interleaved(samples: readonly FitSample[], stop: Event, start: Event): Uint8Array {
  const startS = START_MS / 1000 - FIT_EPOCH_S
  const writer = new FitWriter()
  writer.define({ local: 0, global: 20, fields: fields('253:uint32 5:uint32') })
  writer.define({ local: 1, global: 21, fields: fields('253:uint32 0:enum 1:enum') })
  samples.forEach(({ t, distanceM }, row) => {
    writer.data(0, [startS + t, 100 * distanceM!])
    if (row === stop.afterRow) writer.data(1, [startS + stop.at, 0, 4])
    if (row === start.afterRow) writer.data(1, [startS + start.at, 0, 0])
  })
  return writer.finish()
}

interface Event {
  readonly afterRow: number
  readonly at: number
}
