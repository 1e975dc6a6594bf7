// A file of a stored run, by start, distance and duration, that has channels which the run lacks: a second recording of it.
import { expect, test } from 'bun:test'
import { comparePairs } from '../../src/library/merging/pairs.ts'
import { type TestApp, testApp } from '../app.ts'
import { watch } from '../fixtures/two-recordings.ts'

const PULSE = { name: 'pulse.fit', bytes: watch({ hasPositions: false }) }
const ROUTE = { name: 'route.fit', bytes: watch({ hr: null }) }
const BOTH = { name: 'both.fit', bytes: watch() }

async function inMode(mode: string): Promise<TestApp> {
  const app = await testApp()
  await app.ok('PUT', '/settings/second-recording', { mode })
  return app
}

const sent = async (app: TestApp, file: typeof PULSE) => (await app.upload('/workouts/import', [file])).json
const suggested = async (app: TestApp) => {
  await comparePairs(app.deps)
  return await app.ok('GET', '/workouts/merge-suggestions')
}

test('is merged at once where certain ones are, and known from then on', async () => {
  await using app = await inMode('merge')
  const { id } = await sent(app, PULSE)
  expect(await sent(app, ROUTE)).toMatchObject({ id, action: 'updated', merged: true })
  const run = await app.ok('GET', `/workouts/${id}`)
  expect(run).toMatchObject({ hasRoute: true, sources: 2, distanceM: 5454 })
  expect(run.avgHeartRateBpm).toBeGreaterThan(149)
  for (const file of [PULSE, ROUTE, BOTH]) expect(await sent(app, file)).toMatchObject({ id, action: 'skipped' })
  expect((await app.ok('GET', '/workouts')).totalCount).toBe(1)
})

test('is suggested, and known from then on', async () => {
  await using app = await inMode('suggest')
  const { id } = await sent(app, PULSE)
  const second = await sent(app, ROUTE)
  expect(second).toMatchObject({ action: 'created' })
  expect(await suggested(app)).toMatchObject([{ certainty: 'certain', distanceDifferenceM: 0 }])
  const again = { ...ROUTE, bytes: watch({ hr: null, calories: 401 }) }
  for (const file of [PULSE, ROUTE, again]) expect((await sent(app, file)).action).toBe('skipped')
  expect((await app.ok('POST', `/workouts/${id}/merge`, { otherId: second.id })).hasRoute).toBe(true)
  for (const file of [PULSE, ROUTE, BOTH]) expect(await sent(app, file)).toMatchObject({ id, action: 'skipped' })
})

test('with equal channels, or fewer, is skipped; where second recordings are kept, in any case', async () => {
  await using app = await inMode('suggest')
  const { id } = await sent(app, BOTH)
  for (const file of [PULSE, ROUTE, { ...BOTH, bytes: watch({ hr: 160 }) }]) {
    expect(await sent(app, file)).toMatchObject({ id, action: 'skipped' })
  }
  await using keeping = await inMode('keep')
  await sent(keeping, PULSE)
  expect((await sent(keeping, ROUTE)).action).toBe('skipped')
  // and so is one of a run that cannot be merged
  await using shifted = await inMode('suggest')
  await shifted.ok('POST', `/workouts/${(await sent(shifted, PULSE)).id}/shift`, { offsetSeconds: 60 })
  expect((await sent(shifted, ROUTE)).action).toBe('skipped')
})
