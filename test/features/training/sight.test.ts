import { expect, test } from 'bun:test'
import { thresholdMps, vdotOf } from '../../../src/engine/training/vdot.ts'
import { testApp } from '../../app.ts'
import { fitFile } from '../../fixtures/fit.ts'
import { pairs } from '../../fixtures/pairs.ts'
import { each, rowWith } from '../../rows.ts'
import { fourRuns, profileOf, proposed, raced, steady } from './days-ago.ts'

const DAY_MS = 86_400_000

test('without a race it is less sure; a run that is excluded is not evidence; no critical speed is served', async () => {
  await using app = await testApp()
  await fourRuns(app)
  const { vdot } = await app.ok('GET', '/training/today')
  expect(vdot).toMatchObject({ confidence: 'low', reasons: expect.arrayContaining(['noRace']), n: 4 })
  expect(vdot.missing).toBe('One race or hard 5K would halve the range')
  // what rests on the same runs is as sure for one question as for the other
  const { predictions, exponent } = await app.ok('GET', '/training/predictions')
  const known = each(predictions, 'time').filter(({ value }) => value !== null)
  expect(known.length).toBeGreaterThan(0)
  for (const time of known) expect(time).toMatchObject({ confidence: 'low', reasons: vdot.reasons })
  expect(exponent.value).toBeNull()
  const none = { value: null, reasons: ['tooFewEfforts'] }
  const nothing = { criticalSpeed: none, dPrimeM: none, paceS: null, points: [] }
  expect(await app.ok('GET', '/training/critical-speed')).toMatchObject(nothing)
  const [{ id }] = (await app.ok('GET', '/workouts')).items
  await app.ok('PATCH', `/workouts/${id}`, { excludeFromEstimates: true })
  expect((await app.ok('GET', '/training/today')).vdot).toMatchObject({ value: null, reasons: ['tooFewRuns'] })
})

test('one number: four runs give it, a race moves it to its time, whatever its pulse; what it rests on is said', async () => {
  await using app = await testApp()
  const vo2max = async () => {
    const answer = await app.ok('GET', '/training/vo2max?weeks=4')
    expect([answer.effective, (await app.ok('GET', '/training/today')).vo2max]).toEqual([answer.vdot, answer.vdot])
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
  const point = rowWith(points, 'workoutId', race)
  expect(point).toMatchObject({ source: 'race', used: true, reason: null, value: expect.closeTo(vdot.value, 0) })
  expect(point.weight).toBeGreaterThan(0.9)
  expect(Math.sign(factor - 1)).toBe(Math.sign(fitness.level.value - 1))
  expect(vdot.high - vdot.low).toBeLessThan(0.6 * (alone.vdot.high - alone.vdot.low))
  const ofRun = { value: point.value, basis: ['race'], n: 1 }
  expect((await app.ok('GET', `/workouts/${race}/training`)).vo2max).toMatchObject(ofRun)
})

test('a race that was jogged counts, says what training suggests, and is left out by the runner alone', async () => {
  await using app = await testApp()
  await fourRuns(app)
  await raced(app, 9, { seconds: 1500, speedMps: 4.2, hr: 180 })
  const { vdot: before } = await app.ok('GET', '/training/vo2max')
  const jogged = await raced(app, 3, { seconds: 4200, speedMps: 3.3, hr: 150 })
  const { vdot, points, factorRaces } = await app.ok('GET', '/training/vo2max')
  expect(factorRaces).toContain(jogged)
  expect(rowWith(points, 'workoutId', jogged)).toMatchObject({ used: true, reason: null })
  expect(vdot.value).toBeLessThan(before.value)
  const { efforts } = await app.ok('GET', '/training/predictions')
  const effort = rowWith(efforts, 'workoutId', jogged)
  expect(effort).toMatchObject({ used: true, reason: null, isRace: true })
  expect(effort.suggestedTimeMs).toBeGreaterThan(0.8 * effort.timeMs)
  expect(effort.suggestedTimeMs).toBeLessThan(0.97 * effort.timeMs)
  expect(efforts.filter((one: { suggestedTimeMs: number | null }) => one.suggestedTimeMs !== null)).toHaveLength(1)
  const training = () => app.ok('GET', `/workouts/${jogged}/training`)
  expect(await training()).toMatchObject({ vo2max: { reasons: ['notRaced'] }, wasRaced: false })
  app.clock.nowMs += 3_600_000
  expect(await app.ok('PATCH', `/workouts/${jogged}`, { wasRaced: true })).toMatchObject({ wasRaced: true })
  // an answer is no new evidence
  expect((await app.ok('GET', '/training/vo2max')).vdot).toEqual(vdot)
  const [receipt] = (await app.ok('GET', '/receipts')).items
  expect(receipt.title).toBe('Edited race')
  await app.ok('POST', `/receipts/${receipt.id}/undo`)
  expect((await training()).wasRaced).toBe(false)
  await app.ok('PATCH', `/workouts/${jogged}`, { excludeFromEstimates: true })
  const { vdot: without } = await app.ok('GET', '/training/vo2max')
  expect(without.value).toBeCloseTo(before.value, 1)
})

test('decoupling, pace at one pulse and the time in bands', async () => {
  await using app = await testApp()
  const samples = Array.from({ length: 4201 }, (_, t) => {
    const speedMps = t < 600 ? 3 : t < 2400 ? 3.3 : 3.2
    const distanceM = Math.min(t, 600) * 3 + Math.max(0, Math.min(t, 2400) - 600) * 3.3 + Math.max(0, t - 2400) * 3.2
    return { t, distanceM, speedMps, hr: t < 600 ? 120 : t < 2400 ? 140 : 148 }
  })
  const workoutId = await app.run(fitFile({ startMs: app.clock.nowMs - DAY_MS, samples }))
  const numbers = { decouplingPct: 8.3, decouplingReason: null, ef: 1.354, durability: null }
  expect(await app.ok('GET', '/training/efficiency')).toMatchObject({
    ...{ referenceHeartRateBpm: 143, trend: null },
    runs: [{ workoutId, ...numbers, paceAtReferenceS: expect.closeTo(1000 / 3.25, 0) }],
  })
  const { bounds, weeks, last4Weeks } = await app.ok('GET', '/training/intensity?weeks=2')
  expect(bounds).toEqual({ lowBelowBpm: 152, highFromBpm: 171 })
  const sessions = { low: 1, high: 0 }
  expect(weeks).toMatchObject([{}, { lowS: 4201, moderateS: 0, highS: 0, unknownS: 0, sessions }])
  expect(last4Weeks).toEqual({ lowShare: 1, eightyTwenty: 100, polarizationIndex: null, kind: null })
})

test('a proposal that is turned down is silent until the evidence is another; one that is accepted holds from the day asked for', async () => {
  await using app = await testApp()
  await profileOf(app, { maxHeartRateBpm: 180 })
  await fourRuns(app)
  for (const [day, hr] of pairs('20,192 15,190 10,189')) await steady(app, day, { seconds: 900, speedMps: 4, hr })
  const max = await proposed(app, 'maxHeartRate')
  const numbers = { current: 180, proposed: 192, unit: 'bpm', confidence: 'medium' }
  expect(max).toMatchObject({ id: 'maxHeartRate-192', ...numbers })
  expect(each(max.evidence, 'value')).toEqual([192, 190, 189])
  const { length } = await app.ok('GET', '/training/proposals')
  expect((await app.ok('GET', '/training/today')).proposals).toBe(length)
  expect(await app.ok('POST', `/training/proposals/${max.id}`, { accept: false })).toBeNull()
  expect(await proposed(app, 'maxHeartRate')).toBeUndefined()
  // two beats more are another thing
  await steady(app, 5, { seconds: 900, speedMps: 4, hr: 195 })
  const answer = { accept: true, from: '2025-11-01' }
  const entry = { from: '2025-11-01', maxHeartRateBpm: 195, lthrBpm: null }
  expect(await app.ok('POST', '/training/proposals/maxHeartRate-195', answer)).toMatchObject(entry)
  const { entries, effective } = await app.ok('GET', '/settings/training')
  expect([entries.length, effective.maxHeartRateBpm]).toEqual([2, { value: 195, source: 'runner' }])
})

test('the limit comes of a hard half hour, and zones of the limit', async () => {
  await using app = await testApp()
  await profileOf(app, { maxHeartRateBpm: 190, lthrBpm: 160 })
  await fourRuns(app)
  // easy runs are no tests, whatever their pulse, and one test is a day's whim while runs scatter
  expect(await proposed(app, 'lthr')).toBeUndefined()
  await raced(app, 10, { seconds: 2700, speedMps: 4, hr: 176 })
  expect(await proposed(app, 'lthr')).toBeUndefined()
  await raced(app, 14, { seconds: 2700, speedMps: 4, hr: 176 })
  // both ran 10 km at 4 m/s, which is a little faster than what could be held for an hour
  const vT = thresholdMps(vdotOf(10_000, 2500))
  const bpm = Math.round(60 + 116 * (vT / 4) ** (1 / 0.9))
  expect(bpm).toBeWithin(170, 176)
  const numbers = { current: 160, proposed: bpm, confidence: 'high' }
  expect(await proposed(app, 'lthr')).toMatchObject({ id: `lthr-${bpm}`, ...numbers })
  // a race is one by its link, too, and then its time is that over all of it
  const { items } = await app.ok('GET', '/workouts?runType=Race')
  for (const { id, startedAt } of items) {
    await app.ok('PATCH', `/workouts/${id}`, { runType: null })
    await app.ok('POST', '/races', { name: 'Test', date: startedAt.slice(0, 10), distanceM: 10_800, workoutId: id })
  }
  const whole = Math.round(60 + 116 * (thresholdMps(vdotOf(10_800, 2700)) / 4) ** (1 / 0.9))
  expect(await proposed(app, 'lthr')).toMatchObject({ confidence: 'high', proposed: whole })
  await app.ok('POST', `/training/proposals/lthr-${whole}`, { accept: true })
  expect(await proposed(app, 'lthr')).toBeUndefined()
  const [zones] = await app.ok('GET', '/training/proposals')
  expect([zones.kind, zones.evidence, zones.proposed[4]]).toEqual(['zones', [], whole])
})

test('zones that end below the maximum heart rate are proposed anew, until the runner keeps them', async () => {
  await using app = await testApp()
  await fourRuns(app)
  expect(await proposed(app, 'zones')).toBeUndefined()
  await profileOf(app, { maxHeartRateBpm: 205 })
  const zones = await proposed(app, 'zones')
  expect(zones.proposed.at(-1)).toBe(205)
  await app.ok('POST', `/training/proposals/${zones.id}`, { accept: false })
  expect(await proposed(app, 'zones')).toBeUndefined()
})

test('form of the morning is its fitness minus its fatigue, whatever was run today', async () => {
  await using app = await testApp()
  await fourRuns(app)
  const before = await app.ok('GET', '/training/today')
  await steady(app, 0, { seconds: 2400, speedMps: 3.2, hr: 150 })
  const { morning, form, load } = await app.ok('GET', '/training/today')
  expect(load).toBeGreaterThan(0)
  expect(morning).toEqual(before.morning)
  expect(Math.abs(morning.fitness - morning.fatigue - form.value)).toBeLessThan(0.11)
})

test('a goal is set, followed, changed and removed', async () => {
  await using app = await testApp()
  await steady(app, 1, { seconds: 1000, speedMps: 3, hr: 140 })
  const set = async (json: object) => await app.call('POST', '/training/goals', { json })
  const { status, json: goal } = await set({ metric: 'distanceM', period: 'month', target: 3000, name: ' November ' })
  expect([status, goal]).toMatchObject([201, { name: 'November', from: null, activeTo: null }])
  const goals = () => app.ok('GET', '/training/goals')
  const [held] = await goals()
  const progress = { done: 3000, status: 'reached', from: '2025-11-01', to: '2025-11-30' }
  expect(held).toMatchObject({ id: goal.id, progress })
  expect((await app.ok('GET', '/training/today')).goals).toEqual([held])
  const changed = await app.ok('PATCH', `/training/goals/${goal.id}`, { target: 9000 })
  expect(changed).toMatchObject({ target: 9000, name: 'November' })
  expect(await goals()).toMatchObject([{ progress: { status: 'behind', remainingDays: 11 } }])
  const dates = { metric: 'runs', period: 'dates', target: 1 }
  for (const wrong of [dates, { ...dates, from: '2025-12-01', to: '2025-11-01' }])
    expect([wrong, (await set(wrong)).status]).toEqual([wrong, 400])
  for (const gone of [204, 404]) expect((await app.call('DELETE', `/training/goals/${goal.id}`)).status).toBe(gone)
  expect(await goals()).toEqual([])
})
