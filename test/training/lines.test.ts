// Lines of docs/training.md that need the whole of it, each in full.
import { describe, expect, test } from 'bun:test'
import { heldShare, speedAtShare, timeOfVdot } from '../../src/engine/training/vdot.ts'
import { type TestApp, testApp } from '../app.ts'
import { gpxFile } from '../fixtures/gpx.ts'
import { pairs } from '../fixtures/pairs.ts'
import { addRows, writesOf } from '../library/as-stored.ts'
import { addWorkout } from '../library/feature-app.ts'
import { fourRuns, raced, steady } from './days-ago.ts'

const DAY_MS = 86_400_000

async function put(app: TestApp, json: object): Promise<void> {
  const { status, text } = await app.call('PUT', '/settings/training', { json })
  expect(status, text).toBe(200)
}

test('the splits of one race are one witness; two races give an exponent when one is twice as long', async () => {
  await using app = await testApp()
  await fourRuns(app)
  const half = await raced(app, 10, { seconds: 5400, speedMps: 4, hr: 170 })
  const alone = await app.ok('GET', '/training/predictions')
  const ofHalf = ({ workoutId }: { workoutId: string }) => workoutId === half
  expect(alone.efforts.filter(ofHalf)).toHaveLength(1)
  expect(alone.efforts[0]).toMatchObject({ workoutId: half, used: true, reason: null })
  expect(alone.exponent).toMatchObject({ value: null, reasons: ['spanTooShort'] })
  await raced(app, 4, { seconds: 1150, speedMps: 4.4, hr: 185 })
  const both = await app.ok('GET', '/training/predictions')
  expect(both.exponent.value).toBeGreaterThan(1)
  const [before, after] = [alone.predictions[0].time, both.predictions[0].time]
  expect(after.high - after.low).toBeLessThan(before.high - before.low)
})

test('twice or half as many samples change load by less than 1 % and decoupling by less than 0.3 points', async () => {
  const metresAt = (t: number) => 3.2 * t - 60 * Math.cos(t / 200) + 60
  const found = []
  for (const everyS of [0.5, 1, 2]) {
    await using app = await testApp()
    await put(app, { entries: [{ maxHeartRateBpm: 190, thresholdPaceS: 270 }] })
    const points = Array.from({ length: 3600 / everyS + 1 }, (_, i) => {
      const t = i * everyS
      const hr = Math.round(138 + t / 300 + 6 * Math.sin(t / 90))
      return { lat: 47 + metresAt(t) / 111_195, lon: 8, ele: 400, timeMs: app.clock.nowMs - DAY_MS + 1000 * t, hr }
    })
    const id = await app.run(gpxFile({ points }), 'a.gpx')
    const { loads, decouplingPct, decouplingReason } = await app.ok('GET', `/workouts/${id}/training`)
    expect(decouplingReason).toBeNull()
    found.push({ ...loads, decouplingPct })
  }
  const [twice, usual, half] = found
  expect(usual.heartRate).toBeGreaterThan(30)
  expect(usual.pace).toBeGreaterThan(30)
  expect(usual.decouplingPct).toBeGreaterThan(2)
  for (const other of [twice, half]) {
    for (const source of ['heartRate', 'pace']) {
      expect(Math.abs(other[source] / usual[source] - 1), source).toBeLessThan(0.01)
    }
    expect(Math.abs(other.decouplingPct - usual.decouplingPct)).toBeLessThan(0.3)
  }
})

test('one VDOT: card, predictions, zones, threshold pace, proposal and the zones of a run agree', async () => {
  await using app = await testApp()
  await fourRuns(app)
  const race = await raced(app, 10, { seconds: 2600, speedMps: 4, hr: 175 })
  const easy = await steady(app, 3, { seconds: 1800, speedMps: 3, hr: 140 })
  const { vdot } = await app.ok('GET', '/training/today')
  const { predictions } = await app.ok('GET', '/training/predictions?distanceM=10000&distanceM=42195')
  expect((await app.ok('GET', '/training/vo2max')).vdot).toEqual(vdot)
  const zones = await app.ok('GET', '/training/zones')
  expect(zones.vdot).toEqual(vdot)
  expect(predictions[0].others.vdot).toBeCloseTo(timeOfVdot(vdot.value, 10_000), -1)
  expect(predictions[0].time.value).toBeCloseTo(predictions[0].others.vdot, 0)
  expect(zones.targets.marathonPaceS).toBeCloseTo(predictions[1].others.vdot / 42.195, 1)
  expect(zones.targets.thresholdPaceS / (1000 / speedAtShare(vdot.value, 0.88))).toBeCloseTo(1, 2)
  for (const [i, share] of [0.75, 0.84, 0.92, 1.03].entries()) {
    expect(zones.zones[i].toPaceS).toBe(zones.zones[i + 1].fromPaceS)
    expect(zones.zones[i].toPaceS / (1000 / speedAtShare(vdot.value, share))).toBeCloseTo(1, 2)
  }
  const { effective } = await app.ok('GET', '/settings/training')
  expect(effective.thresholdPaceS).toMatchObject({ source: 'estimated' })
  expect(1000 / effective.thresholdPaceS.value).toBeCloseTo(speedAtShare(vdot.value, heldShare(60)), 1)
  // 3 m/s is in the easy zone of that VDOT, and the run says so
  const { paceZoneSeconds } = await app.ok('GET', `/workouts/${easy}/training`)
  expect(1000 / zones.zones[0].toPaceS).toBeGreaterThan(3)
  expect(paceZoneSeconds).toEqual([1800, 0, 0, 0, 0])
  // a pace that the runner set otherwise is proposed to be that of the same VDOT, in its own unit
  await put(app, { entries: [{ thresholdPaceS: 300 }] })
  const [proposal] = (await app.ok('GET', '/training/proposals')).filter(
    ({ kind }: { kind: string }) => kind === 'thresholdPace',
  )
  expect(proposal).toMatchObject({ current: 300, unit: 's/km', confidence: vdot.confidence })
  expect(proposal.proposed).toBe(Math.round(effective.thresholdPaceS.value))
  expect(proposal.evidence).toMatchObject([{ workoutId: race, date: '2025-11-10' }])
  expect((await app.ok('GET', '/training/zones')).vdot).toEqual(vdot)
})

test('no proposal of any kind writes anything until it is accepted, and an outdated one is unknown', async () => {
  await using app = await testApp()
  await put(app, { entries: [{ maxHeartRateBpm: 180, lthrBpm: 160, thresholdPaceS: 330 }] })
  for (const [day, hr] of pairs('20,191 15,190')) {
    await steady(app, day, { seconds: 900, speedMps: 4, hr })
  }
  await fourRuns(app)
  for (const day of [10, 13]) await raced(app, day, { seconds: 2700, speedMps: 4, hr: 176 })
  const list = await app.ok('GET', '/training/proposals')
  expect(list.map(({ kind }: { kind: string }) => kind)).toEqual(['maxHeartRate', 'lthr', 'thresholdPace', 'zones'])
  const settings = await app.ok('GET', '/settings/training')
  const written = writesOf(app.deps)
  const reply = (id: string, json: object) => app.call('POST', `/training/proposals/${id}`, { json })
  for (let i = 0; i < 3; i += 1) expect(await app.ok('GET', '/training/proposals')).toEqual(list)
  for (const kind of ['maxHeartRate', 'lthr', 'thresholdPace']) {
    expect((await reply(`${kind}-1`, { accept: true })).status).toBe(404)
    expect((await reply(`${kind}-1`, { accept: false })).status).toBe(404)
  }
  // zones are sent by their own route
  const [zones] = list.filter(({ kind }: { kind: string }) => kind === 'zones')
  const accepted = await reply(zones.id, { accept: true })
  expect([accepted.status, accepted.json]).toEqual([200, null])
  expect(writesOf(app.deps)).toBe(written)
  expect(await app.ok('GET', '/settings/training')).toEqual(settings)
  // accepted one after the other, each writes its own field from today on; then it holds no more
  for (const { id, kind, proposed } of list.slice(0, 3)) {
    const field = { maxHeartRate: 'maxHeartRateBpm', lthr: 'lthrBpm', thresholdPace: 'thresholdPaceS' }[kind as 'lthr']
    const { status, json } = await reply(id, { accept: true })
    expect([status, json.from, json[field]]).toEqual([200, '2025-11-20', proposed])
    expect((await reply(id, { accept: true })).status).toBe(404)
  }
  const { entries } = await app.ok('GET', '/settings/training')
  expect(entries).toHaveLength(2)
  expect(entries[0]).toEqual(settings.entries[0])
})

describe('while a recomputation runs', () => {
  const RUNS = 1500

  function filled(app: TestApp): string[] {
    const ids: string[] = []
    app.deps.db.transaction(() => {
      for (let day = 0; day < RUNS; day += 1) {
        const id = Bun.randomUUIDv7()
        const startedAt = app.clock.nowMs - day * DAY_MS
        addWorkout(app.deps, { id, startedAt, movingTimeS: 3000 + (day % 7) * 300, avgHeartRateBpm: 130 + (day % 30) })
        const choice = { load_source: 'manual', load_manual: 40 + day / 10, exclude_from_estimates: 0 }
        if (day % 50 === 0) addRows(app.deps, 'training_choice', [{ workout_id: id, ...choice }])
        ids.push(id)
      }
    })
    return ids
  }

  /** Asks without waiting for loads that are at work: time passes. */
  async function impatiently(app: TestApp, path: string) {
    const clock = setInterval(() => app.pass(60), 0)
    try {
      return await app.ok('GET', path)
    } finally {
      clearInterval(clock)
    }
  }

  test('each run has its old values or its new ones, as one, and so has each day', async () => {
    await using app = await testApp()
    const ids = filled(app)
    const shown = ids.filter((_, i) => i % 100 === 3)
    const ofRun = ({ load, loads, source, intensityPct }: Record<string, { value: number }>) =>
      JSON.stringify([load!.value, loads, source, intensityPct])
    const ofDay = ({ date, load, sources }: Record<string, unknown>) => JSON.stringify([date, load, sources])
    const all = async () => {
      const runs = await Promise.all(shown.map(async (id) => ofRun(await app.ok('GET', `/workouts/${id}/training`))))
      return { runs, days: (await app.ok('GET', '/training/load')).days.map(ofDay) as string[] }
    }
    await put(app, { entries: [{ from: null, maxHeartRateBpm: 190 }] })
    await app.ok('GET', '/training/load')
    const before = await all()
    const stated: boolean[] = []
    const meanwhile: Awaited<ReturnType<typeof all>>[] = []
    await put(app, { entries: [{ from: null, maxHeartRateBpm: 175 }] })
    for (let isDone = false; !isDone; ) {
      const { days, recomputing } = await impatiently(app, '/training/load')
      const runs: string[] = []
      for (const id of shown) {
        const run = await impatiently(app, `/workouts/${id}/training`)
        runs.push(ofRun(run))
        stated.push(run.recomputing)
      }
      meanwhile.push({ runs, days: days.map(ofDay) })
      stated.push(recomputing)
      isDone = !recomputing
    }
    const after = await all()
    expect(after.runs.filter((run, i) => run !== before.runs[i]).length).toBeGreaterThan(10)
    expect(stated).toContain(true)
    for (const { runs, days } of meanwhile) {
      for (const [i, run] of runs.entries()) expect([before.runs[i]!, after.runs[i]!]).toContain(run)
      for (const [i, day] of days.entries()) expect([before.days[i]!, after.days[i]!]).toContain(day)
    }
  }, 120_000)
})
