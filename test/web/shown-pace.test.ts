import { describe, expect, test } from 'bun:test'
import { gapPaceOf, type ShownPace, shownPace } from '../../src/web/shown-pace.ts'

const run = { runType: null, distanceM: 10_000, durationS: 3600, movingTimeS: 3000, timerTimeS: 3300, avgPaceS: 360 }

describe('the one pace of a run', () => {
  const [moving, elapsed] = [
    { clock: 'moving' as const, timeS: 3000, paceS: 300 },
    { clock: 'elapsed' as const, timeS: 3600, paceS: 360 },
  ]

  test('is that of the moving time, with the elapsed one beside it', () => {
    expect(shownPace(run, 'moving')).toEqual({ ...moving, other: elapsed })
  })

  test('is that of the elapsed time for races, and for all runs where the runner wants it', () => {
    const shown: ShownPace = { ...elapsed, other: moving }
    expect(shownPace({ ...run, runType: 'Race' }, 'moving')).toEqual(shown)
    expect(shownPace(run, 'elapsed')).toEqual(shown)
  })

  test('goes by the timer of the watch where no moving time is known', () => {
    expect(shownPace({ ...run, movingTimeS: null }, 'moving')).toMatchObject({ timeS: 3300, paceS: 330 })
  })

  test('is alone where both clocks agree within some seconds, or only one is known', () => {
    const alone: ShownPace = { ...elapsed, other: null }
    expect(shownPace({ ...run, movingTimeS: 3596 }, 'moving')).toEqual(alone)
    expect(shownPace({ ...run, movingTimeS: null, timerTimeS: null }, 'moving')).toEqual(alone)
    expect(shownPace({ ...run, movingTimeS: 3595 }, 'moving')).toMatchObject({ timeS: 3595 })
  })

  test('is none without a distance', () => {
    const still = { ...run, distanceM: 0, avgPaceS: 0 }
    expect([shownPace(still, 'moving').paceS, shownPace(still, 'elapsed').paceS]).toEqual([null, null])
  })

  test('has a grade-adjusted one by the same clock', () => {
    expect(gapPaceOf({ ...run, gapPaceS: 354 }, shownPace(run, 'moving'))).toBe(295)
    expect(gapPaceOf({ ...run, gapPaceS: 354 }, shownPace(run, 'elapsed'))).toBe(354)
    expect(gapPaceOf({ ...run, gapPaceS: null }, shownPace(run, 'moving'))).toBeNull()
  })
})
