import { expect, test } from 'bun:test'
import { comparePairs } from '../../../src/library/merging/pairs.ts'
import { type TestApp, testApp } from '../../app.ts'
import { fitFile } from '../../fixtures/fit.ts'
import { gpxFile, straightPoints } from '../../fixtures/gpx.ts'
import { START_MS } from '../../fixtures/runs.ts'
import { METRE, phone, watch } from '../../fixtures/two-recordings.ts'
import { refused, seen, undoable } from './repairing.ts'

const NOBODY = '0198a000-0000-7000-8000-000000000001'

/** As after the job that follows every change. */
const suggestions = async (app: TestApp) => {
  await comparePairs(app.deps)
  return await app.ok('GET', '/workouts/merge-suggestions')
}
const merge = (app: TestApp, id: string, otherId: string) => undoable(app, `POST /workouts/${id}/merge`, { otherId })
const tried = (app: TestApp, id: string, otherId: string) =>
  app.ok('POST', `/workouts/${id}/merge`, { otherId, dryRun: true })
const change = (app: TestApp, id: string, how: string, body = {}) => app.ok('POST', `/workouts/${id}/${how}`, body)
const count = async (app: TestApp) => (await app.ok('GET', '/workouts')).totalCount
const both = async (app: TestApp, ofWatch = watch(), ofPhone = phone()) =>
  [await app.run(ofWatch), await app.run(ofPhone, 'phone.gpx')] as const
const seenBoth = (app: TestApp, ids: readonly [string, string]) => Promise.all(ids.map((id) => seen(app, id)))

test('two recordings of one run are suggested, merged, separated and merged again', async () => {
  await using app = await testApp()
  const [b, a] = await both(app, watch({ hr: null }), phone({ hr: 141 }))
  await app.ok('PATCH', `/workouts/${a}`, { notes: 'of the phone', rpe: 6 })
  await app.ok('PATCH', `/workouts/${b}`, { notes: 'of the watch' })
  const pairs = await suggestions(app)
  const reason = 'Same time, distance and route'
  expect(pairs).toMatchObject([{ certainty: 'certain', clockShiftS: 0, reason }])
  expect(pairs[0].workoutIds.toSorted()).toEqual([a, b].toSorted())
  const before = await seenBoth(app, [a, b])
  const dry = await tried(app, a, b)
  expect(await seenBoth(app, [a, b])).toEqual(before)
  const { json: run, undo } = await merge(app, a, b)
  // the watch gives clock, distance and calories, the phone the pulse
  expect(run).toMatchObject({
    ...{ id: a, distanceM: 5454, durationS: 1800, calories: 400, avgHeartRateBpm: 141, avgCadenceRpm: 85, rpe: 6 },
    ...{ ...dry.after, notes: 'of the phone\n\nof the watch', sources: 2, fieldSources: dry.fieldSources },
  })
  const { recordings } = await app.ok('GET', `/workouts/${a}/sources`)
  expect(recordings).toMatchObject([
    { fileType: 'fit', isPrimary: true },
    { fileType: 'gpx', isPrimary: false },
  ])
  const [ofWatch, ofPhone] = recordings.map((one: { id: string }) => one.id)
  expect(run.fieldSources).toMatchObject({ position: ofWatch, heartRate: ofPhone, cadence: ofWatch })
  expect([await count(app), await suggestions(app)]).toEqual([1, []])
  // the same file again is known
  for (const [name, bytes] of [
    ['a.fit', watch({ hr: null })],
    ['phone.gpx', phone({ hr: 141 })],
  ] as const) {
    const { json } = await app.upload('/workouts/import', [{ name, bytes }])
    expect(json).toMatchObject({ action: 'skipped', id: a })
  }
  const merged = await seen(app, a)
  const apart = await undoable(app, `POST /workouts/${a}/unmerge`, { sourceId: null })
  expect(apart.json.workouts).toMatchObject([
    { id: a, avgHeartRateBpm: 141, avgCadenceRpm: null, rpe: 6, sources: 1 },
    { id: b },
  ])
  expect([await seen(app, b), await suggestions(app)]).toEqual([before[1]!, []])
  await apart.undo()
  expect((await seen(app, a)).detail.avgHeartRateBpm).toBe(merged.detail.avgHeartRateBpm)
  await undo()
  expect(await seenBoth(app, [a, b])).toEqual(before)
}, 20_000)

test.each(['run', 'other'] as const)(
  'the %s that was changed before keeps its changes, on its clock',
  async (which) => {
    await using app = await testApp()
    const [a, b] = await both(app, watch({ hr: null }), phone({ hr: 141 }))
    const [id, otherId] = which === 'run' ? [b, a] : [a, b]
    const plain = await merge(app, id, otherId)
    expect(plain.json).toMatchObject({ durationS: 1800, sources: 2 })
    await plain.undo()
    // the clock of the watch would count otherwise
    await change(app, b, 'crop', { removeFromStartSeconds: 80, removeFromEndSeconds: 300 })
    const before = await seenBoth(app, [a, b])
    const { json, undo } = await merge(app, id, otherId)
    expect(json).toMatchObject({ id, durationS: 1400, avgHeartRateBpm: 141, avgCadenceRpm: 85, sources: 2 })
    expect(json.startedAt).toBe(new Date(START_MS + 100_000).toISOString().replace('.000', ''))
    expect(await change(app, id, 'revert')).toMatchObject({ durationS: 1780, sources: 2 })
    await undo({ force: true })
    expect(await seenBoth(app, [a, b])).toEqual(before)
  },
)

test('separated they are new runs once the earlier ones are no longer kept', async () => {
  await using app = await testApp()
  const [a, b] = await both(app)
  const { distanceM } = await app.ok('GET', `/workouts/${b}`)
  await merge(app, a, b)
  expect((await app.call('DELETE', `/trash/${b}`)).status).toBe(204)
  const { workouts } = await change(app, a, 'unmerge')
  expect(workouts).toMatchObject([{ distanceM: 5454 }, { distanceM }])
  expect([workouts[1].id === b, await count(app)]).toEqual([false, 2])
})

test.each([0, 1] as const)('they count in statistics when run %d of them alone was left out', async (which) => {
  await using app = await testApp()
  const ids = await both(app)
  await app.ok('PATCH', `/workouts/${ids[which]}`, { leftOut: true })
  const { json, undo } = await merge(app, ...ids)
  expect(json.leftOut).toBe(false)
  await undo()
  const states = await Promise.all(ids.map(async (id) => (await app.ok('GET', `/workouts/${id}`)).leftOut))
  expect(states).toEqual([which === 0, which === 1])
})

test('a battery died: the rows of the other follow', async () => {
  await using app = await testApp()
  const ids = await both(app, watch({ seconds: 1200 }))
  expect(await suggestions(app)).toMatchObject([{ certainty: 'possible' }])
  const { json: run } = await merge(app, ...ids)
  expect(run.durationS).toBe(1800)
  expect(Math.abs(run.distanceM - (1200 * 3.03 + 600 * 3))).toBeLessThan(2)
  const splits = run.splits as { distanceM: number }[]
  expect(Math.abs(splits.reduce((all, one) => all + one.distanceM, 0) - run.distanceM)).toBeLessThan(0.02)
})

test('a clock that is an hour off is possible, never merged by itself, and merged on its clock', async () => {
  await using app = await testApp()
  await app.ok('PUT', '/settings/second-recording', { mode: 'merge' })
  const points = straightPoints({ n: 1801, startMs: START_MS + 3_600_000, speedMps: 3, hr: 133 })
  const ids = await both(app, watch({ hr: null }), gpxFile({ points, creator: null }))
  expect(await suggestions(app)).toMatchObject([{ certainty: 'possible', overlap: 0 }])
  expect((await merge(app, ...ids)).json).toMatchObject({ durationS: 1800, avgHeartRateBpm: 133 })
})

test('merged at once when the runner chose so, they are undone with their import', async () => {
  await using app = await testApp()
  await app.ok('PUT', '/settings/second-recording', { mode: 'merge' })
  const a = await app.run(watch({ hr: null }))
  const before = await seen(app, a)
  const second = await app.upload('/workouts/import', [{ name: 'phone.gpx', bytes: phone({ hr: 141 }) }])
  expect(second.json).toMatchObject({ action: 'updated', merged: true, id: a })
  expect((await seen(app, a)).detail.avgHeartRateBpm).toBe(141)
  await app.ok('POST', `/receipts/${second.json.receiptId}/undo`, {})
  expect([await seen(app, a), await count(app)]).toEqual([before, 1])
})

test('a channel may be chosen from another recording, and one that was fixed stays that of its own', async () => {
  await using app = await testApp()
  const ids = await both(app, watch({ hr: 150 }), phone({ hr: 120 }))
  const { undo } = await merge(app, ...ids)
  const path = `/workouts/${ids[0]}/field-sources`
  const heartRate = (await app.ok('GET', `/workouts/${ids[0]}/sources`)).recordings[1].id
  const run = await app.ok('PUT', path, { heartRate })
  expect(run).toMatchObject({ avgHeartRateBpm: 120, fieldSources: { heartRate } })
  expect(await refused(app, `PUT ${path}`, { heartRate: NOBODY })).toContain('is not a recording')
  await undo({ force: true })

  // a strap that slipped, for a third of the run
  const later = 9000
  const samples = Array.from({ length: 1801 }, (_, t) => ({
    ...{ t, lat: 47 + (t + later) * 3 * METRE, lon: 8, distanceM: t * 3.03 },
    ...(t < 1200 ? { hr: 150 } : {}),
  }))
  const slipped = fitFile({ startMs: START_MS + later * 1000, samples })
  const [a, b] = await both(app, slipped, phone({ startS: later + 20, hr: 120 }))
  const [{ id: own }] = (await app.ok('GET', `/workouts/${a}/sources`)).recordings
  const source = async () => (await tried(app, a, b)).fieldSources.heartRate
  expect(await source()).not.toBe(own)
  await change(app, a, 'mend', { channel: 'heartRate', fromElapsedS: 60, toElapsedS: 90, fill: 'interpolate' })
  expect(await source()).toBe(own)
})

test('a dismissed pair is not suggested again', async () => {
  await using app = await testApp()
  const [, b] = await both(app)
  const [{ id }] = await suggestions(app)
  const dismiss = async () => (await app.call('POST', `/workouts/merge-suggestions/${id}/dismiss`)).status
  expect(await dismiss()).toBe(204)
  await change(app, b, 'shift', { offsetSeconds: 2 })
  expect([await suggestions(app), await dismiss()]).toEqual([[], 404])
})

test('a crop cuts away what the longer one recorded after it, until it is reverted', async () => {
  await using app = await testApp()
  // its battery died
  const ids = await both(app, watch({ seconds: 900 }), phone({ startS: 0, seconds: 1800 }))
  expect(await tried(app, ...ids)).toMatchObject({ cutAwayS: null })
  await change(app, ids[0], 'crop', { removeFromStartSeconds: 60 })
  const before = await seenBoth(app, ids)
  const dry = await tried(app, ...ids)
  expect(dry).toMatchObject({ cutAwayS: 900, after: { durationS: 840 } })
  const { json, undo } = await merge(app, ...ids)
  expect(json).toMatchObject({ durationS: 840, distanceM: dry.after.distanceM, sources: 2 })
  expect(await change(app, ids[0], 'revert')).toMatchObject({ durationS: 1800, sources: 2 })
  await undo({ force: true })
  expect(await seenBoth(app, ids)).toEqual(before)
})

test('a set distance stays when the rows of the longer one follow, unless the samples were scaled to it', async () => {
  await using app = await testApp()
  const ids = await both(app, watch({ seconds: 900 }), phone({ startS: 0, seconds: 1800 }))
  await change(app, ids[0], 'distance', { distanceM: 3700 })
  app.clock.nowMs += 1000
  const after = { distanceM: 3700, durationS: 1800 }
  expect(await tried(app, ...ids)).toMatchObject({ cutAwayS: null, after })
  expect((await merge(app, ...ids)).json).toMatchObject(after)
  const { workouts } = await change(app, ids[0], 'unmerge')
  expect(workouts).toMatchObject([{ distanceM: 3700, durationS: 900 }, { durationS: 1800 }])
  const treadmill = watch({ startS: 4000, seconds: 900, hasPositions: false })
  const [c, otherId] = await both(app, treadmill, phone({ startS: 4000, seconds: 1800 }))
  await change(app, c, 'distance', { distanceM: 2000 })
  expect(await refused(app, `POST /workouts/${c}/merge`, { otherId })).toBe(
    'The other recording continues after the one that was scaled to a set distance; revert that first',
  )
})

test('what one import merged comes apart as the dry run of its undo says', async () => {
  await using app = await testApp()
  await app.ok('PUT', '/settings/second-recording', { mode: 'merge' })
  const days = Array.from({ length: 12 }, (_, day) => day * 86_400)
  const files = [
    ...days.map((startS) => ({ name: `${startS}.fit`, bytes: watch({ startS }) })),
    ...days.map((startS) => ({ name: `${startS}.gpx`, bytes: phone({ startS: startS + 20 }) })),
  ]
  const { json } = await app.upload('/workouts/import', files)
  expect(json).toMatchObject({ successful: 12, merged: 12, errors: 0 })
  const undo = (id: string, more = {}) => app.ok('POST', `/receipts/${id}/undo`, more)
  const dry = await undo(json.receiptId, { dryRun: true })
  const { undone, kept, receiptId } = await undo(json.receiptId)
  expect([undone, kept, await count(app)]).toEqual([dry.undone, [], 0])
  expect(dry.kept).toEqual([])
  expect([(await undo(receiptId)).kept, await count(app)]).toEqual([[], 12])
}, 60_000)

test('what is not one run is refused', async () => {
  await using app = await testApp()
  const [a, c] = await both(app)
  const b = await app.run(phone({ startS: 9000 }), 'later.gpx')
  const expectRefused = async (otherId: string, reason: string) =>
    expect(await refused(app, `POST /workouts/${a}/merge`, { otherId })).toContain(reason)
  await expectRefused(a, 'itself')
  await expectRefused(b, 'can be joined')
  expect(await refused(app, `POST /workouts/${a}/unmerge`, {})).toContain('one recording')
  for (const id of [c, a]) await change(app, id, 'crop', { removeFromStartSeconds: 60 })
  await expectRefused(c, 'Both recordings were changed')
  await change(app, a, 'revert')
  await change(app, a, 'shift', { offsetSeconds: 2 })
  await expectRefused(c, 'moved in time')
})
