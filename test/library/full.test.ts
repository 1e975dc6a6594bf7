import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../app.ts'
import { filesOf } from '../archive/restore/restoring.ts'
import { headerOf, smallLibrary } from '../features/receipts/library.ts'
import { fill } from './as-stored.ts'

/** From now on the database may not grow, as on a full disk, and what is kept of a change finds no room in it either. */
const full = (app: TestApp) => {
  const kept = { document_id: 'another', receipt_id: 'another', item_seq: 0, until: 9e15 }
  fill(app.deps, 'former', { ...kept, kind: 'shoe', body: 'null', bytes: 1 })
}

test('on a full disk a run and a photo are deleted permanently, without a receipt, and nothing else is harmed', async () => {
  await using app = await testApp()
  const [first, second, third] = await smallLibrary(app)
  const others = await app.ok('GET', `/workouts/${third}`)
  const [photo, left] = await app.ok('GET', `/workouts/${first}/media`)
  full(app)
  for (const path of [`${first}/media/${photo.id}`, second]) {
    const gone = await app.call('DELETE', `/workouts/${path}`)
    expect([gone.status, headerOf(gone)]).toEqual([204, null])
  }
  expect(filesOf(app, 'files/media')).toEqual([left.id])
  expect((await app.ok('GET', '/trash')).totalCount).toBe(0)
  expect((await app.ok('GET', '/workouts')).totalCount).toBe(3)
  expect(await app.ok('GET', `/workouts/${third}`)).toEqual(others)
  expect(filesOf(app, 'files/raw')).toHaveLength(2)
})
