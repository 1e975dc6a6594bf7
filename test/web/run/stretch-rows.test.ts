import { expect, test } from 'bun:test'
import type { Split } from '../../../src/web/run/run-view.ts'
import { extremesOf, splitGroups, splitRows, unitsOf } from '../../../src/web/run/tables/rows.ts'
import { pairs } from '../../fixtures/pairs.ts'

const MILE = 1609.344
type Part = readonly [metres: number, seconds: number, more?: Partial<Split>]

/** Splits of so many metres and seconds each, one after the other. */
function splitsOf(parts: readonly Part[]): Split[] {
  let atS = 0
  return parts.map(([distanceM, durationS, more], idx) => {
    const startElapsedS = atS
    atS += durationS
    return {
      ...{ idx, distanceM, durationS, paceS: (durationS / distanceM) * 1000, startElapsedS, endElapsedS: atS },
      ...{ movingTimeS: null, elevGainM: null, elevLossM: null, avgHeartRateBpm: null, avgCadenceRpm: null },
      ...{ gapPaceS: null, ...more },
    }
  })
}

const whole = (seconds: number, more: Partial<Split> = {}) => [1000, seconds, more] as const
const rowsOf = (parts: readonly Part[], clock: 'elapsed' | 'moving' = 'elapsed') =>
  splitRows(splitsOf(parts), { cutIn: 'metric', clock })

test.each<[parts: readonly Part[], ofReader: 'metric' | 'imperial', cutIn: 'metric' | 'imperial']>([
  [[whole(300), whole(300)], 'imperial', 'metric'],
  [pairs(`${MILE},500 300,90`), 'metric', 'imperial'],
  // one alone would be the same in both
  [[[420, 120]], 'imperial', 'imperial'],
  [[[420, 120]], 'metric', 'metric'],
  // in kilometres these would be two
  [[[1700, 600]], 'metric', 'imperial'],
  [[], 'metric', 'metric'],
])('splits of %j for a reader of %s units are cut in %s', (parts, ofReader, cutIn) => {
  expect(unitsOf(splitsOf(parts), ofReader)).toBe(cutIn)
})

test('lines of splits are numbered, say the length of a short last one, and sum up the time', () => {
  const rows = rowsOf([whole(300), whole(310), [420, 120]])
  expect(rows.map(({ name, totalS, isUncompared }) => [name, totalS, isUncompared])).toEqual([
    ['1', 300, false],
    ['2', 610, false],
    ['0.42\u00a0km', 730, true],
  ])
  // a remainder below a tenth belongs to the split before
  expect(rowsOf([whole(300), [1080, 330]]).map(({ name }) => name)).toEqual(['1', '2'])
})

test('they go by the moving clock where that is shown, grade-adjusted paces as well', () => {
  const parts = [whole(400, { movingTimeS: 300, gapPaceS: 380 }), whole(300)]
  expect(rowsOf(parts, 'moving')).toMatchObject([
    { timeS: 300, paceS: 300, gapPaceS: 285, totalS: 300 },
    { timeS: 300, paceS: 300, gapPaceS: null, totalS: 600 },
  ])
  expect(rowsOf(parts)[0]).toMatchObject({ timeS: 400, paceS: 400, gapPaceS: 380 })
  // where the runner stood still there is no pace
  expect(rowsOf([whole(400, { movingTimeS: 0 })], 'moving')[0]?.paceS).toBeNull()
})

test('the fastest and the slowest split stand out, never the short rest, nor among two, nor where all are level', () => {
  const extremes = (...parts: Part[]) => extremesOf(rowsOf(parts))
  expect(extremes(whole(300), whole(280), whole(320), [100, 20])).toEqual({ fastest: '1', slowest: '2' })
  expect(extremes(whole(300), whole(280))).toBeNull()
  expect(extremes(whole(300), whole(300.2), whole(299.8))).toBeNull()
})

test('a run of more than 25 splits is in groups, which add up times and climbs and take means over the time', () => {
  const many = (count: number) => {
    const more = (k: number) => ({ avgHeartRateBpm: 140 + k, elevGainM: 2, elevLossM: 1, gapPaceS: 300 })
    return rowsOf(Array.from({ length: count }, (_, k) => whole(k < 5 ? 290 + 5 * k : 300, more(k))))
  }
  expect(splitGroups(many(25))).toBeNull()
  const names = splitGroups(many(26))?.map(({ name, parts }) => `${name}: ${parts.length}`)
  expect(names).toEqual(['1–5: 5', '6–10: 5', '11–15: 5', '16–20: 5', '21–25: 5', '26: 0'])
  const [group] = splitGroups(many(27)) ?? []
  const sums = { timeS: 1500, distanceM: 5000, paceS: 300, totalS: 1500, gainM: 10, lossM: 5 }
  expect(group).toMatchObject({ ...sums, section: { fromS: 0, toS: 1500 } })
  // 290, 295 ... 310 s at 140, 141 ... 144: the longest at the highest
  expect(group?.heartRateBpm).toBeCloseTo(142 + (5 * 10) / 1500, 9)
  expect(group?.gapPaceS).toBeCloseTo(300, 9)
})

test('the pace of a split times its length is the time beside it, to the second, by either clock', () => {
  const parts: Part[] = [
    whole(300, { paceS: 299.51, movingTimeS: 283 }),
    [812.4, 251, { paceS: 308.4, movingTimeS: 251 }],
  ]
  for (const clock of ['elapsed', 'moving'] as const) {
    for (const { paceS, distanceM, timeS } of rowsOf(parts, clock))
      expect(Math.round((paceS! * distanceM!) / 1000)).toBe(timeS)
  }
  expect(rowsOf(parts, 'moving').map(({ timeS }) => timeS)).toEqual([283, 251])
})
