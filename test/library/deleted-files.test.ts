// A file whose run was deleted: by hand it comes again as a run of its own, by automatic imports it does not.
import { expect, test } from 'bun:test'
import { cleanUp } from '../../src/jobs.ts'
import { testApp } from '../app.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { watchedFolder } from '../watch/watched.ts'
import { asked, done, live, receiptOf, stored, trashed } from './ledger.ts'

const DAY_MS = 86_400_000

test('uploaded by hand it is a new run, and the answer names the old one in the trash', async () => {
  await using app = await testApp()
  const old = await stored(app, 'old name.fit', fitRun())
  await done(app, `PATCH /workouts/${old}`, { name: 'Words of the old one' })
  const deletion = await receiptOf(app, `DELETE /workouts/${old}`)
  const { json } = await app.upload('/workouts/import', [{ name: 'new name.fit', bytes: fitRun() }])
  expect(json).toMatchObject({ action: 'created', inTrash: true, trashedId: old })
  expect(json.id).not.toBe(old)
  const { recordings } = await done(app, `GET /workouts/${json.id}/sources`)
  expect(recordings.map(({ filename }: { filename: string }) => filename)).toEqual(['new name.fit'])
  expect((await done(app, `GET /workouts/${json.id}`)).name).toBeNull()
  for (const call of [`POST /trash/${old}/restore`, `POST /receipts/${deletion}/undo`]) {
    const { status, json: refused } = await asked(app, call, {})
    expect([call, status === 400 || refused.undone === 0]).toEqual([call, true])
  }
  expect((await asked(app, `POST /trash/${old}/restore`)).json).toEqual({ error: 'The same run is stored again' })
  expect([(await live(app)).length, (await trashed(app)).length]).toEqual([1, 1])
  // once the new one is away, the old one is as it was
  await done(app, `DELETE /workouts/${json.id}?forever=true`)
  expect(await done(app, `POST /trash/${old}/restore`)).toMatchObject({ id: old, name: 'Words of the old one' })
  const file = (await done(app, `GET /workouts/${old}/sources`)).recordings[0].filename
  expect([file, (await asked(app, `GET /workouts/${old}/file`)).status]).toEqual(['old name.fit', 200])
})

test('automatically it is skipped with the day of the deletion, also when the trash was purged long ago', async () => {
  await using watched = await watchedFolder({ env: { JWT_EXPIRATION_DAYS: '365' } })
  const { app } = watched
  const deleted = [0, 1].map((day) => fitRun({ startMs: START_MS - day * DAY_MS }))
  for (const [place, bytes] of deleted.entries()) {
    await done(app, `DELETE /workouts/${await stored(app, `${place}.fit`, bytes)}`)
  }
  const reason = 'You deleted this run on 20 November 2025'
  watched.put('at once.fit', deleted[0]!)
  await watched.settle()
  app.pass(40 * DAY_MS)
  await cleanUp(app.deps)
  expect(await trashed(app)).toEqual([])
  watched.put('later.fit', deleted[1]!)
  await watched.settle()
  expect(await watched.files()).toMatchObject([
    { name: 'at once.fit', outcome: 'skipped', reason, isDeleted: true },
    { name: 'later.fit', outcome: 'skipped', reason, isDeleted: true },
  ])
  expect(await live(app)).toEqual([])
})
