// docs/api.md 1.1: 200 leaves 10 s after the body arrived when the work continues, then one space every 10 s. Here 10 s
// take 20 ms.

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestApp, testApp } from '../../app.ts'
import { stravaCsv } from '../../fixtures/csv.ts'
import { fitRun, START_MS } from '../../fixtures/runs.ts'
import { zipUpload } from '../../fixtures/strava-zip.ts'
import { watched } from '../../fixtures/worker.ts'
import { archiveOf } from '../archives.ts'
import { workout } from './restoring.ts'
import { tempoLibrary } from './tempo-archive.ts'

const SILENCE_MS = 10_000
const FAST_MS = 20
const real = { setTimeout: globalThis.setTimeout, setInterval: globalThis.setInterval }

let app: TestApp
/** Lets watch files be read, which wait until then. */
let release: () => void
beforeEach(async () => {
  const fast = (ms: number | undefined) => (ms === SILENCE_MS ? FAST_MS : ms)
  Object.assign(globalThis, {
    setTimeout: (work: () => void, ms?: number) => real.setTimeout(work, fast(ms)),
    setInterval: (work: () => void, ms?: number) => real.setInterval(work, fast(ms)),
  })
  app = await testApp()
  const { promise, resolve } = Promise.withResolvers<void>()
  release = resolve
  const before = (job: string) => (job === 'file' ? promise : undefined)
  Object.assign(app.deps, { worker: watched(app.deps.worker, { before }) })
})
afterEach(async () => {
  Object.assign(globalThis, real)
  await app.close()
})

function posted(path: string, ...files: { name: string; bytes: Uint8Array | string }[]): Promise<Response> {
  const body = new FormData()
  for (const { name, bytes } of files) body.append('file', new File([bytes.slice() as BlobPart], name))
  const headers = { authorization: `Bearer ${app.token}` }
  return app.handle(new Request(`http://localhost${path}`, { method: 'POST', headers, body }))
}

/** A bulk import, which waits for its watch file. */
const bulk = () => {
  const row = { 'Activity ID': 1, 'Activity Date': 'Nov 1, 2025, 7:00:00 AM', 'Activity Type': 'Run' }
  const csv = stravaCsv([{ ...row, Filename: 'activities/1.fit' }])
  return posted('/workouts/import/bulk', zipUpload({ 'activities.csv': csv, 'activities/1.fit': fitRun() }))
}
const restoring = async (files: Parameters<typeof archiveOf>[0]) =>
  posted('/workouts/import/export', { name: 'a.zip', bytes: await archiveOf(files) })

test.each([
  ['a bulk import', bulk, { totalProcessed: 1, successful: 1, errors: 0, warnings: [] }],
  ['a restore that reads an original', () => restoring(tempoLibrary()), { success: true, errors: [] }],
])('of %s: 200 while it works, blanks, then the summary', async (_, sent, summary) => {
  const answer = await sent()
  // nothing is stored yet, and the head is there
  expect((await app.ok('GET', '/workouts')).totalCount).toBe(0)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
  real.setTimeout(release, 5 * FAST_MS)
  const text = await answer.text()
  expect(text).toMatch(/^ {3,}\{/)
  expect(JSON.parse(text)).toMatchObject(summary)
  expect((await app.ok('GET', '/workouts')).totalCount).toBe(1)
})

test('a restore that waits for its turn and fails after its 200 left says success false, and why', async () => {
  const first = await bulk()
  const answer = await restoring({ 'data/workouts.json': [workout(1)], 'data/splits.json': '[{' })
  expect(answer.status).toBe(200)
  release()
  await first.text()
  const told = (await answer.json()) as { statistics: object }
  expect(told).toMatchObject({ success: false, errors: ['data/splits.json is not valid JSON'] })
  expect(Object.keys(told.statistics)).toHaveLength(9)
})

test('an import that ends early is its summary, and what was stored is counted', async () => {
  const first = await bulk()
  const { emit } = app.deps.events
  Object.assign(app.deps.events, {
    emit: (stated: Parameters<typeof emit>[0]) => {
      if (stated.event === 'import.progress') throw new Error('words of a library')
      emit(stated)
    },
  })
  const runs = [1, 2].map((day) => ({ name: `${day}.fit`, bytes: fitRun({ startMs: START_MS + day * 864e5 }) }))
  const several = await posted('/workouts/import', ...runs)
  expect([first.status, several.status]).toEqual([200, 200])
  release()
  const error = 'The import ended early because of an unexpected error; it can be repeated'
  const early = { skipped: 0, updated: 0, errors: 1, skippedOther: 0 }
  expect(await first.json()).toMatchObject({
    ...{ totalProcessed: 2, successful: 1, ...early, errorDetails: [{ filename: 'activities.csv', error }] },
    ...{ mediaImported: 0, warnings: [] },
  })
  expect(await several.json()).toMatchObject({ ...early, errorDetails: [{ filename: '', error }] })
  expect(await readdir(join(app.deps.config.dataDir, 'tmp'))).toEqual([])
  expect(app.logged.some((line) => line.includes('words of a library'))).toBe(true)
})
