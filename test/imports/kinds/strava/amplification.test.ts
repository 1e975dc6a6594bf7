// What a small upload may cost: work follows what an export holds, not how often it says so.

import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Event } from '../../../../src/base/events.ts'
import { deleteWorkout } from '../../../../src/library/remove-run.ts'
import { type TestApp, testApp } from '../../../app.ts'
import { BY } from '../../../fixtures/by.ts'
import { stravaCsv } from '../../../fixtures/csv.ts'
import { butReceipts } from '../../../fixtures/events.ts'
import { fitRun, START_MS } from '../../../fixtures/runs.ts'
import { zipUpload } from '../../../fixtures/strava-zip.ts'
import { watched } from '../../../fixtures/worker.ts'

const DAY_MS = 86_400_000

function row(day: number, filename: string, type = 'Run') {
  return { 'Activity ID': day, 'Activity Date': 'Nov 1, 2025, 7:00:00 AM', 'Activity Type': type, Filename: filename }
}

/** Counts the files that are analysed, and does something after each. */
function watchAnalyses(app: TestApp, after: (count: number) => unknown = () => {}): { count: number } {
  const analyses = { count: 0 }
  let ended = 0
  const worker = watched(app.deps.worker, {
    before: (job) => {
      if (job === 'file') analyses.count += 1
    },
    after: (job) => (job === 'file' ? after(++ended) : undefined),
  })
  Object.assign(app.deps, { worker })
  return analyses
}

function exportOf(days: readonly number[], more: readonly ReturnType<typeof row>[] = []) {
  const files = days.map((day) => [`activities/${day}.fit`, fitRun({ startMs: START_MS - day * DAY_MS })])
  const rows = days.map((day) => row(day, `activities/${day}.fit`))
  return zipUpload({ 'activities.csv': stravaCsv([...rows, ...more]), ...Object.fromEntries(files) })
}

test('a thousand rows that name one entry, in whatever spelling, analyse it once', async () => {
  await using app = await testApp()
  const analyses = watchAnalyses(app)
  const rows = Array.from({ length: 1000 }, (_, k) => row(k, k % 2 === 0 ? 'activities/1.fit' : './activities//1.fit'))
  const zip = zipUpload({ 'activities.csv': stravaCsv(rows), 'activities/1.fit': fitRun() })
  const { json } = await app.upload('/workouts/import/bulk', [zip])
  expect(json).toMatchObject({ totalProcessed: 1000, successful: 1, skipped: 999, updated: 0, errors: 0 })
  expect(analyses.count).toBe(1)
  expect(readdirSync(join(app.deps.config.dataDir, 'tmp'))).toEqual([])
})

test('a thousand rows that name one bad entry unpack and refuse it once, each row with its reason', async () => {
  await using app = await testApp()
  const analyses = watchAnalyses(app)
  const rows = Array.from({ length: 1000 }, (_, k) => row(k, 'activities/1.gpx'))
  const zip = zipUpload({ 'activities.csv': stravaCsv(rows), 'activities/1.gpx': '<gpx></gpx>' })
  const { json } = await app.upload('/workouts/import/bulk', [zip])
  expect(json).toMatchObject({ totalProcessed: 1000, successful: 0, skipped: 0, errors: 1000 })
  expect(new Set(json.errorDetails.map(({ error }: { error: string }) => error)).size).toBe(1)
  expect(analyses.count).toBe(1)
})

test('an entry whose workout is deleted between two rows that name it is stored again', async () => {
  await using app = await testApp()
  const created: Event[] = []
  // the first group is committed by then
  const days = Array.from({ length: 40 }, (_, k) => k + 1)
  const zip = exportOf(days, [row(41, 'activities/1.fit')])
  app.deps.events.subscribe(butReceipts((event) => created.push(event)))
  const analyses = watchAnalyses(app, async (count) => {
    if (count !== 40) return
    const { items } = (await app.call('GET', '/workouts?pageSize=100')).json
    const first = items.find(({ startedAt }: { startedAt: string }) => Date.parse(startedAt) === START_MS - DAY_MS)
    await deleteWorkout({ ...app.deps, by: BY }, first.id)
  })
  const { json } = await app.upload('/workouts/import/bulk', [zip])
  expect(json).toMatchObject({ totalProcessed: 41, successful: 41, skipped: 0, errors: 0 })
  expect(analyses.count).toBe(41)
})

test('a client that goes away ends its export at the next run; what is stored stays, and the end is announced', async () => {
  await using app = await testApp()
  const heard: Event[] = []
  app.deps.events.subscribe(butReceipts((event) => heard.push(event)))
  const leaving = new AbortController()
  const analyses = watchAnalyses(app, (count) => {
    if (count === 5) leaving.abort()
  })
  const days = Array.from({ length: 30 }, (_, k) => k + 1)
  const form = new FormData()
  const { name, bytes } = exportOf(days)
  form.append('file', new File([bytes], name))
  const headers = { authorization: `Bearer ${app.token}` }
  const init = { method: 'POST', body: form, headers, signal: leaving.signal }
  await app.handle(new Request('http://localhost/workouts/import/bulk', init))
  const { totalCount } = (await app.call('GET', '/workouts')).json
  // what is analysed ahead of the row at hand may be done
  expect(analyses.count).toBeLessThan(12)
  expect(totalCount).toBeLessThanOrEqual(analyses.count)
  expect(totalCount).toBeGreaterThan(0)
  expect(heard.at(-1)).toEqual({
    event: 'import.done',
    data: {
      ...{ kind: 'bulk', successful: totalCount, skipped: 0, updated: 0, errors: 0 },
      stopped: 'The client disconnected; the rest of the export was not imported',
    },
  })
  expect(readdirSync(join(app.deps.config.dataDir, 'tmp'))).toEqual([])
  // the same export completes it
  const again = await app.upload('/workouts/import/bulk', [exportOf(days)])
  expect(again.json).toMatchObject({ totalProcessed: 30, successful: 30 - totalCount, skipped: totalCount })
})
