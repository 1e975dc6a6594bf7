import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { recordings, workouts } from '../../src/db/schema.ts'
import { settings, shoes } from '../../src/db/schema-account.ts'
import type { Deps } from '../../src/deps.ts'
import { rawFilePath } from '../../src/library/files/paths.ts'
import { recordingsOf } from '../../src/library/recordings.ts'
import { type CallOptions, type TestApp, testApp } from '../app.ts'
import { sampleTable, stravaCsv } from '../fixtures/csv.ts'
import { fitFile } from '../fixtures/fit.ts'
import { gpxFile, straightPoints } from '../fixtures/gpx.ts'
import { forgetOriginals } from '../fixtures/recordings.ts'
import { fitRun, gpxRun, START_MS } from '../fixtures/runs.ts'
import { steadyTcx, tcxFile } from '../fixtures/tcx.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app.close())

const GZIP = (bytes: Uint8Array) => new Uint8Array(gzipSync(bytes))

async function imported(app: TestApp, name: string, bytes: Uint8Array, fields: Record<string, string> = {}) {
  const { status, json, text } = await app.upload('/workouts/import', [{ name, bytes }], fields)
  expect(status, text).toBe(200)
  return json
}

function rawFolder(app: TestApp): string[] {
  return readdirSync(`${app.deps.config.dataDir}/files/raw`)
}

describe('refused before anything is stored', () => {
  type Send = (app: TestApp) => ReturnType<TestApp['call']>
  const body =
    (options: CallOptions): Send =>
    (app) =>
      app.call('POST', '/workouts/import', options)
  const form = (fields: Record<string, string>, files = [{ name: 'a.fit', bytes: fitRun() }]): Send => {
    return (app) => app.upload('/workouts/import', files, fields)
  }
  const refusals: readonly [string, Send, number, RegExp][] = [
    ['a body that is not multipart', body({ json: {} }), 400, /multipart/],
    ['no body', body({}), 400, /multipart/],
    ['a form without a file', form({ unitPreference: 'metric' }, []), 400, /no file/],
    ['another unit', form({ unitPreference: 'furlongs' }), 400, /unitPreference/],
    ['a unit in capitals', form({ unitPreference: 'Metric' }), 400, /unitPreference/],
    ['more bytes than allowed', form({}, [{ name: 'a.gpx', bytes: new Uint8Array(200_000) }]), 413, /100000/],
  ]
  test.each(refusals)('%s', async (_, send, status, error) => {
    await using app = await testApp({ env: { MAX_UPLOAD_BYTES: '100000' } })
    const answer = await send(app)
    expect([answer.status, answer.json]).toEqual([status, { error: expect.stringMatching(error) }])
    expect(app.deps.db.select().from(workouts).all()).toEqual([])
    expect(readdirSync(`${app.deps.config.dataDir}/tmp`)).toEqual([])
  })
})

test('one file with one run answers itself, whole', async () => {
  const answer = await imported(app, 'morning.fit', fitRun())
  expect(answer).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/),
    startedAt: '2025-11-01T07:00:00Z',
    durationS: 600,
    distanceM: 1800,
    avgPaceS: 333.33,
    elevGainM: 0,
    splitsCount: 2,
    action: 'created',
    message: expect.any(String),
    warnings: [],
    receiptId: expect.any(String),
  })
})

test('the same file again is skipped and answers the stored workout', async () => {
  const first = await imported(app, 'a.fit', fitRun())
  const again = await imported(app, 'b.fit', fitRun())
  expect(again.action).toBe('skipped')
  expect(again.id).toBe(first.id)
  expect(rawFolder(app)).toHaveLength(1)
})

test('a skipped file answers the numbers of the stored workout, not its own', async () => {
  const { id, splitsCount } = await imported(app, 'a.fit', fitRun())
  expect(splitsCount).toBe(2)
  app.deps.db
    .update(workouts)
    .set({ durationS: 400, distanceM: 1200, avgPaceS: 333.33 })
    .where(eq(workouts.id, id))
    .run()
  const again = await imported(app, 'a.fit', fitRun(), { unitPreference: 'imperial' })
  expect(again).toMatchObject({
    action: 'skipped',
    id,
    durationS: 400,
    distanceM: 1200,
    avgPaceS: 333.33,
    splitsCount: 2,
  })
})

test('.fit.gz, a gzip named .fit and the plain file are one workout', async () => {
  const first = await imported(app, 'run.fit.gz', GZIP(fitRun()))
  for (const [name, bytes] of [
    ['run.fit', GZIP(fitRun())],
    ['run.fit', fitRun()],
    ['RUN.GPX', fitRun()],
  ] as const) {
    expect(await imported(app, name, bytes)).toMatchObject({ action: 'skipped', id: first.id })
  }
})

test('GPX without namespace, of version 1.0, with extension v2 and with power outside the extension are read', async () => {
  const points = straightPoints({ n: 300, startMs: START_MS }).map((point) => ({ ...point, power: 250 }))
  for (const options of [
    { namespace: false },
    { version: '1.0' as const },
    { extension: 'v2' as const },
    { extension: 'cluetrust' as const },
    { extension: 'plain' as const },
  ]) {
    await using app = await testApp()
    const { id } = await imported(app, 'a.gpx', gpxFile({ points, ...options }))
    const detail = (await app.call('GET', `/workouts/${id}`)).json
    expect(detail, JSON.stringify(options)).toMatchObject({ avgHeartRateBpm: 140, avgPowerWatts: 250, durationS: 299 })
  }
})

test('TCX, a sample table and a Strava table are read, each also gzipped', async () => {
  const files: Record<string, Uint8Array> = {
    'a.tcx': tcxFile([steadyTcx({ n: 601, startMs: START_MS })]),
    'a.csv': sampleTable({ n: 601, startMs: START_MS }),
    'activities.csv': stravaCsv([
      {
        'Activity ID': 1,
        'Activity Date': 'Nov 1, 2025, 7:00:00 AM',
        'Activity Name': 'Morning Run',
        'Activity Type': 'Run',
        'Elapsed Time': 600,
        'Distance#2': 1800,
        'Average Heart Rate': 151.4,
        'Max Heart Rate#2': 170.6,
        Calories: 101.5,
      },
    ]),
  }
  for (const [name, bytes] of Object.entries(files)) {
    for (const [suffix, packed] of [['', bytes] as const, ['.gz', GZIP(bytes)] as const]) {
      await using app = await testApp()
      const answer = await imported(app, `${name}${suffix}`, packed)
      expect(answer.startedAt, name).toBe('2025-11-01T07:00:00Z')
      expect(answer.durationS, name).toBe(600)
      expect(Math.abs(answer.distanceM - 1800), name).toBeLessThan(8)
    }
  }
})

describe('several files', () => {
  test('one broken file beside good ones is its own error, in the order of the upload', async () => {
    const { status, json } = await app.upload('/workouts/import', [
      { name: 'good.fit', bytes: fitRun() },
      { name: 'bad.gpx', bytes: 'nothing of a workout' },
      { name: 'twice.fit', bytes: fitRun() },
      { name: 'other.gpx', bytes: gpxRun({ startMs: START_MS + 86_400_000 }) },
    ])
    expect(status).toBe(200)
    expect(json).toEqual({
      totalProcessed: 4,
      successful: 2,
      skipped: 1,
      updated: 0,
      errors: 1,
      errorDetails: [{ filename: 'bad.gpx', error: expect.any(String) }],
      skippedOther: 0,
      warnings: [],
      receiptId: expect.any(String),
    })
  })

  test('all broken is still a summary', async () => {
    const { status, json } = await app.upload('/workouts/import', [
      { name: 'a.fit', bytes: 'x' },
      { name: 'b.fit', bytes: '' },
    ])
    expect(status).toBe(200)
    expect(json).toMatchObject({ totalProcessed: 2, errors: 2, successful: 0 })
    expect(json.errorDetails.map(({ filename }: { filename: string }) => filename)).toEqual(['a.fit', 'b.fit'])
  })

  test('field names do not matter and paths are cut from file names', async () => {
    const form = new FormData()
    form.append('anything', new File([fitRun() as Uint8Array<ArrayBuffer>], '../../etc/run.fit'))
    form.append('else', new File(['x'], 'C:\\temp\\x.gpx'))
    const { json } = await app.call('POST', '/workouts/import', { body: form })
    expect(json).toMatchObject({ successful: 1, errors: 1, errorDetails: [{ filename: 'x.gpx' }] })
    expect(app.deps.db.select({ name: recordings.fileName }).from(recordings).all()).toEqual([{ name: 'run.fit' }])
  })
})

test('originals are kept byte for byte, compressed ones as they came', async () => {
  const small = GZIP(fitRun())
  const large = gpxRun({ startMs: START_MS + 86_400_000, seconds: 9_000 })
  expect(large.length).toBeGreaterThan(1_000_000)
  for (const [name, bytes] of [['a.fit.gz', small] as const, ['b.gpx', large] as const]) {
    const { id } = await imported(app, name, bytes)
    expect(Buffer.compare(readFileSync(rawFilePath(app.deps.config.dataDir, id)), bytes)).toBe(0)
  }
  expect(readdirSync(`${app.deps.config.dataDir}/tmp`)).toEqual([])
})

describe('duplicates', () => {
  test('two parallel uploads of one run store it once', async () => {
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun() }])),
    )
    const actions = answers.map(({ json }) => json.action).sort()
    expect(actions).toEqual(['created', 'skipped', 'skipped', 'skipped'])
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1)
    expect(rawFolder(app)).toHaveLength(1)
  })

  test('the same run from another file is one when start, duration and distance agree', async () => {
    const first = await imported(app, 'a.fit', fitRun())
    const again = await imported(app, 'a.csv', sampleTable({ n: 601, startMs: START_MS }))
    expect(again).toMatchObject({ action: Math.abs(again.distanceM - 1800) < 1 ? 'skipped' : 'created' })
    const other = await imported(app, 'b.fit', fitRun({ speedMps: 3.01 }))
    expect(other.action).toBe('created')
    expect(other.id).not.toBe(first.id)
  })

  test('a deleted workout can be imported again', async () => {
    const { id } = await imported(app, 'a.fit', fitRun())
    expect((await app.call('DELETE', `/workouts/${id}?forever=true`)).status).toBe(204)
    expect(rawFolder(app)).toEqual([])
    expect(await imported(app, 'a.fit', fitRun())).toMatchObject({ action: 'created' })
  })

  test('a workout without original is completed, and what it has stays', async () => {
    const { id } = await imported(app, 'a.fit', fitRun())
    // as an archive leaves a run: no file, no samples, a name of its own
    forgetOriginals(app.deps)
    await app.call('PATCH', `/workouts/${id}`, { json: { name: 'Mine' } })
    app.deps.db.update(workouts).set({ avgCadenceRpm: null }).where(eq(workouts.id, id)).run()
    app.deps.db.$client.run('DELETE FROM samples')
    app.deps.db.$client.run('DELETE FROM workout_best_effort')
    const again = await imported(app, 'new.fit', fitRun())
    expect(again).toMatchObject({ action: 'updated', id })
    const detail = (await app.call('GET', `/workouts/${id}`)).json
    expect(detail).toMatchObject({ name: 'Mine', avgCadenceRpm: 85, distanceM: 1800, splitsCount: 2, hasRoute: true })
    expect(detail.splits).toHaveLength(2)
    expect((await app.call('GET', `/workouts/${id}/time-series`)).json.totalCount).toBe(601)
    const added = recordingsOf(app.deps.db, id)[1]!.id
    expect(Buffer.compare(readFileSync(rawFilePath(app.deps.config.dataDir, added)), fitRun())).toBe(0)
    expect(await imported(app, 'new.fit', fitRun())).toMatchObject({ action: 'skipped', id })
  })

  test('a completed workout mixes neither two weathers nor the samples of two recordings: those with more channels count', async () => {
    const samples = Array.from({ length: 601 }, (_, t) => ({
      t,
      lat: 47 + (t * 3) / 111_170,
      lon: 8,
      distanceM: t * 3,
    }))
    const indoor = samples.map(({ t, distanceM }) => ({ t, distanceM }))
    const weather = { condition: 0, temperatureC: 20, humidity: 50 }
    const { id } = await imported(app, 'a.fit', fitFile({ startMs: START_MS, samples: indoor }))
    forgetOriginals(app.deps)
    app.deps.db.update(recordings).set({ weather: '{"humidity":80}' }).run()
    const again = await imported(app, 'b.fit', fitFile({ startMs: START_MS, samples, weather }))
    expect(again).toMatchObject({ action: 'updated', id })
    const detail = (await app.call('GET', `/workouts/${id}`)).json
    expect(detail).toMatchObject({ hasRoute: true, weather: { humidity: 80, temperature: null } })
    expect(detail.route.coordinates).toHaveLength(601)
    const { lat } = (await app.call('GET', `/workouts/${id}/samples`)).json
    expect(lat).toHaveLength(601)
    const row = app.deps.db.select().from(workouts).where(eq(workouts.id, id)).get()
    expect(row?.weatherTemperatureC).toBeNull()
  })
})

test('zones stored while a file is read are those of its effort', async () => {
  const { analyze } = app.deps.analyzer
  const slow: Deps['analyzer'] = {
    ...app.deps.analyzer,
    analyze: async (job) => {
      const result = await analyze(job)
      await app.call('PUT', '/settings/heart-rate-zones', { json: { calculationMethod: 'AgeBased', age: 80 } })
      return result
    },
  }
  Object.assign(app.deps, { analyzer: slow })
  const { id } = await imported(app, 'a.fit', fitRun())
  // 140 bpm is the maximum at 80: zone 5 for ten minutes and one second, where the default zones say 3
  expect((await app.call('GET', `/workouts/${id}`)).json).toMatchObject({
    relativeEffort: 50,
    hrZoneSeconds: [0, 0, 0, 0, 601],
  })
})

describe('side effects of an import', () => {
  test('it never writes settings, whatever unit it asks for', async () => {
    for (const [k, unit] of ['', ' ', 'imperial', 'metric'].entries()) {
      await imported(app, 'a.fit', fitRun({ startMs: START_MS + k * 86_400_000 }), { unitPreference: unit })
      expect((await app.call('GET', '/settings/unit-preference')).json).toEqual({ unitPreference: 'metric' })
      expect(app.deps.db.select().from(settings).all()).toEqual([])
    }
  })

  test('the unit of the call decides the splits, else the stored preference', async () => {
    const run = (day: number) => fitRun({ startMs: START_MS + day * 86_400_000, seconds: 1200 })
    const splitsOf = async (id: string) => (await app.call('GET', `/workouts/${id}`)).json.splits
    expect(
      (await splitsOf((await imported(app, 'a.fit', run(0), { unitPreference: 'imperial' })).id))[0].distanceM,
    ).toBe(1609.344)
    expect((await splitsOf((await imported(app, 'b.fit', run(1))).id))[0].distanceM).toBe(1000)
    await app.call('PUT', '/settings/unit-preference', { json: { unitPreference: 'imperial' } })
    expect((await splitsOf((await imported(app, 'c.fit', run(2))).id))[0].distanceM).toBe(1609.344)
    expect((await splitsOf((await imported(app, 'd.fit', run(3), { unitPreference: 'metric' })).id))[0].distanceM).toBe(
      1000,
    )
  })

  test('a new workout gets the default shoe, a stored one keeps its own', async () => {
    const first = await imported(app, 'a.fit', fitRun())
    const shoe = (await app.call('POST', '/shoes', { json: { brand: 'Hoka', model: 'Clifton 9' } })).json
    await app.call('PUT', '/settings/default-shoe', { json: { defaultShoeId: shoe.id } })
    await imported(app, 'a.fit', fitRun())
    const second = await imported(app, 'b.fit', fitRun({ startMs: START_MS + 86_400_000 }))
    expect((await app.call('GET', `/workouts/${first.id}`)).json.shoe).toBeNull()
    expect((await app.call('GET', `/workouts/${second.id}`)).json.shoe).toEqual({
      id: shoe.id,
      brand: 'Hoka',
      model: 'Clifton 9',
    })
    expect(app.deps.db.select().from(shoes).all()).toHaveLength(1)
  })

  test('when the rows cannot be written, no file is left and nothing is answered as stored', async () => {
    app.deps.db.$client.run(
      "CREATE TRIGGER broken BEFORE INSERT ON workout_split BEGIN SELECT RAISE(ABORT, 'disk'); END",
    )
    const answer = await app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun() }])
    expect(answer.status).toBe(500)
    expect(answer.json).toEqual({ error: 'Internal server error' })
    expect(app.deps.db.select().from(workouts).all()).toEqual([])
    expect(rawFolder(app)).toEqual([])
    app.deps.db.$client.run('DROP TRIGGER broken')
    const { id } = await imported(app, 'a.fit', fitRun())
    expect(existsSync(rawFilePath(app.deps.config.dataDir, id))).toBe(true)
  })
})
