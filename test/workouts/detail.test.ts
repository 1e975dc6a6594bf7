import { describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import { workouts } from '../../src/db/schema.ts'
import { rawFilePath } from '../../src/library/files/paths.ts'
import { testApp } from '../app.ts'
import { gpxFile, straightPoints } from '../fixtures/gpx.ts'
import { storeRawData } from '../fixtures/recordings.ts'
import { fitRun, gpxRun, START_MS } from '../fixtures/runs.ts'
import { withRun } from '../with-run.ts'

const UNKNOWN = '0198a000-0000-7000-8000-00000000ffff'

describe('detail', () => {
  test('has every point, the splits, and the raw data of the file', async () => {
    const { app, id } = await withRun(fitRun())
    const { status, headers, json } = await app.call('GET', `/workouts/${id}`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(json.route.coordinates).toHaveLength(601)
    expect(json.route.coordinates[1]).toEqual([8, expect.closeTo(47 + 3 / 111_170, 7)])
    expect(json).toMatchObject({ id, notes: null, shoe: null, weather: null, rawGpxData: null, rawStravaData: null })
    const even = {
      paceS: 333.33,
      gapPaceS: 333.33,
      elevGainM: 0,
      elevLossM: 0,
      avgHeartRateBpm: 140,
      avgCadenceRpm: 85,
    }
    expect(json.splits).toEqual([
      { ...even, idx: 0, distanceM: 1000, durationS: 333, movingTimeS: 333, startElapsedS: 0, endElapsedS: 333.333 },
      { ...even, idx: 1, distanceM: 800, durationS: 267, movingTimeS: 267, startElapsedS: 333.333, endElapsedS: 600 },
    ])
    expect(json.rawFitData).toMatchObject({
      recordCount: 601,
      hasTimeSeries: true,
      source: 'fit_import',
      importedAt: '2025-11-20T13:05:11Z',
    })
    expect(json.rawFitData.trackPoints).toHaveLength(601)
  })

  test('includeRaw=false leaves out the raw data and nothing else', async () => {
    const { app, id } = await withRun(gpxRun({ name: 'Morgenlauf' }), 'a.gpx')
    const whole = (await app.call('GET', `/workouts/${id}?includeRaw=true`)).json
    const short = (await app.call('GET', `/workouts/${id}?includeRaw=false`)).json
    expect(whole.rawGpxData.trackPoints).toHaveLength(601)
    expect(short).toEqual({ ...whole, rawGpxData: null, rawFitData: null, rawStravaData: null })
    expect(short.name).toBe('Morgenlauf')
  })

  test('includeRoute=false leaves out the route and nothing else', async () => {
    const { app, id } = await withRun(gpxRun({ name: 'Morgenlauf' }), 'a.gpx')
    const whole = (await app.call('GET', `/workouts/${id}?includeRoute=true`)).json
    expect(whole.route.coordinates).toHaveLength(601)
    expect((await app.call('GET', `/workouts/${id}?includeRoute=false`)).json).toEqual({ ...whole, route: null })
    expect(whole.hasRoute).toBe(true)
    expect((await app.call('GET', `/workouts/${id}?includeRoute=perhaps`)).status).toBe(400)
  })

  test('a lost raw data file is null, not an error', async () => {
    const { app, id } = await withRun(fitRun())
    await storeRawData(app.deps)
    rmSync(`${rawFilePath(app.deps.config.dataDir, id)}.json.zst`)
    expect((await app.call('GET', `/workouts/${id}`)).json.rawFitData).toBeNull()
  })

  for (const [path, status, error] of [
    [`/workouts/${UNKNOWN}`, 404, 'Workout not found'],
    ['/workouts/17', 404, 'Workout not found'],
    [`/workouts/${UNKNOWN}/time-series`, 404, 'Workout not found'],
    ['/workouts/not-an-id/time-series?page=x', 404, 'Workout not found'],
  ] as const) {
    test(`${path} is ${status}`, async () => {
      await using app = await testApp()
      const answer = await app.call('GET', path)
      expect([answer.status, answer.json]).toEqual([status, { error }])
    })
  }

  test('includeRaw that is not a boolean word is 400; ids are read in any case', async () => {
    const { app, id } = await withRun(fitRun())
    expect((await app.call('GET', `/workouts/${id}?includeRaw=maybe`)).status).toBe(400)
    expect((await app.call('GET', `/workouts/${id.toUpperCase()}`)).json.id).toBe(id)
  })
})

describe('edit', () => {
  const refused: readonly [unknown, RegExp][] = [
    [{ rpe: 0 }, /rpe/],
    [{ rpe: 11 }, /rpe/],
    [{ rpe: 7.5 }, /rpe/],
    [{ rpe: '7' }, /rpe/],
    [{ rpe: true }, /rpe/],
    [{ runType: 'race' }, /runType/],
    [{ runType: 'Sprint' }, /runType/],
    [{ runType: 1 }, /runType/],
    [{ name: 'x'.repeat(201) }, /name/],
    [{ name: 5 }, /name/],
    [{ notes: [] }, /notes/],
    [{ shoeId: 'old shoe' }, /^Shoe not found$/],
    [{ shoeId: UNKNOWN }, /^Shoe not found$/],
    [{ shoeId: 5 }, /shoeId/],
    [[], /object/],
    ['text', /object/],
    [5, /object/],
    [null, /object|missing/],
  ]
  for (const [body, error] of refused) {
    test(`${JSON.stringify(body).slice(0, 40)} is 400 and changes nothing`, async () => {
      const { app, id } = await withRun(fitRun())
      const before = app.deps.db.select().from(workouts).get()
      const sent =
        typeof body === 'object' && body !== null && !Array.isArray(body)
          ? { notes: 'must not be saved', ...body }
          : body
      const answer = await app.call('PATCH', `/workouts/${id}`, { json: sent })
      expect(answer.status, answer.text).toBe(400)
      expect(answer.json.error).toMatch(error)
      expect(app.deps.db.select().from(workouts).get()).toEqual(before)
    })
  }

  test('only what was sent changes; null clears; keys in any case; the alias counts when its key is absent', async () => {
    const { app, id } = await withRun(fitRun())
    const patch = async (json: unknown) => (await app.call('PATCH', `/workouts/${id}`, { json })).json
    const shoe = (await app.call('POST', '/shoes', { json: { brand: 'Hoka', model: 'Mach 6' } })).json
    const load = { loadSource: 'auto', loadManual: null, excludeFromEstimates: false }
    const unchosen = { ...load, wasRaced: false, stated: false }
    expect(
      await patch({
        RunType: 'Race',
        Notes: 'fast',
        activityName: ' Stadtlauf ',
        SHOEID: shoe.id.toUpperCase(),
        rpe: 7.0,
      }),
    ).toEqual({
      id,
      runType: 'Race',
      notes: 'fast',
      name: ' Stadtlauf ',
      shoeId: shoe.id,
      rpe: 7,
      leftOut: false,
      ...unchosen,
    })
    expect(await patch({})).toMatchObject({ runType: 'Race', rpe: 7 })
    expect(await patch({ name: 'Lauf', activityName: 'Other', junk: 1 })).toMatchObject({ name: 'Lauf' })
    expect((await app.call('GET', '/workouts?keyword=LAUF')).json.totalCount).toBe(1)
    expect(await patch({ runType: null, notes: null, name: '  ', shoeId: null, rpe: null })).toEqual({
      id,
      runType: null,
      notes: null,
      name: null,
      shoeId: null,
      rpe: null,
      leftOut: false,
      ...unchosen,
    })
    expect((await app.call('GET', '/workouts?keyword=lauf')).json.totalCount).toBe(0)
    expect(await patch({ name: '🏃'.repeat(200) })).toMatchObject({ name: '🏃'.repeat(200) })
  })
})

test('an edit with half a character is answered as it is stored', async () => {
  const { app, id } = await withRun(fitRun())
  const body = String.raw`{"name":"hill\ud83d","notes":"\udc00!"}`
  const edited = await app.call('PATCH', `/workouts/${id}`, { body, headers: { 'content-type': 'application/json' } })
  const expected = { name: 'hill\ufffd', notes: '\ufffd!' }
  expect(edited.json).toMatchObject(expected)
  expect((await app.call('GET', `/workouts/${id}?includeRaw=false`)).json).toMatchObject(expected)
})

describe('delete', () => {
  test('removes rows and files; the answer is empty; again is 404', async () => {
    const { app, id } = await withRun(fitRun())
    const answer = await app.call('DELETE', `/workouts/${id}?forever=true`)
    expect([answer.status, answer.text]).toEqual([204, ''])
    for (const table of ['workout', 'recording', 'samples', 'workout_split', 'workout_best_effort', 'weather_job']) {
      expect(app.deps.db.$client.query(`SELECT * FROM ${table}`).all(), table).toEqual([])
    }
    expect(readdirSync(`${app.deps.config.dataDir}/files/raw`)).toEqual([])
    expect((await app.call('DELETE', `/workouts/${id}`)).status).toBe(404)
  })

  test('continues when a file cannot be removed', async () => {
    const { app, id } = await withRun(fitRun())
    const path = rawFilePath(app.deps.config.dataDir, id)
    rmSync(path)
    mkdirSync(`${path}/stuck`, { recursive: true })
    chmodSync(path, 0o755)
    expect((await app.call('DELETE', `/workouts/${id}?forever=true`)).status).toBe(204)
    expect(app.deps.db.select().from(workouts).where(eq(workouts.id, id)).all()).toEqual([])
    expect(app.logged.filter((line) => line.startsWith('error'))).toHaveLength(1)
  })
})

describe('time series', () => {
  test('only samples with heart rate, in pages', async () => {
    const points = straightPoints({ n: 100, startMs: START_MS }).map(({ hr, ...point }, i) =>
      i % 3 === 0 ? { ...point, hr: 120 + i } : point,
    )
    const { app, id } = await withRun(gpxFile({ points }), 'a.gpx')
    const page = (await app.call('GET', `/workouts/${id}/time-series?page=2&pageSize=10`)).json
    expect(page).toMatchObject({ page: 2, pageSize: 10, totalCount: 34, totalPages: 4 })
    expect(page.items[0]).toEqual({
      elapsedSeconds: 30,
      heartRateBpm: 150,
      distanceM: expect.closeTo(90, 0),
      cadenceRpm: null,
      powerWatts: null,
      speedMps: null,
      elevationM: 400,
      temperatureC: null,
    })
    expect((await app.call('GET', `/workouts/${id}/time-series`)).json).toMatchObject({
      page: 1,
      pageSize: 1000,
      totalPages: 1,
    })
    expect((await app.call('GET', `/workouts/${id}/time-series?pageSize=99999&page=-3`)).json).toMatchObject({
      page: 1,
      pageSize: 5000,
    })
    const past = await app.call('GET', `/workouts/${id}/time-series?page=2`)
    expect([past.status, past.json]).toEqual([404, { error: 'Page not found' }])
    expect((await app.call('GET', `/workouts/${id}/time-series?page=1.5`)).status).toBe(400)
  })

  test('without heart rate the first page is empty and later ones are 404', async () => {
    const points = straightPoints({ n: 100, startMs: START_MS }).map(({ hr: _, ...point }) => point)
    const { app, id } = await withRun(gpxFile({ points }), 'a.gpx')
    expect((await app.call('GET', `/workouts/${id}/time-series`)).json).toEqual({
      items: [],
      page: 1,
      pageSize: 1000,
      totalCount: 0,
      totalPages: 0,
    })
    expect((await app.call('GET', `/workouts/${id}/time-series?page=2`)).status).toBe(404)
  })
})
