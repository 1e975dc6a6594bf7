import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { rawFilePath } from '../../../src/library/files/paths.ts'
import { gpxFile, straightPoints } from '../../fixtures/gpx.ts'
import { fitRun, gpxRun, START_MS } from '../../fixtures/runs.ts'
import { storeRawData } from '../../library/recordings.ts'
import { withRun } from '../../with-run.ts'

const NO_RAW = { rawGpxData: null, rawFitData: null, rawStravaData: null }

test('the detail has every point, the splits, and the raw data of the file, which is null when it is lost', async () => {
  const { app, id } = await withRun(fitRun())
  const { headers, json } = await app.call('GET', `/workouts/${id}`)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(json.route.coordinates).toHaveLength(601)
  expect(json.route.coordinates[1]).toEqual([8, expect.closeTo(47 + 3 / 111_170, 7)])
  expect(json).toMatchObject({ id, notes: null, shoe: null, weather: null, rawGpxData: null, rawStravaData: null })
  const level = { paceS: 333.33, gapPaceS: 333.33, elevGainM: 0, elevLossM: 0 }
  const even = { ...level, avgHeartRateBpm: 140, avgCadenceRpm: 85 }
  expect(json.splits).toEqual([
    { ...even, idx: 0, distanceM: 1000, durationS: 333, movingTimeS: 333, startElapsedS: 0, endElapsedS: 333.333 },
    { ...even, idx: 1, distanceM: 800, durationS: 267, movingTimeS: 267, startElapsedS: 333.333, endElapsedS: 600 },
  ])
  expect(json.rawFitData).toMatchObject({
    ...{ recordCount: 601, hasTimeSeries: true, source: 'fit_import', importedAt: '2025-11-20T13:05:11Z' },
  })
  expect(json.rawFitData.trackPoints).toHaveLength(601)
  await storeRawData(app.deps)
  rmSync(`${rawFilePath(app.deps.config.dataDir, id)}.json.zst`)
  // ids are read in any case
  expect(await app.ok('GET', `/workouts/${id.toUpperCase()}`)).toMatchObject({ id, rawFitData: null })
})

test('includeRaw=false leaves out the raw data, includeRoute=false the route, and nothing else', async () => {
  const { app, id } = await withRun(gpxRun({ name: 'Morgenlauf' }), 'a.gpx')
  const whole = await app.ok('GET', `/workouts/${id}?includeRaw=true&includeRoute=true`)
  expect([whole.rawGpxData.trackPoints.length, whole.route.coordinates.length]).toEqual([601, 601])
  expect(await app.ok('GET', `/workouts/${id}?includeRaw=false`)).toEqual({ ...whole, ...NO_RAW })
  expect(await app.ok('GET', `/workouts/${id}?includeRoute=false`)).toEqual({ ...whole, route: null })
  expect([whole.hasRoute, whole.name]).toEqual([true, 'Morgenlauf'])
})

test('an edit changes only what was sent; null clears; keys in any case; the alias counts when its key is absent', async () => {
  const { app, id } = await withRun(fitRun())
  const patch = (json: unknown) => app.ok('PATCH', `/workouts/${id}`, json)
  const found = async (word: string) => (await app.ok('GET', `/workouts?keyword=${word}`)).totalCount
  const shoe = await app.ok('POST', '/shoes', { brand: 'Hoka', model: 'Mach 6' })
  const load = { loadSource: 'auto', loadManual: null, excludeFromEstimates: false }
  const unchosen = { id, leftOut: false, ...load, wasRaced: false, stated: false }
  const odd = { RunType: 'Race', Notes: 'fast', activityName: ' Stadtlauf ', SHOEID: shoe.id.toUpperCase(), rpe: 7 }
  const words = { notes: 'fast', rpe: 7, runType: 'Race', name: ' Stadtlauf ', shoeId: shoe.id }
  expect(await patch(odd)).toEqual({ ...unchosen, ...words })
  expect(await patch({})).toMatchObject(words)
  // half a character is answered as it is stored
  const body = String.raw`{"name":"hill\ud83d","notes":"\udc00!"}`
  const edited = await app.call('PATCH', `/workouts/${id}`, { body, headers: { 'content-type': 'application/json' } })
  const halves = { name: 'hill\ufffd', notes: '\ufffd!' }
  expect([edited.json, await app.ok('GET', `/workouts/${id}`)]).toMatchObject([halves, halves])
  expect(await patch({ name: 'Lauf', activityName: 'Other', junk: 1 })).toMatchObject({ name: 'Lauf' })
  expect(await found('LAUF')).toBe(1)
  const none = { runType: null, notes: null, shoeId: null, rpe: null }
  expect(await patch({ ...none, name: '  ' })).toEqual({ ...unchosen, ...none, name: null })
  expect(await found('lauf')).toBe(0)
  expect(await patch({ name: '🏃'.repeat(200) })).toMatchObject({ name: '🏃'.repeat(200) })

  const before = await app.ok('GET', `/workouts/${id}`)
  for (const [sent, error] of [
    [{ runType: 'race' }, /runType/],
    [{ name: '🏃'.repeat(201) }, /name/],
    [{ shoeId: 'old shoe' }, /^Shoe not found$/],
    [{ shoeId: '0198a000-0000-7000-8000-00000000ffff' }, /^Shoe not found$/],
  ] as const) {
    const { status, json } = await app.call('PATCH', `/workouts/${id}`, { json: { notes: 'not saved', ...sent } })
    expect([status, json]).toEqual([400, expect.objectContaining({ error: expect.stringMatching(error) })])
  }
  expect(await app.ok('GET', `/workouts/${id}`)).toEqual(before)
})

test('the time series has only samples with heart rate, in pages', async () => {
  const points = straightPoints({ n: 100, startMs: START_MS }).map(({ hr, ...point }, i) =>
    i % 3 === 0 ? { ...point, hr: 120 + i } : point,
  )
  const { app, id } = await withRun(gpxFile({ points }), 'a.gpx')
  const series = (query: string) => app.ok('GET', `/workouts/${id}/time-series${query}`)
  const page = await series('?page=2&pageSize=10')
  expect(page).toMatchObject({ page: 2, pageSize: 10, totalCount: 34, totalPages: 4 })
  expect(page.items[0]).toEqual({
    ...{ elapsedSeconds: 30, heartRateBpm: 150, distanceM: expect.closeTo(90, 0), elevationM: 400 },
    ...{ cadenceRpm: null, powerWatts: null, speedMps: null, temperatureC: null },
  })
  expect(await series('')).toMatchObject({ page: 1, pageSize: 1000, totalPages: 1 })
  expect(await series('?pageSize=99999&page=-3')).toMatchObject({ page: 1, pageSize: 5000 })
  const bare = await app.run(gpxRun({ startMs: START_MS + 1e8, hr: 0 }), 'b.gpx')
  const empty = { items: [], page: 1, pageSize: 1000, totalCount: 0, totalPages: 0 }
  expect(await app.ok('GET', `/workouts/${bare}/time-series`)).toEqual(empty)
  for (const of of [id, bare]) {
    const past = await app.call('GET', `/workouts/${of}/time-series?page=2`)
    expect([past.status, past.json]).toEqual([404, expect.objectContaining({ error: 'Page not found' })])
  }
})
