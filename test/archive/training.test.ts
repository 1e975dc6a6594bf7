import { expect, test } from 'bun:test'
import { fillTraining } from '../../src/library/training/fill.ts'
import { testApp } from '../app.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { NEVER } from '../library/falsified.ts'
import { stored } from '../library/ledger.ts'
import { dataOf, entriesOf, exported, restored, zipOf } from './archives.ts'
import { line, verified } from './verify/verifying.ts'

const DAY_MS = 86_400_000

test('the profile, choices of loads and goals go through an archive, and with them every load', async () => {
  await using app = await testApp()
  const ids = [
    await stored(app, 'a.fit', fitRun({ seconds: 1800 })),
    await stored(app, 'b.fit', fitRun({ startMs: START_MS + DAY_MS, speedMps: 4 })),
  ]
  const entries = [{ from: null, maxHeartRateBpm: 188, lthrBpm: 170 }]
  await app.call('PUT', '/settings/training', { json: { sex: 'female', minRunsPerWeek: 4, entries } })
  await app.call('PATCH', `/workouts/${ids[0]}`, { json: { loadSource: 'manual', loadManual: 44.4 } })
  await app.call('PATCH', `/workouts/${ids[1]}`, {
    json: { loadSource: 'pace', excludeFromEstimates: true, wasRaced: true },
  })
  const json = { metric: 'runs', period: 'dates', target: 9, from: '2025-11-01', to: '2025-12-24', name: 'Advent' }
  await app.call('POST', '/training/goals', { json })
  const said = async (asked: typeof app) => {
    const answers = ['/settings/training', '/training/load', '/training/goals', '/training/proposals']
    const texts: string[] = []
    for (const path of [...answers, ...ids.map((id) => `/workouts/${id}/training`)]) {
      const { status, text } = await asked.call('GET', path)
      expect(status, text).toBe(200)
      texts.push(text)
    }
    return texts
  }
  const before = await said(app)
  const archive = await exported(app)

  await using other = await testApp()
  expect((await restored(other, archive)).status).toBe(200)
  await fillTraining(other.deps, NEVER)
  expect(await said(other)).toEqual(before)
  // the same archive once more changes nothing
  expect((await restored(other, archive)).status).toBe(200)
  expect(await said(other)).toEqual(before)
  expect([...(await entriesOf(other, await exported(other))).keys()]).toContain('data/goals.json')
})

test('a library without training data leaves no trace of it in its archive', async () => {
  await using app = await testApp()
  await stored(app, 'a.fit', fitRun())
  const entries = await entriesOf(app, await exported(app))
  expect([...entries.keys()]).not.toContain('data/goals.json')
  expect(dataOf(entries, 'data/settings.json').training).toBeUndefined()
  expect(dataOf(entries, 'data/workouts.json')[0].loadSource).toBeUndefined()
})

test('values that break a rule are left out of the restore', async () => {
  await using app = await testApp()
  const id = await stored(app, 'a.fit', fitRun())
  const entries = await entriesOf(app, await exported(app))
  const settings = dataOf(entries, 'data/settings.json')
  const training = {
    ...{ sex: 'x', fitnessDays: 15, fatigueDays: 20, minRunsPerWeek: 99, paceZoneBorders: [300, 310, 200, 190] },
    entries: [{ from: 'x', maxHeartRateBpm: 190 }, { from: '2025-01-01', maxHeartRateBpm: 500, massKg: 60 }, 5],
  }
  const [workout] = dataOf(entries, 'data/workouts.json')
  entries.set('data/settings.json', new TextEncoder().encode(JSON.stringify({ ...settings, training })))
  const choice = { loadSource: 'manual', loadManual: -5, excludeFromEstimates: 'yes' }
  entries.set('data/workouts.json', new TextEncoder().encode(JSON.stringify([{ ...workout, ...choice }])))
  const goals = [{ id, metric: 'x' }, { id, metric: 'runs', period: 'dates', target: 1 }, null]
  entries.set('data/goals.json', new TextEncoder().encode(JSON.stringify(goals)))
  await using other = await testApp()
  const { status, json, text } = await restored(other, await zipOf(entries))
  expect(status, text).toBe(200)
  expect(JSON.stringify(json.warnings)).toContain('Goals that cannot be read')
  expect((await other.call('GET', '/settings/training')).json).toMatchObject({
    ...{ sex: null, fitnessDays: 42, fatigueDays: 7, minRunsPerWeek: 3, paceZoneBorders: null },
    entries: [{ from: '2025-01-01', maxHeartRateBpm: null, massKg: 60 }],
  })
  expect((await other.call('GET', '/training/goals')).json).toEqual([])
  expect((await other.call('PATCH', `/workouts/${id}`, { json: {} })).json).toMatchObject({
    ...{ loadSource: 'auto', loadManual: null, excludeFromEstimates: false },
  })
})

test('goals are compared when an archive is verified, and changed ones are named', async () => {
  await using app = await testApp()
  app.clock.nowMs -= 1000
  await stored(app, 'a.fit', fitRun())
  for (const target of [100_000, 200_000]) {
    const json = { metric: 'distanceM', period: 'month', target, name: `${target} m` }
    expect((await app.call('POST', '/training/goals', { json })).status).toBe(201)
  }
  const archive = await exported(app)
  const good = await verified(archive)
  expect(good.differences).toEqual([])
  expect(good.kinds).toContainEqual({ kind: 'goals', ...line(2) })
  const entries = await entriesOf(app, archive)
  const [first, second] = dataOf(entries, 'data/goals.json')
  const changed = [{ ...first, from: '2025-01-01' }, second, { ...second, id: 'x' }]
  entries.set('data/goals.json', new TextEncoder().encode(JSON.stringify(changed)))
  const { differences, kinds } = await verified(await zipOf(entries))
  expect(differences).toEqual([
    `goals ${first.id}: from is "2025-01-01" in the archive, null restored`,
    expect.stringMatching(/^goals .*: not restored$/),
  ])
  expect(kinds.find(({ kind }) => kind === 'goals')).toEqual({ kind: 'goals', inArchive: 3, restored: 2, equal: 1 })
})
