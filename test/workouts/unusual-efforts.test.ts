// A short best effort that is much faster than all others counts, marked, until the runner decides: docs/algorithms.md 18.
import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../app.ts'
import { exported, restored } from '../archive/archives.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'

const DAY_MS = 86_400_000
const NOBODY = '0b9e3b57-6f0a-4a39-9a3a-3f1d6f1f2c11'

/** Nine runs at 3 m/s, and one at 4: for 400 m, half a mile, 1 km and a mile the only fast one. */
async function library(app: TestApp): Promise<{ readonly usual: string; readonly fast: string }> {
  const ids: string[] = []
  for (let day = 0; day < 9; day += 1) {
    ids.push(await app.run(fitRun({ startMs: START_MS + day * DAY_MS, seconds: 1500 })))
  }
  return { usual: ids[0]!, fast: await app.run(fitRun({ startMs: START_MS + 9 * DAY_MS, seconds: 1500, speedMps: 4 })) }
}

type Row = { readonly distance: string; readonly workoutId: string; readonly isUnconfirmed: boolean }

async function records(app: TestApp, query = ''): Promise<Record<string, readonly [string, boolean]>> {
  const { json } = await app.call('GET', `/stats/best-efforts${query}`)
  return Object.fromEntries(json.distances.map((row: Row) => [row.distance, [row.workoutId, row.isUnconfirmed]]))
}

async function unconfirmed(app: TestApp, id: string): Promise<string[]> {
  const { json } = await app.call('GET', `/workouts/${id}/best-efforts`)
  return json.distances.flatMap((row: Row) => (row.isUnconfirmed ? [row.distance] : []))
}

async function decide(app: TestApp, id: string, efforts: unknown) {
  return await app.call('PATCH', `/workouts/${id}`, { json: { efforts } })
}

const SHORT = ['400m', '1/2 mile', '1K', '1 mile']

test('unusually fast efforts count as records, marked, and only the run that has them asks', async () => {
  await using app = await testApp()
  const { usual, fast } = await library(app)
  expect(await records(app)).toEqual({
    ...{ '400m': [fast, true], '1/2 mile': [fast, true], '1K': [fast, true], '1 mile': [fast, true] },
    ...{ '2 mile': [fast, false], '5K': [fast, false] },
  })
  expect(await records(app, '?period=12months')).toEqual(await records(app))
  expect(await unconfirmed(app, fast)).toEqual(SHORT)
  expect(await unconfirmed(app, usual)).toEqual([])
  await app.call('PATCH', `/workouts/${fast}`, { json: { runType: 'Race' } })
  expect(await unconfirmed(app, fast)).toEqual([])
  expect((await records(app))['1K']).toEqual([fast, false])
})

test('decided false, they hold no record of these distances; true takes the mark off; null asks again', async () => {
  await using app = await testApp()
  const { usual, fast } = await library(app)
  expect((await decide(app, fast, false)).status).toBe(200)
  expect(await records(app)).toMatchObject({
    ...{ '400m': [usual, false], '1/2 mile': [usual, false], '1K': [usual, false], '1 mile': [usual, false] },
    ...{ '2 mile': [fast, false], '5K': [fast, false] },
  })
  expect(await unconfirmed(app, fast)).toEqual([])
  const { medals } = (await app.call('GET', '/stats/best-efforts/medals')).json
  const ofFast = medals.filter(({ workoutId }: Row) => workoutId === fast)
  expect(ofFast.map(({ distance }: Row) => distance)).toEqual(['2 mile', '5K'])
  // the decision can be changed
  expect((await decide(app, fast, true)).status).toBe(200)
  expect((await records(app))['400m']).toEqual([fast, false])
  expect(await unconfirmed(app, fast)).toEqual([])
  expect((await decide(app, fast, null)).status).toBe(200)
  expect(await unconfirmed(app, fast)).toEqual(SHORT)
})

test('the decision leaves a receipt whose undo asks again, and travels in archives', async () => {
  await using app = await testApp()
  const { fast } = await library(app)
  await decide(app, fast, false)
  const [receipt] = (await app.call('GET', '/receipts')).json.items
  expect(receipt).toMatchObject({ kind: 'edit', title: 'Edited best efforts' })
  await using other = await testApp()
  await restored(other, await exported(app))
  expect(await unconfirmed(other, fast)).toEqual([])
  expect((await records(other))['400m']?.[0]).not.toBe(fast)
  expect((await app.call('POST', `/receipts/${receipt.id}/undo`)).status).toBe(200)
  expect(await unconfirmed(app, fast)).toEqual(SHORT)
})

test('refusals: a run without such efforts, unknown runs, and anything but true, false and null', async () => {
  await using app = await testApp()
  const { usual, fast } = await library(app)
  const { status, json } = await decide(app, usual, false)
  expect([status, json.error]).toEqual([400, 'No best effort of this run is unusually fast'])
  expect((await decide(app, NOBODY, true)).status).toBe(404)
  for (const word of ['true', 1, {}]) expect((await decide(app, fast, word)).status).toBe(400)
  expect(await unconfirmed(app, fast)).toEqual(SHORT)
})
