import { describe, expect, test } from 'bun:test'
import { eachNumber, type NumberName } from '../../src/engine/numbers.ts'
import type { Sources } from '../../src/web/run/run-view.ts'
import { numberLines, repairLines } from '../../src/web/run/sources/source-words.ts'

type Source = Sources['numbers'][NumberName]
type Recording = Sources['recordings'][number]
type Repair = Sources['repairs'][number]

const FILE: Recording = {
  ...{ id: 'file', origin: 'strava_archive', kind: 'file', filename: 'morning.fit', fileType: 'fit' },
  ...{ startedAt: '2026-05-01T07:00:00Z', durationS: 3600, distanceM: 10_020, device: 'Forerunner 955' },
  ...{ channels: ['position', 'elevation', 'heartRate'], addedAt: '2026-05-01T09:00:00Z', isPrimary: true },
}
const ROW: Recording = {
  ...FILE,
  id: 'row',
  kind: 'row',
  filename: null,
  fileType: null,
  device: null,
  channels: [],
  isPrimary: false,
}

/** A number as `origin` of a recording says it, and what others say. */
function said(origin: Source['origin'], value: number, others: Source['others'] = []): Source {
  return { value, origin, recordingId: origin === 'row' ? 'row' : 'file', others }
}

function sourcesOf(
  numbers: Partial<Sources['numbers']>,
  { recordings = [FILE, ROW], repairs = [] }: Partial<Pick<Sources, 'recordings' | 'repairs'>> = {},
): Sources {
  const none: Source = { value: null, origin: null, recordingId: null, others: [] }
  const rest = { corrections: [], choices: { stated: false } }
  return { recordings, repairs, ...rest, numbers: { ...eachNumber(() => none), ...numbers } }
}

const other = (origin: Source['others'][number]['origin'], value: number, recordingId = 'file') => ({
  origin,
  value,
  recordingId,
})
const line = (numbers: Partial<Sources['numbers']>, more: Parameters<typeof sourcesOf>[1] = {}) => {
  const lines = numberLines(sourcesOf(numbers, more), 'metric')
  return lines.map(({ value, from, differing, agreeing }) => [value, from, differing, agreeing])
}
const cropped = (
  id: string,
  [fromS, toS]: readonly [number, number],
  more: Partial<Extract<Repair, { kind: 'crop' }>> = {},
): Repair => ({
  id,
  kind: 'crop',
  data: { fromMs: fromS * 1000, toMs: toS * 1000, climbLimit: null, caloriesKcal: null },
  madeAt: '2026-05-03T12:00:00Z',
  undoneAt: null,
  ...more,
})

describe('where a number comes from, in words', () => {
  test.each([
    [
      'the watch, and the points say less',
      { distanceM: said('device', 10_020, [other('samples', 9990)]) },
      ['10.02\u00a0km', 'From the watch', 'The recorded points give 9.99\u00a0km', null],
    ],
    [
      'what rounds to the same is no difference',
      { distanceM: said('device', 10_021, [other('samples', 10_019.4), other('row', 10_020, 'row')]) },
      ['10.02\u00a0km', 'From the watch', null, 'The recorded points and the Strava table agree'],
    ],
    [
      'the altitude, and the watch counted otherwise',
      { elevGainM: said('samples', 120.3, [other('device', 131)]) },
      ['120\u00a0m', 'From the recorded altitude', 'The watch said 131\u00a0m', null],
    ],
    [
      'one differs, one agrees',
      { movingTimeS: said('samples', 3500, [other('row', 3400, 'row'), other('device', 3500)]) },
      ['58:20', 'From the recorded points', 'The Strava table says 56:40', 'The watch agrees'],
    ],
    ['the Strava table', { calories: said('row', 859) }, ['859\u00a0kcal', 'From the Strava table', null, null]],
    ['an archive', { gapPaceS: said('archive', 300) }, ['5:00/km', 'From the archive', null, null]],
    ['the runner', { distanceM: said('runner', 5000) }, ['5.00\u00a0km', 'Entered by you', null, null]],
    ['other numbers', { avgPaceS: said('derived', 300) }, ['5:00/km', 'From distance and time', null, null]],
    [
      'what was computed of the beats is no second opinion',
      { relativeEffort: said('derived', 57, [other('samples', 57)]) },
      ['57', 'From heart rate and your zones', null, null],
    ],
  ])('%s', (_, numbers, expected) => expect(line(numbers)).toEqual([expected]))

  test('says after a crop what the whole run had, where that is something else', () => {
    const repairs = [cropped('a', [30, 3360])]
    const numbers = {
      distanceM: said('derived', 9180, [other('device', 10_020), other('samples', 10_020)]),
      elevGainM: said('derived', 78, [other('samples', 92), other('device', 93)]),
      maxHeartRateBpm: said('derived', 154, [other('device', 154)]),
      calories: said('derived', 677, [other('device', 746)]),
    }
    expect(line(numbers, { repairs })).toEqual([
      ['9.18\u00a0km', 'From the recorded points', 'The whole run: 10.02\u00a0km', null],
      [
        '78\u00a0m',
        'From the recorded altitude',
        'The whole run: 92\u00a0m from the recorded altitude; 93\u00a0m from the watch',
        null,
      ],
      ['154\u00a0bpm', 'From the recorded beats', null, null],
      ['677\u00a0kcal', 'In proportion to the remaining time', 'The whole run: 746\u00a0kcal', null],
    ])
  })
})

describe('what the runner changed, in words', () => {
  const told = (...repairs: Repair[]) =>
    repairLines(sourcesOf({ durationS: said('device', 3601, [other('samples', 3600)]) }, { repairs }), 'metric')

  test.each([
    [30, 3360, '0:30 from the start, 4:00 from the end'],
    [60, 3600, '1:00 from the start'],
    [0, 3600, 'nothing removed'],
  ])('a crop to %d to %d s of an hour: %s', (fromS, toS, words) => {
    expect(told(cropped('a', [fromS, toS]))[0]?.text).toBe(`Cropped on May 3, 2026: ${words}`)
  })
})
