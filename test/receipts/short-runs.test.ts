// Recordings under 100 m or a minute count; the receipt of an import names them, so that they can be excluded in one call.
import { expect, test } from 'bun:test'
import { testApp } from '../app.ts'
import { gpxRun, START_MS } from '../fixtures/runs.ts'

const DAY_MS = 86_400_000

test('the receipt of an import names its runs under 100 m or a minute while they count', async () => {
  await using app = await testApp()
  const before = await app.run(gpxRun({ startMs: START_MS - DAY_MS, seconds: 30 }))
  const made = [{ seconds: 59 }, { seconds: 60 }, { seconds: 120, speedMps: 0.8 }, { seconds: 600 }].map(
    (run, day) => ({ name: `${day}.gpx`, bytes: gpxRun({ startMs: START_MS + day * DAY_MS, ...run }) }),
  )
  const { receiptId } = (await app.upload('/workouts/import', made)).json
  const { items } = (await app.call('GET', '/workouts?sortOrder=asc')).json
  const [, minute, , slow, long] = items.map(({ id }: { id: string }) => id)
  const shortRuns = async () => (await app.call('GET', `/receipts/${receiptId}`)).json.shortRuns
  expect(await shortRuns()).toEqual([minute, slow])
  expect((await app.call('GET', `/receipts/${receiptId}?outcome=error`)).json.shortRuns).toEqual([minute, slow])

  const count = async () => {
    const { days } = (await app.call('GET', '/stats/daily')).json
    return days.reduce((sum: number, day: { runs: number }) => sum + day.runs, 0)
  }
  const all = await count()
  const edited = await app.call('POST', '/workouts/bulk-edit', {
    json: { ids: [minute, slow], set: { leftOut: true } },
  })
  expect(edited.json).toMatchObject({ changed: 2, unchanged: 0 })
  expect(await count()).toBe(all - 2)
  expect(await shortRuns()).toEqual([])
  const { leftOut } = (await app.call('GET', `/workouts/${long}`)).json
  expect([leftOut, (await app.call('GET', `/workouts/${before}`)).json.leftOut]).toEqual([false, false])

  expect((await app.call('POST', `/receipts/${edited.json.receiptId}/undo`)).json.undone).toBe(2)
  expect(await count()).toBe(all)
  expect(await shortRuns()).toEqual([minute, slow])
  // a receipt that brought none of them names none
  const [edit] = (await app.call('GET', '/receipts?kind=bulk_edit')).json.items
  expect((await app.call('GET', `/receipts/${edit.id}`)).json.shortRuns).toEqual([])
})

test('bulk edit leaves out only with true or false, and counts what is so already', async () => {
  await using app = await testApp()
  const id = await app.run(gpxRun({ seconds: 30 }))
  const set = async (leftOut: unknown) =>
    await app.call('POST', '/workouts/bulk-edit', { json: { ids: [id], set: { leftOut } } })
  expect((await set('yes')).status).toBe(400)
  expect((await set(false)).json).toEqual({ receiptId: null, changed: 0, unchanged: 1 })
  expect((await set(true)).json).toMatchObject({ changed: 1, unchanged: 0 })
  expect((await set(null)).json).toMatchObject({ changed: 1, unchanged: 0 })
})
