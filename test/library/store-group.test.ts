import { expect, test } from 'bun:test'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tx } from '../../src/db/open.ts'
import { loginFailures } from '../../src/db/schema-account.ts'
import { storeGroup } from '../../src/library/store.ts'
import { type TestApp, testApp } from '../app.ts'
import { stravaCsv } from '../fixtures/csv.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { zipUpload } from '../fixtures/strava-zip.ts'
import { refuse, rowsOf } from './as-stored.ts'

const DAY_MS = 86_400_000

const idOf = (n: number) => `0198c000-0000-7000-8000-${String(n).padStart(12, '0')}`
const rawFiles = ({ deps }: TestApp) => {
  const folder = join(deps.config.dataDir, 'files/raw')
  return existsSync(folder) ? readdirSync(folder).toSorted() : []
}
const rows = ({ deps }: TestApp) => rowsOf(deps, 'login_failure').map((row) => String(row.pair_hash))

/** What writes a row of any kind and a file, or goes wrong after both. */
function item(app: TestApp, n: number, goesWrong: (tx: Tx) => void = () => {}) {
  const path = join(app.deps.config.dataDir, 'tmp', `${n}`)
  writeFileSync(path, `${n}`)
  return {
    files: [{ id: idOf(n), original: { path }, rawData: null }],
    insert: (tx: Tx) => {
      tx.insert(loginFailures)
        .values({ pairHash: `${n}`, failedAt: 0 })
        .run()
      goesWrong(tx)
      return { isStored: true }
    },
  }
}

const fail = () => {
  throw new Error('odd')
}

test('one that fails, whose file cannot be placed, or for which SQLite gives up the whole transaction costs no other', async () => {
  const giveUp = (tx: Tx) => {
    tx.$client.run('ROLLBACK')
    fail()
  }
  const lost = (app: TestApp) => ({
    ...item(app, 2),
    files: [{ id: idOf(2), original: { path: 'is-not-there' }, rawData: null }],
  })
  for (const [bad, error] of [
    [(app: TestApp) => item(app, 2, fail), new Error('odd')],
    [lost, expect.objectContaining({ code: 'ENOENT' })],
    [(app: TestApp) => item(app, 2, giveUp), expect.any(Error)],
  ] as const) {
    await using app = await testApp()
    const outcomes = await storeGroup(app.deps, [item(app, 0), item(app, 1), bad(app), item(app, 3)])
    const value = { isStored: true }
    expect(outcomes).toEqual([{ value }, { value }, { error }, { value }] as never)
    expect([rows(app), rawFiles(app)]).toEqual([
      ['0', '1', '3'],
      [idOf(0), idOf(1), idOf(3)],
    ])
  }
})

test('a commit that fails fails for each of them, and leaves no file', async () => {
  await using app = await testApp()
  // rows that refer to nothing are found out at the commit only
  const dangle = (tx: Tx) => {
    tx.$client.run('PRAGMA defer_foreign_keys = ON')
    tx.$client.run(`INSERT INTO weather_job (workout_id, due_at, attempts, state) VALUES ('nobody', 0, 0, 'first')`)
  }
  const outcomes = await storeGroup(app.deps, [item(app, 0, dangle), item(app, 1, dangle)])
  expect(outcomes).toEqual(
    Array(2).fill({ error: expect.objectContaining({ code: expect.stringMatching(/^SQLITE_/) }) }),
  )
  expect([rows(app), rawFiles(app)]).toEqual([[], []])
})

test('of a Strava export one run that the database refuses, and duplicates in its group, concern no other', async () => {
  await using app = await testApp()
  refuse(app.deps, ['INSERT', 'workout_split'], {
    when: "(SELECT name FROM workout WHERE id = NEW.workout_id) = 'Run 7'",
  })
  const days = Array.from({ length: 20 }, (_, day) => day + 1)
  // the twelfth comes twice, and the fourteenth first without and then with its file
  const row = (day: number, more = {}) => ({
    ...{ 'Activity ID': day, 'Activity Date': `Nov ${day}, 2025, 7:00:00 AM`, 'Activity Name': `Run ${day}` },
    ...{ 'Activity Type': 'Run', Filename: `activities/${day}.fit`, ...more },
  })
  const table = days.flatMap((day) => {
    if (day === 12) return [row(day), row(day)]
    if (day !== 14) return [row(day)]
    return [row(day, { Filename: '', Distance: 1.8, 'Elapsed Time': 600, 'Moving Time': 600 }), row(day)]
  })
  const files = days.map((day) => [`activities/${day}.fit`, fitRun({ startMs: START_MS + (day - 1) * DAY_MS })])
  const zip = zipUpload({ 'activities.csv': stravaCsv(table), ...Object.fromEntries(files) })
  const { json } = await app.upload('/workouts/import/bulk', [zip])
  expect(json).toMatchObject({ totalProcessed: 22, successful: 19, skipped: 1, updated: 1, errors: 1 })
  const refused = { filename: 'activities/7.fit', error: 'The workout could not be stored' }
  expect(json.errorDetails).toEqual([{ ...refused, name: 'Run 7', startedAt: '2025-11-07T07:00:00Z' }])
  const { items } = await app.ok('GET', '/workouts?sortOrder=asc&pageSize=100')
  expect(items).toMatchObject(days.filter((day) => day !== 7).map((day) => ({ name: `Run ${day}` })))
  const known = rowsOf(app.deps, 'recording').flatMap(({ stored_as: name }) => (name === null ? [] : [String(name)]))
  expect(rawFiles(app).filter((name) => !name.endsWith('.json.zst'))).toEqual(known.toSorted())
  expect(readdirSync(join(app.deps.config.dataDir, 'tmp'))).toEqual([])
  expect((await app.ok('GET', `/workouts/${items[12].id}`)).sources).toBeGreaterThan(1)
})
