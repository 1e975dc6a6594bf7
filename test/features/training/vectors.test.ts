// The vectors of the independent implementation once more, through the API: rounded as it serves them.
import { expect, test } from 'bun:test'
import { roundedOrNull } from '../../../src/engine/units.ts'
import { type TestApp, testApp } from '../../app.ts'
import { addRows } from '../../library/as-stored.ts'

import oracles from '../../training-oracles.json'
import { addRun, profile } from './days-ago.ts'

const { fitness } = oracles
const history: readonly number[] = fitness.history.loads

/** A run of an hour on each day that has a load, given by hand; the last one is today's. */
function addLoads(app: TestApp, loads: readonly number[]): void {
  for (const [day, load_manual] of loads.entries()) {
    // the first row is that of the first run, be its load 0
    if (load_manual === 0 && day > 0) continue
    const workout_id = addRun(app, loads.length - 1 - day)
    addRows(app.deps, 'training_choice', [{ workout_id, load_source: 'auto', load_manual, exclude_from_estimates: 0 }])
  }
}

/** Decimals of each number of a day. */
const DECIMALS = {
  ...{ load: 1, fitness: 1, fatigue: 1, form: 1, ramp: 1, strain: 1, monotony: 2, weekToUsual: 2, share: 3 },
} as const

function expectRow(found: Record<string, unknown>, expected: Readonly<Record<string, number | null>>, name: string) {
  const compared = Object.entries(DECIMALS).filter(([field]) => expected[field] !== undefined)
  expect(compared.length).toBeGreaterThan(3)
  for (const [field, decimals] of compared)
    expect(found[field], `${name} ${field}`).toBe(roundedOrNull(expected[field]!, decimals))
  if (expected.acwrCoupled === undefined) return
  const [coupled, ewma] = [roundedOrNull(expected.acwrCoupled, 2), roundedOrNull(expected.acwrEwma!, 2)]
  expect(found.acwr, name).toEqual({ coupled, ewma })
}

test('four hundred days, what is forecast after them, and with a seed', async () => {
  await using app = await testApp()
  addLoads(app, history)
  const { days } = await app.ok('GET', '/training/load?from=2024-10-17&to=2025-11-21')
  expect(days).toHaveLength(400)
  for (const { day, ...expected } of fitness.history.expect) expectRow(days[day], expected, `day ${day}`)
  const { usual14, restDaysToFormZero } = fitness.forecast
  const found = await app.ok('GET', '/training/forecast?plan=usual&days=14')
  expect(found.restDaysToFormZero).toBe(restDaysToFormZero)
  for (const [at, row] of usual14.entries()) expectRow(found.days[at], row, `usual ${at}`)
  await using seeded = await testApp()
  addLoads(seeded, history.slice(0, 60))
  await profile(seeded, { fitnessSeed: fitness.seeded.seed })
  const { days: after } = await seeded.ok('GET', '/training/load')
  for (const { day, ...expected } of fitness.seeded.expect) expectRow(after[day], expected, `day ${day}`)
})
