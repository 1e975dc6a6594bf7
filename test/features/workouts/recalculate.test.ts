import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { stravaCsv } from '../../fixtures/csv.ts'
import { fitFile } from '../../fixtures/fit.ts'
import { fitRun, gpxRun, indoorRun, START_MS } from '../../fixtures/runs.ts'
import { refuse, removeRows, rowsOf, setRows } from '../../library/as-stored.ts'
import { replaceSamples } from '../../library/recordings.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app.close())

const DAY_MS = 86_400_000
/** Zone 5 from 100 bpm on: an hour of running scores 300. */
const LOW_ZONES = {
  calculationMethod: 'Custom',
  zones: [60, 70, 80, 90, 100].map((minBpm) => ({ minBpm, maxBpm: minBpm + 10 })),
}
const OF_30 = { calculationMethod: 'AgeBased', age: 30 }
const WITH_RECALC = '/settings/heart-rate-zones/update-with-recalc'

const detail = (id: string) => app.ok('GET', `/workouts/${id}?includeRaw=false`)
const effortsOf = (ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await detail(id)).relativeEffort as number | null))
const storeZones = (zones: object) => app.ok('PUT', '/settings/heart-rate-zones', zones)
const inMiles = () => app.ok('PUT', '/settings/unit-preference', { unitPreference: 'imperial' })

/** Ten minutes with an average heart rate of 140 bpm and no samples. */
const row = () => {
  const day = new Date(START_MS + DAY_MS).toISOString().slice(0, 19).replace('T', ' ')
  const known = { 'Elapsed Time#2': 600, 'Distance#2': 1800, 'Average Heart Rate': 140 }
  return stravaCsv([{ 'Activity ID': 1, 'Activity Date': day, 'Activity Type': 'Run', ...known }])
}

/** What a broken disk leaves. */
const breakSamples = (id: string) => replaceSamples(app.deps, id, { timeHr: Buffer.from('no samples') })

test('refused: efforts without stored zones, whatever other settings are stored, and splits without a route', async () => {
  await inMiles()
  const indoor = await app.run(indoorRun(START_MS))
  for (const [path, error] of [
    [`/workouts/${indoor}/recalculate-effort`, /zones/],
    ['/workouts/recalculate-relative-effort', /zones/],
    [`/workouts/${indoor}/recalculate-splits`, /^The workout has no route, so its splits cannot be recalculated$/],
  ] as const) {
    const { status, json } = await app.call('POST', path)
    expect([path, status, json]).toEqual([path, 400, expect.objectContaining({ error: expect.stringMatching(error) })])
  }
  await storeZones(LOW_ZONES)
  const headers = { 'content-type': 'application/json' }
  for (const path of ['/workouts/recalculate-relative-effort', '/workouts/recalculate-splits'])
    for (const body of ['', '{}', '{"any":1}']) {
      const { status } = await app.call('POST', path, { body, headers })
      expect([path, body, status]).toEqual([path, body, 200])
    }
})

test('one workout is scored with the zones that are stored now; an effort that becomes null is stored as null', async () => {
  const id = await app.run(fitRun({ seconds: 1200 }))
  // 20 min in zone 3
  expect(await detail(id)).toMatchObject({ relativeEffort: 60, hrZoneSeconds: [0, 0, 1201, 0, 0] })
  await storeZones(LOW_ZONES)
  expect(await effortsOf([id])).toEqual([60])
  expect(await app.ok('POST', `/workouts/${id}/recalculate-effort`)).toEqual({ id, relativeEffort: 100 })
  expect(await detail(id)).toMatchObject({ relativeEffort: 100, hrZoneSeconds: [0, 0, 0, 0, 1201] })
  // the heart rate is only in the raw data, which says no more than that
  removeRows(app.deps, 'samples')
  setRows(app.deps, 'recording', { kind: 'row', totals: '{"distanceM":1800,"durationS":600}' })
  setRows(app.deps, 'workout', { has_time_series_hr: 0, has_raw_hr: 1, avg_heart_rate_bpm: null })
  expect(await app.ok('POST', '/workouts/recalculate-relative-effort')).toMatchObject({ updatedCount: 1 })
  expect(await detail(id)).toMatchObject({ relativeEffort: null, hrZoneSeconds: null })
  expect(await app.ok('POST', `/workouts/${id}/recalculate-effort`)).toEqual({ id, relativeEffort: null })
})

test('all with a heart rate are counted and scored; one that cannot be read is an error of its own', async () => {
  const ids = [await app.run(fitRun({ seconds: 1200 })), await app.run(row(), 'activities.csv')]
  ids.push(await app.run(gpxRun({ startMs: START_MS + 2 * DAY_MS, hr: 0 }), 'c.gpx'))
  expect(await app.ok('GET', '/workouts/recalculate-relative-effort/count')).toEqual({ count: 2 })
  await storeZones(LOW_ZONES)
  expect(await app.ok('POST', '/workouts/recalculate-relative-effort')).toEqual({
    ...{ updatedCount: 2, totalQualifyingWorkouts: 2, errorCount: 0, errors: null },
    message: 'Recalculated the relative effort of 2 of 2 workouts',
  })
  // 20 and 10 min in zone 5
  expect(await effortsOf(ids)).toEqual([100, 50, null])
  await storeZones(OF_30)
  breakSamples(ids[0]!)
  for (const [what, unread] of [
    ['relative-effort', 'heart rate'],
    ['splits', 'points'],
  ] as const) {
    const errors = [`Workout ${ids[0]}: its stored ${unread} could not be read`]
    const answer = await app.ok('POST', `/workouts/recalculate-${what}`)
    expect(answer).toMatchObject({ updatedCount: 1, errorCount: 1, errors })
  }
  expect(await effortsOf(ids)).toEqual([100, 30, null])
})

test('with new zones nothing is scored without being asked; asked for, every effort follows', async () => {
  const ids = [await app.run(fitRun()), await app.run(indoorRun(START_MS + DAY_MS), 'b.fit')]
  await app.run(fitRun({ startMs: START_MS + 2 * DAY_MS, hr: 0 }), 'c.fit')
  for (const recalculateExisting of [undefined, null, false]) {
    expect(await app.ok('POST', WITH_RECALC, { method: 'agebased', age: 40, recalculateExisting })).toEqual({
      ...{ calculationMethod: 'AgeBased', age: 40, restingHeartRateBpm: null, maxHeartRateBpm: 180 },
      zones: [90, 108, 126, 144, 162].map((minBpm, k) => ({ zoneNumber: k + 1, minBpm, maxBpm: minBpm + 18 })),
      isFirstTimeSetup: recalculateExisting === undefined,
      ...{ recalculatedCount: null, recalculatedErrorCount: null },
    })
  }
  expect(await effortsOf(ids)).toEqual([30, 30])
  const answer = await app.ok('POST', WITH_RECALC, { ...LOW_ZONES, RecalculateAll: true })
  expect(answer).toMatchObject({ isFirstTimeSetup: false, recalculatedCount: 2, recalculatedErrorCount: 0 })
  expect(await effortsOf(ids)).toEqual([50, 50])
  const { zones } = await app.ok('GET', '/settings/heart-rate-zones')
  expect(zones[4]).toEqual({ zoneNumber: 5, minBpm: 100, maxBpm: 110 })
})

test('new zones and their scores are written together or not at all', async () => {
  const ids = [await app.run(fitRun()), await app.run(indoorRun(START_MS + DAY_MS), 'b.fit')]
  await app.ok('POST', WITH_RECALC, { ...OF_30, recalculateExisting: true })
  const state = async () => [await effortsOf(ids), await app.ok('GET', '/settings/heart-rate-zones')]
  const before = await state()
  // the zones come last, the second score before them
  for (const [table, when] of [
    ['settings', '1'],
    ['workout', `OLD.id = '${ids[1]}'`],
  ] as const) {
    const mend = refuse(app.deps, ['UPDATE', table], { when })
    const { status } = await app.call('POST', WITH_RECALC, { json: { ...LOW_ZONES, recalculateExisting: true } })
    mend()
    expect([table, status, await state()]).toEqual([table, 500, before])
  }
  await app.ok('POST', WITH_RECALC, { ...LOW_ZONES, recalculateExisting: true })
  expect(await effortsOf(ids)).toEqual([50, 50])
})

test('rebuilt efforts leave a run that cannot be read as it is and take the others; new zones are refused whole', async () => {
  const ids = [await app.run(fitRun()), await app.run(indoorRun(START_MS + DAY_MS), 'b.fit')]
  breakSamples(ids[0]!)
  const before = [await effortsOf(ids), await app.ok('GET', '/settings/heart-rate-zones')]
  const { status } = await app.call('POST', WITH_RECALC, { json: { ...LOW_ZONES, recalculateExisting: true } })
  expect([status, await effortsOf(ids), await app.ok('GET', '/settings/heart-rate-zones')]).toEqual([500, ...before])
  const wrong = { time_ms: 1 }
  setRows(app.deps, 'workout_best_effort', wrong, { distance_index: 0 })
  await app.ok('POST', '/stats/best-efforts/recalculate')
  const times = async (id: string) => (await app.ok('GET', `/workouts/${id}/best-efforts`)).distances[0]?.timeMs
  expect([await times(ids[0]!), (await times(ids[1]!)) > 1000]).toEqual([1, true])
})

test('what is imported, cropped or deleted while efforts are computed is scored with the new zones too', async () => {
  const ids: string[] = []
  for (let day = 0; day < 12; day += 1) {
    ids.push(await app.run(fitRun({ seconds: 7200, startMs: START_MS - day * DAY_MS })))
  }
  const [cropped, deleted, ...others] = ids
  const answers = await Promise.all([
    app.call('POST', WITH_RECALC, { json: { ...LOW_ZONES, recalculateExisting: true } }),
    app.call('POST', `/workouts/${cropped}/crop`, { json: { removeFromEndSeconds: 6000 } }),
    app.call('DELETE', `/workouts/${deleted}`),
    app.upload('/workouts/import', [{ name: 'b.fit', bytes: indoorRun(START_MS + DAY_MS) }]),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 204, 200])
  // 20 min, and two hours, in zone 5
  expect(await effortsOf([cropped!, ...others])).toEqual([100, ...Array<number>(10).fill(600)])
})

test('recalculated splits are those of an import in that unit, and a varying pace shows', async () => {
  let alongM = 0
  const samples = Array.from({ length: 1801 }, (_, t) => {
    if (t > 0) alongM += 3 + Math.sin(t / 100)
    return { t, lat: 47 + alongM / 111_170, lon: 8, distanceM: alongM, hr: 140, elevM: 400 + 20 * Math.sin(t / 200) }
  })
  const bytes = fitFile({ startMs: START_MS, samples })
  const id = await app.run(bytes)
  await using fresh = await testApp()
  await fresh.ok('PUT', '/settings/unit-preference', { unitPreference: 'imperial' })
  const { splits: miles } = await fresh.ok('GET', `/workouts/${await fresh.run(bytes)}`)
  const { splits: km } = await detail(id)
  expect(new Set(km.map(({ paceS }: { paceS: number }) => paceS)).size).toBe(km.length)
  const recalculate = () => app.ok('POST', `/workouts/${id}/recalculate-splits`)
  await inMiles()
  expect((await detail(id)).splits).toEqual(km)
  expect(await recalculate()).toEqual({ id, splitsCount: miles.length })
  expect(await detail(id)).toMatchObject({ splits: miles, splitsCount: miles.length })
  const ids = rowsOf(app.deps, 'workout_split', 'id')
  await recalculate()
  expect(rowsOf(app.deps, 'workout_split', 'id')).toEqual(ids)
  await app.ok('PUT', '/settings/unit-preference', { unitPreference: 'metric' })
  await recalculate()
  expect((await detail(id)).splits).toEqual(km)
})
