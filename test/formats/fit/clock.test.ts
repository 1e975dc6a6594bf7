import { describe, expect, test } from 'bun:test'
import { fitFormat } from '../../../src/formats/fit/fit.ts'
import type { FitFileOptions, FitSample } from '../../fixtures/fit.ts'
import { FIT_EPOCH_S, FitWriter, fields } from '../../fixtures/fit-writer.ts'
import { pairs } from '../../fixtures/pairs.ts'
import { offOf, parse, run, START_MS, secondsOf, steady } from './runs.ts'

const all = (end = 100) => steady(end).map(({ t }) => t)

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

  test('one under 10 s, or without records, is counted beside a longer one, alone it is a run; written twice it is one', () => {
    const longer = { totalElapsedS: 95, totalDistanceM: 285 }
    for (const other of [
      { startS: 95, totalElapsedS: 5 },
      { startS: 5000, totalElapsedS: 600, totalDistanceM: 2000 },
    ])
      expect(parse({ session: [longer, other] })).toMatchObject({
        ...{ skippedOther: 1, activities: [{ totals: { elapsedS: 95 } }] },
      })
    expect(parse({ samples: steady(5) })).toMatchObject({ skippedOther: 0, activities: [{ totals: { elapsedS: 5 } }] })
    expect(parse({ session: [{}, {}] }).activities).toHaveLength(1)
  })

  test('records before the session are left out, the first one within its second is not', () => {
    const late = run({ session: { startS: 20, totalElapsedS: 80, totalDistanceM: 240 } })
    expect([late.startedAtMs, secondsOf(late).length, late.recording!.distanceM[0]]).toEqual([START_MS + 20_000, 81, 0])
    const made = run({ startMs: START_MS + 777 })
    expect([made.startedAtMs, secondsOf(made)]).toEqual([START_MS, all()])
  })
})

test('a clock set back by an hour continues one second later, pauses too; swapped records are put in order', () => {
  const samples = steady(100).map((sample) => (sample.t < 60 ? sample : { ...sample, t: sample.t - 3600 }))
  expect(secondsOf(run({ samples, session: { totalElapsedS: 100 } }))).toEqual(all())
  const bytes = interleaved(samples, { afterRow: 70, at: 70 - 3600 }, { afterRow: 80, at: 80 - 3600 })
  const [activity] = fitFormat.parse(bytes, { filename: 'a.fit' }).activities
  expect([secondsOf(activity!).at(-1), offOf(activity!)]).toEqual([100, [[70, 80]]])
  const [eleventh, twelfth] = steady(100).slice(10, 12) as [FitSample, FitSample]
  const swapped = steady(100).with(10, twelfth).with(11, eleventh)
  expect(secondsOf(run({ samples: swapped }))).toEqual(all())
})

describe('damage', () => {
  test('records without values, and those more than 366 days after the end, are dropped', () => {
    const session = { totalElapsedS: 100, totalDistanceM: 300 }
    const far = [...steady(100), { t: 100 + 367 * 86_400, distanceM: 900 }]
    for (const options of [
      { samples: [...steady(100), { t: 101, temperatureC: 20 }], session: { ...session, totalElapsedS: 101 } },
      { samples: far, session },
      { samples: far, session: null },
    ])
      expect(secondsOf(run(options)).at(-1)).toBe(100)
  })

  test('less than half of both distance and time is an error, half of one is enough', () => {
    const session = (totalElapsedS: number, totalDistanceM: number) => ({ session: { totalElapsedS, totalDistanceM } })
    expect(() => parse(session(201, 601))).toThrow('The file is damaged: less than half of the run can be read')
    expect(parse(session(200, 601)).activities).toHaveLength(1)
    expect(parse(session(201, 600)).activities).toHaveLength(1)
  })

  test('without a session whatever is sound is a run', () => {
    const { startedAtMs, totals, recording } = run({ session: null })
    expect([startedAtMs, totals.distanceM, recording!.distanceM.at(-1)]).toEqual([START_MS, null, 300])
  })
})

test.each<[what: string, timer: FitFileOptions['timer'] & object, off: [number, number][]]>([
  ['a stop and a start', pairs('0,0 20,4 35,0'), [[20, 35]]],
  ['starts without stop', pairs('0,0 10,0 20,1 30,0 40,0'), [[20, 30]]],
  ['a second stop before the start', pairs('0,0 20,4 25,9 30,0'), [[20, 30]]],
  ['a stop that never resumes', pairs('0,0 80,8'), [[80, 100]]],
  ['the stop at the end', pairs('0,0 100,4'), []],
  ['a stop before the start of the session', pairs('-30,4 15,0'), [[0, 15]]],
  ['events out of order', pairs('35,0 0,0 20,4'), [[20, 35]]],
])('%s of the timer', (_, timer, off) => {
  expect(offOf(run({ timer }))).toEqual(off)
})

interface Event {
  readonly afterRow: number
  readonly at: number
}

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
