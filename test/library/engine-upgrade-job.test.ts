// The job beside a runner who continues using the service, and broken rows.

import { expect, test } from 'bun:test'
import { ENGINE_VERSION } from '../../src/engine/analyze.ts'
import { upgradeWorkouts } from '../../src/library/engine-upgrade.ts'
import { type TestApp, testApp } from '../app.ts'
import { gpxRun, START_MS } from '../fixtures/runs.ts'
import { watched } from '../fixtures/worker.ts'
import { rowsOf, setRows } from './as-stored.ts'
import { falsify, NEVER } from './falsified.ts'
import { done, stored as imported } from './ledger.ts'

const DAY_MS = 86_400_000

const versions = ({ deps }: TestApp) =>
  rowsOf(deps, 'workout', 'engine_version').map(({ engine_version }) => engine_version)
const errors = ({ logged }: TestApp) => logged.filter((line) => line.startsWith('error'))

/** Runs of a day each; everything derived of them is wrong. */
async function falsifiedRuns(app: TestApp, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let day = 0; day < count; day += 1) {
    ids.push(await imported(app, 'a.gpx', gpxRun({ seconds: 1200, startMs: START_MS - day * DAY_MS })))
  }
  for (const id of ids) falsify(app.deps, id)
  return ids
}

/** Something happens after the nth workout was computed whole and before it is written. */
function meanwhile(app: TestApp, nth: number, happen: () => unknown): { asked: number } {
  const seen = { asked: 0 }
  const after = async (job: string) => {
    if (job === 'everything' && ++seen.asked === nth) await happen()
  }
  Object.assign(app.deps, { worker: watched(app.deps.worker, { after }) })
  return seen
}

test('a crop, a deletion and an edit meanwhile win', async () => {
  await using app = await testApp()
  const [cropped, deleted, edited] = await falsifiedRuns(app, 3)
  const things = [
    () => done(app, `POST /workouts/${cropped}/crop`, { removeFromEndSeconds: 600 }),
    () => done(app, `DELETE /workouts/${deleted}`),
    () => done(app, `PATCH /workouts/${edited}`, { name: 'Mine' }),
  ]
  const { worker } = app.deps
  let step = 0
  // of the upgrade alone: the cut is computed there, too
  const after = (job: string) => (job === 'everything' ? things[step++]?.() : undefined)
  await upgradeWorkouts({ ...app.deps, worker: watched(worker, { after }) }, NEVER)
  // what was cropped is computed once more
  expect(step).toBe(4)
  expect(versions(app)).toEqual([ENGINE_VERSION, ENGINE_VERSION])
  expect(await done(app, `GET /workouts/${cropped}`)).toMatchObject({ durationS: 600, splitsCount: 2 })
  expect(await done(app, `GET /workouts/${edited}`)).toMatchObject({ durationS: 1200, name: 'Mine', splitsCount: 4 })
  expect(errors(app)).toEqual([])
})

const zones = [60, 70, 80, 90, 100].map((minBpm) => ({ minBpm, maxBpm: minBpm + 10 }))
const stored = { calculationMethod: 'Custom', zones }
/** What is computed how often, and gives which splits and effort: 20 min of 140 bpm are in zone 3, or in 5. */
const changes: readonly [string, (id: string) => string, object | undefined, number, [number, number, number]][] = [
  ['another length of splits', (id) => `POST /workouts/${id}/recalculate-splits`, undefined, 2, [1609.344, 3, 60]],
  [
    'zones that score all workouts again',
    () => 'POST /settings/heart-rate-zones/update-with-recalc',
    { ...stored, recalculateExisting: true },
    2,
    [1000, 4, 100],
  ],
  ['zones alone, beside which its own stay', () => 'PUT /settings/heart-rate-zones', stored, 1, [1000, 4, 60]],
  ['zones alone, of one whose own are not known,', () => 'PUT /settings/heart-rate-zones', stored, 2, [1000, 4, 100]],
]
test.each(changes)('meanwhile: %s', async (name, path, body, asked, expected) => {
  await using app = await testApp()
  const [id] = await falsifiedRuns(app, 1)
  if (name.includes('not known'))
    app.deps.db.$client.run("UPDATE document SET asked = json_set(asked, '$.zones', NULL)")
  await done(app, 'PUT /settings/unit-preference', { unitPreference: 'imperial' })
  const seen = meanwhile(app, 1, () => done(app, path(id!), body))
  await upgradeWorkouts(app.deps, NEVER)
  const { splits: cut, relativeEffort } = await done(app, `GET /workouts/${id}`)
  expect([seen.asked, cut[0].distanceM, cut.length, relativeEffort]).toEqual([asked, ...expected])
})

test('a workout that cannot be read is logged once, keeps its numbers, and does not affect the others', async () => {
  await using app = await testApp()
  const [broken, rowless, fine] = await falsifiedRuns(app, 3)
  setRows(app.deps, 'samples', { track: Buffer.from('no samples') }, { recording_id: broken! })
  setRows(app.deps, 'recording', { totals: 'no JSON' }, { id: rowless! })
  await upgradeWorkouts(app.deps, NEVER)
  expect(errors(app)).toHaveLength(2)
  for (const id of [broken, rowless]) expect(errors(app).filter((line) => line.includes(id!))).toHaveLength(1)
  const durations = rowsOf(app.deps, 'workout').map(({ id, duration_s }) => [id, duration_s])
  expect(Object.fromEntries(durations)).toEqual({ [broken!]: 1207, [rowless!]: 1207, [fine!]: 1200 })
  const before = app.logged.length
  await upgradeWorkouts(app.deps, NEVER)
  expect(app.logged).toHaveLength(before)
})
