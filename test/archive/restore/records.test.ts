import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { fitRun } from '../../fixtures/runs.ts'
import { refuse } from '../../library/as-stored.ts'
import { each } from '../../rows.ts'
import { archiveOf, DATA_FORMAT, dataOf, entriesOf, exported, restored } from '../archives.ts'
import { counts, id, library, shoe, workout } from './restoring.ts'

test('a shoe that is here already keeps its runs, under its own id', async () => {
  await using app = await testApp()
  const own = (await app.ok('POST', '/shoes', { brand: 'Hoka', model: 'Mach 5' })).id
  const zip = await archiveOf({
    'data/shoes.json': [shoe(11, 'Hoka', 'Mach 5'), shoe(12, 'Hoka', 'Mach 5')],
    'data/workouts.json': [workout(1, { shoeId: id(11) }), workout(2, { shoeId: id(12) })],
    'data/settings.json': { defaultShoeId: id(11) },
  })
  expect((await restored(app, zip)).json.statistics.shoes).toEqual(counts(1, 1))
  const shoeOf = async (n: number) => (await app.ok('GET', `/workouts/${id(n)}`)).shoeId
  expect([await shoeOf(1), await shoeOf(2)]).toEqual([own, id(12)])
  expect((await app.ok('GET', '/settings/default-shoe')).defaultShoeId).toBe(own)
  expect((await restored(app, zip)).json.statistics.shoes).toEqual(counts(0, 2))
  expect(await app.ok('GET', '/shoes')).toHaveLength(2)
  // one that came with an archive takes the place of none of it
  await app.ok('DELETE', `/shoes/${own}`)
  expect((await restored(app, zip)).json.statistics.shoes).toEqual(counts(1, 1))
})

interface Effort {
  readonly distance: string
  readonly timeS: number
  readonly workoutId: string
}
const records = async (app: TestApp): Promise<Effort[]> => (await app.ok('GET', '/stats/best-efforts')).distances
const kilometre = async (app: TestApp) => (await records(app)).find(({ distance }) => distance === '1K')
const efforts = (...rows: readonly object[]) => ({
  'data/best-efforts.json': rows.map((row, n) => ({
    ...{ id: id(n + 1), distance: '1K', distanceM: 1000, calculatedAt: '2024-06-01T00:00:00Z', ...row },
  })),
})

test('a faster effort of an archive replaces a slower one, until its run goes, is cropped or computed anew', async () => {
  await using app = await testApp()
  const [first = '', second = ''] = await library(app)
  // 1 km at 3.1 m/s
  const slower = { workoutId: second, timeS: 323 }
  expect(await kilometre(app)).toMatchObject(slower)
  const rows = efforts({ timeS: 250, workoutId: first }, { timeS: 324, workoutId: second })
  const faster = await archiveOf({ ...rows, 'data/workouts.json': [workout(1)] })
  expect((await restored(app, faster)).json.statistics.bestEfforts).toEqual(counts(1, 1))
  expect(await kilometre(app)).toMatchObject({ workoutId: first, timeS: 250, timeMs: 250_000 })
  expect((await restored(app, faster)).json.statistics.bestEfforts).toEqual(counts(0, 2))
  const archived = dataOf(await entriesOf(app, await exported(app)), DATA_FORMAT.bestEfforts)
  expect(archived[2]).toMatchObject({ id: id(1), calculatedAt: '2024-06-01T00:00:00Z' })
  // that of a run without samples stays
  const ofSummary = { distance: '5K', distanceM: 5000, timeS: 1500, workoutId: id(1) }
  await restored(app, await archiveOf(efforts(ofSummary)))
  for (const [method, path, body] of [
    ['POST', `/workouts/${first}/crop`, { removeFromEndSeconds: 1 }],
    ['POST', '/stats/best-efforts/recalculate', {}],
    ['DELETE', `/workouts/${first}`, undefined],
  ] as const) {
    await app.ok(method, path, body)
    expect(await kilometre(app)).toMatchObject(slower)
    await restored(app, faster)
    if (method === 'POST') expect(await kilometre(app)).toMatchObject({ timeS: 250 })
  }
  expect((await records(app)).at(-1)).toMatchObject({ distance: '5K', timeS: 1500, workoutId: id(1) })
})

test('parts of a split run share their recording, though its id was taken and the restore was interrupted between them', async () => {
  await using app = await testApp()
  const run = await app.run(fitRun({ seconds: 1200 }))
  await app.ok('POST', `/workouts/${run}/split`, { atElapsedS: [600] })
  const zip = await exported(app)
  const parts: string[] = each((await app.ok('GET', '/workouts?sortOrder=asc')).items, 'id')
  // in the trash they keep their recording
  for (const id of parts) await app.call('DELETE', `/workouts/${id}`)
  const mend = refuse(app.deps, ['INSERT', 'workout'], { when: `NEW.id = '${parts[1]}'` })
  expect((await restored(app, zip)).json.statistics.workouts).toEqual(counts(1, 0, 1))
  mend()
  expect((await restored(app, zip)).json.statistics.workouts).toEqual(counts(1, 1))
  const recordings = async (id: string) => each((await app.ok('GET', `/workouts/${id}/sources`)).recordings, 'id')
  expect(await recordings(parts[1]!)).toEqual(await recordings(parts[0]!))
})
