// A short best effort that is much faster than all others counts, marked, until the runner decides: docs/algorithms.md 18.
import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { fitRun, START_MS } from '../../fixtures/runs.ts'

const DAY_MS = 86_400_000

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
  const { distances } = await app.ok('GET', `/stats/best-efforts${query}`)
  return Object.fromEntries(distances.map((row: Row) => [row.distance, [row.workoutId, row.isUnconfirmed]]))
}

async function unconfirmed(app: TestApp, id: string): Promise<string[]> {
  const { distances } = await app.ok('GET', `/workouts/${id}/best-efforts`)
  return distances.flatMap((row: Row) => (row.isUnconfirmed ? [row.distance] : []))
}

const decide = (app: TestApp, id: string, efforts: unknown) => app.ok('PATCH', `/workouts/${id}`, { efforts })

const SHORT = ['400m', '1/2 mile', '1K', '1 mile']

test('unusually fast efforts count as records, marked, and only the run that has them asks, until it is decided', async () => {
  await using app = await testApp()
  const { usual, fast } = await library(app)
  const of = (id: string, isUnconfirmed: boolean) =>
    Object.fromEntries(SHORT.map((name) => [name, [id, isUnconfirmed]]))
  const long = { '2 mile': [fast, false], '5K': [fast, false] }
  const expectAsked = async () => {
    expect(await records(app)).toEqual({ ...of(fast, true), ...long } as never)
    expect([await unconfirmed(app, fast), await unconfirmed(app, usual)]).toEqual([SHORT, []])
  }
  await expectAsked()
  expect(await records(app, '?period=12months')).toEqual(await records(app))
  const { status, json } = await app.call('PATCH', `/workouts/${usual}`, { json: { efforts: false } })
  expect([status, json.error]).toEqual([400, 'No best effort of this run is unusually fast'])
  // decided false, they hold no record of these distances; undone, the run asks again
  await decide(app, fast, false)
  expect(await records(app)).toEqual({ ...of(usual, false), ...long } as never)
  expect(await unconfirmed(app, fast)).toEqual([])
  const { medals } = await app.ok('GET', '/stats/best-efforts/medals')
  const ofFast = medals.filter(({ workoutId }: Row) => workoutId === fast)
  expect(ofFast.map(({ distance }: Row) => distance)).toEqual(['2 mile', '5K'])
  const [receipt] = (await app.ok('GET', '/receipts')).items
  expect(receipt).toMatchObject({ kind: 'edit', title: 'Edited best efforts' })
  await app.ok('POST', `/receipts/${receipt.id}/undo`)
  await expectAsked()
  // true takes the mark off, null asks again, and a race is fast
  await decide(app, fast, true)
  expect([await records(app), await unconfirmed(app, fast)]).toEqual([{ ...of(fast, false), ...long }, []] as never)
  await decide(app, fast, null)
  await expectAsked()
  await app.ok('PATCH', `/workouts/${fast}`, { runType: 'Race' })
  expect([(await records(app))['1K'], await unconfirmed(app, fast)]).toEqual([[fast, false], []])
  // whether its type says so or a planned race that it is linked to
  await app.ok('PATCH', `/workouts/${fast}`, { runType: null })
  await expectAsked()
  const race = { name: 'Mile', date: '2025-11-10', distanceM: 6000 }
  await app.ok('POST', '/races', { ...race, workoutId: fast })
  expect(await unconfirmed(app, fast)).toEqual([])
})
