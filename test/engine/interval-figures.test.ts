import { describe, expect, test } from 'bun:test'
import { compared, falseAlarms, NO_FIGURES, sessionOf, together } from '../../bench/intervals.ts'
import { corpusActivities, corpusNames } from '../../bench/numbers.ts'
import { corpusTest } from '../corpus.ts'
import { STEADY } from '../fixtures/interval-runs.ts'

const run = (startS: number, endS: number, distanceM: number) => ({ startS, endS, distanceM })
const recognised = (startElapsedS: number, endElapsedS: number, distanceM: number) => ({
  startElapsedS,
  endElapsedS,
  distanceM,
})

describe('the figures of an interval session', () => {
  const truth = [run(900, 990, 400), run(1080, 1170, 400), run(1260, 1350, 400)]

  test('count what is found, missed and too many, and keep the largest errors', () => {
    const repetitions = [recognised(898, 991, 407), recognised(1084, 1170, 385), recognised(1500, 1590, 400)]
    expect(compared(truth, repetitions)).toEqual({
      ...{ repetitions: 3, found: 2, missed: 1, extra: 1 },
      ...{ startS: 4, distanceM: 15 },
    })
  })

  test('take one that is far longer, or that only touches, for another', () => {
    expect(compared(truth, [recognised(900, 1350, 1300)])).toMatchObject({ found: 0, missed: 3, extra: 1 })
    expect(compared(truth, [recognised(950, 1040, 400)])).toMatchObject({ found: 0, missed: 3, extra: 1 })
    expect(compared([], [])).toMatchObject({ repetitions: 0, found: 0, startS: 0, distanceM: 0 })
  })

  test('of several sessions are added up', () => {
    const one = { sessions: 1, titled: 1, ...compared(truth, [recognised(898, 991, 407)]) }
    const other = { sessions: 1, titled: 0, ...compared(truth, [recognised(1084, 1170, 405)]) }
    expect([one, other].reduce(together, NO_FIGURES)).toEqual({
      ...{ sessions: 2, titled: 1, repetitions: 6, found: 2, missed: 4, extra: 0 },
      ...{ startS: 4, distanceM: 7 },
    })
  })
})

test('false alarms are counted over every kind of steady run', () => {
  const alarms = falseAlarms(1)
  expect(alarms.map(({ kind }) => kind)).toEqual(Object.keys(STEADY))
  expect(alarms[0]).toEqual({ kind: 'at one pace', runs: 1, byPace: 0, withLaps: 0, withKilometres: 0 })
})

corpusTest('a recorded session has its source and title', async () => {
  const name = corpusNames(['fit']).find((one) => one.includes('running-with-developer-data'))!
  const [activity] = await corpusActivities(name)
  expect(sessionOf(activity!)).toBe('laps: 4 × 1000 m')
  expect(sessionOf({ ...activity!, recording: null })).toBeNull()
})
