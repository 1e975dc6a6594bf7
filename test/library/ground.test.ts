// Where runs went is stored beside their routes: whatever happens to a run, its ground is that of its track now.
import { describe, expect, test } from 'bun:test'
import { squareOfKey } from '../../src/engine/ground/squares.ts'
import { fillGround, missingGround } from '../../src/library/ground-fill.ts'
import { rebuild } from '../../src/rebuild.ts'
import { type TestApp, testApp } from '../app.ts'
import { exported, restored } from '../archive/archives.ts'
import { fitRun, hillyRun, indoorRun, START_MS } from '../fixtures/runs.ts'
import { NEVER } from './falsified.ts'
import { done, receiptOf, stored } from './ledger.ts'

const DAY_MS = 86_400_000

/** The ground of all runs by their id, without numbers that say nothing. */
function grounds({ deps: { db } }: TestApp) {
  const squares = db.$client.query<{ key: number; entered: number; line: Uint8Array }, [number]>(
    'SELECT id >> 24 AS key, entered_s AS entered, line FROM ground_square WHERE run = ? ORDER BY id',
  )
  const runs = db.$client
    .query<{ run: number; id: string; length_m: number }, []>(
      'SELECT run, workout_id AS id, started_at, start_lat, start_lon, length_m FROM ground ORDER BY workout_id',
    )
    .all()
  return runs.map(({ run, ...ground }) => ({
    ...ground,
    squares: squares
      .all(run)
      .map(({ key, entered, line }) => [squareOfKey(key), entered, Buffer.from(line).toString('hex')]),
  }))
}

/** The same ground made of nothing. */
async function expectAnew(app: TestApp) {
  const before = grounds(app)
  app.deps.db.$client.run('DELETE FROM ground')
  expect(missingGround(app.deps.db)).toBe(before.length)
  await fillGround(app.deps, NEVER)
  expect(missingGround(app.deps.db)).toBe(0)
  expect(grounds(app)).toEqual(before)
  const { n } = app.deps.db.$client.query<{ n: number }, []>('SELECT count(*) AS n FROM ground_square').get()!
  expect(n).toBe(before.reduce((sum, { squares }) => sum + squares.length, 0))
  return before
}

test('an import stores the squares of its run, where it started, and how long its line is', async () => {
  await using app = await testApp()
  await stored(app, 'a.fit', fitRun())
  await stored(app, 'b.fit', indoorRun(START_MS + DAY_MS))
  const [ground, ...others] = await expectAnew(app)
  expect(others).toEqual([])
  expect(ground).toMatchObject({ started_at: START_MS, start_lat: 47, start_lon: 8 })
  // 600 s at 3 m/s; 111,170 m a degree in the file, 40,075,016.686 / 360 on the map
  expect(ground!.length_m).toBeCloseTo((1800 * 111_319.49) / 111_170, -1)
  // by the formula of the books in another language: 47 N lies in row 5762.68, 47.0162 N in 5761.60
  expect(ground!.squares.map(([square]) => square)).toEqual([
    { x: 8556, y: 5761 },
    { x: 8556, y: 5762 },
  ])
})

describe('after any change the ground is that of an empty database with the same tracks', () => {
  const CHANGES: Readonly<Record<string, (app: TestApp, id: string) => Promise<string>>> = {
    'a crop': (app, id) => receiptOf(app, `POST /workouts/${id}/crop`, { removeFromStartSeconds: 300 }),
    'a cut': (app, id) => receiptOf(app, `POST /workouts/${id}/cut`, { fromElapsedS: 300, toElapsedS: 900 }),
    'a shift': (app, id) => receiptOf(app, `POST /workouts/${id}/shift`, { offsetSeconds: 3600 }),
    'a split': (app, id) => receiptOf(app, `POST /workouts/${id}/split`, { atElapsedS: [700] }),
    'a deletion': (app, id) => receiptOf(app, `DELETE /workouts/${id}`),
  }
  test.each(Object.entries(CHANGES))('%s, its undoing and redoing', async (_, change) => {
    await using app = await testApp()
    const id = await stored(app, 'a.fit', hillyRun(START_MS))
    await stored(app, 'b.fit', fitRun({ startMs: START_MS + DAY_MS }))
    const before = await expectAnew(app)
    const receipt = await change(app, id)
    const after = await expectAnew(app)
    expect(after).not.toEqual(before)
    app.pass(60_000)
    const undoing = await done(app, `POST /receipts/${receipt}/undo`, {})
    expect(await expectAnew(app)).toEqual(before)
    app.pass(60_000)
    await done(app, `POST /receipts/${undoing.receiptId}/undo`, {})
    expect(await expectAnew(app)).toEqual(after)
  })

  test('a restore', async () => {
    await using app = await testApp()
    await using other = await testApp()
    const id = await stored(app, 'a.fit', hillyRun(START_MS))
    await done(app, `POST /workouts/${id}/cut`, { fromElapsedS: 300, toElapsedS: 900 })
    await restored(other, await exported(app))
    expect(missingGround(other.deps.db)).toBe(0)
    expect(await expectAnew(other)).toEqual(grounds(app))
  })
})

test('rebuilding compares ground and writes what differs', async () => {
  await using app = await testApp()
  await stored(app, 'a.fit', fitRun())
  const before = grounds(app)
  const { client } = { client: app.deps.db.$client }
  expect((await rebuild(app.deps)).rows).toBe(0)
  client.run('UPDATE ground_square SET entered_s = entered_s + 1')
  expect((await rebuild(app.deps)).rows).toBe(3)
  expect(grounds(app)).toEqual(before)
  client.run('DELETE FROM ground')
  expect((await rebuild(app.deps)).rows).toBe(3)
  expect(grounds(app)).toEqual(before)
})

test('a run that is deleted or cropped while its ground is computed leaves no row of before', async () => {
  await using app = await testApp()
  const [deleted, cropped] = [
    await stored(app, 'a.fit', fitRun()),
    await stored(app, 'b.fit', hillyRun(START_MS - DAY_MS)),
  ]
  app.deps.db.$client.run('DELETE FROM ground')
  const { analyzer } = app.deps
  const happen = [
    () => done(app, `DELETE /workouts/${deleted}`),
    () => done(app, `POST /workouts/${cropped}/crop`, { removeFromStartSeconds: 300 }),
  ]
  const derive: typeof analyzer.derive = async (job) => {
    const derived = await analyzer.derive(job)
    if (job.what === 'ground') await happen.shift()?.()
    return derived
  }
  const heard: string[] = []
  app.deps.events.subscribe(({ event }) => void heard.push(event))
  await fillGround({ ...app.deps, analyzer: { ...analyzer, derive } }, NEVER)
  expect(heard).toContain('ground.updated')
  expect(grounds(app).map(({ id }) => id)).toEqual([cropped])
  await expectAnew(app)
})

test('ground of an older version is computed again, and a run that cannot be read has no squares', async () => {
  await using app = await testApp()
  const id = await stored(app, 'a.fit', fitRun())
  const { $client: client } = app.deps.db
  client.run('UPDATE ground SET ground_version = 0, start_lat = 1')
  expect(missingGround(app.deps.db)).toBe(1)
  await fillGround(app.deps, NEVER)
  expect(grounds(app)).toMatchObject([{ id, start_lat: 47 }])
  client.run('UPDATE ground SET ground_version = 0')
  client.run("UPDATE samples SET track = x'00'")
  await fillGround(app.deps, NEVER)
  expect(grounds(app)).toMatchObject([{ id, start_lat: null, squares: [] }])
  expect(missingGround(app.deps.db)).toBe(0)
  expect(app.logged.filter((line) => line.startsWith('error'))).toHaveLength(1)
})
