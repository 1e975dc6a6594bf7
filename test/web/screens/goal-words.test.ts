import { expect, test } from 'bun:test'
import { goalName, projectionText, standingText } from '../../../src/web/screens/training/words.ts'
import type { Goal } from '../../../src/web/types.ts'

const goal: Goal = {
  ...{ id: '0198a000-0000-7000-8000-000000000001', metric: 'distanceM', period: 'year', target: 1_500_000, name: null },
  ...{
    from: null,
    to: null,
    activeFrom: null,
    activeTo: null,
    createdOn: '2026-01-01',
    updatedAt: '2026-01-01T00:00:00.000Z',
    history: [],
    progress: null,
  },
}
const progress: NonNullable<Goal['progress']> = {
  ...{ from: '2026-01-01', to: '2026-12-31', done: 1_000_000, status: 'behind', expectedByYesterday: 1_027_000 },
  ...{ aheadBy: -27_000, remainingDays: 119, neededPerDay: 4202, neededPerWeek: 29_412 },
  ...{ projected: 1_480_000, projectedLow: 1_420_000, projectedHigh: 1_540_000 },
}

test('a goal says what it is, how far it is and where it goes', () => {
  expect(goalName(goal, 'metric')).toBe('1,500\u00a0km per year')
  expect(goalName({ ...goal, name: 'A name' }, 'metric')).toBe('A name')
  const projection = 'Projection from the last 4 weeks: 1,480\u00a0km (80% range 1,420–1,540\u00a0km).'
  expect(projectionText(goal, progress, 'metric')).toBe(projection)
  const reached = { ...progress, status: 'reached', done: 1_502_000 } as const
  expect(projectionText(goal, reached, 'metric')).toBeNull()
  const runs = { ...goal, metric: 'runs', target: 4 } as const
  for (const [of, at, words] of [
    [goal, progress, /^27.0\u00a0km behind; you need 29.4\u00a0km per week.$/],
    // less than one run is not behind
    [runs, { ...progress, done: 3, aheadBy: -0.43, remainingDays: 1 }, /^On track; 1 run to go in 1 day.$/],
    [goal, reached, /^Reached, 2.0\u00a0km over.$/],
    [goal, { ...progress, status: 'outOfReach' as const }, /more than in recent weeks/],
  ] as const)
    expect(standingText(of, at, 'metric')).toMatch(words)
})

test.each([
  ['movingTimeS', 3000, 4800, '50 min–1 h 20 min'],
  ['movingTimeS', 4800, 6000, '1 h 20 min–1 h 40 min'],
  ['movingTimeS', 1800, 3000, '30–50 min'],
  ['runs', 1, 2, '1 run–2 runs'],
  ['runs', 2, 3, '2–3 runs'],
] as const)(
  'the ends of a range of %s from %d to %d have one unit where they share it: %s',
  (metric, low, high, words) => {
    const range = { ...progress, projectedLow: low, projectedHigh: high }
    expect(projectionText({ ...goal, metric }, range, 'metric')).toContain(`range ${words})`)
  },
)
