import { expect, test } from 'bun:test'
import { shiftedDay } from '../../../src/web/format.ts'
import { allDays, barUnit, loadBars, weekLoad } from '../../../src/web/screens/training/series.ts'
import { pairs } from '../../fixtures/pairs.ts'

// Saturday, 1 November 2025, and twelve days more
const days = Array.from({ length: 13 }, (_, day) => ({
  date: `2025-11-${String(day + 1).padStart(2, '0')}`,
  load: 10 ** Math.min(1, day % 2) * (day + 1),
}))

test('the load of a week is from Monday to Sunday, and not reported where the series begins within it', () => {
  expect([weekLoad(days, 0), weekLoad(days, 1)]).toEqual([null, null])
  // 3 to 9 November, from any of its days
  const whole = days.slice(2, 9).reduce((sum, { load }) => sum + load, 0)
  expect([2, 5, 8].map((index) => weekLoad(days, index))).toEqual([whole, whole, whole])
  // as far as it went
  expect(weekLoad(days, 12)).toBe(days.slice(9).reduce((sum, { load }) => sum + load, 0))
})

function made(count: number, first: string) {
  return Array.from({ length: count }, (_, day) => ({ date: shiftedDay(first, day), load: 1, sources: { pace: 1 } }))
}

test('bars are days, of more than four months weeks, of more than three years months', () => {
  expect([130, 131, 1100, 1101].map(barUnit)).toEqual(['day', 'week', 'week', 'month'])
  const weeks = loadBars(made(140, '2025-11-01'))
  expect(weeks.slice(0, 3).map(({ start, length }) => [start, length])).toEqual(pairs('0,2 2,7 9,7'))
  const months = loadBars(made(1200, '2022-01-15'))
  expect(months.slice(0, 3).map(({ length, load }) => [length, load])).toEqual(pairs('17,17 28,28 31,31'))
  expect(months.reduce((sum, { load }) => sum + load, 0)).toBe(1200)
})

test('all days are asked in windows that the service answers, each day once', async () => {
  for (const count of [0, 1, 1095, 1096, 1097, 5500]) {
    const last = '2026-03-01'
    const first = shiftedDay(last, 1 - count)
    const asked: [string, string][] = []
    const { days } = await allDays(last, async (from, to) => {
      asked.push([from, to])
      const within = made(count, first).filter(({ date }) => date >= from && date < to)
      return { days: within as never }
    })
    expect(days.map(({ date }) => date)).toEqual(made(count, first).map(({ date }) => date))
    expect(asked.length).toBeLessThanOrEqual(Math.floor(count / 1096) + 1)
    for (const [from, to] of asked) expect(shiftedDay(from, 1100) >= to).toBe(true)
  }
})
