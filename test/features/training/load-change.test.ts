// A proposal says by how much it would change loads.
import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { fourRuns, raced, steady } from './days-ago.ts'

const proposalOf = async (app: TestApp, kind: string) => {
  const list = (await app.ok('GET', '/training/proposals')) as { kind: string }[]
  // biome-ignore lint/suspicious/noExplicitAny: members of an answer are compared
  return list.find((one) => one.kind === kind) as any
}

const loadOf = async (app: TestApp, id: string): Promise<number> => {
  return (await app.ok('GET', `/workouts/${id}/training`)).load.value
}

test('a race proposes a threshold pace where none is set and no heart rate calibrates, with what loads grow by', async () => {
  await using app = await testApp()
  const ids: string[] = []
  for (const day of [30, 26, 22, 18, 14, 10, 6, 2]) {
    ids.push(await steady(app, day, { seconds: 2400, speedMps: 3.2, hr: 0 }))
  }
  expect(await proposalOf(app, 'thresholdPace')).toBeUndefined()
  await raced(app, 8, { seconds: 2700, speedMps: 3.6, hr: 0 })
  const proposal = await proposalOf(app, 'thresholdPace')
  const { effective } = await app.ok('GET', '/settings/training')
  expect(proposal).toMatchObject({ current: null, unit: 's/km', proposed: Math.round(effective.thresholdPaceS.value) })
  const before = await loadOf(app, ids.at(-1)!)
  await app.ok('POST', `/training/proposals/${proposal.id}`, { accept: true, from: '2025-10-01' })
  const after = await loadOf(app, ids.at(-1)!)
  expect(Math.abs(after / before - 1)).toBeGreaterThan(0.05)
  expect(Math.abs(proposal.loadsPct - 100 * (after / before - 1))).toBeLessThan(1)
  expect(await proposalOf(app, 'thresholdPace')).toBeUndefined()
})

test('loads that heart rate calibrates need no threshold pace', async () => {
  await using app = await testApp()
  for (const day of [30, 26, 22, 18, 14, 10, 6, 4]) await steady(app, day, { seconds: 2400, speedMps: 3.2, hr: 140 })
  await steady(app, 2, { seconds: 2400, speedMps: 3.2, hr: 0 })
  await raced(app, 8, { seconds: 2700, speedMps: 3.6, hr: 170 })
  expect(await proposalOf(app, 'thresholdPace')).toBeUndefined()
})

test('another maximum changes the loads of all runs with heart rate by what its proposal says', async () => {
  await using app = await testApp()
  await app.ok('PUT', '/settings/training', { entries: [{ maxHeartRateBpm: 180, lthrBpm: 160, thresholdPaceS: 330 }] })
  for (const day of [20, 15]) await steady(app, day, { seconds: 900, speedMps: 4, hr: 191 })
  await fourRuns(app)
  await raced(app, 10, { seconds: 2700, speedMps: 4, hr: 176 })
  const { id } = (await app.ok('GET', '/workouts?sortOrder=asc')).items[0]
  const proposal = await proposalOf(app, 'maxHeartRate')
  const before = await loadOf(app, id)
  await app.ok('POST', `/training/proposals/${proposal.id}`, { accept: true, from: '2025-10-01' })
  const after = await loadOf(app, id)
  // with its own LTHR, a higher maximum makes the exponential flatter
  expect(after).toBeGreaterThan(before)
  expect(Math.abs(proposal.loadsPct - 100 * (after / before - 1))).toBeLessThan(1)
})
