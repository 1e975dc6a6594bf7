import { describe, expect, test } from 'bun:test'
import { comparePairs } from '../../src/library/merging/pairs.ts'
import { purgeUndo } from '../../src/library/purge.ts'
import { type TestApp, testApp } from '../app.ts'
import { fitFile } from '../fixtures/fit.ts'
import { gpxFile, straightPoints } from '../fixtures/gpx.ts'
import { START_MS } from '../fixtures/runs.ts'
import { METRE, phone, watch } from '../fixtures/two-recordings.ts'
import { rowsOf } from '../library/as-stored.ts'
import { done, imported, refused, seen } from './repairing.ts'

const NOBODY = '0198a000-0000-7000-8000-000000000001'

/** As after the job that follows every change. */
const suggestions = async (app: TestApp) => {
  await comparePairs(app.deps)
  return await done(app, 'GET', '/workouts/merge-suggestions')
}
const merge = async (app: TestApp, id: string, otherId: string, more = {}) =>
  await app.call('POST', `/workouts/${id}/merge`, { json: { otherId, ...more } })
const count = async (app: TestApp) => (await done(app, 'GET', '/workouts')).totalCount

describe('two recordings of one run', () => {
  test('are suggested, merged, separated and merged again', async () => {
    await using app = await testApp()
    const a = await imported(app, phone({ hr: 141 }), 'phone.gpx')
    const b = await imported(app, watch({ hr: null }))
    await done(app, 'PATCH', `/workouts/${a}`, { notes: 'of the phone', rpe: 6 })
    await done(app, 'PATCH', `/workouts/${b}`, { notes: 'of the watch' })
    const [pair, ...others] = await suggestions(app)
    expect(others).toEqual([])
    expect(pair).toMatchObject({ certainty: 'certain', clockShiftS: 0, reason: 'Same time, distance and route' })
    expect(pair.workoutIds.toSorted()).toEqual([a, b].toSorted())
    const before = [await seen(app, a), await seen(app, b)]
    const dry = await merge(app, a, b, { dryRun: true })
    expect(dry.status).toBe(200)
    expect([await seen(app, a), await seen(app, b)]).toEqual(before)
    const answer = await merge(app, a, b)
    expect([answer.status, answer.json.id]).toEqual([200, a])
    const run = answer.json
    // the watch gives clock, distance and calories, the phone the pulse
    expect(run).toMatchObject({
      ...{ distanceM: 5454, durationS: 1800, calories: 400, avgHeartRateBpm: 141, avgCadenceRpm: 85, rpe: 6 },
      ...{ notes: 'of the phone\n\nof the watch', sources: 2 },
    })
    for (const [name, value] of Object.entries(dry.json.after)) expect([name, run[name]]).toEqual([name, value])
    const { recordings } = await done(app, 'GET', `/workouts/${a}/sources`)
    const [ofWatch, ofPhone] = recordings.map((one: { id: string }) => one.id)
    expect(recordings.map((one: { fileType: string; isPrimary: boolean }) => [one.fileType, one.isPrimary])).toEqual([
      ['fit', true],
      ['gpx', false],
    ])
    expect(dry.json.fieldSources).toEqual(run.fieldSources)
    expect(run.fieldSources).toMatchObject({ position: ofWatch, heartRate: ofPhone, cadence: ofWatch })
    expect(await count(app)).toBe(1)
    expect(await suggestions(app)).toEqual([])
    // the same file again is known
    for (const [file, name] of [
      [watch({ hr: null }), 'a.fit'],
      [phone({ hr: 141 }), 'phone.gpx'],
    ] as const) {
      expect(await app.upload('/workouts/import', [{ name, bytes: file }])).toMatchObject({
        json: { action: 'skipped', id: a },
      })
    }
    const merged = await seen(app, a)
    const apart = await app.call('POST', `/workouts/${a}/unmerge`, { json: { sourceId: null } })
    expect([apart.status, apart.json.workouts.map((one: { id: string }) => one.id)]).toEqual([200, [a, b]])
    expect(apart.json.workouts[0]).toMatchObject({ avgHeartRateBpm: 141, avgCadenceRpm: null, rpe: 6, sources: 1 })
    expect(await seen(app, b)).toEqual(before[1]!)
    expect(await suggestions(app)).toEqual([])
    await done(app, 'POST', `/receipts/${apart.headers.get('harrier-receipt')}/undo`, {})
    expect((await seen(app, a)).detail.avgHeartRateBpm).toBe(merged.detail.avgHeartRateBpm)
    await done(app, 'POST', `/receipts/${answer.headers.get('harrier-receipt')}/undo`, {})
    expect([await seen(app, a), await seen(app, b)]).toEqual(before)
  }, 20_000)

  test.each(['run', 'other'] as const)('of which the %s was changed keep its changes, on its clock', async (which) => {
    await using app = await testApp()
    const a = await imported(app, watch({ hr: null }))
    const b = await imported(app, phone({ hr: 141 }), 'phone.gpx')
    const [id, otherId] = which === 'run' ? [b, a] : [a, b]
    const plain = (await merge(app, id, otherId)).headers.get('harrier-receipt')
    const whole = await seen(app, id)
    await done(app, 'POST', `/receipts/${plain}/undo`, {})
    // the clock of the watch would count otherwise
    await done(app, 'POST', `/workouts/${b}/crop`, { removeFromStartSeconds: 80, removeFromEndSeconds: 300 })
    const before = [await seen(app, a), await seen(app, b)]
    const answer = await merge(app, id, otherId)
    expect(answer.json).toMatchObject({ id, durationS: 1400, avgHeartRateBpm: 141, avgCadenceRpm: 85, sources: 2 })
    expect(answer.json.startedAt).toBe(new Date(START_MS + 100_000).toISOString().replace('.000', ''))
    const { json: reverted } = await app.call('POST', `/workouts/${id}/revert`, { json: {} })
    expect(reverted).toMatchObject({ durationS: 1780, sources: 2 })
    expect(whole.detail).toMatchObject({ durationS: 1800, sources: 2 })
    const receipt = answer.headers.get('harrier-receipt')
    await done(app, 'POST', `/receipts/${receipt}/undo`, { force: true })
    expect([await seen(app, a), await seen(app, b)]).toEqual(before)
  })

  test('become new runs once the former ones are no longer kept', async () => {
    await using app = await testApp()
    const a = await imported(app, watch())
    const b = await imported(app, phone(), 'phone.gpx')
    const before = await seen(app, b)
    await merge(app, a, b)
    expect((await app.call('DELETE', `/trash/${b}`)).status).toBe(204)
    const { workouts } = await done(app, 'POST', `/workouts/${a}/unmerge`, {})
    expect(workouts.map((one: { distanceM: number }) => one.distanceM)).toEqual([5454, before.detail.distanceM])
    expect(workouts[1].id).not.toBe(b)
    expect(await count(app)).toBe(2)
  })

  test.each([0, 1] as const)('count in statistics when run %d of them alone was left out', async (which) => {
    await using app = await testApp()
    const ids = [await imported(app, watch()), await imported(app, phone(), 'phone.gpx')] as const
    await done(app, 'PATCH', `/workouts/${ids[which]}`, { leftOut: true })
    const answer = await merge(app, ...ids)
    expect(answer.json.leftOut).toBe(false)
    await done(app, 'POST', `/receipts/${answer.headers.get('harrier-receipt')}/undo`, {})
    const states = await Promise.all(ids.map(async (id) => (await done(app, 'GET', `/workouts/${id}`)).leftOut))
    expect(states).toEqual([which === 0, which === 1])
  })

  test('lose what is kept for the undo together, when it takes too much space', async () => {
    const kept = async (mostBytes: number) => {
      await using app = await testApp({ env: { UNDO_MAX_BYTES: String(mostBytes) } })
      const [a, b] = [await imported(app, watch()), await imported(app, phone(), 'phone.gpx')]
      await merge(app, a, b)
      await purgeUndo(app.deps)
      const formers = rowsOf(app.deps, 'former')
      return { formers: formers.length, bytes: formers.reduce((sum, { bytes }) => sum + Number(bytes), 0) }
    }
    const { formers, bytes } = await kept(1_000_000)
    expect(formers).toBe(2)
    expect((await kept(bytes - 1)).formers).toBe(0)
  })

  test('a dead battery: the rows of the other follow', async () => {
    await using app = await testApp()
    const a = await imported(app, watch({ seconds: 1200 }))
    const b = await imported(app, phone(), 'phone.gpx')
    expect(await suggestions(app)).toMatchObject([{ certainty: 'possible' }])
    const { json: run } = await merge(app, a, b)
    expect(run.durationS).toBe(1800)
    expect(Math.abs(run.distanceM - (1200 * 3.03 + 600 * 3))).toBeLessThan(2)
    const splits = run.splits as { distanceM: number; durationS: number }[]
    expect(Math.abs(splits.reduce((all, one) => all + one.distanceM, 0) - run.distanceM)).toBeLessThan(0.02)
  })

  test('a clock that is an hour off is possible, never merged by itself, and merged on its clock', async () => {
    await using app = await testApp()
    await done(app, 'PUT', '/settings/second-recording', { mode: 'merge' })
    const a = await imported(app, watch({ hr: null }))
    const points = straightPoints({ n: 1801, startMs: START_MS + 3_600_000, speedMps: 3, hr: 133 })
    const b = await imported(app, gpxFile({ points, creator: null }), 'phone.gpx')
    expect(await suggestions(app)).toMatchObject([{ certainty: 'possible', overlap: 0 }])
    const { json: run } = await merge(app, a, b)
    expect(run).toMatchObject({ durationS: 1800, avgHeartRateBpm: 133 })
  })

  test('are merged at once when the runner chose so, and undone with their import', async () => {
    await using app = await testApp()
    await done(app, 'PUT', '/settings/second-recording', { mode: 'merge' })
    const a = await imported(app, watch({ hr: null }))
    const before = await seen(app, a)
    const second = await app.upload('/workouts/import', [{ name: 'phone.gpx', bytes: phone({ hr: 141 }) }])
    expect(second.json).toMatchObject({ action: 'updated', merged: true, id: a })
    expect((await seen(app, a)).detail.avgHeartRateBpm).toBe(141)
    await done(app, 'POST', `/receipts/${second.json.receiptId}/undo`, {})
    expect(await seen(app, a)).toEqual(before)
    expect(await count(app)).toBe(1)
  })

  test('channels may be chosen from another recording', async () => {
    await using app = await testApp()
    const a = await imported(app, watch({ hr: 150 }))
    const b = await imported(app, phone({ hr: 120 }), 'phone.gpx')
    await merge(app, a, b)
    const { recordings } = await done(app, 'GET', `/workouts/${a}/sources`)
    const other = recordings[1].id
    const run = await done(app, 'PUT', `/workouts/${a}/field-sources`, { heartRate: other })
    expect(run).toMatchObject({ avgHeartRateBpm: 120, fieldSources: { heartRate: other } })
    expect(await refused(app, `PUT /workouts/${a}/field-sources`, { heartRate: NOBODY })).toContain(
      'is not a recording',
    )
  })

  test('a channel that was fixed stays that of its recording', async () => {
    await using app = await testApp()
    // a strap that slipped, for a third of the run
    const samples = Array.from({ length: 1801 }, (_, t) => ({
      ...{ t, lat: 47 + t * 3 * METRE, lon: 8, distanceM: t * 3.03 },
      ...(t < 1200 ? { hr: 150 } : {}),
    }))
    const a = await imported(app, fitFile({ startMs: START_MS, samples }))
    const b = await imported(app, phone({ hr: 120 }), 'phone.gpx')
    const { recordings } = await done(app, 'GET', `/workouts/${a}/sources`)
    const heartRate = async () => (await merge(app, a, b, { dryRun: true })).json.fieldSources.heartRate
    expect(await heartRate()).not.toBe(recordings[0].id)
    const stretch = { fromElapsedS: 60, toElapsedS: 90, fill: 'interpolate' }
    await done(app, 'POST', `/workouts/${a}/mend`, { channel: 'heartRate', ...stretch })
    expect(await heartRate()).toBe(recordings[0].id)
  })

  test('a dismissed pair is not suggested again', async () => {
    await using app = await testApp()
    await imported(app, watch())
    const b = await imported(app, phone(), 'phone.gpx')
    const [{ id }] = await suggestions(app)
    expect((await app.call('POST', `/workouts/merge-suggestions/${id}/dismiss`)).status).toBe(204)
    await done(app, 'POST', `/workouts/${b}/shift`, { offsetSeconds: 2 })
    expect(await suggestions(app)).toEqual([])
    expect((await app.call('POST', `/workouts/merge-suggestions/${id}/dismiss`)).status).toBe(404)
  })

  test('a crop cuts away what the longer one recorded after it, until it is reverted', async () => {
    await using app = await testApp()
    // its battery died
    const a = await imported(app, watch({ seconds: 900 }))
    const b = await imported(app, phone({ startS: 0, seconds: 1800 }), 'phone.gpx')
    expect((await merge(app, a, b, { dryRun: true })).json).toMatchObject({ cutAwayS: null })
    await done(app, 'POST', `/workouts/${a}/crop`, { removeFromStartSeconds: 60 })
    const before = [await seen(app, a), await seen(app, b)]
    const { json: dry } = await merge(app, a, b, { dryRun: true })
    expect(dry).toMatchObject({ cutAwayS: 900, after: { durationS: 840 } })
    const answer = await merge(app, a, b)
    expect(answer.json).toMatchObject({ durationS: 840, distanceM: dry.after.distanceM, sources: 2 })
    expect(await done(app, 'POST', `/workouts/${a}/revert`, {})).toMatchObject({ durationS: 1800, sources: 2 })
    await done(app, 'POST', `/receipts/${answer.headers.get('harrier-receipt')}/undo`, { force: true })
    expect([await seen(app, a), await seen(app, b)]).toEqual(before)
  })

  test('a set distance stays when the rows of the longer one follow, unless the samples were scaled to it', async () => {
    await using app = await testApp()
    const a = await imported(app, watch({ seconds: 900 }))
    const b = await imported(app, phone({ startS: 0, seconds: 1800 }), 'phone.gpx')
    await done(app, 'POST', `/workouts/${a}/distance`, { distanceM: 3700 })
    app.clock.nowMs += 1000
    const { json: dry } = await merge(app, a, b, { dryRun: true })
    expect(dry).toMatchObject({ cutAwayS: null, after: { distanceM: 3700, durationS: 1800 } })
    expect((await merge(app, a, b)).json).toMatchObject({ distanceM: 3700, durationS: 1800 })
    expect((await done(app, 'POST', `/workouts/${a}/unmerge`, {})).workouts).toMatchObject([
      { distanceM: 3700, durationS: 900 },
      { durationS: 1800 },
    ])
    const later = { startS: 4000, seconds: 900, hasPositions: false }
    const c = await imported(app, watch(later), 'treadmill.fit')
    const d = await imported(app, phone({ startS: 4000, seconds: 1800 }), 'later.gpx')
    await done(app, 'POST', `/workouts/${c}/distance`, { distanceM: 2000 })
    expect(await refused(app, `POST /workouts/${c}/merge`, { otherId: d })).toBe(
      'The other recording continues after the one that was scaled to a set distance; revert that first',
    )
  })

  test('that were merged by one import come apart as the dry run of its undo says', async () => {
    await using app = await testApp()
    await done(app, 'PUT', '/settings/second-recording', { mode: 'merge' })
    const days = Array.from({ length: 12 }, (_, day) => day * 86_400)
    const files = [
      ...days.map((startS, day) => ({ name: `${day}.fit`, bytes: watch({ startS }) })),
      ...days.map((startS, day) => ({ name: `${day}.gpx`, bytes: phone({ startS: startS + 20 }) })),
    ]
    const { json } = await app.upload('/workouts/import', files)
    expect(json).toMatchObject({ successful: 12, merged: 12, errors: 0 })
    const path = `/receipts/${json.receiptId}/undo`
    const dry = await done(app, 'POST', path, { dryRun: true })
    const { undone, kept, receiptId } = await done(app, 'POST', path, {})
    expect({ undone, kept }).toEqual({ undone: dry.undone, kept: dry.kept })
    expect({ kept, runs: await count(app) }).toEqual({ kept: [], runs: 0 })
    const redone = await done(app, 'POST', `/receipts/${receiptId}/undo`, {})
    expect([redone.kept, await count(app)]).toEqual([[], 12])
  }, 60_000)

  test('what is not one run is refused', async () => {
    await using app = await testApp()
    const a = await imported(app, watch())
    const b = await imported(app, phone({ startS: 9000 }), 'later.gpx')
    const c = await imported(app, phone(), 'phone.gpx')
    const path = `/workouts/${a}/merge`
    expect(await refused(app, `POST ${path}`, { otherId: a })).toContain('itself')
    expect(await refused(app, `POST ${path}`, { otherId: b })).toContain('can be joined')
    expect(await refused(app, `POST /workouts/${a}/unmerge`, {})).toContain('one recording')
    await done(app, 'POST', `/workouts/${c}/crop`, { removeFromStartSeconds: 60 })
    await done(app, 'POST', `/workouts/${a}/crop`, { removeFromStartSeconds: 60 })
    expect(await refused(app, `POST ${path}`, { otherId: c })).toContain('Both recordings were changed')
    await done(app, 'POST', `/workouts/${a}/revert`, {})
    await done(app, 'POST', `/workouts/${a}/shift`, { offsetSeconds: 2 })
    expect(await refused(app, `POST ${path}`, { otherId: c })).toContain('moved in time')
  })
})
