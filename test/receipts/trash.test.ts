import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { cleanUp } from '../../src/jobs.ts'
import { firstDeleted } from '../../src/library/forgotten.ts'
import { type TestApp, testApp } from '../app.ts'
import { exported, restored } from '../archive/archives.ts'
import { jpeg } from '../fixtures/media.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { expectSame, headerOf, libraryContent, smallLibrary, undo } from './library.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app.close())

const DAY_MS = 86_400_000

const filesOf = (app: TestApp) =>
  ['raw', 'media'].flatMap((folder) => {
    const path = join(app.deps.config.dataDir, 'files', folder)
    return existsSync(path) ? readdirSync(path) : []
  })

/** The sweep with no file young enough to be spared, and the purge. */
const cleaned = (app: TestApp) => cleanUp(app.deps, { olderThanMs: Date.now() + 60_000 })

const OF_RUN = 'workout_id = ?'
const OF_RECORDING = 'IN (SELECT recording_id FROM naming WHERE run_id = ?)'
const TABLES: Readonly<Record<string, string>> = {
  document: 'id = ?',
  naming: 'run_id = ?',
  recording: `id ${OF_RECORDING}`,
  samples: `recording_id ${OF_RECORDING}`,
  observation: 'run_id = ?',
  workout: 'id = ?',
  workout_split: OF_RUN,
  workout_best_effort: OF_RUN,
  archived_best_effort: OF_RUN,
  effort_word: OF_RUN,
  workout_route: OF_RUN,
  workout_training: OF_RUN,
  training_choice: OF_RUN,
  media: OF_RUN,
}

/** Every row of every table of a run, blobs and all. */
function rowsOf(app: TestApp, id: string): Record<string, unknown[]> {
  return Object.fromEntries(
    Object.entries(TABLES).map(([table, where]) => {
      const rows = app.deps.db.$client
        .query<Record<string, unknown>, [string]>(`SELECT * FROM ${table} WHERE ${where}`)
        .all(id)
      // how often a document was written is not part of the run
      return [table, rows.map(({ seq: _, ...row }) => row)]
    }),
  )
}

describe('a deleted run', () => {
  test('comes back from the trash with every byte, word, photo and record', async () => {
    const ids = await smallLibrary(app)
    for (const id of ids) {
      const [before, rows, detail] = [
        await libraryContent(app),
        rowsOf(app, id),
        await app.call('GET', `/workouts/${id}`),
      ]
      const records = (await app.call('GET', '/stats/best-efforts')).json
      const files = filesOf(app).toSorted()
      const deleted = await app.call('DELETE', `/workouts/${id}`)
      expect([deleted.status, deleted.text]).toEqual([204, ''])
      expect((await app.call('GET', `/workouts/${id}`)).status).toBe(404)
      expect((await app.call('GET', `/workouts/${id}/file`)).status).toBe(404)
      await cleaned(app)
      expect(filesOf(app).toSorted()).toEqual(files)
      const back = await app.call('POST', `/trash/${id}/restore`)
      expect([back.status, back.json]).toEqual([200, detail.json])
      expect(rowsOf(app, id)).toEqual(rows)
      expectSame(await libraryContent(app), before)
      expect((await app.call('GET', '/stats/best-efforts')).json).toEqual(records)
      expect(headerOf(back)).not.toBeNull()
      expect((await app.call('GET', '/trash')).json.totalCount).toBe(0)
      // and the receipt of the deletion counts as undone
      expect((await undo(app, headerOf(deleted))).answer).toEqual({ error: 'It was already undone' })
    }
  })

  test('is in the trash until its time is over, then it and its files are gone', async () => {
    await using app = await testApp({ env: { JWT_EXPIRATION_DAYS: '60' } })
    const [id] = await smallLibrary(app)
    const kept = filesOf(app).length
    const { headers } = await app.call('DELETE', `/workouts/${id}`)
    const [item] = (await app.call('GET', '/trash')).json.items
    expect(item).toMatchObject({
      ...{ workoutId: id, name: null, deletedAt: '2025-11-20T13:05:11Z', purgeAt: '2025-12-20T13:05:11Z' },
      receiptId: headers.get('Harrier-Receipt'),
    })
    app.clock.nowMs += 30 * DAY_MS - 1
    await cleaned(app)
    expect(filesOf(app)).toHaveLength(kept)
    app.clock.nowMs += 2
    await cleaned(app)
    expect((await app.call('GET', '/trash')).json.totalCount).toBe(0)
    // one original and two photos
    expect(filesOf(app)).toHaveLength(kept - 3)
    expect(existsSync(join(app.deps.config.dataDir, 'found'))).toBe(false)
    expect(await undo(app, headers.get('Harrier-Receipt'))).toMatchObject({
      ...{ status: 400, answer: { error: 'It could be undone until 20 December 2025' } },
    })
    expect((await app.call('POST', `/trash/${id}/restore`)).json).toEqual({ error: 'Workout not found' })
  })

  test('is gone at once with ?forever=true, and with UNDO_DAYS=0', async () => {
    for (const [env, query] of [
      [{}, '?forever=true'],
      [{ UNDO_DAYS: '0' }, ''],
    ] as const) {
      await using app = await testApp({ env })
      const { json } = await app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun() }])
      await app.upload(`/workouts/${json.id}/media`, [{ name: 'a.jpg', bytes: jpeg(300) }])
      const deleted = await app.call('DELETE', `/workouts/${json.id}${query}`)
      expect(deleted.status).toBe(204)
      expect(filesOf(app)).toEqual([])
      expect((await app.call('GET', '/trash')).json.totalCount).toBe(0)
      const { answer, status } = await undo(app, headerOf(deleted))
      const why = query === '' ? 'nothing is kept here (UNDO_DAYS=0)' : 'nothing was kept for it'
      expect([status, answer]).toEqual([400, { error: `It cannot be undone: ${why}` }])
    }
  })

  test('deleted permanently leaves a receipt without undo, and so does a photo', async () => {
    const { id } = (await app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun() }])).json
    const photo = async () => (await app.upload(`/workouts/${id}/media`, [{ name: 'a.jpg', bytes: jpeg(300) }])).json
    const [kept] = await photo()
    const [gone] = await photo()
    const receiptOf = async (path: string) => {
      const receiptId = headerOf(await app.call('DELETE', path))
      const { undoUntil, items } = (await app.call('GET', `/receipts/${receiptId}`)).json
      return { receiptId, undoUntil, canUndo: items.items.map((item: { canUndo: boolean }) => item.canUndo) }
    }
    const open = { undoUntil: expect.any(String), canUndo: [true] }
    const final = { undoUntil: null, canUndo: [false] }
    expect(await receiptOf(`/workouts/${id}/media/${kept.id}`)).toMatchObject(open)
    const ofPhoto = await receiptOf(`/workouts/${id}/media/${gone.id}?forever=true`)
    expect(ofPhoto).toMatchObject(final)
    // a receipt of an earlier version has a date all the same
    app.deps.db.$client.run('UPDATE receipt SET undo_until = 9e12 WHERE id = ?', [ofPhoto.receiptId])
    const { items } = (await app.call('GET', `/receipts/${ofPhoto.receiptId}`)).json
    expect(items.items).toMatchObject([{ canUndo: false }])
    for (const dryRun of [true, false]) {
      const { answer } = await undo(app, ofPhoto.receiptId, { dryRun })
      expect(answer).toMatchObject({ receiptId: null, undone: 0, kept: [{ reason: 'Nothing was kept for undo' }] })
    }
    expect(app.logged).toEqual([])
    expect(await receiptOf(`/workouts/${id}?forever=true`)).toMatchObject(final)
  })

  test.each<[string, (app: TestApp, id: string) => Promise<unknown>]>([
    ['by hand', (app, id) => app.ok('DELETE', `/workouts/${id}?forever=true`)],
    ['from the trash', (app, id) => app.ok('DELETE', `/workouts/${id}`).then(() => app.ok('DELETE', `/trash/${id}`))],
    [
      'by the purge',
      async (app, id) => {
        await app.ok('DELETE', `/workouts/${id}`)
        app.pass(31 * DAY_MS)
        await cleaned(app)
      },
    ],
  ])('for good %s, no receipt of it promises an undo, and each says why', async (_how, deleted) => {
    await using app = await testApp({ env: { JWT_EXPIRATION_DAYS: '60' } })
    const files = [0, 1].map((day) => ({ name: `${day}.fit`, bytes: fitRun({ startMs: START_MS - day * DAY_MS }) }))
    await app.upload('/workouts/import', files)
    const [other, { id }] = (await app.ok('GET', '/workouts')).items
    await app.ok('PATCH', `/workouts/${id}`, { name: 'Mine' })
    await app.ok('POST', `/workouts/${id}/crop`, { removeFromStartSeconds: 60 })
    await app.ok('POST', '/workouts/bulk-edit', { filter: {}, set: { rpe: 3 } })
    await deleted(app, id)
    const reason = 'The run was deleted permanently'
    for (const receipt of (await app.ok('GET', `/receipts?workoutId=${id}`)).items) {
      const { kind, undoUntil, items } = await app.ok('GET', `/receipts/${receipt.id}`)
      const isShared = items.totalCount > 1
      if (!isShared && Date.parse(undoUntil) > app.clock.nowMs) expect([kind, undoUntil]).toEqual([kind, null])
      for (const item of items.items) {
        if (item.workoutId === id) expect([kind, item.canUndo, item.reason]).toEqual([kind, false, reason])
        else expect([item.workoutId, item.reason]).toEqual([other.id, null])
      }
    }
  })

  test('back from the trash is announced, with the receipt that this undid', async () => {
    const { id } = (await app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun() }])).json
    const deletion = headerOf(await app.call('DELETE', `/workouts/${id}`))
    const heard: unknown[] = []
    app.deps.events.subscribe(({ event, data }) => heard.push([event, 'id' in data ? data.id : null]))
    const back = headerOf(await app.call('POST', `/trash/${id}/restore`))
    expect(heard).toEqual([
      ['workout.created', id],
      ['receipt.created', back],
      ['receipt.undone', deletion],
    ])
  })

  test('of several that an undoing sent there is announced once all are back', async () => {
    const files = [0, 1].map((day) => ({ name: `${day}.fit`, bytes: fitRun({ startMs: START_MS - day * DAY_MS }) }))
    const { receiptId } = (await app.upload('/workouts/import', files)).json
    const undoing = (await undo(app, receiptId)).header
    const heard: unknown[] = []
    app.deps.events.subscribe(({ event, data }) => {
      if (event === 'receipt.undone') heard.push('id' in data ? data.id : null)
    })
    const { items } = (await app.call('GET', '/trash')).json
    await app.call('POST', `/trash/${items[0].workoutId}/restore`)
    expect(heard).toEqual([])
    await app.call('POST', `/trash/${items[1].workoutId}/restore`)
    expect(heard).toEqual([undoing])
  })

  test('is removed permanently by hand, alone or with all others', async () => {
    const ids = await smallLibrary(app)
    for (const id of ids) await app.call('DELETE', `/workouts/${id}`)
    expect((await app.call('DELETE', `/trash/${ids[0]}`)).status).toBe(204)
    expect((await app.call('DELETE', `/trash/${ids[0]}`)).json).toEqual({ error: 'Workout not found' })
    expect((await app.call('GET', '/trash')).json.totalCount).toBe(3)
    expect((await app.call('DELETE', '/trash')).status).toBe(204)
    expect((await app.call('GET', '/trash')).json.totalCount).toBe(0)
    expect(filesOf(app)).toEqual([])
  })

  test('can be imported again by hand, with a note that it is in the trash, and then does not come back twice', async () => {
    const file = [{ name: 'a.fit', bytes: fitRun() }]
    const first = (await app.upload('/workouts/import', file)).json
    expect(first.inTrash).toBeUndefined()
    const deleted = headerOf(await app.call('DELETE', `/workouts/${first.id}`))
    const again = (await app.upload('/workouts/import', file)).json
    expect(again).toMatchObject({ action: 'created', inTrash: true, trashedId: first.id })
    const refused = await app.call('POST', `/trash/${first.id}/restore`)
    expect([refused.status, refused.json]).toEqual([400, { error: 'The same run is stored again' }])
    expect((await undo(app, deleted)).answer).toMatchObject({ undone: 0, kept: [{ workoutId: first.id }] })
  })

  test('takes the place of the run that its file became, and is not a deleted one then', async () => {
    const file = [{ name: 'a.fit', bytes: fitRun() }]
    const old = (await app.upload('/workouts/import', file)).json
    await app.call('DELETE', `/workouts/${old.id}`)
    const { trashedId, receiptId } = (await app.upload('/workouts/import', file)).json
    const gone = (await undo(app, receiptId)).answer
    const back = await app.call('POST', `/trash/${trashedId}/restore`)
    expect([gone.undone, back.status, back.json.id]).toEqual([1, 200, old.id])
    const sha256 = new Bun.CryptoHasher('sha256').update(file[0]!.bytes).digest('hex')
    const keys = { files: [{ sha256, session: 0 }], externals: [] }
    expect(firstDeleted(app.deps.db, keys)).toBeNull()
    // both steps undone: the new one is there, the old one in the trash
    for (const receipt of [headerOf(back), gone.receiptId]) expect((await undo(app, receipt)).status).toBe(200)
    expect(firstDeleted(app.deps.db, keys)).toBeNull()
    const { items } = (await app.call('GET', '/trash')).json
    expect(items.map(({ workoutId }: { workoutId: string }) => workoutId)).toEqual([old.id])
    expect((await app.call('GET', '/workouts')).json.totalCount).toBe(1)
  })

  test('is skipped by automatic imports, also when it was deleted permanently', async () => {
    const { json } = await app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun() }])
    const { sha256 } = app.deps.db.$client
      .query<{ sha256: string }, []>('SELECT file_sha256 AS sha256 FROM recording')
      .get()!
    const deletion = (session = 0) => firstDeleted(app.deps.db, { files: [{ sha256, session }], externals: [] })
    expect(deletion()).toBeNull()
    await app.call('DELETE', `/workouts/${json.id}`)
    const stated = { workoutId: json.id, reason: 'You deleted this run on 20 November 2025' }
    expect(deletion()).toMatchObject({ ...stated, isInTrash: true })
    await app.call('POST', `/trash/${json.id}/restore`)
    expect(deletion()).toBeNull()
    await app.call('DELETE', `/workouts/${json.id}`)
    await app.call('DELETE', '/trash')
    expect(deletion()).toMatchObject({ ...stated, isInTrash: false })
    expect(deletion(1)).toBeNull()
    expect(firstDeleted(app.deps.db, { files: [], externals: [{ origin: 'health_auto_export', id: 'i1' }] })).toBeNull()
  })

  test('keeps its files while an archive brings it again and goes once more', async () => {
    const [id] = await smallLibrary(app)
    const archive = await exported(app)
    const before = await libraryContent(app)
    const deleted = headerOf(await app.call('DELETE', `/workouts/${id}`))
    expect((await restored(app, archive)).json).toMatchObject({
      success: true,
      statistics: { workouts: { imported: 1 } },
    })
    await app.call('DELETE', `/workouts/${id}?forever=true`)
    await cleaned(app)
    expect((await undo(app, deleted)).answer).toMatchObject({ undone: 1, kept: [] })
    expectSame(await libraryContent(app), before)
  })
})

test('what is kept is bounded: the oldest goes first', async () => {
  await using app = await testApp({ env: { UNDO_MAX_BYTES: '2000' } })
  const ids: string[] = []
  for (let day = 0; day < 6; day += 1) {
    const bytes = fitRun({ startMs: START_MS - day * DAY_MS, seconds: 600 })
    ids.push((await app.upload('/workouts/import', [{ name: `${day}.fit`, bytes }])).json.id)
  }
  for (const id of ids) {
    app.clock.nowMs += 1000
    await app.call('DELETE', `/workouts/${id}`)
  }
  await cleaned(app)
  const { items } = (await app.call('GET', '/trash')).json
  const left = items.map(({ workoutId }: { workoutId: string }) => workoutId)
  expect(left.length).toBeGreaterThan(0)
  expect(left.length).toBeLessThan(6)
  expect(left).toEqual(ids.slice(-left.length).reverse())
  expect(filesOf(app)).toHaveLength(left.length)
})

test('a photo comes back with its caption while its file is there', async () => {
  const [first] = await smallLibrary(app)
  const [photo] = (await app.call('GET', `/workouts/${first}/media`)).json
  await app.call('PATCH', `/workouts/${first}/media/${photo.id}`, { json: { caption: 'Start' } })
  const captioned = await libraryContent(app)
  const gone = await app.call('DELETE', `/workouts/${first}/media/${photo.id}`)
  await cleaned(app)
  const back = await undo(app, headerOf(gone))
  expect(back.answer).toMatchObject({ undone: 1, kept: [] })
  expectSame(await libraryContent(app), captioned)
  expect((await app.call('GET', `/workouts/${first}/media/${photo.id}`)).status).toBe(200)
  expect((await undo(app, back.header)).answer).toMatchObject({ undone: 1 })
  expect((await app.call('GET', `/workouts/${first}/media/${photo.id}`)).status).toBe(404)
  await undo(app, headerOf(gone))
  const caption = (await app.call('GET', `/receipts?workoutId=${first}&kind=edit`)).json.items[0]
  expect(caption.title).toContain('captions')
})
