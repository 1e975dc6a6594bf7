import { expect, test } from 'bun:test'
import { testApp } from '../../app.ts'
import { polarExercise, polarSession } from '../../fixtures/polar.ts'
import { knownRuns } from '../../fixtures/service-runs.ts'
import { zipUpload } from '../../fixtures/strava-zip.ts'
import { expectExport, PATH } from './expect-export.ts'

test('an export of Polar Flow with 400 runs is imported, again without a change, and undone', async () => {
  const runs = knownRuns(400)
  const sessions = runs.map((run) => [
    `polar/training-session-2025-${run.number}.json`,
    polarSession([polarExercise(run)]),
  ])
  const [other] = knownRuns(1) as [(typeof runs)[number]]
  const file = zipUpload({
    ...Object.fromEntries(sessions),
    'polar/training-session-ride.json': polarSession([polarExercise(other, { sport: 'MOUNTAIN_BIKING' })]),
    'polar/training-session-swim.json': polarSession([polarExercise(other, { sport: 'SWIMMING' })]),
    'polar/training-session-broken.json': polarSession([polarExercise(other)]).slice(0, 5000),
    'polar/activity-2025-11-01.json': '{"summary":{}}',
  })
  const errors = ['polar/training-session-broken.json']
  await expectExport(file, { kind: 'polar_flow', runs, skippedSports: { ride: 1, swim: 1 }, errors, ignored: 1 })
}, 120_000)

test('a single session is imported by the call for exports, and by the one for files', async () => {
  const bytes = polarSession([polarExercise(knownRuns(1)[0]!)])
  for (const [path, kind] of [
    [PATH, 'polar_flow'],
    ['/workouts/import', undefined],
  ] as const) {
    await using app = await testApp()
    const { json, status } = await app.upload(path, [{ name: 'training-session-1.json', bytes }])
    expect(status).toBeLessThan(300)
    expect(json.kind).toBe(kind)
    const [run] = (await app.ok('GET', '/workouts')).items
    expect(run).toMatchObject({ name: 'Running', durationS: 60, source: 'json_import' })
    const { recordings } = await app.ok('GET', `/workouts/${run.id}/sources`)
    expect(recordings[0]).toMatchObject({ fileType: 'json', filename: 'training-session-1.json' })
  }
})
