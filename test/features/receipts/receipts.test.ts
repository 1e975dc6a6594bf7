import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { collectOld } from '../../../src/library/collect.ts'
import { type TestApp, testApp } from '../../app.ts'
import { fitRun, START_MS } from '../../fixtures/runs.ts'
import { zipUpload } from '../../fixtures/strava-zip.ts'
import { expectSame, headerOf, libraryContent, mixedFiles, smallLibrary, undo } from './library.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app.close())

const DAY_MS = 86_400_000
const receipt = (id: string | null, query = '') => app.ok('GET', `/receipts/${id}${query}`)
const receiptsOf = async (query = '') => (await app.ok('GET', `/receipts?pageSize=100${query}`)).items
const left = async (method: string, path: string, json?: object) =>
  headerOf(await app.call(method, path, json === undefined ? {} : { json }))

describe('an import', () => {
  test('leaves a receipt with the result of each file, and why', async () => {
    const answer = await app.upload('/workouts/import', mixedFiles(10))
    expect(answer.json.receiptId).toBe(headerOf(answer))
    const { id, items, ...about } = await receipt(answer.json.receiptId)
    expect(about).toMatchObject({
      ...{ kind: 'import', origin: 'upload', actor: 'browser', title: '10 files', workoutId: null, warnings: [] },
      ...{ madeAt: '2025-11-20T13:05:11Z', finishedAt: '2025-11-20T13:05:11Z', undoUntil: '2025-12-20T13:05:11Z' },
      ...{ undoneAt: null, undoneBy: null },
      counts: { created: 8, updated: 0, merged: 0, skipped: 1, ignored: 0, errors: 1, changed: 0, deleted: 0 },
    })
    expect(items).toMatchObject({ totalCount: 10, page: 1, pageSize: 20, totalPages: 1 })
    const of = (name: string) => items.items.find(({ filename }: { filename: string }) => filename === name)
    expect(of('0000.fit')).toMatchObject({ outcome: 'created', reason: null, canUndo: true })
    expect(of('0007.fit')).toMatchObject({ outcome: 'error', reason: expect.any(String), canUndo: false })
    const reason = 'Same file as the run of 5 January 2020'
    const same = { outcome: 'skipped', reason, canUndo: false, startedAt: '2020-01-05T07:00:00Z' }
    expect(of('0009.fit')).toMatchObject(same)
    const skipped = (await receipt(id, '?outcome=skipped')).items
    expect(skipped).toMatchObject({ totalCount: 1, items: [{ filename: '0009.fit' }] })
  })

  test.each([
    ['/workouts/import', 'upload', 'a.fit', ['nothing']],
    ['/workouts/import/bulk', 'strava_archive', 'a.zip', ['PK\x03\x04 and nothing', zipUpload({ 'a.jpg': 'x' }).bytes]],
    ['/workouts/import/export', 'archive', 'a.zip', ['PK\x03\x04 and nothing', zipUpload({ 'a.jpg': 'x' }).bytes]],
  ])(
    'by %s of what it does not take leaves one all the same, and of nothing leaves none',
    async (path, origin, name, all) => {
      for (const bytes of all) {
        const refused = await app.upload(path, [{ name, bytes }])
        expect(refused.status).toBe(400)
        const item = { filename: name, outcome: 'error', reason: refused.json.error }
        expect(await receipt(headerOf(refused))).toMatchObject({
          ...{ kind: 'import', origin, title: name, counts: { created: 0, errors: 1 }, items: { items: [item] } },
        })
        const nothing = { receiptId: null, undone: 0, kept: [], dryRun: false }
        expect((await undo(app, headerOf(refused))).answer).toEqual(nothing)
      }
      const empty = await app.upload(path, [])
      expect([empty.status, headerOf(empty)]).toEqual([400, null])
    },
  )
})

describe('an edit', () => {
  test('joins the one before within ten minutes by the same hand, and keeps what was before the first', async () => {
    const id = await app.run(fitRun())
    const before = await libraryContent(app)
    const { key } = await app.ok('POST', '/auth/api-keys', { label: 'laptop' })
    const edit = async (json: object, token?: string) =>
      headerOf(await app.call('PATCH', `/workouts/${id}`, { json, ...(token === undefined ? {} : { token }) }))
    const first = await edit({ name: 'One' })
    app.clock.nowMs += 599_000
    expect(await edit({ name: 'Two', rpe: 5 })).toBe(first)
    expect(await edit({ name: 'Two' })).toBeNull()
    const byKey = await edit({ notes: 'wet' }, key)
    app.clock.nowMs += 2_000
    const later = await edit({ name: 'Three' })
    expect(new Set([first, byKey, later]).size).toBe(3)
    expect(await receiptsOf('&kind=edit')).toMatchObject([
      { title: 'Edited name', actor: 'browser' },
      { title: 'Edited notes', actor: 'key:laptop' },
      { title: 'Edited name, effort', actor: 'browser' },
    ])
    for (const one of [later, byKey, first]) expect((await undo(app, one)).answer).toMatchObject({ undone: 1 })
    expectSame(await libraryContent(app), before)
    // none that a clock which ran ahead dated after it
    app.clock.nowMs += DAY_MS
    const ahead = await edit({ name: 'One' })
    app.clock.nowMs -= DAY_MS
    expect(await edit({ name: 'Two' })).not.toBe(ahead)
  })
})

test('recalculations leave a receipt that cannot be undone', async () => {
  const [id] = await smallLibrary(app)
  await app.ok('PUT', '/settings/heart-rate-zones', { calculationMethod: 'AgeBased', age: 44 })
  const paths = [`workouts/${id}/recalculate-splits`, 'workouts/recalculate-relative-effort']
  for (const path of [...paths, 'stats/best-efforts/recalculate']) {
    const answer = { error: 'A recalculation cannot be undone; it can be repeated' }
    expect(await undo(app, await left('POST', `/${path}`))).toMatchObject({ status: 400, answer })
  }
  expect(await receiptsOf('&kind=recalculate')).toMatchObject([
    { title: 'Recomputed all best efforts', counts: { changed: 0 }, workoutId: null },
    { counts: { changed: 3 }, workoutId: null, undoUntil: null },
    { counts: { changed: 1 }, workoutId: id },
  ])
})

test('the history of a run has what touched it, and items go after a year while counts stay', async () => {
  await using app = await testApp({ env: { JWT_EXPIRATION_DAYS: '900' } })
  const { id, receiptId } = (await app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun() }])).json
  await app.run(fitRun({ startMs: START_MS - DAY_MS }), 'b.fit')
  await app.ok('PATCH', `/workouts/${id}`, { name: 'Mine' })
  expect((await app.ok('GET', `/receipts?workoutId=${id.toUpperCase()}`)).items).toMatchObject([
    { kind: 'edit', workoutName: 'Mine' },
    { kind: 'import', workoutName: null },
  ])
  app.clock.nowMs += 366 * DAY_MS
  await collectOld(app.deps)
  const { counts, items } = await app.ok('GET', `/receipts/${receiptId}`)
  expect([counts.created, items.totalCount]).toEqual([1, 0])
})
