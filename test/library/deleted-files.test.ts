// A file whose run was deleted: by hand it comes again (receipts/trash.test.ts), by automatic imports it does not.
import { expect, test } from 'bun:test'
import { cleanUp } from '../../src/commands/jobs.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { watchedFolder } from '../imports/watch/watched.ts'
import { done, live, stored, trashed } from './ledger.ts'

const DAY_MS = 86_400_000

test('automatically it is skipped with the day of the deletion, also when the trash was purged long ago', async () => {
  await using watched = await watchedFolder({ env: { JWT_EXPIRATION_DAYS: '365' } })
  const { app } = watched
  const deleted = [0, 1].map((day) => fitRun({ startMs: START_MS - day * DAY_MS }))
  for (const bytes of deleted) await done(app, `DELETE /workouts/${await stored(app, 'a.fit', bytes)}`)
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
