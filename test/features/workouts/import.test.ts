import { afterEach, beforeEach, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { type TestApp, testApp } from '../../app.ts'
import { gpxRun, fitRun as run, START_MS } from '../../fixtures/runs.ts'
import { refuse } from '../../library/as-stored.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app.close())

const DAY_MS = 86_400_000
const packed = (bytes: Uint8Array) => new Uint8Array(gzipSync(bytes))
const filesOf = ({ deps }: TestApp, folder: string) => readdirSync(`${deps.config.dataDir}/${folder}`)
const imported = async (name: string, bytes: Uint8Array, fields: Record<string, string> = {}) =>
  (await app.upload('/workouts/import', [{ name, bytes }], fields)).json

test('without a file, with another unit and too large it is refused, and nothing stays', async () => {
  await using app = await testApp({ env: { MAX_UPLOAD_BYTES: '100000' } })
  const file = { name: 'a.fit', bytes: run() }
  for (const [files, unitPreference, status, error] of [
    [[], 'metric', 400, /no file/],
    [[file], 'furlongs', 400, /unitPreference/],
    [[file], 'Metric', 400, /unitPreference/],
    [[{ name: 'a.gpx', bytes: new Uint8Array(200_000) }], 'metric', 413, /100000/],
  ] as const) {
    const answer = await app.upload('/workouts/import', files, { unitPreference })
    expect([answer.status, answer.json]).toEqual([
      status,
      expect.objectContaining({ error: expect.stringMatching(error) }),
    ])
  }
  expect((await app.ok('GET', '/workouts')).totalCount).toBe(0)
  expect(filesOf(app, 'tmp')).toEqual([])
})

test('one file with one run answers itself; the same run again, packed or under another name, what is stored', async () => {
  const { id, ...created } = await imported('run.fit.gz', packed(run()))
  expect(created).toEqual({
    ...{ startedAt: '2025-11-01T07:00:00Z', durationS: 600, distanceM: 1800, avgPaceS: 333.33, elevGainM: 0 },
    ...{ splitsCount: 2, action: 'created', message: expect.any(String), warnings: [], receiptId: expect.any(String) },
  })
  await app.ok('POST', `/workouts/${id}/crop`, { removeFromEndSeconds: 200 })
  for (const [name, bytes] of [
    ['run.fit', packed(run())],
    ['RUN.GPX', run()],
  ] as const) {
    const again = await imported(name, bytes, { unitPreference: 'imperial' })
    expect(again).toMatchObject({ action: 'skipped', id, durationS: 400, distanceM: 1200, splitsCount: 2 })
  }
  expect(filesOf(app, 'files/raw')).toHaveLength(1)
})

test('of several files a broken one is its own error; field names and paths do not matter', async () => {
  const form = new FormData()
  const files: [string, Uint8Array | string][] = [
    ['../../etc/run.fit', run()],
    ['C:\\temp\\x.gpx', 'nothing of a workout'],
    ['twice.fit', run()],
    ['other.gpx', gpxRun({ startMs: START_MS + DAY_MS })],
  ]
  for (const [name, bytes] of files) form.append(`of ${name}`, new File([bytes.slice()], name))
  expect((await app.call('POST', '/workouts/import', { body: form })).json).toEqual({
    ...{ totalProcessed: 4, successful: 2, skipped: 1, updated: 0, errors: 1, skippedOther: 0, warnings: [] },
    errorDetails: [{ filename: 'x.gpx', error: expect.any(String) }],
    receiptId: expect.any(String),
  })
  const broken = ['a.fit', 'b.fit'].map((name) => ({ name, bytes: 'x' }))
  expect((await app.upload('/workouts/import', broken)).json).toMatchObject({
    ...{ totalProcessed: 2, errors: 2, errorDetails: broken.map(({ name }) => ({ filename: name })) },
  })
  const [, { id }] = (await app.ok('GET', '/workouts')).items
  expect((await app.ok('GET', `/workouts/${id}/sources`)).recordings[0].filename).toBe('run.fit')
})

test('as=summary answers one file, several, and a refused one in the same shape', async () => {
  const none = { totalProcessed: 0, successful: 0, skipped: 0, updated: 0, merged: 0, errors: 0, skippedOther: 0 }
  const [reason, receiptId, warnings] = [expect.any(String), expect.any(String), []]
  const summary = async (files: readonly [name: string, bytes: Uint8Array | string][]) => {
    const sent = files.map(([name, bytes]) => ({ name, bytes }))
    return (await app.upload('/workouts/import?as=summary', sent)).json
  }
  const one = await summary([['a.fit', run()]])
  const workoutId = one.items[0].workoutId
  const created = { filename: 'a.fit', status: 'created', workoutId, reason: null }
  const [counted, nothing] = [
    { ...none, totalProcessed: 1 },
    { errorDetails: [], warnings, receiptId },
  ]
  expect(one).toEqual({ ...counted, successful: 1, ...nothing, items: [created] })
  expect((await app.ok('GET', `/workouts/${workoutId}`)).id).toBe(workoutId)
  const bad = { filename: 'x.gpx', status: 'failed', workoutId: null, reason }
  const refused = { errors: 1, errorDetails: [{ filename: 'x.gpx', error: reason }], warnings, receiptId }
  expect(await summary([['x.gpx', 'nothing']])).toEqual({ ...counted, ...refused, items: [bad] })
  const files = [['again.fit', run()] as [string, Uint8Array], ['x.gpx', 'nothing'] as [string, string]]
  const skipped = { filename: 'again.fit', status: 'skipped', workoutId, reason }
  const both = { ...none, totalProcessed: 2, skipped: 1, ...refused, items: [skipped, bad] }
  expect(await summary(files)).toEqual(both)
  const raw = await app.call('POST', '/workouts/import/raw?as=summary&name=c.fit', { body: run().slice() })
  expect(raw.json.items).toEqual([{ ...skipped, filename: 'c.fit' }])
  const other = await app.call('POST', '/workouts/import?as=list', { body: new FormData() })
  expect([other.status, other.json.field]).toEqual([400, 'as'])
})

test('parallel uploads of one run store it once', async () => {
  const answers = await Promise.all([1, 2, 3, 4].map(() => imported('a.fit', run())))
  expect(answers.map(({ action }) => action).sort()).toEqual(['created', 'skipped', 'skipped', 'skipped'])
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
  expect(filesOf(app, 'files/raw')).toHaveLength(1)
})

test('the unit of the call decides the splits, else the stored preference, which it does not change', async () => {
  const firstSplit = async (day: number, fields = {}) => {
    const { id } = await imported('a.fit', run({ startMs: START_MS + day * DAY_MS, seconds: 1200 }), fields)
    return (await app.ok('GET', `/workouts/${id}`)).splits[0].distanceM
  }
  expect(await firstSplit(0, { unitPreference: 'imperial' })).toBe(1609.344)
  expect([await firstSplit(1), await firstSplit(2, { unitPreference: ' ' })]).toEqual([1000, 1000])
  await app.ok('PUT', '/settings/unit-preference', { unitPreference: 'imperial' })
  expect([await firstSplit(3), await firstSplit(4, { unitPreference: 'metric' })]).toEqual([1609.344, 1000])
})

test('when the rows cannot be written, no file is left and nothing is answered as stored', async () => {
  const mended = refuse(app.deps, ['INSERT', 'workout_split'])
  const answer = await app.upload('/workouts/import', [{ name: 'a.fit', bytes: run() }])
  expect([answer.status, answer.json]).toEqual([500, expect.objectContaining({ error: 'Internal server error' })])
  expect([(await app.ok('GET', '/workouts')).totalCount, filesOf(app, 'files/raw')]).toEqual([0, []])
  mended()
  await app.run(run())
})
