import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { purgeUndo } from '../../src/library/purge.ts'
import { finishCutOff } from '../../src/library/receipts/record.ts'
import { type TestApp, testApp } from '../app.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { zipUpload } from '../fixtures/strava-zip.ts'
import { lookUp } from '../fixtures/weather.ts'
import { expectSame, headerOf, libraryContent, mixedFiles, smallLibrary, undo } from './library.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app.close())

const DAY_MS = 86_400_000
const receiptsOf = async (app: TestApp, query = '') =>
  (await app.call('GET', `/receipts?pageSize=100${query}`)).json.items

describe('an import', () => {
  test('leaves a receipt with the result of each file, and why', async () => {
    const answer = await app.upload('/workouts/import', mixedFiles(10))
    expect(answer.json.receiptId).toBe(headerOf(answer))
    const { json } = await app.call('GET', `/receipts/${answer.json.receiptId}`)
    expect(json).toMatchObject({
      ...{ kind: 'import', origin: 'upload', actor: 'browser', title: '10 files', workoutId: null, warnings: [] },
      ...{ madeAt: '2025-11-20T13:05:11Z', finishedAt: '2025-11-20T13:05:11Z', undoUntil: '2025-12-20T13:05:11Z' },
      ...{ undoneAt: null, undoneBy: null },
      counts: { created: 8, updated: 0, merged: 0, skipped: 1, ignored: 0, errors: 1, changed: 0, deleted: 0 },
      items: { totalCount: 10, page: 1, pageSize: 20, totalPages: 1 },
    })
    const byName = new Map(json.items.items.map((item: { filename: string }) => [item.filename, item]))
    expect(byName.get('0000.fit')).toMatchObject({ outcome: 'created', reason: null, canUndo: true })
    expect(byName.get('0007.fit')).toMatchObject({ outcome: 'error', reason: expect.any(String), canUndo: false })
    expect(byName.get('0009.fit')).toMatchObject({
      ...{ outcome: 'skipped', reason: 'Same file as the run of 5 January 2020', canUndo: false },
      startedAt: '2020-01-05T07:00:00Z',
    })
    const skipped = (await app.call('GET', `/receipts/${json.id}?outcome=skipped`)).json.items
    expect([skipped.totalCount, skipped.items[0].filename]).toEqual([1, '0009.fit'])
  })

  test('of one broken file leaves one all the same, and of none leaves none', async () => {
    const refused = await app.upload('/workouts/import', [{ name: 'a.fit', bytes: 'nothing' }])
    expect(refused.status).toBe(400)
    const { json } = await app.call('GET', `/receipts/${headerOf(refused)}`)
    expect(json).toMatchObject({
      title: 'a.fit',
      counts: { errors: 1 },
      items: { items: [{ reason: refused.json.error }] },
    })
    const empty = await app.upload('/workouts/import', [])
    expect([empty.status, headerOf(empty)]).toEqual([400, null])
    expect((await undo(app, headerOf(refused))).answer).toEqual({ receiptId: null, undone: 0, kept: [], dryRun: false })
  })

  test.each([
    ['/workouts/import/bulk', 'strava_archive'],
    ['/workouts/import/export', 'archive'],
  ])('of a ZIP that is not what %s takes leaves one, too', async (path, origin) => {
    for (const bytes of ['PK\x03\x04 and nothing', zipUpload({ 'a.jpg': 'x' }).bytes]) {
      const refused = await app.upload(path, [{ name: 'a.zip', bytes }])
      expect(refused.status).toBe(400)
      const { json } = await app.call('GET', `/receipts/${headerOf(refused)}`)
      expect(json).toMatchObject({ kind: 'import', origin, title: 'a.zip', counts: { created: 0, errors: 1 } })
      expect(json.items.items).toMatchObject([{ filename: 'a.zip', outcome: 'error', reason: refused.json.error }])
    }
    const empty = await app.upload(path, [])
    expect([empty.status, headerOf(empty)]).toEqual([400, null])
  })

  test('of a Strava export counts what is not a run', async () => {
    const rows = [
      'Activity ID,Activity Date,Activity Name,Activity Type,Elapsed Time,Distance,Filename',
      '1,"Oct 29, 2025, 7:00:00 AM",Run,Run,600,1.8,',
      '2,"Oct 30, 2025, 7:00:00 AM",Ride,Ride,600,9,',
      '3,"Oct 31, 2025, 7:00:00 AM",Swim,Swim,600,1,',
      '',
    ].join('\n')
    const answer = await app.upload('/workouts/import/bulk', [zipUpload({ 'activities.csv': rows })])
    const { json } = await app.call('GET', `/receipts/${answer.json.receiptId}`)
    expect(json).toMatchObject({ origin: 'strava_archive', title: 'export.zip', counts: { created: 1, ignored: 2 } })
    const ignored = json.items.items.find(({ outcome }: { outcome: string }) => outcome === 'ignored')
    expect(ignored.reason).toBe('activities.csv: 1 ride, 1 swim skipped (not runs)')
  })

  test('that the end of the process cut off can be undone after the next start', async () => {
    const { json } = await app.upload('/workouts/import', mixedFiles(3))
    const { db } = app.deps
    db.$client.run('UPDATE receipt SET finished_at = NULL')
    expect((await undo(app, json.receiptId)).answer).toEqual({ error: 'It is still in progress' })
    finishCutOff(db, app.clock.nowMs)
    expect((await undo(app, json.receiptId)).answer).toMatchObject({ undone: 3 })
  })
})

describe('an edit', () => {
  test('joins the one before within ten minutes by the same hand, and keeps what was before the first', async () => {
    const { id } = (await app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun() }])).json
    const before = await libraryContent(app)
    const { key } = (await app.call('POST', '/auth/api-keys', { json: { label: 'laptop' } })).json
    const edit = async (json: object, token?: string) => {
      return headerOf(await app.call('PATCH', `/workouts/${id}`, { json, ...(token === undefined ? {} : { token }) }))
    }
    const first = await edit({ name: 'One' })
    app.clock.nowMs += 599_000
    expect(await edit({ name: 'Two', rpe: 5 })).toBe(first)
    expect(await edit({ name: 'Two' })).toBeNull()
    const byKey = await edit({ notes: 'wet' }, key)
    expect(byKey).not.toBe(first)
    app.clock.nowMs += 2_000
    const later = await edit({ name: 'Three' })
    expect(later).not.toBe(first)
    const stated = (await receiptsOf(app, '&kind=edit')).map((item: { title: string; actor: string }) => [
      item.title,
      item.actor,
    ])
    expect(stated).toEqual([
      ['Edited name', 'browser'],
      ['Edited notes', 'key:laptop'],
      ['Edited name, effort', 'browser'],
    ])
    for (const receipt of [later, byKey, first]) expect((await undo(app, receipt)).answer).toMatchObject({ undone: 1 })
    expectSame(await libraryContent(app), before)
  })

  test('joins none that a clock which ran ahead dated after it', async () => {
    const { id } = (await app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun() }])).json
    const edit = async (name: string) => headerOf(await app.call('PATCH', `/workouts/${id}`, { json: { name } }))
    app.clock.nowMs += 86_400_000
    const first = await edit('One')
    app.clock.nowMs -= 86_400_000
    expect(await edit('Two')).not.toBe(first)
  })

  test('of a run that was edited since is kept, and comes back once the later one is undone', async () => {
    const { id } = (await app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun() }])).json
    const first = headerOf(await app.call('PATCH', `/workouts/${id}`, { json: { name: 'One' } }))
    app.clock.nowMs += 3_600_000
    const second = headerOf(await app.call('PATCH', `/workouts/${id}`, { json: { runType: 'Race' } }))
    const kept = [{ workoutId: id, workoutName: 'One', reason: 'It was edited later: Edited type' }]
    expect((await undo(app, first, { force: true })).answer).toEqual({
      receiptId: null,
      undone: 0,
      kept,
      dryRun: false,
    })
    await undo(app, second)
    expect((await undo(app, first)).answer).toMatchObject({ undone: 1, kept: [] })
    expect((await app.call('GET', `/workouts/${id}`)).json).toMatchObject({ name: null, runType: null })
  })
})

test('an undoing can be undone itself, as often as requested, and the deletion counts as undone accordingly', async () => {
  const { id } = (await app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun() }])).json
  const isThere = async () => (await app.call('GET', `/workouts/${id}`)).status === 200
  const deletion = headerOf(await app.call('DELETE', `/workouts/${id}`))
  let last = deletion
  for (let turn = 0; turn < 5; turn += 1) {
    last = (await undo(app, last)).header
    expect(await isThere()).toBe(turn % 2 === 0)
    const [first] = (await receiptsOf(app, '&kind=delete')) as { undoneAt: string | null }[]
    expect(first?.undoneAt === null).toBe(turn % 2 === 1)
  }
  expect((await undo(app, deletion)).answer).toEqual({ error: 'It was already undone' })
  // undone, the deletion stands once more; then it is undone automatically
  expect((await undo(app, last)).answer).toMatchObject({ undone: 1 })
  expect((await undo(app, deletion)).answer).toMatchObject({ undone: 1, kept: [] })
  expect(await isThere()).toBe(true)
})

test('recalculations leave a receipt that cannot be undone', async () => {
  const [id] = await smallLibrary(app)
  await app.call('PUT', '/settings/heart-rate-zones', { json: { calculationMethod: 'AgeBased', age: 44 } })
  const answers = [
    await app.call('POST', `/workouts/${id}/recalculate-splits`),
    await app.call('POST', '/workouts/recalculate-relative-effort'),
    await app.call('POST', '/stats/best-efforts/recalculate'),
  ]
  for (const answer of answers) {
    const { status, answer: refusal } = await undo(app, headerOf(answer))
    expect([status, refusal]).toEqual([400, { error: 'A recalculation cannot be undone; it can be repeated' }])
  }
  const [efforts, all, one] = await receiptsOf(app, '&kind=recalculate')
  expect([efforts.title, efforts.counts.changed, efforts.workoutId]).toEqual(['Recomputed all best efforts', 0, null])
  expect([all.counts.changed, all.workoutId, one.counts.changed, one.workoutId]).toEqual([3, null, 1, id])
  expect(all.undoUntil).toBeNull()
})

test('listeners get events of receipts, of each of a few runs, and of many at once', async () => {
  const heard: string[] = []
  app.deps.events.subscribe(({ event, data }) => {
    if (/^(receipt|workout)/.test(event)) heard.push(`${event}${'id' in data && data.id === null ? ' many' : ''}`)
  })
  const few = (await app.upload('/workouts/import', mixedFiles(2))).json.receiptId
  heard.length = 0
  await undo(app, few)
  expect(heard).toEqual(['workout.deleted', 'workout.deleted', 'receipt.created', 'receipt.undone'])
  const many = (await app.upload('/workouts/import', mixedFiles(40, 100))).json.receiptId
  heard.length = 0
  await undo(app, many)
  expect(heard).toEqual(['workout.updated many', 'receipt.created', 'receipt.undone'])
})

test('weather that arrives after a crop stays when the crop is undone, where the start is the same', async () => {
  const { id } = (await app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun({ seconds: 1200 }) }])).json
  const crop = headerOf(await app.call('POST', `/workouts/${id}/crop`, { json: { removeFromEndSeconds: 60 } }))
  lookUp(app.deps.db, id, { temperature: 11 })
  expect((await undo(app, crop)).answer).toMatchObject({ undone: 1 })
  expect((await app.call('GET', `/workouts/${id}`)).json).toMatchObject({
    durationS: 1200,
    weather: { temperature: 11 },
  })
})

test('the history of a run has what touched it, and items go after a year while counts stay', async () => {
  await using app = await testApp({ env: { JWT_EXPIRATION_DAYS: '900' } })
  const { id, receiptId } = (await app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun() }])).json
  await app.upload('/workouts/import', [{ name: 'b.fit', bytes: fitRun({ startMs: START_MS - DAY_MS }) }])
  await app.call('PATCH', `/workouts/${id}`, { json: { name: 'Mine' } })
  const ofRun = await receiptsOf(app, `&workoutId=${id.toUpperCase()}`)
  expect(ofRun.map(({ kind, workoutName }: { kind: string; workoutName: string }) => [kind, workoutName])).toEqual([
    ['edit', 'Mine'],
    ['import', null],
  ])
  app.clock.nowMs += 366 * DAY_MS
  await purgeUndo(app.deps)
  const { json } = await app.call('GET', `/receipts/${receiptId}`)
  expect([json.counts.created, json.items.totalCount]).toEqual([1, 0])
})

describe('refusals', () => {
  test('of unknown receipts, pages and kinds', async () => {
    await app.upload('/workouts/import', mixedFiles(1))
    const unknown = crypto.randomUUID()
    for (const [method, path, status, error] of [
      ['GET', `/receipts/${unknown}`, 404, 'Receipt not found'],
      ['POST', `/receipts/${unknown}/undo`, 404, 'Receipt not found'],
      ['GET', '/receipts?page=2', 404, 'Page not found'],
      ['GET', '/receipts?kind=nothing', 400, expect.stringContaining('kind')],
      ['POST', `/trash/${unknown}/restore`, 404, 'Workout not found'],
      ['DELETE', `/trash/${unknown}`, 404, 'Workout not found'],
    ] as const) {
      const answer = await app.call(method, path)
      expect([path, answer.status, answer.json.error]).toEqual([path, status, error])
    }
  })
})
