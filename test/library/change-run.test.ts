import { expect, test } from 'bun:test'
import { earlierVersions } from '../../src/db/schema-documents.ts'
import { repairRun } from '../../src/features/repair/change.ts'
import { crop } from '../../src/features/repair/repairs.ts'
import type { RunDocument } from '../../src/library/documents/run.ts'
import { type TestApp, testApp } from '../app.ts'
import { done, imported, seen } from '../features/repair/repairing.ts'
import { hillyRun, START_MS } from '../fixtures/runs.ts'
import { watched } from '../fixtures/worker.ts'

/** Dependencies with a Worker that lets something happen while it derives a run for the first time. */
function interrupted({ deps }: TestApp, meanwhile: () => Promise<unknown>) {
  const { worker } = deps
  const seen = { derived: 0, receiptId: '' }
  const after = async (job: string) => {
    if (job === 'everything' && seen.derived++ === 0) await meanwhile()
  }
  const left = (receiptId: string) => void Object.assign(seen, { receiptId })
  return { deps: { ...deps, worker: watched(worker, { after }), by: { actor: 'browser', left } }, seen }
}

test('a run that is edited while its crop is derived is cropped as edited, and the undo of the crop keeps the edit', async () => {
  await using app = await testApp()
  const id = await imported(app, hillyRun(START_MS))
  const edit = () => done(app, 'PATCH', `/workouts/${id}`, { name: 'Named meanwhile' })
  const { deps, seen: interrupting } = interrupted(app, edit)
  await repairRun(deps, id, crop({ removeFromStartSeconds: 100 }))
  expect(interrupting.derived).toBe(2)
  const kept = app.deps.db.select().from(earlierVersions).all().at(-1)!
  expect((JSON.parse(kept.body!) as RunDocument).words).toEqual({ name: 'Named meanwhile' })
  expect(await done(app, 'POST', `/receipts/${interrupting.receiptId}/undo`)).toMatchObject({ undone: 1 })
  expect((await seen(app, id)).detail).toMatchObject({ name: 'Named meanwhile', durationS: 1500 })
})
