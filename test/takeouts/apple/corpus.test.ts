import { expect } from 'bun:test'
import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { testApp } from '../../app.ts'
import { corpusDir, corpusFile, corpusTest } from '../../corpus.ts'
import { zipUpload } from '../../fixtures/strava-zip.ts'

const PATH = '/workouts/import/archive'

/** The files of a sample, as the phone packs them. */
function sample(folder: string) {
  const root = `archives/apple-health/${folder}`
  const names = readdirSync(resolve(corpusDir!, root), { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => /\.(xml|gpx)$/.test(name)).map((name) => [name, corpusFile(`${root}/${name}`)])
  return zipUpload(Object.fromEntries(files))
}

corpusTest(
  'a run with heart rate is imported from the sample; a walk, a ride and a copy of Strava are not',
  async () => {
    await using app = await testApp()
    const { json } = await app.upload(PATH, [sample('brtkwr')])
    expect(json).toMatchObject({
      ...{ kind: 'apple_health', totalProcessed: 2, successful: 1, skipped: 1, errors: 0, warnings: [] },
      ...{ skippedOther: 2, skippedSports: { ride: 1, walk: 1 } },
    })
    const [{ id }] = (await app.ok('GET', '/workouts')).items
    const run = await app.ok('GET', `/workouts/${id}`)
    expect(run).toMatchObject({
      ...{ startedAt: '2024-01-15T10:00:00Z', distanceM: 5200, durationS: 1950, timerTimeS: 1950, calories: 425 },
      ...{ avgHeartRateBpm: 163, minHeartRateBpm: 125, maxHeartRateBpm: 185, utcOffsetMinutes: 0 },
    })
    expect(run.weather).toMatchObject({ source: 'apple_health', temperature: 12, humidity: 65 })
  },
)

corpusTest('a run of an older export has its distance in miles, and not the route of another day', async () => {
  await using app = await testApp()
  const { json } = await app.upload(PATH, [sample('dogsheep')])
  expect(json).toMatchObject({ successful: 1, errors: 0 })
  const { warnings } = await app.ok('GET', `/receipts/${json.receiptId}`)
  expect(warnings[0].message).toBe(
    'workout-routes/route_2019-06-11_3.00pm.gpx was recorded at another time and is not the route of this run',
  )
  const [{ id }] = (await app.ok('GET', '/workouts')).items
  const run = await app.ok('GET', `/workouts/${id}`)
  // the phone exported in summer, so that the time as written is an hour off
  expect(run).toMatchObject({ startedAt: '2016-11-14T14:25:41Z', utcOffsetMinutes: -480, device: 'Apple Watch' })
  expect(run.distanceM).toBeCloseTo(800.13, 1)
  expect(run.timerTimeS ?? run.durationS).toBe(311)
  expect(run.weather).toMatchObject({ temperature: 13.3, humidity: 96 })
  const { items } = await app.ok('GET', `/workouts/${id}/time-series`)
  expect(items).toEqual([])
})

corpusTest('samples without workouts are refused', async () => {
  await using app = await testApp()
  const zipped = { name: 'export.zip', bytes: corpusFile('archives/apple-health/alxdrcirilo/export.zip') }
  for (const file of [sample('ahcd'), zipped]) {
    expect(await app.upload(PATH, [file])).toMatchObject({
      status: 400,
      json: { error: 'The Apple Health export has no workouts, only other health data' },
    })
  }
})
