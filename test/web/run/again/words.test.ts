import { expect, test } from 'bun:test'
import {
  gapText,
  ghostPlaces,
  partsText,
  passesSentences,
  raceText,
  stopText,
} from '../../../../src/web/run/again/sections.ts'
import { runSeries } from '../../../../src/web/run/charts/series.ts'
import type { GhostRace, Passes } from '../../../../src/web/run/run-view.ts'
import { samplesOf } from '../samples.ts'

const PASS: Passes['own'] = {
  ...{
    workoutId: 'a',
    name: null,
    utcOffsetMinutes: 600,
    startedAt: '2025-06-20T12:00:00Z',
    direction: 'same',
    startElapsedS: 600,
  },
  ...{ endElapsedS: 849, elapsedS: 249, movingTimeS: 249, avgHeartRateBpm: 152, rank: 3 },
}
const PULSE: NonNullable<Passes['atSamePulse']> = {
  ...{ season: 'spring', year: 2024, passes: 5, heartRateBpm: 152, expectedS: 257, differenceS: -8.2 },
  ...{ standardErrorS: 3, secondsPerBpm: -1.4 },
}
const PASSES: Passes = {
  ...{ fromM: 2000, toM: 3000, lengthM: 999, count: 14, sameCount: 14, runCount: 13, own: PASS, passes: [PASS] },
  best: { ...PASS, startedAt: '2025-05-03T12:00:00Z', elapsedS: 242, rank: 1 },
  atSamePulse: PULSE,
}
const RACE: GhostRace = {
  ghost: { workoutId: 'b', name: null, utcOffsetMinutes: 600, startedAt: '2025-05-03T12:00:00Z' },
  ...{ sharedShare: 1, gapS: 37.2, stopsS: 31.1, climbS: 0.4, paceS: 5.7 },
  places: {
    ...{ distanceM: [0, 300, 600], elapsedS: [0, 100, 230], ghostElapsedS: [5, 105, 205], gapS: [0, 0, 30] },
    ...{ stopsS: [0, 0, 30], climbS: null, paceS: [0, 0, 0] },
  },
  stops: [
    { of: 'run', distanceM: 3204, seconds: 31 },
    { of: 'ghost', distanceM: 900, seconds: 8 },
  ],
}

const FIRST = { ...PASS, rank: 1 }
test.each<[changes: Partial<Passes>, words: RegExp]>([
  [
    {},
    /^You’ve run this section 14 times; this was your 3rd fastest\. Best 4:02 on .*3.* 2025\. At this heart rate 8\u00a0s faster than in spring 2024\.$/,
  ],
  [{ sameCount: 11 }, /14 times, 11 in this direction; this was your 3rd fastest\./],
  [{ count: 2, sameCount: 1, own: FIRST }, /2 times, 1 in this direction\./],
  // the fastest needs no best, the first nothing at all
  [{ own: FIRST, atSamePulse: null }, /^You’ve run this section 14 times; this was your fastest\.$/],
  [{ count: 1, sameCount: 1 }, /^First time on this section\.$/],
  // a difference within its own error is none
  [{ atSamePulse: { ...PULSE, standardErrorS: 9 } }, /At this heart rate as fast as in spring 2024\.$/],
  [{ atSamePulse: { ...PULSE, differenceS: 12 } }, /12\u00a0s slower than in spring 2024\.$/],
])('passes of %j are %p', (changes, words) => {
  expect(passesSentences({ ...PASSES, ...changes }).join(' ')).toMatch(words)
})

test('a race has its gap, the parts of it, and the light', () => {
  expect([RACE.gapS, -65, 0.4].map(gapText)).toEqual(['0:37 behind', '1:05 ahead', 'level'])
  const races = ['0:37 behind your run of', '0:05 ahead of your run of', 'Level with your run of']
  expect([37, -5, 0].map(raceText)).toEqual(races)
  expect(partsText(RACE)).toBe('0:31 lost in stops, 0:06 on pace')
  const parts = '0:40 gained on pace, 0:31 lost in stops, 0:03 on hills'
  expect(partsText({ ...RACE, paceS: -40, climbS: 3 })).toBe(parts)
  const rows: [changes: Partial<GhostRace>, words: string | null][] = [
    [{}, 'You stopped for 0:31 at 3.20\u00a0km'],
    [{ gapS: -20, stopsS: -18 }, 'The ghost stopped for 0:08 at 0.90\u00a0km'],
    [{ stopsS: 5 }, null],
    [{ stops: [] }, null],
  ]
  for (const [changes, words] of rows) expect(stopText({ ...RACE, ...changes }, 'metric')).toBe(words)
})

test('the ghost is where it was as long after the start', () => {
  const seconds = Array.from({ length: 231 }, (_, k) => k)
  // a stop of 30 s at 450 m
  const distanceM = seconds.map((k) => 3 * (k <= 150 ? k : Math.max(150, k - 30)))
  const series = runSeries(samplesOf({ elapsedS: seconds, distanceM }))!
  const places = ghostPlaces(RACE, series)!
  const ghostM = (row: number) => series.distanceM![places.rowOf(row)]!
  expect([0, 100, 150, 180, 230].map(ghostM)).toEqual([0, 300, 450, 540, 600])
  expect([0, 100, 230].map((row) => places.gapAt(row))).toEqual([0, 0, 30])
  expect(ghostPlaces(RACE, { ...series, distanceM: null })).toBeNull()
})
