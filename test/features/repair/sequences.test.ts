// Whatever was repaired, in whatever order, and undone: the run is the one that a fresh import gives.
import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { fitFile } from '../../fixtures/fit.ts'
import { gpxFile, straightPoints } from '../../fixtures/gpx.ts'
import { seededRandom } from '../../fixtures/knots.ts'
import { hillyRun, START_MS } from '../../fixtures/runs.ts'
import { seen } from './repairing.ts'

const points = straightPoints({ n: 1201, startMs: START_MS, speedMps: 2.9, hr: 140 })
const hills = points.map((point, t) => ({ ...point, ele: 300 + 12 * Math.sin(t / 70) }))
const indoor = Array.from({ length: 1201 }, (_, t) => ({ t, distanceM: t * 3, hr: 120 + (t % 30), cadence: 85 }))
const RUNS: readonly (readonly [string, Uint8Array])[] = [
  ['hilly.fit', hillyRun(START_MS, { calories: 300, avgHr: 151, totalDistanceM: 4300 })],
  ['phone.gpx', gpxFile({ points: hills, creator: null })],
  ['treadmill.fit', fitFile({ startMs: START_MS, samples: indoor, session: { subSport: 1, totalDistanceM: 3640 } })],
]

/** Any repair that may fit; one that does not is refused and changes nothing. */
function repair(random: () => number, durationS: number, distanceM: number): [string, object] {
  const fromElapsedS = Math.floor(random() * durationS * 900) / 1000
  const toElapsedS = fromElapsedS + Math.floor(random() * 200_000) / 1000
  const stretch = { fromElapsedS, toElapsedS }
  const channels = ['position', 'heartRate', 'elevation', 'cadence', 'all']
  const channel = channels[Math.floor(random() * channels.length)]
  switch (Math.floor(random() * 6)) {
    case 0:
      return ['crop', { removeFromStartSeconds: Math.floor(random() * 60), removeFromEndSeconds: random() * 60 }]
    case 1:
      return ['cut', { ...stretch, closeGap: random() < 0.5 }]
    case 2:
      return ['mend', { ...stretch, channel, fill: random() < 0.5 ? 'gap' : 'interpolate' }]
    case 3:
      return ['distance', { distanceM: Math.round(distanceM * (0.8 + random() * 0.4) * 100) / 100 }]
    case 4:
      return ['shift', { offsetSeconds: Math.floor((random() - 0.5) * 1e6) }]
    default:
      return ['shift', { timeZone: random() < 0.5 ? 'Asia/Tokyo' : 'America/New_York' }]
  }
}

/** What holds of any run, whatever was done to it. */
async function checked(app: TestApp, id: string) {
  const run = await app.ok('GET', `/workouts/${id}?includeRaw=false`)
  const sum = (of: (split: Record<string, number>) => number) =>
    run.splits.reduce((s: number, x: never) => s + of(x), 0)
  if (run.splits.length > 0) {
    expect(sum(({ durationS }) => durationS!)).toBeLessThanOrEqual(run.durationS + 1)
    if (run.elevGainM !== null) expect(Math.abs(sum(({ elevGainM }) => elevGainM!) - run.elevGainM)).toBeLessThan(0.11)
  }
  expect(run.movingTimeS ?? 0).toBeLessThanOrEqual(run.durationS)
  const { startedAt, ...rest } = (await app.ok('POST', `/workouts/${id}/shift`, { timeZone: 'UTC', dryRun: true }))
    .before
  expect([startedAt, rest.distanceM, rest.durationS]).toEqual([run.startedAt, run.distanceM, run.durationS])
  return run
}

test.each(RUNS)('reverted, %s is what a fresh import gives', async (name, bytes) => {
  const random = seededRandom(20_251_122)
  await using app = await testApp()
  const id = await app.run(bytes, name)
  const fresh = await seen(app, id)
  for (let round = 0; round < 4; round += 1) {
    let made = 0
    for (let step = 0; step < 5; step += 1) {
      const { durationS, distanceM } = await app.ok('GET', `/workouts/${id}?includeRaw=false`)
      const [call, body] = repair(random, durationS, distanceM)
      app.clock.nowMs += 1000
      const answer = await app.call('POST', `/workouts/${id}/${call}`, { json: body })
      expect([200, 400]).toContain(answer.status)
      if (answer.status === 200) made += 1
      await checked(app, id)
      // at times what was said of the distance is undone from among the others
      if (call === 'distance' || random() > 0.3) continue
      app.clock.nowMs += 1000
      await app.call('POST', `/workouts/${id}/distance`, { json: { distanceM: null } })
      await checked(app, id)
    }
    app.clock.nowMs += 1000
    const answer = await app.call('POST', `/workouts/${id}/revert`)
    expect(answer.status).toBe(made > 0 ? answer.status : 400)
    expect(await seen(app, id)).toEqual(fresh)
  }
})
