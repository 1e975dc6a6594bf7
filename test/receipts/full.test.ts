import { expect, test } from 'bun:test'
import { makeRoom } from '../../src/library/files/room.ts'
import { type TestApp, testApp } from '../app.ts'
import { filesOf } from '../archive/restore/restoring.ts'
import { headerOf, smallLibrary } from './library.ts'

const DAY_MS = 86_400_000

/** From now on the database may not grow, as on a full disk, and what is kept of a change finds no room in it either. */
function fill(app: TestApp): void {
  const { $client: client } = app.deps.db
  const { page_count: pages } = client.query<{ page_count: number }, []>('PRAGMA page_count').get()!
  client.run(`PRAGMA max_page_count = ${pages}`)
  const keep = client.query(`INSERT INTO former (kind, document_id, body, receipt_id, item_seq, until, bytes)
    VALUES ('shoe', 'another', 'null', 'another', 0, 9e15, 1)`)
  expect(() => {
    for (;;) keep.run()
  }).toThrow('full')
}

test('on a full disk a run and a photo are deleted permanently, without a receipt, and nothing else is harmed', async () => {
  await using app = await testApp()
  const [first, second, third] = await smallLibrary(app)
  const others = (await app.call('GET', `/workouts/${third}`)).json
  const [photo, left] = (await app.call('GET', `/workouts/${first}/media`)).json
  fill(app)
  const gone = await app.call('DELETE', `/workouts/${first}/media/${photo.id}`)
  expect([gone.status, headerOf(gone)]).toEqual([204, null])
  expect(filesOf(app, 'files/media')).toEqual([left.id])
  const deleted = await app.call('DELETE', `/workouts/${second}`)
  expect([deleted.status, headerOf(deleted)]).toEqual([204, null])
  expect((await app.call('GET', '/trash')).json.totalCount).toBe(0)
  expect((await app.call('GET', '/workouts')).json.totalCount).toBe(3)
  expect((await app.call('GET', `/workouts/${third}`)).json).toEqual(others)
  expect(filesOf(app, 'files/raw')).toHaveLength(2)
})

test('the trash is emptied, what is there longest first, before anything is refused', async () => {
  await using app = await testApp({ env: { JWT_EXPIRATION_DAYS: '60' } })
  const ids = await smallLibrary(app)
  for (const id of ids) {
    app.clock.nowMs += DAY_MS
    await app.call('DELETE', `/workouts/${id}`)
  }
  const { $client: client } = app.deps.db
  client.run('CREATE TABLE filler (body BLOB)')
  client.run('VACUUM')
  fill(app)
  const body = new Uint8Array(6000)
  makeRoom(app.deps, () => client.query('INSERT INTO filler VALUES (?)').run(body))
  const { items } = (await app.call('GET', '/trash')).json
  const left = items.map(({ workoutId }: { workoutId: string }) => workoutId)
  expect(left.length).toBeLessThan(4)
  expect(left.length).toBeGreaterThan(0)
  expect(left).toEqual(ids.slice(-left.length).reverse())
  expect(() => makeRoom(app.deps, () => client.query('INSERT INTO filler VALUES (zeroblob(9000000))').run())).toThrow(
    'full',
  )
  expect((await app.call('GET', '/trash')).json.totalCount).toBe(0)
  expect(filesOf(app, 'files/raw')).toEqual([])
})
