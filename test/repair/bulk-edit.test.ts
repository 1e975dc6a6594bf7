import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../app.ts'
import { gpxRun, START_MS } from '../fixtures/runs.ts'
import { done, refused } from './repairing.ts'

const UNKNOWN = '0198a000-0000-7000-8000-00000000ffff'

async function library(app: TestApp, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let day = 0; day < count; day += 1) {
    const bytes = gpxRun({ startMs: START_MS + day * 864e5, seconds: 60 })
    ids.push((await app.upload('/workouts/import', [{ name: `${day}.gpx`, bytes }])).json.id)
  }
  return ids
}

const run = async (app: TestApp, id: string) => await done(app, 'GET', `/workouts/${id}`)

test('words of several runs are set at once, and only of those', async () => {
  await using app = await testApp()
  const [first, second, third] = (await library(app, 3)) as [string, string, string]
  const shoe = await done(app, 'POST', '/shoes', { brand: 'Brooks', model: 'Ghost' })
  await done(app, 'PATCH', `/workouts/${first}`, { notes: 'windy\n', runType: 'Race' })
  const events: unknown[] = []
  app.deps.events.subscribe((event) => events.push(event))
  const set = { shoeId: shoe.id, runType: 'Race', rpe: 7, name: 'Parkrun', notesAppend: 'with Ada' }
  const untouched = await run(app, third)
  const { receiptId, ...counts } = await done(app, 'POST', '/workouts/bulk-edit', { ids: [first, second, first], set })
  expect(counts).toEqual({ changed: 2, unchanged: 0 })
  expect(await done(app, 'GET', `/receipts/${receiptId}`)).toMatchObject({ kind: 'bulk_edit', counts: { changed: 2 } })
  const edited = { shoeId: shoe.id, runType: 'Race', rpe: 7, name: 'Parkrun' }
  expect(await run(app, first)).toMatchObject({ ...edited, notes: 'windy\n\nwith Ada' })
  expect(await run(app, second)).toMatchObject({ ...edited, notes: 'with Ada' })
  expect(await run(app, third)).toEqual(untouched)
  expect(events.slice(0, 2)).toEqual([first, second].map((id) => ({ event: 'workout.updated', data: { id } })))
  expect(events.slice(2)).toMatchObject([{ event: 'receipt.created' }])
  expect((await done(app, 'GET', '/workouts?keyword=parkrun')).totalCount).toBe(2)

  const again = await done(app, 'POST', '/workouts/bulk-edit', { filter: {}, set: { runType: 'Race' } })
  expect(again).toMatchObject({ changed: 1, unchanged: 2 })
  const none = await done(app, 'POST', '/workouts/bulk-edit', { filter: {}, set: { runType: 'Race' } })
  expect(none).toEqual({ receiptId: null, changed: 0, unchanged: 3 })
  const cleared = await done(app, 'POST', '/workouts/bulk-edit', {
    ...{ filter: { keyword: 'parkrun' }, set: { shoeId: null, rpe: null } },
  })
  expect(cleared.changed).toBe(2)
  expect(await run(app, first)).toMatchObject({ shoeId: null, rpe: null, name: 'Parkrun' })
})

test('more than twenty runs are announced by one event', async () => {
  await using app = await testApp()
  await library(app, 21)
  const events: unknown[] = []
  app.deps.events.subscribe((event) => events.push(event))
  await done(app, 'POST', '/workouts/bulk-edit', { filter: {}, set: { rpe: 3 } })
  expect(events[0]).toEqual({ event: 'workout.updated', data: { id: null } })
  expect(events.slice(1)).toMatchObject([{ event: 'receipt.created' }])
})

test('a dry run counts the runs that would change, and changes none', async () => {
  await using app = await testApp()
  const [first, second, third] = (await library(app, 3)) as [string, string, string]
  await done(app, 'PATCH', `/workouts/${first}`, { runType: 'Race' })
  const before = await Promise.all([first, second, third].map((id) => run(app, id)))
  const receipts = (await done(app, 'GET', '/receipts')).totalCount
  const events: unknown[] = []
  app.deps.events.subscribe((event) => events.push(event))
  const body = { ids: [first, second, third], set: { runType: 'Race' } }
  const dry = await app.call('POST', '/workouts/bulk-edit', { json: { ...body, dryRun: true } })
  expect([dry.status, dry.json]).toEqual([200, { receiptId: null, changed: 2, unchanged: 1 }])
  expect(dry.headers.get('harrier-receipt')).toBeNull()
  expect(await Promise.all([first, second, third].map((id) => run(app, id)))).toEqual(before)
  expect((await done(app, 'GET', '/receipts')).totalCount).toBe(receipts)
  expect(events).toEqual([])
  const notes = { filter: {}, set: { notesAppend: 'windy' }, dryRun: true }
  expect(await done(app, 'POST', '/workouts/bulk-edit', notes)).toMatchObject({ changed: 3, unchanged: 0 })
  await refused(app, 'POST /workouts/bulk-edit', { ids: [first, UNKNOWN], set: { rpe: 3 }, dryRun: true })
  expect(await done(app, 'POST', '/workouts/bulk-edit', body)).toMatchObject({ changed: 2, unchanged: 1 })
})
