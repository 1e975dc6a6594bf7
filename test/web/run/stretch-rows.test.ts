import { describe, expect, test } from 'bun:test'
import { barLengths, extremesOf, splitGroups, splitRows, unitsOf } from '../../../src/web/run/tables/stretch-rows.ts'
import type { Split } from '../../../src/web/run/types.ts'
import { pairs } from '../../fixtures/pairs.ts'

const MILE = 1609.344

/** Splits of so many metres and seconds each, one after the other. */
function splitsOf(parts: readonly (readonly [metres: number, seconds: number, more?: Partial<Split>])[]): Split[] {
  let atS = 0
  return parts.map(([distanceM, durationS, more], idx) => {
    const startElapsedS = atS
    atS += durationS
    return {
      ...{ idx, distanceM, durationS, paceS: (durationS / distanceM) * 1000, startElapsedS, endElapsedS: atS },
      ...{ movingTimeS: null, elevGainM: null, elevLossM: null, avgHeartRateBpm: null, avgCadenceRpm: null },
      gapPaceS: null,
      ...more,
    }
  })
}

const whole = (seconds: number, more: Partial<Split> = {}) => [1000, seconds, more] as const
const metric = { cutIn: 'metric', clock: 'elapsed' } as const

describe('the unit that splits were cut in', () => {
  test('is derived from the first of several', () => {
    expect(unitsOf(splitsOf([whole(300), whole(300)]), 'imperial')).toBe('metric')
    expect(unitsOf(splitsOf(pairs(`${MILE},500 300,90`)), 'metric')).toBe('imperial')
  })

  test('is the reader’s where one alone would be the same in both', () => {
    expect(unitsOf(splitsOf([[420, 120]]), 'imperial')).toBe('imperial')
    expect(unitsOf(splitsOf([[420, 120]]), 'metric')).toBe('metric')
    // in kilometres these would be two
    expect(unitsOf(splitsOf([[1700, 600]]), 'metric')).toBe('imperial')
    expect(unitsOf([], 'metric')).toBe('metric')
  })
})

describe('the lines of splits', () => {
  test('are numbered, say the length of a short last one, and sum up the time', () => {
    const rows = splitRows(splitsOf([whole(300), whole(310), [420, 120]]), metric)
    expect(rows.map(({ name, totalS, isUncompared }) => [name, totalS, isUncompared])).toEqual([
      ['1', 300, false],
      ['2', 610, false],
      ['0.42\u00a0km', 730, true],
    ])
    // a remainder below a tenth belongs to the split before
    expect(splitRows(splitsOf([whole(300), [1080, 330]]), metric).map(({ name }) => name)).toEqual(['1', '2'])
  })

  test('go by the moving clock where that is shown, grade-adjusted paces as well', () => {
    const splits = splitsOf([whole(400, { movingTimeS: 300, gapPaceS: 380 }), whole(300)])
    const [first, second] = splitRows(splits, { cutIn: 'metric', clock: 'moving' })
    expect([first?.timeS, first?.paceS, first?.gapPaceS, first?.totalS]).toEqual([300, 300, 285, 300])
    expect([second?.timeS, second?.paceS, second?.gapPaceS, second?.totalS]).toEqual([300, 300, null, 600])
    expect(splitRows(splits, metric)[0]).toMatchObject({ timeS: 400, paceS: 400, gapPaceS: 380 })
  })

  test('have no pace where the runner stood still', () => {
    const [row] = splitRows(splitsOf([whole(400, { movingTimeS: 0 })]), { cutIn: 'metric', clock: 'moving' })
    expect(row?.paceS).toBeNull()
  })
})

describe('what stands out', () => {
  test('is the fastest and the slowest split, never the short rest', () => {
    const rows = splitRows(splitsOf([whole(300), whole(280), whole(320), [100, 20]]), metric)
    expect(extremesOf(rows)).toEqual({ fastest: '1', slowest: '2' })
  })

  test('is nothing among two, nor where all are level', () => {
    expect(extremesOf(splitRows(splitsOf([whole(300), whole(280)]), metric))).toBeNull()
    expect(extremesOf(splitRows(splitsOf([whole(300), whole(300.2), whole(299.8)]), metric))).toBeNull()
  })

  test('a bar is longest at the fastest split; the rest at the end makes no scale and stays in it', () => {
    const rows = splitRows(splitsOf([whole(300), whole(250), [100, 10], [100, 100]]), metric)
    const barOf = barLengths(rows)
    expect(rows.map((row) => Math.round(barOf(row) * 100))).toEqual([28, 100, 100, 28])
    const level = splitRows(splitsOf([whole(300), whole(300.3), whole(300.6)]), metric)
    for (const row of level) expect(barLengths(level)(row)).toBeWithin(0.95, 1.01)
    const alone = splitRows(splitsOf([[420, 120]]), metric)
    expect(barLengths(alone)(alone[0]!)).toBe(1)
  })
})

describe('a long run in groups', () => {
  const many = (count: number) => {
    const rest = { elevGainM: 2, elevLossM: 1, gapPaceS: 300 }
    const parts = Array.from({ length: count }, (_, k) =>
      whole(k < 5 ? 290 + 5 * k : 300, { avgHeartRateBpm: 140 + k, ...rest }),
    )
    return splitRows(splitsOf(parts), metric)
  }

  test('is one of more than 25 splits', () => {
    expect(splitGroups(many(25))).toBeNull()
    const names = splitGroups(many(26))?.map(({ name, parts }) => `${name}: ${parts.length}`)
    expect(names).toEqual(['1–5: 5', '6–10: 5', '11–15: 5', '16–20: 5', '21–25: 5', '26: 0'])
  })

  test('adds up times and climbs, and takes means over the time', () => {
    const [group] = splitGroups(many(27)) ?? []
    expect(group).toMatchObject({ timeS: 1500, distanceM: 5000, paceS: 300, totalS: 1500, gainM: 10, lossM: 5 })
    expect(group?.section).toMatchObject({ fromS: 0, toS: 1500 })
    // 290, 295 ... 310 s at 140, 141 ... 144: the longest at the highest
    expect(group?.heartRateBpm).toBeCloseTo(142 + (5 * 10) / 1500, 9)
    expect(group?.gapPaceS).toBeCloseTo(300, 9)
  })
})
