// Lines of docs/training.md that need the whole of it, each in full.
import { describe, expect, test } from 'bun:test'
import { changesSoFar } from '../../src/db/kept.ts'
import { trainingChoices } from '../../src/db/schema-training.ts'
import { heldShare, speedAtShare, thresholdPaceS, timeOfVdot, vdotOf } from '../../src/engine/training/vdot.ts'
import { type TestApp, testApp } from '../app.ts'
import { addWorkout } from '../fixtures/feature-app.ts'
import { gpxFile } from '../fixtures/gpx.ts'
import { pairs } from '../fixtures/pairs.ts'
import { raced, steady } from './days-ago.ts'

const DAY_MS = 86_400_000

async function put(app: TestApp, json: object): Promise<void> {
  const { status, text } = await app.call('PUT', '/settings/training', { json })
  expect(status, text).toBe(200)
}

describe('the splits of one race are one witness', () => {
  test('a 10K inside a half marathon makes no second effort, and no critical speed', async () => {
    await using app = await testApp()
    const half = await raced(app, 10, { seconds: 5400, speedMps: 4, hr: 170 })
    const alone = await app.ok('GET', '/training/predictions')
    const used = alone.efforts.filter((effort: { used: boolean }) => effort.used)
    expect(used.map(({ workoutId }: { workoutId: string }) => workoutId)).toEqual([half])
    const splits = alone.efforts.filter((effort: { used: boolean }) => !effort.used)
    expect(splits.map(({ distance }: { distance: string }) => distance)).toContain('10K')
    expect(splits.every(({ reason }: { reason: string }) => reason === 'oneRun')).toBe(true)
    expect(alone.exponent).toMatchObject({ value: null, reasons: ['spanTooShort'] })
    expect(alone.predictions[1].time.n).toBe(1)
    const refused = await app.ok('GET', '/training/critical-speed')
    expect(refused).toMatchObject({ paceS: null, criticalSpeed: { value: null, reasons: ['oneRun'] } })
    expect(refused.points.filter((point: { used: boolean }) => point.used).length).toBeGreaterThan(2)

    // a second run is a second witness of both
    await raced(app, 4, { seconds: 420, speedMps: 5.2, hr: 185 })
    const both = await app.ok('GET', '/training/predictions')
    expect(both.predictions[1].time.n).toBe(2)
    expect(both.exponent.value).toBeGreaterThan(1)
    const [before, after] = [alone.predictions[0].time, both.predictions[0].time]
    expect(after.high - after.low).toBeLessThan(before.high - before.low)
    const { criticalSpeed } = await app.ok('GET', '/training/critical-speed')
    expect(criticalSpeed.reasons).not.toContain('oneRun')
  })
})

describe('a race never lowers the effective VO2max by its heart rate', () => {
  const library = async (hr: number | null, seconds: number) => {
    await using app = await testApp()
    await put(app, { entries: [{ maxHeartRateBpm: 195 }] })
    for (const day of [4, 8, 12, 16, 20]) await steady(app, day, { seconds: 2400, speedMps: 3.2, hr: 145 })
    const before = (await app.ok('GET', '/training/vo2max')).effective.value
    if (hr === null) return { before, value: before, factor: 1, vdot: null, point: null }
    const id = await raced(app, 2, { seconds, speedMps: 4.5, hr })
    const { effective, factor, points, vdot } = await app.ok('GET', '/training/vo2max')
    const point = points.find(({ workoutId }: { workoutId: string }) => workoutId === id) ?? null
    return { before, value: effective.value, factor, vdot: vdot.value, point }
  }
  test('a short one, that corrects nothing, says the same at any pulse', async () => {
    const calm = await library(160, 600)
    const wild = await library(194, 600)
    expect(calm.value).toBeGreaterThan(40)
    expect([wild.value, wild.factor]).toEqual([calm.value, 1])
    expect(calm.point).toMatchObject({ source: 'race', value: calm.vdot, used: true })
  })
  test('one that corrects raises it by a higher pulse, and counts with its time', async () => {
    const pulses = [165, 175, 185, 193]
    const found = await Promise.all(pulses.map((hr) => library(hr, 1500)))
    expect(found[0]!.value).toBeGreaterThan(40)
    for (const [i, { value, vdot, point, factor }] of found.entries()) {
      expect(point).toMatchObject({ source: 'race', value: vdot, used: true, reason: null })
      if (i > 0) expect(value).toBeGreaterThanOrEqual(found[i - 1]!.value)
      if (i > 0) expect(factor).toBeGreaterThanOrEqual(found[i - 1]!.factor)
    }
  })
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
  await raced(app, 10, { seconds: 2600, speedMps: 4, hr: 175 })
  const easy = await steady(app, 3, { seconds: 1800, speedMps: 3, hr: 140 })
  const { vdot } = await app.ok('GET', '/training/today')
  const { predictions, efforts } = await app.ok('GET', '/training/predictions?distanceM=10000&distanceM=42195')
  const [best] = efforts
  // of the flat, where graded metres are those that were run
  const exact = vdotOf(10_000, best.timeMs / 1000)
  expect(best).toMatchObject({ distance: '10K', used: true })
  expect(vdot.value).toBeCloseTo(exact, 1)
  expect(best.vdot).toBeCloseTo(exact, 1)
  expect((await app.ok('GET', '/training/vo2max')).vdot).toEqual(vdot)
  const zones = await app.ok('GET', '/training/zones')
  expect(zones.vdot).toEqual(vdot)
  expect(predictions[0].others.vdot).toBeCloseTo(best.timeMs / 1000, 0)
  expect(predictions[1].others.vdot).toBeCloseTo(timeOfVdot(exact, 42_195), -1)
  expect(zones.targets.marathonPaceS).toBeCloseTo(predictions[1].others.vdot / 42.195, 1)
  expect(zones.targets.thresholdPaceS).toBeCloseTo(1000 / speedAtShare(exact, 0.88), 0)
  for (const [i, share] of [0.75, 0.84, 0.92, 1.03].entries()) {
    expect(zones.zones[i].toPaceS).toBe(zones.zones[i + 1].fromPaceS)
    expect(zones.zones[i].toPaceS).toBeCloseTo(1000 / speedAtShare(exact, share), 0)
  }
  const { effective } = await app.ok('GET', '/settings/training')
  expect(effective.thresholdPaceS).toMatchObject({ source: 'estimated' })
  expect(effective.thresholdPaceS.value).toBeCloseTo(thresholdPaceS(exact), 0)
  expect(1000 / effective.thresholdPaceS.value).toBeCloseTo(speedAtShare(exact, heldShare(60)), 2)
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
  expect(proposal.evidence).toEqual([
    { workoutId: best.workoutId, date: '2025-11-10', value: effective.thresholdPaceS.value },
  ])
  expect((await app.ok('GET', '/training/zones')).vdot).toEqual(vdot)
})

test('what rests on the same efforts is as sure for one question as for the other', async () => {
  await using app = await testApp()
  await steady(app, 3, { seconds: 3000, speedMps: 3.4, hr: 150 })
  await steady(app, 8, { seconds: 1500, speedMps: 3.5, hr: 155 })
  const { vdot } = await app.ok('GET', '/training/today')
  const { predictions, exponent } = await app.ok('GET', '/training/predictions')
  expect(vdot).toMatchObject({ confidence: 'low', reasons: expect.arrayContaining(['noRace']) })
  for (const { time } of predictions) expect(time).toMatchObject({ confidence: 'low', reasons: vdot.reasons })
  if (exponent.value !== null) expect(exponent.confidence).toBe('low')
  expect((await app.ok('GET', '/training/zones')).vdot.confidence).toBe('low')
})

test('no proposal of any kind writes anything until it is accepted, and an outdated one is unknown', async () => {
  await using app = await testApp()
  await put(app, { entries: [{ maxHeartRateBpm: 180, lthrBpm: 160, thresholdPaceS: 330 }] })
  for (const [day, hr] of pairs('20,191 15,190')) {
    await steady(app, day, { seconds: 900, speedMps: 4, hr })
  }
  await raced(app, 10, { seconds: 2700, speedMps: 4, hr: 176 })
  const list = await app.ok('GET', '/training/proposals')
  expect(list.map(({ kind }: { kind: string }) => kind)).toEqual(['maxHeartRate', 'lthr', 'thresholdPace', 'zones'])
  const settings = await app.ok('GET', '/settings/training')
  const written = changesSoFar(app.deps.db)
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
  expect(changesSoFar(app.deps.db)).toBe(written)
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
        const choice = { loadSource: 'manual' as const, loadManual: 40 + day / 10, excludeFromEstimates: false }
        if (day % 50 === 0)
          app.deps.db
            .insert(trainingChoices)
            .values({ workoutId: id, ...choice })
            .run()
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
