import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { cleanUp } from '../../../src/commands/jobs.ts'
import { firstDeleted } from '../../../src/library/forgotten.ts'
import { type TestApp, testApp } from '../../app.ts'
import { exported, restored } from '../../archive/archives.ts'
import { gpxFile } from '../../fixtures/gpx.ts'
import { jpeg } from '../../fixtures/media.ts'
import { fitRun, START_MS } from '../../fixtures/runs.ts'
import { rowsOf } from '../../library/as-stored.ts'
import { expectSame, headerOf, libraryContent, smallLibrary, undo } from './library.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app.close())

const DAY_MS = 86_400_000
const RUN = { name: 'a.fit', bytes: fitRun() }

const filesOf = ({ deps }: TestApp) =>
  ['raw', 'media'].flatMap((folder) => {
    const path = join(deps.config.dataDir, 'files', folder)
    return existsSync(path) ? readdirSync(path).toSorted() : []
  })

/** The sweep with no file young enough to be spared, and the purge. */
const cleaned = (app: TestApp) => cleanUp(app.deps, { olderThanMs: Date.now() + 60_000 })
const imported = async (of: TestApp, ...days: number[]) => {
  const files = days.map((day) => ({ name: `${day}.fit`, bytes: fitRun({ startMs: START_MS - day * DAY_MS }) }))
  return (await of.upload('/workouts/import', files)).json
}
const deletion = async (id: string) => headerOf(await app.call('DELETE', `/workouts/${id}`))
const trashed = async (of = app): Promise<string[]> =>
  (await of.ok('GET', '/trash')).items.map(({ workoutId }: { workoutId: string }) => workoutId)
const TABLES = [
  ...[
    'document',
    'run_recording',
    'recording',
    'samples',
    'observation',
    'workout',
    'workout_split',
    'workout_best_effort',
  ],
  ...['archived_best_effort', 'effort_word', 'workout_route', 'workout_training', 'training_choice', 'media'],
]
/** Every row of every table, blobs and all; how often a document was written is not part of a run. */
const rows = () =>
  TABLES.map((table) => [
    table,
    new Set(rowsOf(app.deps, table).map(({ seq: _, ...row }) => Bun.hash(Bun.inspect(row)))),
  ])

describe('a deleted run', () => {
  test('comes back from the trash with every byte, word, photo and record', async () => {
    for (const id of await smallLibrary(app)) {
      const [before, stored, detail] = [await libraryContent(app), rows(), await app.ok('GET', `/workouts/${id}`)]
      const records = await app.ok('GET', '/stats/best-efforts')
      const files = filesOf(app)
      const deleted = await app.call('DELETE', `/workouts/${id}`)
      expect([deleted.status, deleted.text]).toEqual([204, ''])
      for (const path of ['', '/file']) expect((await app.call('GET', `/workouts/${id}${path}`)).status).toBe(404)
      await cleaned(app)
      expect(filesOf(app)).toEqual(files)
      const back = await app.call('POST', `/trash/${id}/restore`)
      expect([back.status, back.json]).toEqual([200, detail])
      expect(rows()).toEqual(stored)
      expectSame(await libraryContent(app), before)
      expect(await app.ok('GET', '/stats/best-efforts')).toEqual(records)
      expect([headerOf(back), await trashed()]).toEqual([expect.any(String), []])
      // and the receipt of the deletion counts as undone
      expect((await undo(app, headerOf(deleted))).answer).toEqual(
        expect.objectContaining({ error: 'It was already undone' }),
      )
    }
  })

  test('is in the trash with both times', async () => {
    // 20 minutes, in the middle of which nobody moves for five
    const points = Array.from({ length: 1201 }, (_, t) => {
      const moved = Math.min(t, 450) + Math.max(0, t - 750)
      return { lat: 47 + (moved * 3) / 111_170, lon: 8, timeMs: START_MS + t * 1000 }
    })
    const files = [{ name: 'run.gpx', bytes: gpxFile({ points, creator: null }) }]
    const { id } = (await app.upload('/workouts/import', files)).json
    const { durationS, movingTimeS } = await app.ok('GET', `/workouts/${id}`)
    expect(durationS - movingTimeS).toBeGreaterThan(250)
    await app.call('DELETE', `/workouts/${id}`)
    expect((await app.ok('GET', '/trash')).items).toMatchObject([{ workoutId: id, durationS, movingTimeS }])
  })

  test('is in the trash until its time is over, then it and its files are gone', async () => {
    await using app = await testApp({ env: { JWT_EXPIRATION_DAYS: '60' } })
    const [id] = await smallLibrary(app)
    const kept = filesOf(app).length
    const { file_sha256: sha256 } = rowsOf(app.deps, 'recording').find((row) => row.id === id)!
    const receiptId = headerOf(await app.call('DELETE', `/workouts/${id}`))
    expect((await app.ok('GET', '/trash')).items).toMatchObject([
      { workoutId: id, name: null, deletedAt: '2025-11-20T13:05:11Z', purgeAt: '2025-12-20T13:05:11Z', receiptId },
    ])
    app.clock.nowMs += 30 * DAY_MS - 1
    await cleaned(app)
    expect(filesOf(app)).toHaveLength(kept)
    app.clock.nowMs += 2
    await cleaned(app)
    // one original and two photos
    expect([await trashed(app), filesOf(app).length]).toEqual([[], kept - 3])
    const keys = { files: [{ sha256: String(sha256), session: 0 }], externals: [] }
    expect(firstDeleted(app.deps.db, keys)).toMatchObject({ workoutId: id, isInTrash: false })
    expect(existsSync(join(app.deps.config.dataDir, 'found'))).toBe(false)
    const late = { error: 'It could be undone until 20 December 2025' }
    expect(await undo(app, receiptId)).toMatchObject({ status: 400, answer: late })
    expect((await app.call('POST', `/trash/${id}/restore`)).json).toEqual(
      expect.objectContaining({ error: 'Workout not found' }),
    )
  })

  test.each([
    ['?forever=true', {}, 'nothing was kept for it'],
    ['', { UNDO_DAYS: '0' }, 'nothing is kept here (UNDO_DAYS=0)'],
  ])('is gone at once with "%s" and %o', async (query, env, why) => {
    await using app = await testApp({ env })
    const id = await app.run(fitRun())
    await app.upload(`/workouts/${id}/media`, [{ name: 'a.jpg', bytes: jpeg(300) }])
    const receipt = headerOf(await app.call('DELETE', `/workouts/${id}${query}`))
    expect([filesOf(app), await trashed(app)]).toEqual([[], []])
    const answer = { error: `It cannot be undone: ${why}` }
    expect(await undo(app, receipt)).toMatchObject({ status: 400, answer })
  })

  test.each(['by hand', 'from the trash', 'by the purge'])(
    'for good %s, no receipt of it promises an undo',
    async (how) => {
      await using app = await testApp({ env: { JWT_EXPIRATION_DAYS: '60' } })
      await imported(app, 0, 1)
      const [other, { id }] = (await app.ok('GET', '/workouts')).items
      await app.ok('PATCH', `/workouts/${id}`, { name: 'Mine' })
      await app.ok('POST', `/workouts/${id}/crop`, { removeFromStartSeconds: 60 })
      await app.ok('POST', '/workouts/bulk-edit', { filter: {}, set: { rpe: 3 } })
      await app.ok('DELETE', `/workouts/${id}${how === 'by hand' ? '?forever=true' : ''}`)
      if (how === 'from the trash') await app.ok('DELETE', `/trash/${id}`)
      if (how === 'by the purge') app.pass(31 * DAY_MS)
      await cleaned(app)
      const reason = 'The run was deleted permanently'
      for (const receipt of (await app.ok('GET', `/receipts?workoutId=${id}`)).items) {
        const { kind, undoUntil, items } = await app.ok('GET', `/receipts/${receipt.id}`)
        if (items.totalCount === 1 && Date.parse(undoUntil) > app.clock.nowMs)
          expect([kind, undoUntil]).toEqual([kind, null])
        for (const item of items.items) {
          if (item.workoutId === id) expect([kind, item.canUndo, item.reason]).toEqual([kind, false, reason])
          else expect([item.workoutId, item.reason]).toEqual([other.id, null])
        }
      }
    },
  )

  test('takes the place of the run that its file became, and is not a deleted one then', async () => {
    const old = await app.run(fitRun(), 'old name.fit')
    await app.ok('PATCH', `/workouts/${old}`, { name: 'Words of the old one' })
    const deleted = await deletion(old)
    const again = (await app.upload('/workouts/import', [RUN])).json
    expect(again).toMatchObject({ action: 'created', inTrash: true, trashedId: old })
    expect((await app.ok('GET', `/workouts/${again.id}`)).name).toBeNull()
    const refused = await app.call('POST', `/trash/${old}/restore`)
    expect([refused.status, refused.json]).toEqual([
      400,
      expect.objectContaining({ error: 'The same run is stored again' }),
    ])
    expect((await undo(app, deleted)).answer).toMatchObject({ undone: 0, kept: [{ workoutId: old }] })
    const gone = (await undo(app, again.receiptId)).answer
    const back = await app.call('POST', `/trash/${old}/restore`)
    expect([gone.undone, back.status]).toEqual([1, 200])
    expect(back.json).toMatchObject({ id: old, name: 'Words of the old one' })
    expect((await app.ok('GET', `/workouts/${old}/sources`)).recordings).toMatchObject([{ filename: 'old name.fit' }])
    const sha256 = new Bun.CryptoHasher('sha256').update(RUN.bytes).digest('hex')
    const keys = { files: [{ sha256, session: 0 }], externals: [] }
    expect(firstDeleted(app.deps.db, keys)).toBeNull()
    // both steps undone: the new one is there, the old one in the trash
    for (const receipt of [headerOf(back), gone.receiptId]) expect((await undo(app, receipt)).status).toBe(200)
    expect([firstDeleted(app.deps.db, keys), await trashed()]).toEqual([null, [old]])
    expect((await app.ok('GET', '/workouts')).totalCount).toBe(1)
  })

  test('keeps its files while an archive brings it again without a later photo; undone, the photo is there', async () => {
    const [id] = await smallLibrary(app)
    const archive = await exported(app)
    await app.upload(`/workouts/${id}/media`, [{ name: 'later.jpg', bytes: jpeg(301) }])
    const photos = async () => (await app.ok('GET', `/workouts/${id}/media`)).length
    const before = await libraryContent(app)
    const deleted = await deletion(id!)
    const statistics = { workouts: { imported: 1 } }
    expect((await restored(app, archive)).json).toMatchObject({ success: true, statistics })
    expect(await photos()).toBe(2)
    await app.ok('DELETE', `/workouts/${id}?forever=true`)
    await cleaned(app)
    expect((await undo(app, deleted)).answer).toMatchObject({ undone: 1, kept: [] })
    expect(await photos()).toBe(3)
    expectSame(await libraryContent(app), before)
  })
})

test('a photo comes back with its caption while its file is there', async () => {
  const [first] = await smallLibrary(app)
  const [photo] = await app.ok('GET', `/workouts/${first}/media`)
  const path = `/workouts/${first}/media/${photo.id}`
  await app.ok('PATCH', path, { caption: 'Start' })
  const captioned = await libraryContent(app)
  const gone = headerOf(await app.call('DELETE', path))
  await cleaned(app)
  const back = await undo(app, gone)
  expect(back.answer).toMatchObject({ undone: 1, kept: [] })
  expectSame(await libraryContent(app), captioned)
  expect((await app.call('GET', path)).status).toBe(200)
  expect((await undo(app, back.header)).answer).toMatchObject({ undone: 1 })
  expect((await app.call('GET', path)).status).toBe(404)
  const [caption] = (await app.ok('GET', `/receipts?workoutId=${first}&kind=edit`)).items
  expect(caption.title).toContain('captions')
})
