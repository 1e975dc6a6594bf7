// Runs that were stored before corrections existed are read again once, and what is corrected in them is said.

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { recordings, samples, workouts } from '../../src/db/schema.ts'
import { ENGINE_VERSION } from '../../src/engine/analyze.ts'
import { collectOld } from '../../src/library/collect.ts'
import { upgradeWorkouts } from '../../src/library/engine-upgrade.ts'
import { rawFilePath } from '../../src/library/files/paths.ts'
import { type TestApp, testApp } from '../app.ts'
import { BOTH_FEET, bothFeetFit } from '../fixtures/both-feet.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { watched } from '../fixtures/worker.ts'
import { NEVER } from './falsified.ts'
import { firstRecording } from './recordings.ts'

const DAY_MS = 86_400_000

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(async () => {
  expect(app.logged.filter((line) => line.startsWith('error'))).toEqual([])
  await app.close()
})

const bothFeet = (day: number) => app.run(bothFeetFit({ startMs: START_MS - day * DAY_MS }), `${day}.fit`)
const cadence = async (id: string, of = app) => (await of.ok('GET', `/workouts/${id}?includeRaw=false`)).avgCadenceRpm
const corrections = async (id: string, of = app) => (await of.ok('GET', `/workouts/${id}?includeRaw=false`)).corrections
const receipts = async () => {
  const { items } = await app.ok('GET', '/receipts')
  return items.filter(({ actor }: { actor: string }) => actor === 'upgrade')
}

/** Runs as version 4 of the engine stored them: as their files state, with nothing corrected. */
async function older(ids: readonly string[]): Promise<void> {
  for (const id of ids) await app.ok('PATCH', `/workouts/${id}`, { stated: true })
  await collectOld({ ...app.deps, now: () => app.clock.nowMs + 40 * DAY_MS })
  const { db } = app.deps
  db.$client.run("UPDATE document SET body = json_remove(body, '$.choices')")
  db.$client.run('DELETE FROM receipt_item')
  db.$client.run('DELETE FROM receipt')
  db.update(recordings).set({ corrections: [] }).run()
  asOlder(app)
}

function asOlder({ deps: { db } }: TestApp): void {
  db.update(workouts).set({ engineVersion: 4 }).run()
  db.update(samples).set({ engineVersion: 4 }).run()
}

test('they count corrected, one receipt names them with a warning each, and its undo takes all back', async () => {
  const good = await app.run(fitRun({ startMs: START_MS + DAY_MS }))
  const ids = [await bothFeet(0), await bothFeet(1)]
  await older(ids)
  expect(await cadence(ids[0]!)).toBe(172)
  await upgradeWorkouts(app.deps, NEVER)
  for (const id of ids) expect([await cadence(id), await corrections(id)]).toEqual([86, 1])
  expect(await corrections(good)).toBe(0)

  const [receipt, ...others] = await receipts()
  expect(others).toEqual([])
  expect(receipt).toMatchObject({ kind: 'bulk_edit', title: 'Corrected what files state wrongly', canUndo: true })
  const { items, warnings } = await app.ok('GET', `/receipts/${receipt.id}`)
  const named = items.items.map(({ workoutId, filename, outcome }: Record<string, string>) => {
    return [workoutId, filename, outcome]
  })
  expect(named).toEqual([0, 1].map((day) => [ids[day], `${day}.fit`, 'changed']))
  expect(warnings).toHaveLength(2)
  for (const filename of ['0.fit', '1.fit']) expect(warnings).toContainEqual({ filename, message: BOTH_FEET.reason })

  await app.ok('POST', `/receipts/${receipt.id}/undo`)
  expect([await cadence(ids[0]!), await cadence(ids[1]!)]).toEqual([172, 172])
  // what was taken back is not corrected again
  await upgradeWorkouts(app.deps, NEVER)
  expect([await cadence(ids[0]!), (await receipts()).length]).toEqual([172, 1])
  // nor by a later engine
  app.deps.db.update(workouts).set({ engineVersion: 5 }).run()
  await upgradeWorkouts(app.deps, NEVER)
  expect([await cadence(ids[0]!), (await receipts()).length]).toEqual([172, 1])
})

test('stopped and started again, the work ends with one receipt', async () => {
  const ids = [await bothFeet(0), await bothFeet(1), await bothFeet(2)]
  await older(ids)
  const stop = new AbortController()
  const { worker } = app.deps
  let read = 0
  const before = (job: string) => {
    if (job === 'file' && ++read === 2) stop.abort()
  }
  await upgradeWorkouts({ ...app.deps, worker: watched(worker, { before }) }, stop.signal)
  const done = await Promise.all(ids.map((id) => cadence(id)))
  expect(done.filter((rpm) => rpm === 172).length).toBeGreaterThan(0)
  await upgradeWorkouts(app.deps, NEVER)
  expect(await Promise.all(ids.map((id) => cadence(id)))).toEqual([86, 86, 86])
  const [receipt, ...others] = await receipts()
  expect([receipt.counts.changed, others]).toEqual([3, []])
  expect((await app.ok('GET', `/receipts/${receipt.id}`)).warnings).toHaveLength(3)
})

test('declined, cropped, joined and lost ones keep their samples; they are derived again all the same', async () => {
  const [cropped, lost, one] = [await bothFeet(0), await bothFeet(1), await bothFeet(2)]
  const two = await app.run(bothFeetFit({ startMs: START_MS - 2 * DAY_MS + 700_000 }), 'two.fit')
  await older([cropped, lost, one, two])
  await app.ok('POST', `/workouts/${cropped}/crop`, { removeFromStartSeconds: 60 })
  const joined = (await app.ok('POST', '/workouts/join', { ids: [one, two] })).id
  const declined = await bothFeet(5)
  await app.ok('PATCH', `/workouts/${declined}`, { stated: true })
  rmSync(rawFilePath(app.deps.config.dataDir, firstRecording(app.deps, lost).storedAs!))
  asOlder(app)
  await upgradeWorkouts(app.deps, NEVER)
  for (const id of [cropped, lost, joined, declined]) expect(await cadence(id)).toBe(172)
  expect([await corrections(lost), await receipts()]).toEqual([0, []])
  const versions = app.deps.db.selectDistinct({ version: workouts.engineVersion }).from(workouts).all()
  expect(versions).toEqual([{ version: ENGINE_VERSION }])
})
