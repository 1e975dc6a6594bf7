import { describe, expect, test } from 'bun:test'
import { parseFile } from '../../src/formats/registry.ts'
import { NOW_MS } from '../app.ts'
import { polarExercise, polarSession } from '../fixtures/polar.ts'
import { type KnownRun, knownRuns, localTime } from '../fixtures/service-runs.ts'
import { refusal } from './cuts.ts'

const [RUN] = knownRuns(1, 600) as [KnownRun]
const read = (text: string) =>
  parseFile(new TextEncoder().encode(text), { filename: 'training-session-1.json', nowMs: NOW_MS })

describe('a training session of Polar Flow', () => {
  test('is a run with its route, heart rate and totals at the time of its clock', () => {
    const [run] = read(polarSession([polarExercise(RUN)], { name: 'Evening', note: 'Wind' })).activities
    expect(run).toMatchObject({ startedAtMs: RUN.startMs, name: 'Evening', notes: 'Wind', utcOffsetMinutes: 60 })
    expect(run?.totals).toMatchObject({ elapsedS: 600, timerS: 600, distanceM: 1500, avgHeartRateBpm: 120 })
    const { recording } = run!
    const { n, timeMs } = recording!
    expect([n, timeMs[0], timeMs.at(-1)]).toEqual([601, RUN.startMs, RUN.startMs + 600_000])
    expect(recording?.latDeg[600]).toBeCloseTo(47 + 1500 / 111_170, 9)
    expect([recording?.heartRateBpm[300], recording?.elevM[300]]).toEqual([120, 400])
  })

  test('has a series whose clock is late at its start, and one that ends within a minute where it is', () => {
    const late = (ms: number) => {
      const exercise = polarExercise(RUN)
      const recordedRoute = exercise.samples.recordedRoute.map((point, t) => ({
        ...point,
        dateTime: localTime(RUN.startMs + t * 1000 + ms, 60),
      }))
      return read(polarSession([{ ...exercise, samples: { ...exercise.samples, recordedRoute } }])).activities[0]!
    }
    for (const ms of [61_000, 4_827_801]) {
      const { recording } = late(ms)
      expect([recording?.n, recording?.timeMs[0]]).toEqual([601, RUN.startMs])
      expect(recording?.heartRateBpm.every((hr) => hr === 120)).toBe(true)
    }
    expect(late(59_000).recording?.n).toBe(660)
  })

  test('has a run for each running exercise; others are counted', () => {
    const [first, second] = knownRuns(2)
    const of = (run: KnownRun, sport: unknown = 'RUNNING') => polarExercise(run, { sport })
    const { activities, skippedOther } = read(
      polarSession([of(first!), of(first!, 'CYCLING'), of(second!, 'TREADMILL_RUNNING')]),
    )
    expect(activities.map(({ startedAtMs }) => startedAtMs)).toEqual([first!.startMs, second!.startMs])
    expect(activities.map(({ recording }) => recording?.indoor)).toEqual([false, true])
    expect(skippedOther).toBe(1)
    for (const [sport, named] of [
      ['CYCLING', 'CYCLING'],
      [7, null],
    ])
      expect(refusal(polarSession([of(first!, sport)]))).toMatchObject({ problem: 'noRun', sport: named })
  })

  test('has its laps, one after the other', () => {
    const laps = [
      { duration: 'PT3M20S', distance: 500, heartRate: { avg: 118, max: 125 } },
      { duration: 'PT400.5S', distance: 1000 },
    ]
    const [run] = read(polarSession([polarExercise(RUN, { laps })])).activities
    expect(run?.laps.map(({ startMs, timerS, distanceM }) => [startMs - RUN.startMs, timerS, distanceM])).toEqual([
      [0, 200, 500],
      [200_000, 400.5, 1000],
    ])
  })
})
