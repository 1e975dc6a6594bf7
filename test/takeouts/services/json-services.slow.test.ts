import { describe, expect, test } from 'bun:test'
import { testApp } from '../../app.ts'
import { healthFile, healthRun } from '../../fixtures/health.ts'
import { goldenCheetahFile, nikeActivity } from '../../fixtures/json-services.ts'
import { knownRuns } from '../../fixtures/service-runs.ts'
import { zipUpload } from '../../fixtures/strava-zip.ts'
import { expectCutsRefused } from '../../formats/cuts.ts'
import { expectExport, PATH } from './expect-export.ts'

const [RUN] = knownRuns(1) as [ReturnType<typeof knownRuns>[number]]

describe('GoldenCheetah', () => {
  test('a folder with 400 runs is imported and undone', async () => {
    const runs = knownRuns(400)
    const file = zipUpload({
      ...Object.fromEntries(runs.map((run) => [`me/activities/${run.number}.json`, goldenCheetahFile(run)])),
      'me/activities/ride.json': goldenCheetahFile(RUN, { sport: 'Bike' }),
      'me/activities/nothing.json': goldenCheetahFile(RUN, { TAGS: {} }),
      'me/activities/broken.json': goldenCheetahFile(RUN).slice(0, 3000),
      'me/cache/rideDB.json': '{"VERSION":"1"}',
    })
    const errors = ['me/activities/broken.json']
    await expectExport(file, { kind: 'goldencheetah', runs, skippedSports: { ride: 2 }, errors, ignored: 1 })
  }, 120_000)

  test('a run has its notes, device and cadence; several samples of a second are one', async () => {
    await using app = await testApp()
    const { json } = await app.upload(PATH, [{ name: 'a.json', bytes: goldenCheetahFile(RUN) }])
    expect(json).toMatchObject({ kind: 'goldencheetah', successful: 1 })
    const [run] = (await app.ok('GET', '/workouts')).items
    expect(await app.ok('GET', `/workouts/${run.id}`)).toMatchObject({
      ...{ notes: 'Run 0', device: 'Polar CS600', durationS: 60, avgCadenceRpm: 85, source: 'json_import' },
    })
    expectCutsRefused(goldenCheetahFile(RUN))
    const half = Array.from({ length: 121 }, (_, k) => ({ SECS: k / 2, KM: (k * 2) / 1000, HR: 140 }))
    await app.run(goldenCheetahFile(knownRuns(2)[1]!, { SAMPLES: half }), 'b.json')
    const [first, second] = (await app.ok('GET', '/workouts')).items
    expect([first.durationS, second.durationS, second.distanceM]).toEqual([60, 60, 240])
  })
})

describe('Nike Run Club', () => {
  test('an export with 400 runs, half of them without a route, is imported and undone', async () => {
    const runs = knownRuns(400)
    const files = runs.map((run) => [
      `nike/${run.number}.json`,
      JSON.stringify(nikeActivity(run, { hasRoute: run.number % 2 === 0 })),
    ])
    const file = zipUpload({
      ...Object.fromEntries(files),
      'nike/walk.json': JSON.stringify(nikeActivity(RUN, { type: 'walk' })),
      'nike/broken.json': JSON.stringify(nikeActivity(RUN)).slice(0, 3000),
    })
    await expectExport(file, { kind: 'nike', runs, skippedSports: { walk: 1 }, errors: ['nike/broken.json'] })
  }, 120_000)

  test('a run keeps its name, and the pause that its active time is shorter by', async () => {
    await using app = await testApp()
    const bytes = JSON.stringify(nikeActivity(RUN, { active_duration_ms: 50_000 }))
    expect((await app.upload(PATH, [{ name: 'a.json', bytes }])).json).toMatchObject({ kind: 'nike', successful: 1 })
    const [run] = (await app.ok('GET', '/workouts')).items
    expect(run).toMatchObject({ name: 'Run 0', durationS: 60, timerTimeS: 50, hasRoute: true, distanceM: 150 })
    expectCutsRefused(bytes)
  })

  test('a list of activities gives runs from totals', async () => {
    await using app = await testApp()
    const activities = [
      ...knownRuns(3).map((run) => nikeActivity(run, { hasMetrics: false })),
      nikeActivity(RUN, { type: 'walk', hasMetrics: false }),
    ]
    const file = { name: 'activities.json', bytes: JSON.stringify({ activities, paging: {} }) }
    expect((await app.upload(PATH, [file])).json).toMatchObject({
      ...{ kind: 'nike', successful: 3, skippedOther: 1, skippedSports: { walk: 1 } },
    })
    const { items } = await app.ok('GET', '/workouts')
    expect(items.map(({ distanceM, durationS }: Record<string, number>) => [distanceM, durationS])).toEqual([
      [150, 60],
      [156, 60],
      [162, 60],
    ])
    expect((await app.upload(PATH, [file])).json).toMatchObject({ successful: 0, skipped: 3 })
  })
})

describe('Health Auto Export', () => {
  test('a ZIP with 400 runs in two files is imported and undone', async () => {
    const runs = knownRuns(400)
    const workout = ({ number, startMs, seconds, speedMps, hr }: (typeof runs)[number]) => {
      const { heartRateData } = healthRun({ startMs, seconds }) as { heartRateData: Record<string, unknown>[] }
      const rates = heartRateData.map((row) => ({ ...row, Min: hr, Avg: hr, Max: hr }))
      return healthRun({ id: `run-${number}`, startMs, seconds, speedMps, more: { heartRateData: rates } })
    }
    const other = healthRun({ name: 'Yoga' })
    const file = zipUpload({
      'HealthAutoExport-1.json': healthFile([...runs.slice(0, 200).map(workout), other]),
      'HealthAutoExport-2.json': healthFile(runs.slice(200).map(workout)),
      'broken.json': healthFile([workout(RUN)]).subarray(0, 3000),
      'readme.txt': 'Hello',
    })
    const truth = { runs, skippedSports: { yoga: 1 }, errors: ['broken.json'], ignored: 1 }
    await expectExport(file, { kind: 'health_auto_export', ...truth })
  }, 120_000)
})
