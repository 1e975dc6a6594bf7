// A database whose file is damaged is read as far as it goes, and never written.
import { expect, test } from 'bun:test'
import { mkdtempSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backup } from '../../src/backup.ts'
import { DAMAGED, isSound } from '../../src/db/damage.ts'
import { openDb } from '../../src/db/open.ts'
import { looksDamaged, startJobs } from '../../src/jobs.ts'
import { RUNNER, testApp } from '../app.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'

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

test('a look that fails finds no damage', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'harrier-damage-'))
  expect(await looksDamaged(join(folder, 'gone.sqlite'))).toBe(false)
  expect(await looksDamaged(folder)).toBe(false)
  const { execPath } = process
  try {
    process.execPath = join(folder, 'replaced by an upgrade')
    expect(await looksDamaged(join(folder, 'harrier.sqlite'))).toBe(false)
  } finally {
    process.execPath = execPath
  }
})

test('with a damaged database writing is refused in one sentence, reading and export continue', async () => {
  await using app = await testApp()
  const id = await app.run(fitRun({ startMs: START_MS, seconds: 120 }))
  app.deps.damage.isFound = true
  const refused = { error: DAMAGED }
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
