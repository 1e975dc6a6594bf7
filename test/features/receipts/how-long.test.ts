// How long a change can be undone: from the day of the change on, whatever the age of the run.
import { expect, test } from 'bun:test'
import { cleanUp } from '../../../src/commands/jobs.ts'
import { type TestApp, testApp } from '../../app.ts'
import { fitRun } from '../../fixtures/runs.ts'
import { butUpdated } from '../../fixtures/updated.ts'
import { asked, done, receiptOf, stored } from '../../library/ledger.ts'

const DAY_MS = 86_400_000

const CHANGES: Readonly<Record<string, (app: TestApp, id: string) => Promise<string>>> = {
  'an edit': (app, id) => receiptOf(app, `PATCH /workouts/${id}`, { name: 'Renamed', rpe: 4 }),
  'a crop': (app, id) => receiptOf(app, `POST /workouts/${id}/crop`, { removeFromStartSeconds: 60 }),
  'a split': (app, id) => receiptOf(app, `POST /workouts/${id}/split`, { atElapsedS: [200] }),
  'a deletion': (app, id) => receiptOf(app, `DELETE /workouts/${id}`),
  'a bulk edit': (app, id) => receiptOf(app, 'POST /workouts/bulk-edit', { ids: [id], set: { rpe: 9 } }),
}

for (const [name, change] of Object.entries(CHANGES))
  test(`${name} of a run that is a year old can be undone until UNDO_DAYS from the change`, async () => {
    for (const [days, isInTime] of [
      [29.9, true],
      [30.1, false],
    ] as const) {
      await using app = await testApp({ env: { JWT_EXPIRATION_DAYS: '3650' } })
      const id = await stored(app, 'a.fit', fitRun())
      await done(app, `PATCH /workouts/${id}`, { name: 'Mine' })
      const now = async () => butUpdated(await done(app, `GET /workouts/${id}`))
      const before = await now()
      app.pass(365 * DAY_MS)
      await cleanUp(app.deps)
      const receipt = await change(app, id)
      const { undoUntil } = await done(app, `GET /receipts/${receipt}`)
      expect(Date.parse(undoUntil)).toBe(Math.floor(app.clock.nowMs / 1000) * 1000 + 30 * DAY_MS)
      app.pass(days * DAY_MS)
      await cleanUp(app.deps)
      const { status, json } = await asked(app, `POST /receipts/${receipt}/undo`, {})
      if (isInTime) expect([status, json.kept, await now()]).toEqual([200, [], before])
      else expect([status, json.error]).toEqual([400, expect.stringMatching(/^It could be undone until /)])
    }
  })
