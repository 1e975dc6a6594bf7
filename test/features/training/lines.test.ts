// Lines of docs/training.md that need the whole of it, each in full.
import { expect, test } from 'bun:test'
import { heldShare, speedAtShare, timeOfVdot } from '../../../src/engine/training/vdot.ts'
import { testApp } from '../../app.ts'
import { pairs } from '../../fixtures/pairs.ts'
import { writesOf } from '../../library/as-stored.ts'
import { each, rowWith } from '../../rows.ts'
import { fourRuns, profileOf, proposed, raced, steady } from './days-ago.ts'

test('the splits of one race are one witness; two races give an exponent when one is twice as long', async () => {
  await using app = await testApp()
  await fourRuns(app)
  const half = await raced(app, 10, { seconds: 5400, speedMps: 4, hr: 170 })
  const alone = await app.ok('GET', '/training/predictions')
  expect(each(alone.efforts, 'workoutId').filter((id) => id === half)).toHaveLength(1)
  expect(alone.efforts[0]).toMatchObject({ workoutId: half, used: true, reason: null })
  expect(alone.exponent).toMatchObject({ value: null, reasons: ['spanTooShort'] })
  await raced(app, 4, { seconds: 1150, speedMps: 4.4, hr: 185 })
  const both = await app.ok('GET', '/training/predictions')
  expect(both.exponent.value).toBeGreaterThan(1)
  const [before, after] = [alone.predictions[0].time, both.predictions[0].time]
  expect(after.high - after.low).toBeLessThan(before.high - before.low)
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
  await profileOf(app, { thresholdPaceS: 300 })
  const proposal = await proposed(app, 'thresholdPace')
  expect(proposal).toMatchObject({ current: 300, unit: 's/km', confidence: vdot.confidence })
  expect(proposal.proposed).toBe(Math.round(effective.thresholdPaceS.value))
  expect(proposal.evidence).toMatchObject([{ workoutId: race, date: '2025-11-10' }])
  expect((await app.ok('GET', '/training/zones')).vdot).toEqual(vdot)
})

test('no proposal of any kind writes anything until it is accepted, and an outdated one is unknown', async () => {
  await using app = await testApp()
  await profileOf(app, { maxHeartRateBpm: 180, lthrBpm: 160, thresholdPaceS: 330 })
  for (const [day, hr] of pairs('20,191 15,190')) await steady(app, day, { seconds: 900, speedMps: 4, hr })
  await fourRuns(app)
  for (const day of [10, 13]) await raced(app, day, { seconds: 2700, speedMps: 4, hr: 176 })
  const list = await app.ok('GET', '/training/proposals')
  expect(each(list, 'kind')).toEqual(['maxHeartRate', 'lthr', 'thresholdPace', 'zones'])
  const settings = await app.ok('GET', '/settings/training')
  const written = writesOf(app.deps)
  const reply = (id: string, json: object) => app.call('POST', `/training/proposals/${id}`, { json })
  for (let i = 0; i < 3; i += 1) expect(await app.ok('GET', '/training/proposals')).toEqual(list)
  for (const kind of ['maxHeartRate', 'lthr', 'thresholdPace'])
    for (const accept of [true, false]) expect((await reply(`${kind}-1`, { accept })).status).toBe(404)
  // zones are sent by their own route
  const accepted = await reply(rowWith(list, 'kind', 'zones').id, { accept: true })
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

test('another maximum changes the loads of all runs with heart rate by what its proposal says', async () => {
  await using app = await testApp()
  await profileOf(app, { maxHeartRateBpm: 180, lthrBpm: 160, thresholdPaceS: 330 })
  for (const day of [20, 15]) await steady(app, day, { seconds: 900, speedMps: 4, hr: 191 })
  await fourRuns(app)
  await raced(app, 10, { seconds: 2700, speedMps: 4, hr: 176 })
  const [{ id }] = (await app.ok('GET', '/workouts?sortOrder=asc')).items
  const load = async (): Promise<number> => (await app.ok('GET', `/workouts/${id}/training`)).load.value
  const proposal = await proposed(app, 'maxHeartRate')
  const before = await load()
  await app.ok('POST', `/training/proposals/${proposal.id}`, { accept: true, from: '2025-10-01' })
  const factor = (await load()) / before
  expect(Math.abs(proposal.loadsPct - 100 * (factor - 1))).toBeLessThan(1)
  // with its own LTHR, a higher maximum makes the exponential flatter
  expect(factor).toBeGreaterThan(1)
})
