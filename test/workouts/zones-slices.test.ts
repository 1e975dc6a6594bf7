// New zones for a whole library: written in slices, and yet all or nothing.
import { expect, test } from 'bun:test'
import { eq, getTableColumns, sql } from 'drizzle-orm'
import { workouts } from '../../src/db/schema.ts'
import { settings } from '../../src/db/schema-account.ts'
import { documents } from '../../src/db/schema-documents.ts'
import { takeBackUnfinished } from '../../src/library/score-change.ts'
import { type TestApp, testApp } from '../app.ts'
import { addWorkout, NOW_MS } from '../fixtures/feature-app.ts'
import { addRecording } from '../fixtures/recordings.ts'
import { copyOfDb } from '../memory-db.ts'

const RUNS = 2000
const MOST_AT_ONCE = 250
const PATH = '/settings/heart-rate-zones/update-with-recalc'
const ZONES = { calculationMethod: 'AgeBased', age: 40, recalculateExisting: true }

const idOf = (k: number) => `0198b000-0000-7000-8000-${String(k).padStart(12, '0')}`

/** Summaries with an average heart rate and an effort of 7. */
const LIBRARY = await (async () => {
  await using app = await testApp()
  app.deps.db.transaction(() => {
    for (let k = 0; k < RUNS; k += 1) {
      addWorkout(app.deps, { id: idOf(k), startedAt: NOW_MS + k * 1000, avgHeartRateBpm: 150, relativeEffort: 7 })
      addRecording(app.deps, idOf(k), { kind: 'row', totals: { avgHeartRateBpm: 150 }, channels: [] })
    }
  })
  await app.call('PUT', '/settings/heart-rate-zones', { json: { calculationMethod: 'AgeBased', age: 30 } })
  return app.deps.db.$client.serialize()
})()
const library = () => testApp({ db: copyOfDb(LIBRARY) })

const count = ({ deps }: TestApp, from: string) =>
  deps.db.$client.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${from}`).get()!.n
const changed = (app: TestApp) => count(app, 'workout WHERE relative_effort IS NOT 7')
const left = (app: TestApp) => count(app, 'effort_before')

test('of two thousand workouts no more than 250 are written between two turns of the event loop', async () => {
  await using app = await library()
  let most = 0
  let last = 0
  let isOn = true
  const turn = () => {
    const now = changed(app)
    most = Math.max(most, now - last)
    last = now
    if (isOn) setImmediate(turn)
  }
  setImmediate(turn)
  const { json } = await app.call('POST', PATH, { json: ZONES })
  isOn = false
  await new Promise((resolve) => setImmediate(resolve))
  expect(json).toMatchObject({ recalculatedCount: RUNS, recalculatedErrorCount: 0 })
  expect(changed(app)).toBe(RUNS)
  expect(left(app)).toBe(0)
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThanOrEqual(MOST_AT_ONCE)
})

/** All of a document but its number, which grows with every score. */
const { seq: _, ...DECIDED } = getTableColumns(documents)

test('a failure behind the first slices takes all of them back', async () => {
  await using app = await library()
  const rows = () => app.deps.db.select().from(workouts).orderBy(workouts.id).all()
  const asked = () => app.deps.db.select(DECIDED).from(documents).orderBy(documents.id).all()
  const before = [rows(), asked(), app.deps.db.select().from(settings).all()]
  app.deps.db.$client.run(
    `CREATE TRIGGER broken BEFORE UPDATE OF relative_effort ON workout WHEN new.id = '${idOf(RUNS - 1)}'
     BEGIN SELECT RAISE(ABORT, 'disk'); END`,
  )
  expect((await app.call('POST', PATH, { json: ZONES })).status).toBe(500)
  expect([rows(), asked(), app.deps.db.select().from(settings).all()]).toEqual(before)
  expect(left(app)).toBe(0)
})

test('what the end of the process cut off is undone at the next start, but for what was scored otherwise since', async () => {
  await using app = await library()
  const { $client: client } = app.deps.db
  const all = () =>
    app.deps.db
      .select({ workout: workouts, ...DECIDED })
      .from(workouts)
      .innerJoin(documents, eq(documents.id, workouts.id))
      .orderBy(workouts.id)
      .all()
  const before = all()
  const isCut = new Error('the process is gone')
  // neither the zones are stored nor is anything undone
  client.run(`CREATE TRIGGER gone BEFORE UPDATE ON settings BEGIN SELECT RAISE(ABORT, '${isCut.message}'); END`)
  client.run(`CREATE TRIGGER kept BEFORE DELETE ON effort_before BEGIN SELECT RAISE(ABORT, '${isCut.message}'); END`)
  expect((await app.call('POST', PATH, { json: ZONES })).status).toBe(500)
  expect([changed(app), left(app)]).toEqual([RUNS, RUNS])
  client.run('DROP TRIGGER gone')
  client.run('DROP TRIGGER kept')
  await app.call('POST', `/workouts/${idOf(3)}/recalculate-effort`)
  const scored = all()[3]
  takeBackUnfinished(app.deps.db)
  expect(left(app)).toBe(0)
  const after = all()
  expect(after[3]).toEqual(scored!)
  expect(after.filter((_, k) => k !== 3)).toEqual(before.filter((_, k) => k !== 3))
})

test('two changes at once come one after the other: the last zones are those of every effort', async () => {
  await using app = await library()
  const answers = await Promise.all([40, 60].map((age) => app.call('POST', PATH, { json: { ...ZONES, age } })))
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const stored = (await app.call('GET', '/settings/heart-rate-zones')).json
  expect([40, 60]).toContain(stored.age)
  const asked = app.deps.db.selectDistinct({ zones: sql<string>`json_extract(asked, '$.zones')` }).from(documents).all()
  expect(asked.map(({ zones }) => JSON.parse(zones))).toEqual([
    stored.zones.map(({ minBpm, maxBpm }: never) => [minBpm, maxBpm]),
  ])
})
