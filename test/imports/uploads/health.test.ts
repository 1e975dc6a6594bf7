import { describe, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { healthExport, healthFile, healthRun, oldHealthRun } from '../../fixtures/health.ts'
import { fitRun, START_MS } from '../../fixtures/runs.ts'
import { rowsOf } from '../../library/as-stored.ts'
import { watchedFolder } from '../watch/watched.ts'

const DAY_MS = 86_400_000
const uploadKey = async (app: TestApp): Promise<string> =>
  (await app.call('POST', '/auth/api-keys', { json: { scope: 'upload' } })).json.key

/** As the automation of the app sends it. */
const send = (app: TestApp, body: unknown, path = '/workouts/import/health', token?: string) =>
  app.call('POST', path, { json: body, ...(token === undefined ? {} : { token }) })

const run = async (app: TestApp, id: string) => (await app.call('GET', `/workouts/${id}`)).json
const sourcesOf = async (app: TestApp, id: string) => (await app.call('GET', `/workouts/${id}/sources`)).json.recordings

describe('Health Auto Export', () => {
  test('sends a run to the address that holds a key; sent again, it is a duplicate', async () => {
    await using app = await testApp()
    const key = await uploadKey(app)
    for (const [day, path] of [`/in/${key}`, `/in/${key}/health.json`].entries()) {
      const workout = healthRun({ startMs: START_MS - day * DAY_MS, id: `run-${day}` })
      const answer = await app.call('POST', path, { token: null, json: healthExport([workout]) })
      expect([answer.status, answer.json.action]).toEqual([201, 'created'])
      const json = await run(app, answer.json.id)
      expect(json).toMatchObject({
        ...{ source: 'json_import', distanceM: 1800, durationS: 600, calories: 100, name: null, avgCadenceRpm: 85 },
        ...{ avgHeartRateBpm: 145, maxHeartRateBpm: 159, route: expect.anything() },
      })
      const source = { origin: 'health_auto_export', kind: 'file', fileType: 'json' }
      expect(await sourcesOf(app, json.id)).toMatchObject([source])
      // the same workout beside others and metrics: other bytes
      const beside = healthExport([workout], { metrics: [{ name: 'steps', data: [] }] })
      const again = await app.call('POST', path, { token: null, json: beside })
      expect([again.status, again.json.action, again.json.id]).toEqual([201, 'skipped', json.id])
      const original = JSON.parse((await app.call('GET', `/workouts/${json.id}/file`)).text)
      expect(original).toEqual(healthExport([workout]))
    }
    const [{ lastUpload }] = await app.ok('GET', '/auth/api-keys')
    expect([lastUpload.error, (await app.ok('GET', '/workouts')).totalCount]).toEqual([null, 2])
  })

  test('completes a run with a route, or with more of it, and never takes any away', async () => {
    await using app = await testApp()
    const bare = { more: { route: [], heartRateData: [] } }
    const first = (await send(app, healthExport([healthRun(bare)]))).json
    expect(first).toMatchObject({ totalProcessed: 1, successful: 1 })
    const [{ id }] = (await app.call('GET', '/workouts')).json.items
    expect((await run(app, id)).route).toBeNull()
    const lookups = () => rowsOf(app.deps, 'weather_job').map(({ workout_id }) => workout_id)
    expect(lookups()).toEqual([])
    await app.call('PATCH', `/workouts/${id}`, { json: { name: 'Mine' } })

    const short = healthRun()
    const half = { ...short, route: (short.route as unknown[]).slice(0, 300) }
    const routed = await send(app, healthExport([half]))
    expect(routed.json).toMatchObject({ totalProcessed: 1, successful: 0, updated: 1 })
    expect(lookups()).toEqual([id])
    const after = await run(app, id)
    expect(after).toMatchObject({ name: 'Mine', distanceM: 1800, maxHeartRateBpm: 159 })
    expect(after.route).not.toBeNull()
    const whole = await send(app, healthExport([healthRun()]))
    expect(whole.json).toMatchObject({ updated: 1 })
    const [, , third] = await sourcesOf(app, id)
    expect(third).toMatchObject({ origin: 'health_auto_export', isPrimary: true })
    const samples = (await app.call('GET', `/workouts/${id}/samples`)).json
    for (const body of [healthExport([half]), healthExport([healthRun(bare)]), healthExport([healthRun()])]) {
      expect((await send(app, body)).json).toMatchObject({ skipped: 1, updated: 0, successful: 0 })
    }
    expect((await app.call('GET', `/workouts/${id}/samples`)).json).toEqual(samples)
    // each is undone on its own
    const undo = (receiptId: string) => app.call('POST', `/receipts/${receiptId}/undo`, { json: {} })
    expect((await undo(whole.json.receiptId)).json).toMatchObject({ undone: 1, kept: [] })
    expect((await undo(routed.json.receiptId)).json).toMatchObject({ undone: 1, kept: [] })
    expect((await run(app, id)).route).toBeNull()
  })

  test('leaves a run alone that was repaired or joined to another since', async () => {
    for (const change of ['crop', 'join']) {
      await using app = await testApp()
      const workout = healthRun({ seconds: 300 })
      const later = healthRun({ startMs: START_MS + 400_000, seconds: 300, id: 'later' })
      await send(app, healthExport([{ ...workout, route: (workout.route as unknown[]).slice(0, 200) }, later]))
      const ids = (await app.ok('GET', '/workouts?sortOrder=asc')).items.map((one: { id: string }) => one.id)
      const path = change === 'join' ? '/workouts/join' : `/workouts/${ids[0]}/crop`
      const { id } = await app.ok('POST', path, change === 'join' ? { ids } : { removeFromStartSeconds: 30 })
      const before = await run(app, id)
      expect((await send(app, healthExport([workout]))).json).toMatchObject({ skipped: 1, errors: 0 })
      expect(await run(app, id)).toEqual(before)
    }
  })

  test('is answered with a summary; what is not a run is counted, and named in the receipt', async () => {
    await using app = await testApp()
    const day = (place: number) => healthRun({ startMs: START_MS - place * DAY_MS, id: `day-${place}` })
    const mixed = await send(app, healthExport([day(1), healthRun({ name: 'Yoga' }), day(2), oldHealthRun()]))
    expect(mixed.json).toMatchObject({ totalProcessed: 3, successful: 3, skippedOther: 1 })
    const { json: receipt } = await app.call('GET', `/receipts/${mixed.json.receiptId}`)
    expect(receipt).toMatchObject({
      ...{ kind: 'import', origin: 'health_auto_export', title: 'health.json', counts: { created: 3, ignored: 1 } },
      warnings: [{ filename: 'health.json', message: 'Workouts that are not runs: Yoga' }],
    })
    // of a run that has no distance the others know nothing
    const more = { distance: null, route: [], walkingAndRunningDistance: [] }
    const still = healthRun({ id: 'still', seconds: 300, more })
    const one = await send(app, healthExport([still, day(3)]))
    expect(one.json).toMatchObject({ totalProcessed: 2, successful: 1, errors: 1 })
    expect((await app.call('GET', '/workouts')).json.totalCount).toBe(4)
  })
})

test('a deleted run does not come back automatically; one that a watch recorded as well is the same', async () => {
  await using watched = await watchedFolder()
  const { app } = watched
  await app.call('DELETE', `/workouts/${await app.run(healthFile([healthRun()]), 'a.json')}?forever=true`)
  const next = healthRun({ startMs: START_MS - DAY_MS, id: 'next' })
  watched.put('month.json', healthFile([healthRun(), next]))
  await watched.settle()
  expect(await watched.runs()).toBe(1)
  // by hand it does
  expect((await send(app, healthExport([healthRun(), next]))).json).toMatchObject({ successful: 1, skipped: 1 })
  await app.run(fitRun({ startMs: START_MS - 2 * DAY_MS, speedMps: 3 }))
  const same = healthRun({ startMs: START_MS - 2 * DAY_MS, id: 'same' })
  expect((await send(app, healthExport([same]))).json).toMatchObject({ skipped: 1 })
})
