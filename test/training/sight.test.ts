import { describe, expect, test } from 'bun:test'
import { thresholdMps, vdotOf } from '../../src/engine/training/vdot.ts'
import { testApp } from '../app.ts'
import { fitFile } from '../fixtures/fit.ts'
import { pairs } from '../fixtures/pairs.ts'
import { fourRuns, raced, steady } from './days-ago.ts'

const DAY_MS = 86_400_000

describe('predictions', () => {
  test('asked distances, one that is far, and too many', async () => {
    await using app = await testApp()
    await fourRuns(app)
    await raced(app, 10, { seconds: 1300, speedMps: 4, hr: 175 })
    await app.call('PUT', '/settings/training', { json: { entries: [{ maxHeartRateBpm: 195 }] } })
    const { predictions } = await app.ok('GET', '/training/predictions?distanceM=3000&distanceM=80000')
    expect(predictions.map(({ distanceM }: { distanceM: number }) => distanceM)).toEqual([3000, 80_000])
    expect(predictions[1].time).toMatchObject({ confidence: 'low', reasons: ['extrapolated'] })
    const many = Array.from({ length: 11 }, () => 'distanceM=5000').join('&')
    expect((await app.call('GET', `/training/predictions?${many}`)).status).toBe(400)
  })

  test('without a race it is less sure; a run that is excluded is not evidence; no critical speed is served', async () => {
    await using app = await testApp()
    await fourRuns(app)
    const { vdot } = await app.ok('GET', '/training/today')
    expect(vdot).toMatchObject({ confidence: 'low', reasons: expect.arrayContaining(['noRace']), n: 4 })
    expect(vdot.missing).toBe('One race or hard 5K would halve the range')
    // what rests on the same runs is as sure for one question as for the other
    const { predictions, exponent } = await app.ok('GET', '/training/predictions')
    const known = predictions.filter(({ time }: { time: { value: number | null } }) => time.value !== null)
    expect(known.length).toBeGreaterThan(0)
    for (const { time } of known) expect(time).toMatchObject({ confidence: 'low', reasons: vdot.reasons })
    expect([exponent.value, (await app.ok('GET', '/training/zones')).vdot.confidence]).toEqual([null, 'low'])
    const { criticalSpeed, dPrimeM, paceS, points } = await app.ok('GET', '/training/critical-speed')
    expect([criticalSpeed, dPrimeM]).toMatchObject(Array(2).fill({ value: null, reasons: ['tooFewEfforts'] }))
    expect([paceS, points]).toEqual([null, []])
    const [{ id }] = (await app.ok('GET', '/workouts')).items
    await app.call('PATCH', `/workouts/${id}`, { json: { excludeFromEstimates: true } })
    expect((await app.ok('GET', '/training/today')).vdot).toMatchObject({ value: null, reasons: ['tooFewRuns'] })
  })
})

test('where altitude is of no use a downhill race counts as it was run', async () => {
  const after = async (elevM: (t: number) => object) => {
    await using app = await testApp()
    await fourRuns(app)
    const samples = Array.from({ length: 1501 }, (_, t) => {
      return { t, lat: 47 + (t * 4) / 111_170, lon: 8, distanceM: t * 4, ...elevM(t) }
    })
    const bytes = fitFile({ startMs: app.clock.nowMs - 5 * DAY_MS, samples, manufacturer: 1, product: 1967 })
    const id = await app.run(bytes, 'race.fit')
    await app.call('PATCH', `/workouts/${id}`, { json: { runType: 'Race' } })
    return (await app.ok('GET', '/training/today')).vdot.value
  }
  const downhill = await after((t) => ({ elevM: 1000 - 0.06 * 4 * t }))
  expect(await after(() => ({}))).toBeGreaterThan(downhill + 2)
})

test('one number: four runs give it, a race moves it to its time, whatever its pulse; what it rests on is said', async () => {
  await using app = await testApp()
  const vo2max = async () => {
    const answer = await app.ok('GET', '/training/vo2max?weeks=4')
    expect(answer.effective).toEqual(answer.vdot)
    expect((await app.ok('GET', '/training/today')).vo2max).toEqual(answer.vdot)
    return answer
  }
  await fourRuns(app)
  const alone = await vo2max()
  expect(alone).toMatchObject({ factorRaces: [], fitness: { rows: { H: 4, P: 0, R: 0 }, fast: false } })
  expect(alone.vdot).toMatchObject({ n: 4, basis: ['heartRate'], reasons: ['noRace', 'defaultMaxHeartRate'] })
  expect(alone.weeks).toHaveLength(4)
  const race = await raced(app, 1, { seconds: 1500, speedMps: 4.2, hr: 180 })
  const { vdot, points, factor, factorRaces, fitness, weeks } = await vo2max()
  expect(factorRaces).toEqual([race])
  expect(fitness.rows).toMatchObject({ H: 4, R: 1 })
  expect(weeks.at(-1)).toMatchObject({ value: vdot.value, low: vdot.low, high: vdot.high, n: 1 })
  const point = points.find(({ workoutId }: { workoutId: string }) => workoutId === race)
  expect(point).toMatchObject({ source: 'race', used: true, reason: null, value: expect.closeTo(vdot.value, 0) })
  expect(point.weight).toBeGreaterThan(0.9)
  expect(Math.sign(factor - 1)).toBe(Math.sign(fitness.level.value - 1))
  expect(vdot.high - vdot.low).toBeLessThan(0.6 * (alone.vdot.high - alone.vdot.low))
  const { vo2max: ofRun } = await app.ok('GET', `/workouts/${race}/training`)
  expect(ofRun).toMatchObject({ value: point.value, basis: ['race'], n: 1 })
})

test('a race that was jogged is asked for, and says nothing beside another', async () => {
  await using app = await testApp()
  await fourRuns(app)
  await raced(app, 9, { seconds: 1500, speedMps: 4.2, hr: 180 })
  const { vdot: before } = await app.ok('GET', '/training/vo2max')
  const jogged = await raced(app, 3, { seconds: 2700, speedMps: 3.3, hr: 150 })
  const { vdot, points, factorRaces } = await app.ok('GET', '/training/vo2max')
  expect(factorRaces).not.toContain(jogged)
  const point = points.find(({ workoutId }: { workoutId: string }) => workoutId === jogged)
  expect(point).toMatchObject({ used: false, reason: 'notRaced', weight: 0 })
  expect(Math.abs(vdot.value / before.value - 1)).toBeLessThan(0.01)
  const { efforts } = await app.ok('GET', '/training/predictions')
  expect(efforts.find(({ workoutId }: { workoutId: string }) => workoutId === jogged)).toMatchObject({
    ...{ used: false, reason: 'notRaced' },
  })
  const training = () => app.ok('GET', `/workouts/${jogged}/training`)
  expect(await training()).toMatchObject({ vo2max: { reasons: ['notRaced'] }, wasRaced: false })
  expect(await app.ok('PATCH', `/workouts/${jogged}`, { wasRaced: true })).toMatchObject({ wasRaced: true })
  // an answer is no new evidence
  expect(await training()).toMatchObject({ vo2max: { reasons: ['notRaced'] }, wasRaced: true })
  expect((await app.ok('GET', '/training/vo2max')).vdot).toEqual(vdot)
})

test('that a slow race was raced is undone like an edit', async () => {
  await using app = await testApp()
  const id = await raced(app, 3, { seconds: 2700, speedMps: 3.3, hr: 150 })
  app.clock.nowMs += DAY_MS
  await app.ok('PATCH', `/workouts/${id}`, { wasRaced: true })
  const [receipt] = (await app.ok('GET', '/receipts')).items
  expect(receipt.title).toBe('Edited race')
  await app.ok('POST', `/receipts/${receipt.id}/undo`)
  expect(await app.ok('GET', `/workouts/${id}/training`)).toMatchObject({ wasRaced: false })
  await app.ok('PATCH', `/workouts/${id}`, { wasRaced: true })
  expect(await app.ok('PATCH', `/workouts/${id}`, { wasRaced: false })).toMatchObject({ wasRaced: false })
})

describe('endurance and intensity', () => {
  test('decoupling, pace at one pulse and the time in bands', async () => {
    await using app = await testApp()
    const startMs = app.clock.nowMs - DAY_MS
    const samples = Array.from({ length: 4201 }, (_, t) => {
      const speedMps = t < 600 ? 3 : t < 2400 ? 3.3 : 3.2
      const distanceM = Math.min(t, 600) * 3 + Math.max(0, Math.min(t, 2400) - 600) * 3.3 + Math.max(0, t - 2400) * 3.2
      return { t, distanceM, speedMps, hr: t < 600 ? 120 : t < 2400 ? 140 : 148 }
    })
    const id = await app.run(fitFile({ startMs, samples }), 'long.fit')
    const { runs, referenceHeartRateBpm, trend } = await app.ok('GET', '/training/efficiency')
    expect([referenceHeartRateBpm, trend]).toEqual([143, null])
    const numbers = { decouplingPct: 8.3, decouplingReason: null, ef: 1.354, durability: null }
    expect(runs[0]).toMatchObject({ workoutId: id, ...numbers })
    expect(runs[0].paceAtReferenceS).toBeCloseTo(1000 / 3.25, 0)
    const { bounds, weeks, last4Weeks } = await app.ok('GET', '/training/intensity?weeks=2')
    expect(bounds).toEqual({ lowBelowBpm: 152, highFromBpm: 171 })
    expect(weeks).toHaveLength(2)
    expect(weeks[1]).toMatchObject({ lowS: 4201, moderateS: 0, highS: 0, unknownS: 0, sessions: { low: 1, high: 0 } })
    expect(last4Weeks).toEqual({ lowShare: 1, eightyTwenty: 100, polarizationIndex: null, kind: null })
  })
})

test('the load of a pulse that counts steps spans that of the pace, and says so', async () => {
  await using app = await testApp()
  await app.call('PUT', '/settings/training', { json: { entries: [{ maxHeartRateBpm: 190, thresholdPaceS: 270 }] } })
  const samples = Array.from({ length: 2401 }, (_, t) => {
    return { t, distanceM: 3 * t, speedMps: 3, cadence: 85, hr: t < 1200 ? 140 : 170 }
  })
  const id = await app.run(fitFile({ startMs: app.clock.nowMs - DAY_MS, samples }), 'lock.fit')
  const { load, loads, source } = await app.ok('GET', `/workouts/${id}/training`)
  expect(source).toBe('heartRate')
  expect(loads.pace).toBeLessThan(loads.heartRate)
  expect(load).toMatchObject({ value: loads.heartRate, low: loads.pace, high: loads.heartRate, confidence: 'low' })
  expect(load).toMatchObject({ missing: 'Use pace', reasons: expect.arrayContaining(['suspectHeartRate']) })
})

describe('proposals', () => {
  test('a peak that the pulse leapt to, or after an easy minute, is not evidence', async () => {
    await using app = await testApp()
    await app.call('PUT', '/settings/training', { json: { entries: [{ maxHeartRateBpm: 180, thresholdPaceS: 250 }] } })
    const proposed = async (day: number, speedMps: number, hrAt: (t: number) => number) => {
      for (const ago of [day, day + 1, day + 2]) {
        const samples = Array.from({ length: 901 }, (_, t) => ({ t, distanceM: speedMps * t, speedMps, hr: hrAt(t) }))
        await app.run(fitFile({ startMs: app.clock.nowMs - ago * DAY_MS, samples }), `${ago}.fit`)
      }
      const list = await app.ok('GET', '/training/proposals')
      return list.find(({ kind }: { kind: string }) => kind === 'maxHeartRate')?.proposed ?? null
    }
    expect(await proposed(2, 4, (t) => (t >= 600 && t < 620 ? 200 : 160))).toBeNull()
    expect(await proposed(10, 3.5, () => 195)).toBeNull()
    expect(await proposed(20, 3.6, (t) => Math.min(192, 150 + t / 10))).toBe(192)
  })

  test('one that is turned down is silent until the evidence is another; one that is accepted holds from the day asked for', async () => {
    await using app = await testApp()
    await app.call('PUT', '/settings/training', { json: { entries: [{ maxHeartRateBpm: 180 }] } })
    await fourRuns(app)
    for (const [day, hr] of pairs('20,192 15,190 10,189')) await steady(app, day, { seconds: 900, speedMps: 4, hr })
    const list = await app.ok('GET', '/training/proposals')
    const [max] = list.filter(({ kind }: { kind: string }) => kind === 'maxHeartRate')
    const numbers = { current: 180, proposed: 192, unit: 'bpm', confidence: 'medium' }
    expect(max).toMatchObject({ id: 'maxHeartRate-192', ...numbers })
    expect(max.evidence.map(({ value }: { value: number }) => value)).toEqual([192, 190, 189])
    expect((await app.ok('GET', '/training/today')).proposals).toBe(list.length)
    const reply = (id: string, json: object) => app.call('POST', `/training/proposals/${id}`, { json })
    const refused = await reply(max.id, { accept: false })
    expect([refused.status, refused.json]).toEqual([200, null])
    expect(JSON.stringify(await app.ok('GET', '/training/proposals'))).not.toContain('maxHeartRate')
    // two beats more are another thing
    await steady(app, 5, { seconds: 900, speedMps: 4, hr: 195 })
    const accepted = await reply('maxHeartRate-195', { accept: true, from: '2025-11-01' })
    expect(accepted.json).toMatchObject({ from: '2025-11-01', maxHeartRateBpm: 195, lthrBpm: null })
    const { entries, effective } = await app.ok('GET', '/settings/training')
    expect(entries).toHaveLength(2)
    expect(effective.maxHeartRateBpm).toEqual({ value: 195, source: 'runner' })
  })

  test('the limit comes of a hard half hour, and zones of the limit', async () => {
    await using app = await testApp()
    await app.call('PUT', '/settings/training', { json: { entries: [{ maxHeartRateBpm: 190, lthrBpm: 160 }] } })
    await fourRuns(app)
    const proposed = async () => {
      const list: { kind: string; proposed: number }[] = await app.ok('GET', '/training/proposals')
      return list.find(({ kind }) => kind === 'lthr')
    }
    // easy runs are no tests, whatever their pulse
    expect(await proposed()).toBeUndefined()
    const races = [await raced(app, 10, { seconds: 2700, speedMps: 4, hr: 176 })]
    // one test is a day's whim while runs scatter
    expect(await proposed()).toBeUndefined()
    races.push(await raced(app, 14, { seconds: 2700, speedMps: 4, hr: 176 }))
    // both ran 10 km at 4 m/s, which is a little faster than what could be held for an hour
    const vT = thresholdMps(vdotOf(10_000, 2500))
    const bpm = Math.round(60 + 116 * (vT / 4) ** (1 / 0.9))
    expect(bpm).toBeWithin(170, 176)
    expect(await proposed()).toMatchObject({ id: `lthr-${bpm}`, current: 160, proposed: bpm, confidence: 'high' })
    await app.call('POST', `/training/proposals/lthr-${bpm}`, { json: { accept: true } })
    expect(await proposed()).toBeUndefined()
    const [zones] = await app.ok('GET', '/training/proposals')
    expect(zones).toMatchObject({ kind: 'zones', evidence: [] })
    expect(zones.proposed[4]).toBe(bpm)
    // a jog that was called a race asks for no lower one
    for (const id of races) await app.call('PATCH', `/workouts/${id}`, { json: { excludeFromEstimates: true } })
    await steady(app, 4, { seconds: 3600, speedMps: 3.2, hr: 145 })
    expect(await proposed()).toBeUndefined()
  })
})

describe('goals and the calendar', () => {
  test('a goal is set, followed, changed and removed', async () => {
    await using app = await testApp()
    await steady(app, 1, { seconds: 1000, speedMps: 3, hr: 140 })
    const set = async (json: object) => await app.call('POST', '/training/goals', { json })
    const { status, json: goal } = await set({ metric: 'distanceM', period: 'month', target: 3000, name: ' November ' })
    expect(status).toBe(201)
    expect(goal).toMatchObject({ name: 'November', from: null, activeTo: null })
    const [held] = await app.ok('GET', '/training/goals')
    expect(held).toMatchObject({
      id: goal.id,
      progress: { done: 3000, status: 'reached', from: '2025-11-01', to: '2025-11-30' },
    })
    expect((await app.ok('GET', '/training/today')).goals).toEqual([held])
    const changed = await app.call('PATCH', `/training/goals/${goal.id}`, { json: { target: 9000 } })
    expect(changed.json).toMatchObject({ target: 9000, name: 'November' })
    expect((await app.ok('GET', '/training/goals'))[0].progress).toMatchObject({ status: 'behind', remainingDays: 11 })
    for (const wrong of [
      { metric: 'runs', period: 'dates', target: 1 },
      { metric: 'runs', period: 'dates', target: 1, from: '2025-12-01', to: '2025-11-01' },
    ]) {
      expect((await set(wrong)).status, JSON.stringify(wrong)).toBe(400)
    }
    expect((await app.call('DELETE', `/training/goals/${goal.id}`)).status).toBe(204)
    expect((await app.call('DELETE', `/training/goals/${goal.id}`)).status).toBe(404)
    expect(await app.ok('GET', '/training/goals')).toEqual([])
  })

  test('days with runs, their levels and streaks', async () => {
    await using app = await testApp()
    for (const [day, seconds] of pairs('0,600 1,1200 2,900')) {
      await steady(app, day, { seconds, speedMps: 3, hr: 140 })
    }
    const { days, bounds, streaks, consistency, metric } = await app.ok('GET', '/training/calendar')
    expect(metric).toBe('distanceM')
    expect(days.map(({ date, level }: { date: string; level: number }) => [date, level])).toEqual([
      ['2025-11-18', 1],
      ['2025-11-19', 3],
      ['2025-11-20', 1],
    ])
    expect(bounds).toEqual([2250, 2700, 3150])
    const weeks = { currentWeeks: 1, minRunsPerWeek: 3, currentFullWeeks: 1 }
    expect(streaks).toMatchObject({ currentDays: 3, longestDays: 3, ...weeks })
    expect(consistency).toMatchObject({ weeksWithRun: 1, longestGapDays: 0 })
  })
})
