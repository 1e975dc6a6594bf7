// Recordings under 100 m or a minute count; the receipt of an import names them, so that they can be excluded in one call.
import { expect, test } from 'bun:test'
import { testApp } from '../../app.ts'
import { gpxRun, START_MS } from '../../fixtures/runs.ts'

const DAY_MS = 86_400_000

test('the receipt of an import names its runs under 100 m or a minute while they count', async () => {
  await using app = await testApp()
  const before = await app.run(gpxRun({ startMs: START_MS - DAY_MS, seconds: 30 }))
  const made = [{ seconds: 59 }, { seconds: 60 }, { seconds: 120, speedMps: 0.8 }, { seconds: 600 }].map(
    (run, day) => ({ name: `${day}.gpx`, bytes: gpxRun({ startMs: START_MS + day * DAY_MS, ...run }) }),
  )
  const { receiptId } = (await app.upload('/workouts/import', made)).json
  const { items } = await app.ok('GET', '/workouts?sortOrder=asc')
  const [, minute, , slow, long] = items.map(({ id }: { id: string }) => id)
  const shortRuns = async (query = '') => (await app.ok('GET', `/receipts/${receiptId}${query}`)).shortRuns
  for (const query of ['', '?outcome=error']) expect(await shortRuns(query)).toEqual([minute, slow])

  const count = async () => {
    const { days } = await app.ok('GET', '/stats/daily')
    return days.reduce((sum: number, day: { runs: number }) => sum + day.runs, 0)
  }
  const all = await count()
  const leave = (leftOut: boolean | null) =>
    app.ok('POST', '/workouts/bulk-edit', { ids: [minute, slow], set: { leftOut } })
  expect(await leave(false)).toEqual({ receiptId: null, changed: 0, unchanged: 2 })
  const edited = await leave(true)
  expect(edited).toMatchObject({ changed: 2, unchanged: 0 })
  expect(await count()).toBe(all - 2)
  expect(await shortRuns()).toEqual([])
  const { leftOut } = await app.ok('GET', `/workouts/${long}`)
  expect([leftOut, (await app.ok('GET', `/workouts/${before}`)).leftOut]).toEqual([false, false])

  expect((await app.ok('POST', `/receipts/${edited.receiptId}/undo`)).undone).toBe(2)
  expect(await count()).toBe(all)
  expect(await shortRuns()).toEqual([minute, slow])
  // a receipt that brought none of them names none
  const [edit] = (await app.ok('GET', '/receipts?kind=bulk_edit')).items
  expect((await app.ok('GET', `/receipts/${edit.id}`)).shortRuns).toEqual([])
})
