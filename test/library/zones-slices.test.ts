// New zones for a whole library: written in slices, and yet all or nothing.
import { expect, test } from 'bun:test'
import { takeBackUnfinished } from '../../src/library/score-change.ts'
import { type TestApp, testApp } from '../app.ts'
import { countOf, refuse, rowsOf } from './as-stored.ts'
import { addWorkout, NOW_MS } from './feature-app.ts'
import { copyOfDb } from './memory-db.ts'
import { addRecording } from './recordings.ts'

const RUNS = 2000
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
  await app.ok('PUT', '/settings/heart-rate-zones', { calculationMethod: 'AgeBased', age: 30 })
  return app.deps.db.$client.serialize()
})()
const library = () => testApp({ db: copyOfDb(LIBRARY) })

const changed = ({ deps }: TestApp) => countOf(deps, 'workout WHERE relative_effort IS NOT 7')
/** All that is decided: of documents all but their number, which grows with every score. */
const decided = ({ deps }: TestApp) => ({
  ...{ runs: rowsOf(deps, 'workout ORDER BY id'), settings: rowsOf(deps, 'settings') },
  asked: rowsOf(deps, 'document', 'id', 'essence', 'body', 'asked', 'gone'),
})

test('a failure behind the first slices takes all of them back', async () => {
  await using app = await library()
  const before = decided(app)
  refuse(app.deps, ['UPDATE', 'workout'], { when: `new.id = '${idOf(RUNS - 1)}'` })
  expect((await app.call('POST', PATH, { json: ZONES })).status).toBe(500)
  expect([decided(app), countOf(app.deps, 'effort_before')]).toEqual([before, 0])
})

test('what the end of the process cut off is undone at the next start, but for what was scored otherwise since', async () => {
  await using app = await library()
  const before = decided(app)
  // neither the zones are stored nor is anything undone
  const { $client: client } = app.deps.db
  client.run(`CREATE TRIGGER gone BEFORE UPDATE ON settings BEGIN SELECT RAISE(ABORT, 'gone'); END`)
  client.run(`CREATE TRIGGER kept BEFORE DELETE ON effort_before BEGIN SELECT RAISE(ABORT, 'gone'); END`)
  expect((await app.call('POST', PATH, { json: ZONES })).status).toBe(500)
  expect([changed(app), countOf(app.deps, 'effort_before')]).toEqual([RUNS, RUNS])
  for (const name of ['gone', 'kept']) client.run(`DROP TRIGGER ${name}`)
  await app.ok('POST', `/workouts/${idOf(3)}/recalculate-effort`)
  const scored = decided(app)
  takeBackUnfinished(app.deps.db)
  expect(countOf(app.deps, 'effort_before')).toBe(0)
  const runs = before.runs.with(3, scored.runs[3]!)
  expect(decided(app)).toEqual({ ...before, runs, asked: before.asked.with(3, scored.asked[3]!) })
})
