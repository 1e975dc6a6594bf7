import { expect, test } from 'bun:test'
import { gapPaceOf, shownPace } from '../../src/web/format.ts'

const run = { runType: null, distanceM: 10_000, durationS: 3600, movingTimeS: 3000, timerTimeS: 3300, avgPaceS: 360 }
const moving = { clock: 'moving' as const, timeS: 3000, paceS: 300 }
const elapsed = { clock: 'elapsed' as const, timeS: 3600, paceS: 360 }

test.each([
  ['of a run that of the moving time, with the elapsed one beside it', {}, 'moving', { ...moving, other: elapsed }],
  ['of a race that of the elapsed time', { runType: 'Race' }, 'moving', { ...elapsed, other: moving }],
  ['of all runs that of the elapsed time where the runner wants it', {}, 'elapsed', { ...elapsed, other: moving }],
  [
    'by the timer of the watch where no moving time is known',
    { movingTimeS: null },
    'moving',
    { timeS: 3300, paceS: 330 },
  ],
  ['alone where both clocks agree within some seconds', { movingTimeS: 3596 }, 'moving', { ...elapsed, other: null }],
  ['of two clocks where they do not', { movingTimeS: 3595 }, 'moving', { timeS: 3595 }],
  ['alone where one is known', { movingTimeS: null, timerTimeS: null }, 'moving', { ...elapsed, other: null }],
  ['none without a distance', { distanceM: 0, avgPaceS: 0 }, 'moving', { paceS: null }],
  ['none without a distance by either clock', { distanceM: 0, avgPaceS: 0 }, 'elapsed', { paceS: null }],
] as const)('the one pace is %s', (_, changes, clock, expected) => {
  expect(shownPace({ ...run, ...changes }, clock)).toMatchObject(expected)
})

test('a grade-adjusted pace goes by the same clock', () => {
  const gap = (gapPaceS: number | null, clock: 'moving' | 'elapsed') =>
    gapPaceOf({ ...run, gapPaceS }, shownPace(run, clock))
  expect([gap(354, 'moving'), gap(354, 'elapsed'), gap(null, 'moving')]).toEqual([295, 354, null])
})
