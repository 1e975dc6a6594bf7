import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { gpxRun, START_MS } from '../../fixtures/runs.ts'

async function library(app: TestApp, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let day = 0; day < count; day += 1)
    ids.push(await app.run(gpxRun({ startMs: START_MS + day * 864e5, seconds: 60 }), `${day}.gpx`))
  return ids
}

const runs = (app: TestApp, ids: readonly string[]) => Promise.all(ids.map((id) => app.ok('GET', `/workouts/${id}`)))
const bulk = (app: TestApp, json: object) => app.ok('POST', '/workouts/bulk-edit', json)

function heard({ deps }: TestApp): unknown[] {
  const events: unknown[] = []
  deps.events.subscribe((event) => events.push(event))
  return events
}

test('words of several runs are set at once, and only of those', async () => {
  await using app = await testApp()
  const ids = await library(app, 3)
  const [first, second] = ids
  const { id: shoeId } = await app.ok('POST', '/shoes', { brand: 'Brooks', model: 'Ghost' })
  await app.ok('PATCH', `/workouts/${first}`, { notes: 'windy\n', runType: 'Race' })
  const [, , untouched] = await runs(app, ids)
  const events = heard(app)
  const edited = { shoeId, runType: 'Race', rpe: 7, name: 'Parkrun' }
  const set = { ...edited, notesAppend: 'with Ada' }
  const { receiptId, ...counts } = await bulk(app, { ids: [first, second, first], set })
  expect(counts).toEqual({ changed: 2, unchanged: 0 })
  expect(await app.ok('GET', `/receipts/${receiptId}`)).toMatchObject({ kind: 'bulk_edit', counts: { changed: 2 } })
  expect(await runs(app, ids)).toMatchObject([
    { ...edited, notes: 'windy\n\nwith Ada' },
    { ...edited, notes: 'with Ada' },
    untouched,
  ])
  expect(events).toMatchObject([
    ...[first, second].map((id) => ({ event: 'workout.updated', data: { id } })),
    { event: 'receipt.created' },
  ])
  expect((await app.ok('GET', '/workouts?keyword=parkrun')).totalCount).toBe(2)

  const race = { filter: {}, set: { runType: 'Race' } }
  expect(await bulk(app, race)).toMatchObject({ changed: 1, unchanged: 2 })
  expect(await bulk(app, race)).toEqual({ receiptId: null, changed: 0, unchanged: 3 })
  const cleared = await bulk(app, { filter: { keyword: 'parkrun' }, set: { shoeId: null, rpe: null } })
  expect(cleared.changed).toBe(2)
  expect(await runs(app, [first!])).toMatchObject([{ shoeId: null, rpe: null, name: 'Parkrun' }])
})

test('more than twenty runs are announced by one event', async () => {
  await using app = await testApp()
  await library(app, 21)
  const events = heard(app)
  await bulk(app, { filter: {}, set: { rpe: 3 } })
  expect(events).toMatchObject([{ event: 'workout.updated', data: { id: null } }, { event: 'receipt.created' }])
})

test('a dry run counts the runs that would change, and changes none', async () => {
  await using app = await testApp()
  const ids = await library(app, 3)
  await app.ok('PATCH', `/workouts/${ids[0]}`, { runType: 'Race' })
  const before = [await runs(app, ids), await app.ok('GET', '/receipts')]
  const events = heard(app)
  const body = { ids, set: { runType: 'Race' } }
  const counts = { changed: 2, unchanged: 1 }
  expect(await bulk(app, { ...body, dryRun: true })).toEqual({ receiptId: null, ...counts })
  const notes = { filter: {}, set: { notesAppend: 'windy' }, dryRun: true }
  expect(await bulk(app, notes)).toMatchObject({ changed: 3, unchanged: 0 })
  expect([await runs(app, ids), await app.ok('GET', '/receipts'), events]).toEqual([...before, []])
  expect(await bulk(app, body)).toMatchObject(counts)
})
