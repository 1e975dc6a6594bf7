import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { repairs, workouts } from '../../src/db/schema.ts'
import { capsules } from '../../src/db/schema-receipts.ts'
import { unpackRun } from '../../src/library/receipts/capsule.ts'
import { cropWorkout } from '../../src/repair/crop.ts'
import { testApp } from '../app.ts'
import { hillyRun, START_MS } from '../fixtures/runs.ts'
import { done, imported, seen } from '../repair/repairing.ts'

test('what a change replaces is noted again when something was written after it was noted', async () => {
  await using app = await testApp()
  const id = await imported(app, hillyRun(START_MS))
  const { analyzer, db } = app.deps
  let isNamed = false
  // the numbers are derived: the run is noted, others are let in, of which this is the first, and the change is written
  const derive: typeof analyzer.derive = async (job) => {
    const derived = await analyzer.derive(job)
    if (job.what === 'everything') {
      setImmediate(() => {
        db.update(workouts).set({ name: 'Named meanwhile' }).where(eq(workouts.id, id)).run()
        isNamed = true
      })
    }
    return derived
  }
  const deps = { ...app.deps, analyzer: { ...analyzer, derive }, author: { actor: 'browser', left: () => {} } }
  await cropWorkout(deps, id, { removeFromStartSeconds: 100 })
  expect(isNamed).toBe(true)
  const kept = db.select().from(capsules).all()
  expect(kept).toHaveLength(1)
  const { columns = [], rows = [] } = unpackRun(kept[0]!.body).tables.workout ?? {}
  expect(rows[0]?.[columns.indexOf('name')]).toBe('Named meanwhile')
})

test('a repair keeps no splits that were computed here, and its reverting computes them again', async () => {
  await using app = await testApp()
  const id = await imported(app, hillyRun(START_MS))
  const before = await seen(app, id)
  await done(app, 'POST', `/workouts/${id}/crop`, { removeFromStartSeconds: 100 })
  const [repair] = app.deps.db.select({ data: repairs.data }).from(repairs).all()
  expect(repair?.data.before.splits).toEqual([])
  app.clock.nowMs += 1000
  await done(app, 'POST', `/workouts/${id}/revert`)
  expect(before.detail.splits.length).toBeGreaterThan(2)
  expect(await seen(app, id)).toEqual(before)
})
