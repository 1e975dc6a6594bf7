// A proposal says by how much it would change loads.
import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../app.ts'
import { fourRuns, profileOf, proposed, raced, steady } from './days-ago.ts'

const DAYS = [30, 26, 22, 18, 14, 10, 6, 4]

/** Accepts the proposal of a kind. @returns what the load of a run is multiplied by, which is what was said */
async function accepted(app: TestApp, kind: string, id: string): Promise<number> {
  const loadOf = async (): Promise<number> => (await app.ok('GET', `/workouts/${id}/training`)).load.value
  const proposal = await proposed(app, kind)
  const before = await loadOf()
  await app.ok('POST', `/training/proposals/${proposal.id}`, { accept: true, from: '2025-10-01' })
  const factor = (await loadOf()) / before
  expect(Math.abs(proposal.loadsPct - 100 * (factor - 1))).toBeLessThan(1)
  return factor
}

test('a race proposes a threshold pace where none is set and no heart rate calibrates, with what loads grow by', async () => {
  await using app = await testApp()
  const ids: string[] = []
  for (const day of DAYS) ids.push(await steady(app, day, { seconds: 2400, speedMps: 3.2, hr: 0 }))
  expect(await proposed(app, 'thresholdPace')).toBeUndefined()
  await raced(app, 8, { seconds: 2700, speedMps: 3.6, hr: 0 })
  const { thresholdPaceS } = (await app.ok('GET', '/settings/training')).effective
  const numbers = { current: null, unit: 's/km', proposed: Math.round(thresholdPaceS.value) }
  expect(await proposed(app, 'thresholdPace')).toMatchObject(numbers)
  expect(Math.abs((await accepted(app, 'thresholdPace', ids.at(-1)!)) - 1)).toBeGreaterThan(0.05)
  expect(await proposed(app, 'thresholdPace')).toBeUndefined()
})

test('another maximum changes the loads of all runs with heart rate by what its proposal says', async () => {
  await using app = await testApp()
  await profileOf(app, { maxHeartRateBpm: 180, lthrBpm: 160, thresholdPaceS: 330 })
  for (const day of [20, 15]) await steady(app, day, { seconds: 900, speedMps: 4, hr: 191 })
  await fourRuns(app)
  await raced(app, 10, { seconds: 2700, speedMps: 4, hr: 176 })
  const [{ id }] = (await app.ok('GET', '/workouts?sortOrder=asc')).items
  // with its own LTHR, a higher maximum makes the exponential flatter
  expect(await accepted(app, 'maxHeartRate', id)).toBeGreaterThan(1)
})
