import { expect, test } from 'bun:test'
import { formers } from '../../src/db/schema-documents.ts'
import type { RunDocument } from '../../src/library/documents/run.ts'
import { cropWorkout } from '../../src/repair/samples-repairs.ts'
import { testApp } from '../app.ts'
import { hillyRun, START_MS } from '../fixtures/runs.ts'
import { done, imported, seen } from '../repair/repairing.ts'

test('a run that is edited while its crop is derived is cropped as edited, and the undo of the crop keeps the edit', async () => {
  await using app = await testApp()
  const id = await imported(app, hillyRun(START_MS))
  const { analyzer, db } = app.deps
  let derived = 0
  const derive: typeof analyzer.derive = async (job) => {
    const made = await analyzer.derive(job)
    if (job.what !== 'everything') return made
    derived += 1
    if (derived === 1) await done(app, 'PATCH', `/workouts/${id}`, { name: 'Named meanwhile' })
    return made
  }
  let receiptId = ''
  const by = {
    actor: 'browser',
    left: (left: string) => {
      receiptId = left
    },
  }
  await cropWorkout({ ...app.deps, analyzer: { ...analyzer, derive }, by }, id, { removeFromStartSeconds: 100 })
  expect(derived).toBe(2)
  const kept = db.select().from(formers).all().at(-1)!
  expect((JSON.parse(kept.body!) as RunDocument).words).toEqual({ name: 'Named meanwhile' })
  expect(await done(app, 'POST', `/receipts/${receiptId}/undo`)).toMatchObject({ undone: 1 })
  expect((await seen(app, id)).detail).toMatchObject({ name: 'Named meanwhile', durationS: 1500 })
})

test('a repair keeps a document and no numbers, and its reverting computes them again', async () => {
  await using app = await testApp()
  const id = await imported(app, hillyRun(START_MS))
  const before = await seen(app, id)
  await done(app, 'POST', `/workouts/${id}/crop`, { removeFromStartSeconds: 100 })
  const [kept] = app.deps.db.select().from(formers).all()
  expect(kept).toMatchObject({ kind: 'run', documentId: id, bytes: kept?.body?.length })
  expect(kept?.bytes).toBeLessThan(700)
  app.clock.nowMs += 1000
  await done(app, 'POST', `/workouts/${id}/revert`)
  expect(before.detail.splits.length).toBeGreaterThan(2)
  expect(await seen(app, id)).toEqual(before)
})
