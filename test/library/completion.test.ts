// A workout without original gets the first file of the same run that arrives: both are one step, whoever else is at work.
import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { recordings, workouts } from '../../src/db/schema.ts'
import { isJoined, runHead } from '../../src/library/documents/run.ts'
import { rawDataPath, rawFilePath } from '../../src/library/files/paths.ts'
import { primaryId, recordingsOf } from '../../src/library/recordings.ts'
import { NOW_MS, type TestApp, testApp } from '../app.ts'
import { forgetOriginals, storeRawData } from '../fixtures/recordings.ts'
import { fitRun, gpxRun } from '../fixtures/runs.ts'

/** One run in three files, distinguished by their heart rate. */
const FILES = [141, 142, 143].map((hr) => ({ name: `${hr}.gpx`, bytes: gpxRun({ hr }) }))
/** Enough for the steps of parallel imports to fall between one another in many ways. */
const ROUNDS = 12

/** The run of the files, stored without original, as an archive without one leaves it. */
async function withoutOriginal(app: TestApp, { keepsData = false } = {}): Promise<string> {
  const { id } = (await app.upload('/workouts/import', [{ name: 'first.gpx', bytes: gpxRun({ name: 'first' }) }])).json
  const { db, config } = app.deps
  await storeRawData(app.deps)
  forgetOriginals(app.deps)
  rmSync(rawFilePath(config.dataDir, id))
  if (keepsData) return id
  db.update(recordings).set({ hasRaw: false }).run()
  rmSync(rawDataPath(config.dataDir, id))
  return id
}

const temporary = ({ deps }: TestApp) => readdirSync(join(deps.config.dataDir, 'tmp'))
const namesOf = ({ deps }: TestApp) => readdirSync(join(deps.config.dataDir, 'files/raw')).sort()

test('of several files at once one completes the workout, and file, name, hash and raw data are of that one', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    await using app = await testApp()
    const id = await withoutOriginal(app)
    const answers = await Promise.all(FILES.map((file) => app.upload('/workouts/import', [file])))
    expect(answers.map(({ json }) => json.action).sort()).toEqual(['skipped', 'skipped', 'updated'])
    expect(answers.map(({ json }) => json.id)).toEqual([id, id, id])

    const winner = FILES[answers.findIndex(({ json }) => json.action === 'updated')]!
    const added = recordingsOf(app.deps.db, id)[1]!
    const sha256 = new Bun.CryptoHasher('sha256').update(winner.bytes).digest('hex')
    expect([added.fileName, added.fileSha256]).toEqual([winner.name, sha256])
    expect(readFileSync(rawFilePath(app.deps.config.dataDir, added.id)).equals(winner.bytes)).toBe(true)
    const { rawGpxData } = (await app.call('GET', `/workouts/${id}`)).json
    expect(`${rawGpxData.trackPoints[0].hr}.gpx`).toBe(winner.name)
    expect([temporary(app), namesOf(app)]).toEqual([[], [added.id]])
  }
})

test('a completion that cannot be committed changes neither rows nor files', async () => {
  await using app = await testApp()
  const id = await withoutOriginal(app, { keepsData: true })
  const { db, config } = app.deps
  const rows = () => [db.select().from(workouts).all(), db.select().from(recordings).all(), namesOf(app)]
  const before = [rows(), readFileSync(rawDataPath(config.dataDir, id))]
  // found out by COMMIT only, as a full disk is
  db.$client.run('CREATE TABLE late (id TEXT REFERENCES workout (id) DEFERRABLE INITIALLY DEFERRED)')
  db.$client.run("CREATE TRIGGER too_late AFTER UPDATE ON workout BEGIN INSERT INTO late VALUES ('nobody'); END")
  const refused = await app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun() }])
  expect([refused.status, refused.json]).toEqual([500, { error: 'Internal server error' }])
  expect([rows(), readFileSync(rawDataPath(config.dataDir, id))]).toEqual(before)
  expect([existsSync(rawFilePath(config.dataDir, id)), temporary(app)]).toEqual([false, []])

  db.$client.run('DROP TRIGGER too_late')
  const { json } = await app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun() }])
  expect([json.id, json.action]).toEqual([id, 'updated'])
  expect(readFileSync(rawFilePath(config.dataDir, recordingsOf(db, id)[1]!.id)).equals(fitRun())).toBe(true)
})

test('a file fills words that are missing, but not those that the runner set or cleared', async () => {
  await using app = await testApp()
  const id = await withoutOriginal(app)
  const { words } = recordingsOf(app.deps.db, id)[0]!
  app.deps.db
    .update(recordings)
    .set({ words: { ...words, name: null } })
    .run()
  const named = [{ name: 'a.gpx', bytes: gpxRun({ name: 'of the file', hr: 150 }) }]
  expect((await app.upload('/workouts/import', named)).json).toMatchObject({ id, action: 'updated' })
  expect((await app.call('GET', `/workouts/${id}`)).json.name).toBe('of the file')

  await using other = await testApp()
  const blank = await withoutOriginal(other)
  await other.call('PATCH', `/workouts/${blank}`, { json: { name: null } })
  expect((await other.upload('/workouts/import', named)).json).toMatchObject({ id: blank, action: 'updated' })
  expect((await other.call('GET', `/workouts/${blank}`)).json.name).toBeNull()
})

test('a workout that is deleted while a file would complete it is imported again', async () => {
  await using app = await testApp()
  const id = await withoutOriginal(app)
  const { analyzer, db } = app.deps
  let isRead = false
  const analyze = analyzer.analyze.bind(analyzer)
  analyzer.analyze = async (job) => {
    const analyzed = await analyze(job)
    isRead = true
    return analyzed
  }
  // the clock is asked next when the workout has been found, before its files are written
  Object.defineProperty(app.clock, 'nowMs', {
    get: () => {
      if (isRead) db.delete(workouts).where(eq(workouts.id, id)).run()
      return NOW_MS
    },
  })
  const { json } = await app.upload('/workouts/import', [FILES[0]!])
  expect(json.action).toBe('created')
  expect(json.id).not.toBe(id)
  expect([temporary(app), namesOf(app)]).toEqual([[], [json.id]])
})

test('a file that completes a fixed run leaves the samples that were fixed, until the mend is undone', async () => {
  await using app = await testApp()
  const id = await withoutOriginal(app)
  const first = recordingsOf(app.deps.db, id)[0]!.id
  const counting = () => {
    const { track } = runHead(app.deps.db, id)!.body
    return isJoined(track) ? null : primaryId(app.deps.db, track)
  }
  const mend = { fromElapsedS: 20, toElapsedS: 40, channel: 'elevation', fill: 'interpolate' }
  expect((await app.call('POST', `/workouts/${id}/mend`, { json: mend })).status).toBe(200)
  // it has more channels
  const file = [{ name: 'a.fit', bytes: fitRun() }]
  expect((await app.upload('/workouts/import', file)).json).toMatchObject({ id, action: 'updated' })
  expect(counting()).toBe(first)
  expect((await app.call('POST', `/workouts/${id}/revert`)).status).toBe(200)
  expect(counting()).not.toBe(first)
})
