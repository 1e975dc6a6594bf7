import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { lockFolder } from '../../src/db/lock.ts'
import { openDb } from '../../src/db/open.ts'
import { rebuild } from '../../src/rebuild.ts'
import { testApp } from '../app.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { tempFolder } from '../temp-folder.ts'
import { command } from './real-server.ts'

const dataDir = tempFolder()

test('numbers that are not what recordings and documents give are written again, each row once', async () => {
  await using app = await testApp({ db: openDb(join(dataDir, 'harrier.sqlite')) })
  const { deps } = app
  await app.upload('/workouts/import', [{ name: 'run.fit', bytes: fitRun() }])
  const bytes = fitRun({ startMs: START_MS + 86_400_000, hr: 150 })
  await app.upload('/workouts/import', [{ name: 'other.fit', bytes }])
  expect(await rebuild(deps)).toEqual({ runs: 2, rows: 0, unreadable: [] })
  const { $client: client } = deps.db
  const rows = () => client.query('SELECT w.*, NULL AS route_preview FROM workout AS w ORDER BY id').all()
  const before = rows()
  client.run('UPDATE workout SET distance_m = 1, avg_heart_rate_bpm = 2 WHERE started_at = ?', [START_MS])
  client.run('UPDATE workout_split SET pace_s = 3 WHERE idx = 0')
  client.run("UPDATE workout_best_effort SET implausible_reason = 'speed' WHERE distance_index = 0")
  expect(await rebuild(deps)).toEqual({ runs: 2, rows: 1 + 2 + 2, unreadable: [] })
  expect([rows(), (await rebuild(deps)).rows]).toEqual([before, 0])
})

test('a run that cannot be read keeps its numbers and is named', async () => {
  await using app = await testApp()
  const { json } = await app.upload('/workouts/import', [{ name: 'run.fit', bytes: fitRun() }])
  const { $client: client } = app.deps.db
  client.run("UPDATE samples SET time_hr = x'00'")
  client.run('UPDATE workout SET distance_m = 1')
  const { rows, unreadable } = await rebuild(app.deps)
  expect([rows, unreadable.map(({ id }) => id)]).toEqual([0, [json.id]])
  expect(client.query('SELECT distance_m FROM workout').get()).toEqual({ distance_m: 1 })
})

const rebuilt = () => command(['rebuild'], { DATA_DIR: dataDir })

test('the command says how many rows it wrote, and refuses while the library is served', async () => {
  expect(await rebuilt()).toEqual({ exitCode: 0, out: 'Derived 2 runs again, rows written: 0\n', err: '' })
  const lock = lockFolder(dataDir)
  const { exitCode, err } = await rebuilt()
  lock.release()
  expect([exitCode, err]).toEqual([1, expect.stringContaining('in use by another Harrier process')])
})
