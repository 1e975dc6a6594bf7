// The vectors of the independent implementation once more, through the API: rounded as it serves them.
import { expect, test } from 'bun:test'
import { roundedOrNull } from '../../src/engine/units.ts'
import { type TestApp, testApp } from '../app.ts'
import { addRows } from '../library/as-stored.ts'
import { addWorkout } from '../library/feature-app.ts'
import oracles from '../training-oracles.json'

const { fitness } = oracles
const DAY_MS = 86_400_000
const history: readonly number[] = fitness.history.loads

/** A run of an hour on each day that has a load, given by hand; the last one is today's. */
function addLoads(app: TestApp, loads: readonly number[]): void {
  for (const [day, loadManual] of loads.entries()) {
    // the first row is that of the first run, be its load 0
    if (loadManual === 0 && day > 0) continue
    const id = Bun.randomUUIDv7()
    addWorkout(app.deps, { id, startedAt: app.clock.nowMs - (loads.length - 1 - day) * DAY_MS })
    const choice = { workout_id: id, load_source: 'auto', load_manual: loadManual, exclude_from_estimates: 0 }
    addRows(app.deps, 'training_choice', [choice])
  }
}

type Numbers = Readonly<Record<string, number | null>>

/** Decimals of each number of a day (docs/api.md 14). */
const DECIMALS = {
  ...{ load: 1, fitness: 1, fatigue: 1, form: 1, ramp: 1, strain: 1, monotony: 2, weekToUsual: 2, share: 3 },
} as const

function expectRow(found: Record<string, unknown>, expected: Numbers, name: string): void {
  let compared = 0
  for (const [field, decimals] of Object.entries(DECIMALS)) {
    const value = expected[field]
    if (value === undefined) continue
    expect(found[field], `${name} ${field}`).toBe(roundedOrNull(value, decimals))
    compared += 1
  }
  expect(compared).toBeGreaterThan(3)
  if (expected.acwrCoupled === undefined) return
  expect(found.acwr, name).toEqual({
    coupled: roundedOrNull(expected.acwrCoupled, 2),
    ewma: roundedOrNull(expected.acwrEwma!, 2),
  })
}

test('four hundred days, what is forecast after them, and the room of the last one', async () => {
  await using app = await testApp()
  addLoads(app, history)
  const { days } = await app.ok('GET', '/training/load?from=2024-10-17&to=2025-11-21')
  expect(days).toHaveLength(400)
  for (const { day, ...expected } of fitness.history.expect) expectRow(days[day], expected, `day ${day}`)
  const { rest14, usual14, custom, restDaysToFormZero } = fitness.forecast
  const loads = custom.map(({ load }) => load).join(',')
  for (const [plan, rows, more] of [
    ['rest', rest14, ''],
    ['usual', usual14, ''],
    ['custom', custom, `&loads=${loads}`],
  ] as const) {
    const found = await app.ok('GET', `/training/forecast?plan=${plan}&days=${rows.length}${more}`)
    expect(found.restDaysToFormZero).toBe(restDaysToFormZero)
    for (const [at, row] of rows.entries()) expectRow(found.days[at], row, `${plan} ${at}`)
  }
})

test('with a seed', async () => {
  await using app = await testApp()
  addLoads(app, history.slice(0, 60))
  const { seed, expect: rows } = fitness.seeded
  expect((await app.call('PUT', '/settings/training', { json: { fitnessSeed: seed } })).status).toBe(200)
  const { days } = await app.ok('GET', '/training/load')
  for (const { day, ...expected } of rows) expectRow(days[day], expected, `day ${day}`)
})
