import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { exported, restored } from '../../archive/archives.ts'
import { fitRun, START_MS } from '../../fixtures/runs.ts'
import { smallLibrary } from './library.ts'

const DAY_MS = 86_400_000

interface Listed {
  readonly id: string
  readonly kind: string
  readonly title: string
  readonly canUndo: boolean
}

const receiptsOf = async (app: TestApp): Promise<Listed[]> => (await app.ok('GET', '/receipts?pageSize=100')).items

/** Each receipt offers to be undone when a dry run, forced for imports, undoes something of it. @returns how many do */
async function offered(app: TestApp): Promise<number> {
  const all = await receiptsOf(app)
  for (const { id, kind, title, canUndo } of all) {
    const dry = await app.call('POST', `/receipts/${id}/undo`, { json: { dryRun: true, force: kind === 'import' } })
    expect([title, canUndo]).toEqual([title, dry.status === 200 && dry.json.undone > 0])
  }
  return all.filter(({ canUndo }) => canUndo).length
}

test('a receipt offers an undo exactly when something of it can be undone', async () => {
  await using app = await testApp()
  const ids = await smallLibrary(app)
  await app.upload('/workouts/import', [{ name: 'broken.fit', bytes: 'nothing' }])
  await app.run(fitRun({ startMs: START_MS + DAY_MS }), 'gone.fit')
  await app.ok('PATCH', `/workouts/${ids[1]}`, { name: 'Now' })
  await app.ok('DELETE', `/workouts/${ids[2]}`)
  expect(await offered(app)).toBeGreaterThan(4)
  const last = (await receiptsOf(app))[0]!
  const first = async (path: string) => (await app.ok('GET', path)).items[0]
  const files = [3, 4].map((day) => ({ name: `${day}.fit`, bytes: fitRun({ startMs: START_MS + day * DAY_MS }) }))
  for (const happen of [
    () => app.ok('POST', `/receipts/${last.id}/undo`, {}),
    async () => {
      await app.ok('DELETE', `/workouts/${ids[0]}`)
      await app.ok('DELETE', `/workouts/${(await first('/workouts?sort=startedAt&order=desc')).id}`)
    },
    () => app.ok('DELETE', '/trash'),
    // the archive of the library itself changes nothing
    async () => expect((await restored(app, await exported(app))).status).toBe(200),
    async () => {
      const { receiptId } = (await app.upload('/workouts/import', files)).json
      await app.ok('POST', `/receipts/${receiptId}/undo`, {})
    },
    async () => app.ok('POST', `/trash/${(await first('/trash')).workoutId}/restore`),
  ]) {
    await happen()
    await offered(app)
  }
})
