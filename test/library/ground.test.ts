// Where runs went is stored beside their routes: whatever happens to a run, its ground is that of its track now.
import { expect, test } from 'bun:test'
import { rebuild } from '../../src/commands/rebuild.ts'
import { olderRuns } from '../../src/library/derive.ts'
import { upgradeWorkouts } from '../../src/library/engine-upgrade.ts'
import { testApp } from '../app.ts'
import { fitRun, indoorRun, START_MS } from '../fixtures/runs.ts'
import { removeRows, setRows } from './as-stored.ts'
import { NEVER } from './falsified.ts'
import { expectGroundAnew, grounds } from './grounds.ts'
import { stored } from './ledger.ts'

const DAY_MS = 86_400_000

test('an import stores the squares of its run, where it started, and how long its line is', async () => {
  await using app = await testApp()
  await stored(app, 'a.fit', fitRun())
  await stored(app, 'b.fit', indoorRun(START_MS + DAY_MS))
  const [ground, ...others] = await expectGroundAnew(app)
  expect(others).toEqual([])
  expect(ground).toMatchObject({ started_at: START_MS, start_lat: 47, start_lon: 8 })
  // 600 s at 3 m/s; 111,170 m a degree in the file, 40,075,016.686 / 360 on the map
  expect(ground!.length_m).toBeCloseTo((1800 * 111_319.49) / 111_170, -1)
  // by the formula of the books in another language: 47 N lies in row 5762.68, 47.0162 N in 5761.60
  expect(ground!.squares.map(([square]) => square)).toEqual([5761, 5762].map((y) => ({ x: 8556, y })))
})

test('rebuilding compares ground and writes what differs', async () => {
  await using app = await testApp()
  await stored(app, 'a.fit', fitRun())
  const before = grounds(app)
  expect((await rebuild(app.deps)).rows).toBe(0)
  setRows(app.deps, 'ground_square', { entered_s: 1 })
  expect((await rebuild(app.deps)).rows).toBe(3)
  expect(grounds(app)).toEqual(before)
  removeRows(app.deps, 'ground')
  expect((await rebuild(app.deps)).rows).toBe(3)
  expect(grounds(app)).toEqual(before)
})

test('ground of an older engine is computed again, and a run that cannot be read keeps its squares', async () => {
  await using app = await testApp()
  await stored(app, 'a.fit', fitRun())
  const before = grounds(app)
  setRows(app.deps, 'ground', { start_lat: 1 })
  setRows(app.deps, 'workout', { engine_version: 0 })
  expect(olderRuns(app.deps.db)).toBe(1)
  await upgradeWorkouts(app.deps, NEVER)
  expect(grounds(app)).toEqual(before)
  setRows(app.deps, 'workout', { engine_version: 0 })
  setRows(app.deps, 'samples', { track: Buffer.of(0) })
  await upgradeWorkouts(app.deps, NEVER)
  expect(grounds(app)).toEqual(before)
  expect(olderRuns(app.deps.db)).toBe(0)
  expect(app.logged.filter((line) => line.startsWith('error'))).toHaveLength(1)
})
