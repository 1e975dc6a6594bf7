import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../app.ts'
import { filesOf } from '../archive/restore/restoring.ts'
import { headerOf, smallLibrary } from '../features/receipts/library.ts'
import { fill } from './as-stored.ts'

/** From now on the database may not grow, as on a full disk, and what is kept of a change finds no room in it either. */
const full = (app: TestApp) => {
  const kept = { document_id: 'another', receipt_id: 'another', item_seq: 0, until: 9e15 }
  fill(app.deps, 'earlier_version', { ...kept, kind: 'shoe', body: 'null' })
}

test('on a full disk a run and a photo are not deleted, and nothing is lost', async () => {
  await using app = await testApp()
  const [first, second] = await smallLibrary(app)
  const about = async () => [
    ...[(await app.ok('GET', '/workouts')).items, (await app.ok('GET', '/trash')).totalCount],
    ...[await app.ok('GET', `/workouts/${first}/media`), filesOf(app, 'files/media'), filesOf(app, 'files/raw')],
  ]
  const [photo] = await app.ok('GET', `/workouts/${first}/media`)
  const before = await about()
  full(app)
  for (const path of [`${first}/media/${photo.id}`, second]) {
    const refused = await app.call('DELETE', `/workouts/${path}`)
    expect([refused.status, headerOf(refused), refused.json.error]).toEqual([
      ...[507, null, 'The disk of the server is full; make space and try again'],
    ])
  }
  expect(await about()).toEqual(before)
})
