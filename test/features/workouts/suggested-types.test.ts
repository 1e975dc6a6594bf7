// Types are suggested where there is none: in the detail of any run, and in lists for the latest 90 days.
import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { fitRun, type MadeRun, START_MS } from '../../fixtures/runs.ts'

const DAY_MS = 86_400_000
const EASY = { type: 'Easy Run', reason: '100% easy' }
/** Heart rates of the moderate and the high band with the default zones. */
const [MODERATE, HIGH] = [160, 180]

/** A run so many days after `START_MS`. */
const add = async (app: TestApp, day: number, run: MadeRun) =>
  await app.run(fitRun({ startMs: START_MS + day * DAY_MS, ...run }))

const detail = async (app: TestApp, id: string) =>
  (await app.ok('GET', `/workouts/${id}?includeRaw=false`)).suggestedRunType

async function listed(app: TestApp): Promise<Record<string, unknown>> {
  const { items } = await app.ok('GET', '/workouts')
  return Object.fromEntries(items.map(({ id, suggestedRunType }: Record<string, string>) => [id, suggestedRunType]))
}

const patch = (app: TestApp, id: string, json: object) => app.ok('PATCH', `/workouts/${id}`, json)
const bulk = (app: TestApp, json: object) => app.ok('POST', '/workouts/bulk-edit', json)

test('an easy run is suggested as such, older runs in their detail alone, runs with a type or left out never', async () => {
  await using app = await testApp()
  const fresh = await add(app, 0, { hr: 120 })
  const old = await add(app, -100, { hr: 120 })
  const hard = await add(app, 2, { hr: MODERATE })
  expect(await listed(app)).toEqual({ [fresh]: EASY, [old]: null, [hard]: null })
  expect([await detail(app, fresh), await detail(app, old), await detail(app, hard)]).toEqual([EASY, EASY, null])
  await patch(app, fresh, { runType: 'Workout' })
  await patch(app, old, { leftOut: true })
  expect([await detail(app, fresh), await detail(app, old)]).toEqual([null, null])
})

test('without heart rate the intensity is that of the pace, by the fitness of the day', async () => {
  await using app = await testApp()
  const alone = await add(app, 0, { seconds: 900, speedMps: 2.5, hr: 0 })
  expect(await detail(app, alone)).toBeNull()
  const raced = async (day: number) => {
    const id = await add(app, day, { seconds: 1200, speedMps: 4.5, hr: 0 })
    await patch(app, id, { runType: 'Race' })
    return id
  }
  for (const day of [1, 3, 5]) await raced(day)
  expect(await detail(app, alone)).toBeNull()
  const race = await raced(7)
  expect([await detail(app, alone), (await listed(app))[alone]]).toEqual([EASY, EASY])
  await patch(app, race, { leftOut: true })
  expect(await detail(app, alone)).toBeNull()
})

test('a race over a standard distance and a long run are recognised beside the runs before them', async () => {
  await using app = await testApp()
  const before: string[] = []
  for (const day of [-400, 0, 2, 4]) before.push(await add(app, day, { seconds: 2600, speedMps: 3, hr: MODERATE }))
  for (const [day, run, suggested] of [
    [6, { seconds: 1250, speedMps: 4, hr: HIGH }, { type: 'Race', reason: '5K, your best in a year' }],
    // a little short, and slower than 3% behind
    [8, { seconds: 1235, speedMps: 3.98, hr: HIGH }, { type: 'Race', reason: '5K, 0.5% behind your best in a year' }],
    [9, { seconds: 1300, speedMps: 3.86, hr: HIGH }, null],
    [
      ...[10, { seconds: 4600, speedMps: 3, hr: MODERATE }],
      { type: 'Long Run', reason: 'Longest in 14 days, 1.8 times your median of 56 days' },
    ],
  ] as readonly [number, MadeRun, object | null][])
    expect(await detail(app, await add(app, day, run))).toEqual(suggested as never)
  // what came before it is judged by what it had been then
  expect(await detail(app, before[3]!)).toBeNull()
})

test('"No type" is a decision: not suggested again, in the receipt, and undone with it', async () => {
  await using app = await testApp()
  const id = await add(app, 0, { hr: 120 })
  await patch(app, id, { runType: null })
  expect(await detail(app, id)).toBeNull()
  expect(await listed(app)).toEqual({ [id]: null })
  const [receipt] = (await app.ok('GET', '/receipts')).items
  expect(receipt).toMatchObject({ kind: 'edit', title: 'Edited type' })
  await app.ok('POST', `/receipts/${receipt.id}/undo`)
  expect(await detail(app, id)).toEqual(EASY)
})

test('many suggestions are taken at once, with one receipt', async () => {
  await using app = await testApp()
  const easy = [await add(app, 0, { hr: 120 }), await add(app, 1, { hr: 120 })]
  const typed = await add(app, 2, { hr: 120 })
  const hard = await add(app, 3, { hr: MODERATE })
  await patch(app, typed, { runType: 'Race' })
  const types = async () => {
    const { items } = await app.ok('GET', '/workouts?sortOrder=asc')
    return items.map(({ runType }: { runType: string | null }) => runType)
  }
  const set = { suggestedRunType: true }
  const counts = { changed: 2, unchanged: 2 }
  expect(await bulk(app, { filter: {}, set, dryRun: true })).toEqual({ receiptId: null, ...counts })
  expect(await types()).toEqual([null, null, 'Race', null])
  const { receiptId, ...done } = await bulk(app, { ids: [...easy, typed, hard], set })
  expect([done, await types()]).toEqual([counts, ['Easy Run', 'Easy Run', 'Race', null]])
  await app.ok('POST', `/receipts/${receiptId}/undo`)
  expect(await types()).toEqual([null, null, 'Race', null])

  // "No type" for many is a decision, too
  for (const changed of [3, 0])
    expect(await bulk(app, { ids: [...easy, typed], set: { runType: null } })).toMatchObject({ changed })
  expect(await bulk(app, { filter: {}, set })).toMatchObject({ receiptId: null, changed: 0 })
  const both = { ids: easy, set: { suggestedRunType: true, runType: 'Race' } }
  const { status, json } = await app.call('POST', '/workouts/bulk-edit', { json: both })
  expect([status, json.error]).toEqual([400, 'Send either runType or suggestedRunType'])
})
