import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { rebuild } from '../../src/commands/rebuild.ts'
import { lockFolder } from '../../src/db/lock.ts'
import { openDb } from '../../src/db/open.ts'
import { testApp } from '../app.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { rowsOf, setRows } from '../library/as-stored.ts'
import { spoiler } from '../library/spoil.ts'
import { tempFolder } from '../temp-folder.ts'
import { command } from './real-server.ts'

const dataDir = tempFolder()
const rebuilt = () => command(['rebuild'], { DATA_DIR: dataDir })

test('numbers that are not what recordings and documents give are written again, each row once', async () => {
  await using app = await testApp({ db: openDb(join(dataDir, 'harrier.sqlite')) })
  const { deps } = app
  await app.run(fitRun())
  await app.run(fitRun({ startMs: START_MS + 86_400_000, hr: 150 }))
  expect(await rebuild(deps)).toEqual({ runs: 2, rows: 0, unreadable: [] })
  const rows = () => rowsOf(deps, 'workout').map((row) => ({ ...row, route_preview: null }))
  const before = rows()
  setRows(deps, 'workout', { distance_m: 1, avg_heart_rate_bpm: 2 }, { started_at: START_MS })
  setRows(deps, 'workout_split', { pace_s: 3 }, { idx: 0 })
  setRows(deps, 'workout_best_effort', { implausible_reason: 'speed' }, { distance_index: 0 })
  expect(await rebuild(deps)).toEqual({ runs: 2, rows: 1 + 2 + 2, unreadable: [] })
  expect([rows(), (await rebuild(deps)).rows]).toEqual([before, 0])
  // the command says how many rows it wrote, and refuses while the library is served
  expect(await rebuilt()).toEqual({ exitCode: 0, out: 'Derived 2 runs again, rows written: 0\n', err: '' })
  const lock = lockFolder(dataDir)
  const { exitCode, err } = await rebuilt()
  lock.release()
  expect([exitCode, err]).toEqual([1, expect.stringContaining('in use by another Harrier process')])
})

test('a run that cannot be read keeps its numbers and is named', async () => {
  await using app = await testApp()
  const id = await app.run(fitRun())
  await spoiler(app, id).damageSamples()
  setRows(app.deps, 'workout', { distance_m: 1 })
  const { rows, unreadable } = await rebuild(app.deps)
  expect([rows, unreadable.map((one) => one.id)]).toEqual([0, [id]])
  expect((await app.ok('GET', '/workouts')).items).toMatchObject([{ distanceM: 1 }])
})

test('a run whose document is damaged does not keep the others from being derived', async () => {
  await using app = await testApp()
  const damaged = await app.run(fitRun())
  await app.run(fitRun({ startMs: START_MS + 86_400_000 }))
  setRows(app.deps, 'document', { body: '{' }, { id: damaged })
  setRows(app.deps, 'workout', { distance_m: 1 })
  const { rows, unreadable } = await rebuild(app.deps)
  expect([rows, unreadable.map((one) => one.id)]).toEqual([1, [damaged]])
})
