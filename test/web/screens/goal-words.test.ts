import { expect, test } from 'bun:test'
import {
  amountText,
  goalName,
  projectionText,
  standingText,
} from '../../../src/web/screens/training/goals/goal-words.ts'
import { taperedLoads } from '../../../src/web/screens/training/goals/taper.ts'
import type { Goal } from '../../../src/web/types.ts'

const goal: Goal = {
  ...{ id: '0198a000-0000-7000-8000-000000000001', metric: 'distanceM', period: 'year', target: 1_500_000, name: null },
  ...{ from: null, to: null, activeFrom: null, activeTo: null, history: [], progress: null },
}
const progress: NonNullable<Goal['progress']> = {
  ...{ from: '2026-01-01', to: '2026-12-31', done: 1_000_000, status: 'behind', expectedByYesterday: 1_027_000 },
  ...{ aheadBy: -27_000, remainingDays: 119, neededPerDay: 4202, neededPerWeek: 29_412 },
  ...{ projected: 1_480_000, projectedLow: 1_420_000, projectedHigh: 1_540_000 },
}

test('a goal says what it is, how far it is and where it goes', () => {
  expect(goalName(goal, 'metric')).toBe('1,500\u00a0km per year')
  expect(goalName({ ...goal, name: 'A name' }, 'metric')).toBe('A name')
  expect(standingText(goal, progress, 'metric')).toBe('27.0\u00a0km behind; you need 29.4\u00a0km per week.')
  expect(projectionText(goal, progress, 'metric')).toBe(
    'Projection from the last 4 weeks: 1,480\u00a0km (80% range 1,420–1,540\u00a0km).',
  )
})

test('the ends of a range have one unit where they share it, and otherwise their own', () => {
  const between = (metric: Goal['metric'], projectedLow: number, projectedHigh: number) => {
    const said = projectionText({ ...goal, metric }, { ...progress, projectedLow, projectedHigh }, 'metric') ?? ''
    return /range (.*)\)/.exec(said)?.[1]
  }
  expect(between('movingTimeS', 3000, 4800)).toBe('50 min–1 h 20 min')
  expect(between('movingTimeS', 4800, 6000)).toBe('1 h 20 min–1 h 40 min')
  expect(between('movingTimeS', 1800, 3000)).toBe('30–50 min')
  expect(between('runs', 1, 2)).toBe('1 run–2 runs')
  expect(between('runs', 2, 3)).toBe('2–3 runs')
})

test('less than one run is not behind, and a goal that is reached has no way to go', () => {
  const runs = { ...goal, metric: 'runs', target: 4 } as const
  const week = { ...progress, done: 3, aheadBy: -0.43, remainingDays: 1, neededPerWeek: 7 }
  expect(standingText(runs, week, 'metric')).toBe('On track; 1 run to go in 1 day.')
  const reached = { ...progress, status: 'reached', done: 1_502_000 } as const
  expect(standingText(goal, reached, 'metric')).toBe('Reached, 2.0\u00a0km over.')
  expect(projectionText(goal, reached, 'metric')).toBeNull()
  const out = standingText(goal, { ...progress, status: 'outOfReach' }, 'metric')
  expect(out).toContain('more than in recent weeks')
})

test('amounts are in the units of the reader', () => {
  expect(amountText('distanceM', 16_093.44, 'imperial')).toBe('10.0\u00a0mi')
  expect(amountText('elevGainM', 304.8, 'imperial')).toBe('1,000 ft')
  expect(amountText('runs', 1, 'metric')).toBe('1 run')
  expect(amountText('movingTimeS', 7200, 'metric')).toBe('2 h 00 min')
})

test('the loads before a race are lighter in its last two weeks, and the race is none of them', () => {
  const days = Array.from({ length: 22 }, (_, index) => ({
    ...{ date: `2026-12-${String(index + 1).padStart(2, '0')}`, load: 100, fitness: 0, fatigue: 0, form: 0 },
  }))
  const loads = [...Array(5).fill(100), ...Array(7).fill(70), ...Array(7).fill(40)]
  expect(taperedLoads(days, '2026-12-20')).toEqual(loads)
})
