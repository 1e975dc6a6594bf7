// A database whose file is damaged is read as far as it goes, and never written.
import { expect, test } from 'bun:test'
import { mkdtempSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backup } from '../../src/commands/backup.ts'
import { looksDamaged, startJobs } from '../../src/commands/jobs.ts'
import { DAMAGED, isSound } from '../../src/db/disk-full.ts'
import { openDb } from '../../src/db/open.ts'
import { RUNNER, testApp } from '../app.ts'
import { entriesOf, exported, restored, textOf } from '../archive/archives.ts'
import { stravaCsv } from '../fixtures/csv.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { zipUpload } from '../fixtures/strava-zip.ts'

test('damage is found, in a process of its own and before a backup', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'harrier-damage-'))
  const path = join(folder, 'harrier.sqlite')
  const { $client: client } = openDb(path)
  client.run("INSERT INTO shoe VALUES ('s', 'Mizar', 'Seven', NULL, 1, 1, NULL, NULL)")
  client.run('PRAGMA wal_checkpoint(TRUNCATE)')
  client.close()
  expect([isSound(path), await looksDamaged(path)]).toEqual([true, false])
  const at = readFileSync(path).indexOf('Mizar')
  const page = Math.floor(at / 1024) * 1024
  writeSync(openSync(path, 'r+'), Buffer.alloc(1024, 0xff), 0, 1024, page)
  expect([isSound(path), await looksDamaged(path)]).toEqual([false, true])
  expect(backup(folder, join(folder, 'a.zip'), '1')).rejects.toThrow(DAMAGED)
  writeFileSync(path, 'no database at all, '.repeat(100))
  expect(isSound(path)).toBe(false)
})

test('with a damaged database writing is refused in one sentence, reading and export continue', async () => {
  await using app = await testApp()
  const id = await app.run(fitRun({ startMs: START_MS, seconds: 120 }))
  app.deps.damage.isFound = true
  const refused = { error: DAMAGED, code: 'database_damaged' }
  for (const [method, path] of [
    ['PATCH', `/workouts/${id}`],
    ['DELETE', `/workouts/${id}`],
    ['POST', '/workouts/import'],
    ['PUT', '/settings/unit-preference'],
  ] as const) {
    const { status, json } = await app.call(method, path, { json: {} })
    expect([status, json]).toEqual([503, refused])
  }
  expect((await app.call('PATCH', `/workouts/${id}`, { json: {}, token: null })).status).toBe(401)
  const ready = await app.call('GET', '/ready')
  expect([ready.status, ready.json]).toEqual([503, { status: 'unavailable', ...refused }])
  expect((await app.call('GET', `/workouts/${id}`)).status).toBe(200)
  expect((await app.call('POST', '/auth/login', { json: RUNNER, token: null })).status).toBe(200)
  for (const [path, json] of [
    ['/workouts/export', {}],
    ['/workouts/export/files', { ids: [id], format: 'fit' }],
  ] as const) {
    expect((await app.call('POST', path, { json })).status).toBe(200)
  }
  await startJobs(app.deps).stop()
})

test('an export of a damaged database has all that can be read, and names the rest', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'harrier-damage-'))
  const path = join(folder, 'harrier.sqlite')
  await using app = await testApp({ db: openDb(path) })
  const [whole, broken] = [await app.run(fitRun({ startMs: START_MS })), await app.run(fitRun({ startMs: 1.6e12 }))]
  await app.ok('POST', '/shoes', { brand: 'Mizar', model: 'Seven' })
  await app.ok('PATCH', `/workouts/${broken}`, { notes: 'Alcor '.repeat(1000) })
  app.deps.db.$client.run('PRAGMA wal_checkpoint(TRUNCATE)')
  const bytes = readFileSync(path)
  for (const text of ['Mizar', 'Alcor Alcor']) {
    for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1024)) {
      writeSync(openSync(path, 'r+'), Buffer.alloc(1024, 0xff), 0, 1024, Math.floor(at / 1024) * 1024)
    }
  }
  const failed = await app.call('POST', '/workouts/export', { json: {} })
  expect([failed.status, failed.json, app.deps.damage.isFound]).toEqual([
    503,
    expect.objectContaining({ error: DAMAGED }),
    true,
  ])
  const archive = await exported(app)
  const entries = await entriesOf(app, archive)
  // its original is a file of its own
  expect([...entries.keys()].some((name) => name.startsWith(`workouts/${broken}/raw/`))).toBe(true)
  const text = textOf(entries, 'README.txt')
  expect(text).toContain('an incomplete export')
  expect(text).toContain('The database was damaged. What could not be read is not in this archive:\n')
  for (const lost of ['shoes', `workouts of ${broken}`]) expect(text).toContain(`\n${lost}\n`)
  expect(text).not.toContain(whole)
  await using other = await testApp()
  expect((await restored(other, archive)).json.statistics.workouts).toMatchObject({ imported: 1 })
  expect((await other.ok('GET', `/workouts/${whole}`)).distanceM).toBeGreaterThan(0)
})

/** A library whose database is damaged in its middle, as a failing card leaves it. */
async function damagedLibrary(): Promise<string> {
  const path = join(mkdtempSync(join(tmpdir(), 'harrier-damage-')), 'harrier.sqlite')
  await using app = await testApp({ db: openDb(path) })
  for (let k = 0; k < 30; k += 1) await app.run(fitRun({ startMs: START_MS - k * 864e5 }), `${k}.fit`)
  app.deps.db.$client.run('PRAGMA wal_checkpoint(TRUNCATE)')
  // without the schema it would not even be opened
  const last = app.deps.db.$client.query("SELECT max(pageno) AS page FROM dbstat WHERE name = 'sqlite_schema'")
  const { page } = last.get() as { page: number }
  const pages = readFileSync(path).length / 1024
  expect(page).toBeWithin(1, 0.7 * pages)
  const broken = Buffer.alloc(1024 * Math.floor((pages - page) / 2), 0xff)
  writeSync(openSync(path, 'r+'), broken, 0, broken.length, 1024 * page)
  return path
}

const NEW = Array.from({ length: 3 }, (_, k) => ({
  name: `new${k}.fit`,
  bytes: fitRun({ startMs: START_MS + (k + 1) * 864e5 }),
}))
const ROW = {
  'Activity ID': 1,
  'Activity Date': 'Nov 3, 2025, 7:00:00 AM',
  'Activity Type': 'Run',
  Filename: 'a/1.fit',
}

const archiveOfNew = async () => {
  await using app = await testApp()
  await app.upload('/workouts/import', NEW)
  return await exported(app)
}

test.each([
  ['', async () => NEW.slice(0, 1)],
  ['', async () => NEW],
  ['/bulk', async () => [zipUpload({ 'activities.csv': stravaCsv([ROW]), 'a/1.fit': NEW[0]!.bytes })]],
  ['/archive', async () => [zipUpload({ 'runs/1.fit': NEW[0]!.bytes })]],
  ['/export', async () => [{ name: 'archive.zip', bytes: await archiveOfNew() }]],
] as const)(
  'an import%s into a database that is damaged in its middle is 503, and the service is not ready any more',
  async (kind, files) => {
    const path = await damagedLibrary()
    await using app = await testApp({ db: openDb(path) })
    expect((await app.call('GET', '/ready')).status).toBe(200)
    const { status, json } = await app.upload(`/workouts/import${kind}`, await files())
    expect([status, json]).toEqual([503, expect.objectContaining({ error: DAMAGED })])
    const ready = await app.call('GET', '/ready')
    expect([ready.status, ready.json]).toEqual([
      503,
      { status: 'unavailable', error: DAMAGED, code: 'database_damaged' },
    ])
    const written = await app.call('PUT', '/settings/unit-preference', { json: { unitPreference: 'metric' } })
    expect(written.status).toBe(503)
    expect(app.logged.join()).toMatch(/damaged|malformed/)
  },
)
