// Runs by hand, their numbers, when a run was, and how far.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../app.ts'
import { stravaCsv } from '../fixtures/csv.ts'
import { fitFile } from '../fixtures/fit.ts'
import { fitRun, gpxRun, START_MS } from '../fixtures/runs.ts'
import { zipUpload } from '../fixtures/strava-zip.ts'
import { done, imported, refused, seen, tried } from './repairing.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app.close())

const RUN = { startedAt: '2025-11-01T07:00:00Z', durationS: 2700, distanceM: 8000 }

async function added(app: TestApp, body: object) {
  const answer = await app.call('POST', '/workouts', { json: body })
  expect([answer.status, answer.text]).toEqual([201, answer.text])
  expect(answer.headers.get('location')).toBe(`/workouts/${answer.json.id}`)
  return answer.json
}

describe('a run by hand', () => {
  test('is only computed by a dry run', async () => {
    const events: unknown[] = []
    app.deps.events.subscribe((event) => events.push(event))
    const body = { ...RUN, avgHeartRateBpm: 150, timeZone: 'Europe/Berlin' }
    const dry = await app.call('POST', '/workouts', { json: { ...body, dryRun: true } })
    expect([dry.status, dry.json.before]).toEqual([200, null])
    expect([dry.headers.get('harrier-receipt'), dry.headers.get('location')]).toEqual([null, null])
    expect([(await done(app, 'GET', '/workouts')).totalCount, events]).toEqual([0, []])
    expect((await done(app, 'GET', '/receipts')).totalCount).toBe(0)
    await refused(app, 'POST /workouts', { ...body, movingTimeS: 2701, dryRun: true })
    const run = await added(app, { ...body, dryRun: false })
    expect(dry.json.after).toMatchObject({ distanceM: 8000, durationS: 2700, utcOffsetMinutes: 60 })
    for (const [name, value] of Object.entries(dry.json.after)) expect([name, run[name]]).toEqual([name, value])
  })

  test('has the entered numbers, and those computed from them', async () => {
    const events: unknown[] = []
    app.deps.events.subscribe((event) => events.push(event))
    const shoe = await done(app, 'POST', '/shoes', { brand: 'Brooks', model: 'Ghost' })
    await app.call('PUT', '/settings/default-shoe', { json: { shoeId: shoe.id } })
    const run = await added(app, {
      ...{ ...RUN, movingTimeS: 2640, name: 'Treadmill', notes: 'dark', runType: 'Easy Run', rpe: 4, calories: 600 },
      ...{ avgHeartRateBpm: 150, maxHeartRateBpm: 171, avgCadenceSpm: 171, timeZone: 'Europe/Berlin', elevGainM: 40 },
    })
    expect(run).toMatchObject({
      ...{ startedAt: '2025-11-01T07:00:00Z', utcOffsetMinutes: 60, source: 'manual', device: null, hasRoute: false },
      ...{ durationS: 2700, movingTimeS: 2640, timerTimeS: null, distanceM: 8000, avgPaceS: 337.5, avgSpeedMps: 2.963 },
      ...{ avgHeartRateBpm: 150, maxHeartRateBpm: 171, minHeartRateBpm: null, calories: 600, elevGainM: 40 },
      ...{ avgCadenceSpm: 171, avgCadenceRpm: 86, name: 'Treadmill', notes: 'dark', runType: 'Easy Run', rpe: 4 },
      ...{ shoe: { brand: 'Brooks' }, splits: [], splitsCount: 0, weather: null, route: null, rawFitData: null },
    })
    // 45 min in the zone of the average
    expect([run.relativeEffort, run.hrZoneSeconds.reduce((sum: number, s: number) => sum + s)]).toEqual([
      45 * (run.hrZoneSeconds.findIndex((s: number) => s > 0) + 1),
      2700,
    ])
    expect(events).toContainEqual({ event: 'workout.created', data: { id: run.id } })
    expect((await done(app, 'GET', '/workouts')).items[0]).toMatchObject({ id: run.id, name: 'Treadmill' })
    const sources = await done(app, 'GET', `/workouts/${run.id}/sources`)
    expect(sources.recordings).toMatchObject([{ origin: 'manual', kind: 'manual', filename: null, channels: [] }])
    expect(sources.numbers.distanceM).toMatchObject({ origin: 'runner', value: 8000 })
    expect(sources.numbers.avgPaceS.origin).toBe('derived')
    expect((await done(app, 'GET', '/shoes'))[0].totalMileageM ?? 8000).toBe(8000)
  })

  test('needs only start, time and distance', async () => {
    const run = await added(app, { ...RUN, indoor: true, elevGainM: 50 })
    expect(run).toMatchObject({
      name: null,
      shoeId: null,
      utcOffsetMinutes: null,
      elevGainM: null,
      relativeEffort: null,
    })
    expect(await added(app, { ...RUN, utcOffsetMinutes: -300 })).toMatchObject({ utcOffsetMinutes: -300 })
  })

  test('goes out as a file with one lap, and comes back', async () => {
    const { id } = await added(app, { ...RUN, avgHeartRateBpm: 150, maxHeartRateBpm: 171, calories: 600 })
    for (const format of ['fit', 'tcx'] as const) {
      const file = await app.handle(
        new Request(`http://localhost/workouts/${id}/export?format=${format}`, {
          headers: { authorization: `Bearer ${app.token}` },
        }),
      )
      expect(file.status).toBe(200)
      await using other = await testApp()
      const again = await imported(other, new Uint8Array(await file.arrayBuffer()), `a.${format}`)
      const run = await done(other, 'GET', `/workouts/${again}`)
      expect(run).toMatchObject({ startedAt: RUN.startedAt, durationS: 2700, distanceM: 8000, calories: 600 })
      expect([run.avgHeartRateBpm, run.maxHeartRateBpm]).toEqual([150, 171])
      expect(await done(other, 'GET', `/workouts/${again}/laps`)).toHaveLength(1)
    }
    expect((await app.call('GET', `/workouts/${id}/export?format=gpx`)).status).toBe(400)
  })

  test('is completed by its file when that comes', async () => {
    const { id } = await added(app, {
      startedAt: '2025-11-01T07:00:00Z',
      durationS: 600,
      distanceM: 1800,
      name: 'Mine',
    })
    const { json } = await app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun() }])
    expect(json).toMatchObject({ id, action: 'updated' })
    expect(await done(app, 'GET', `/workouts/${id}`)).toMatchObject({
      name: 'Mine',
      avgHeartRateBpm: 140,
      hasRoute: true,
    })
  })
})

describe('numbers of a run without samples', () => {
  test('are those entered by the runner, and dependent numbers follow', async () => {
    const { id } = await added(app, { ...RUN, avgHeartRateBpm: 150, calories: 600, timeZone: 'Europe/Berlin' })
    const whole = await seen(app, id)
    const { after } = await tried(app, id, 'PATCH /numbers', {
      ...{ startedAt: '2025-11-01T08:00:00Z', distanceM: 9000, avgHeartRateBpm: 120, calories: null },
    })
    expect(after).toMatchObject({
      ...{ startedAt: '2025-11-01T08:00:00Z', distanceM: 9000, durationS: 2700, avgPaceS: 300, avgSpeedMps: 3.333 },
      ...{ avgHeartRateBpm: 120, calories: null, utcOffsetMinutes: 60 },
    })
    expect(after.relativeEffort).toBeLessThan(whole.detail.relativeEffort)
    app.clock.nowMs += 1000
    const again = await done(app, 'PATCH', `/workouts/${id}/numbers`, { durationS: 2500, avgHeartRateBpm: null })
    expect(again).toMatchObject({ durationS: 2500, distanceM: 9000, avgHeartRateBpm: null, relativeEffort: null })
    app.clock.nowMs += 1000
    await done(app, 'POST', `/workouts/${id}/revert`)
    expect(await seen(app, id)).toEqual(whole)
  })

  test('of a table of Strava too, which is still the same run', async () => {
    const summary = { 'Activity ID': 7, 'Activity Date': 'Nov 5, 2025, 7:00:00 AM', 'Activity Type': 'Run' }
    const row = { ...summary, 'Activity Name': 'Table', 'Elapsed Time': 1200, Distance: 3.6, 'Elevation Gain': 33 }
    const upload = () => app.upload('/workouts/import/bulk', [zipUpload({ 'activities.csv': stravaCsv([row]) })])
    expect((await upload()).json).toMatchObject({ successful: 1 })
    const { id } = (await done(app, 'GET', '/workouts')).items[0]
    const before = await seen(app, id)
    await tried(app, id, 'PATCH /numbers', { startedAt: '2025-11-05T08:00:00Z', distanceM: 4000 })
    expect((await upload()).json).toMatchObject({ successful: 0, skipped: 1 })
    app.clock.nowMs += 1000
    await done(app, 'POST', `/workouts/${id}/revert`)
    expect(await seen(app, id)).toEqual(before)
  })
})

describe('when a run was', () => {
  test('an hour later it is in another day and week, and its file is still known', async () => {
    // Sunday, 23:30 in Berlin
    const startMs = Date.UTC(2025, 10, 2, 22, 30)
    const id = await imported(app, fitRun({ startMs }))
    const before = await seen(app, id)
    expect(before.detail.utcOffsetMinutes).toBe(60)
    const days = async () =>
      (await done(app, 'GET', '/stats/daily?from=2025-10-27&to=2025-11-10&timezoneOffsetMinutes=60')).days as unknown
    const sunday = await days()
    const { after } = await tried(app, id, 'POST /shift', { offsetSeconds: 3600 })
    const { startedAt: _, ...rest } = before.detail
    expect(after).toMatchObject({ startedAt: '2025-11-02T23:30:00Z', splits: rest.splits, distanceM: rest.distanceM })
    expect(sunday).toMatchObject([{ date: '2025-11-02', runs: 1 }])
    expect(await days()).toMatchObject([{ date: '2025-11-03', runs: 1 }])
    expect((await app.upload('/workouts/import', [{ name: 'b.fit', bytes: fitRun({ startMs }) }])).json).toMatchObject({
      action: 'skipped',
      id,
    })
    expect((await done(app, 'GET', `/workouts/${id}/samples`)).distanceM).toEqual(before.samples.distanceM)
    app.clock.nowMs += 1000
    await done(app, 'POST', `/workouts/${id}/revert`)
    expect(await seen(app, id)).toEqual(before)
    expect(await days()).toEqual(sunday)
  })

  test('a start, and a time zone that is only shown', async () => {
    const id = await imported(app, gpxRun(), 'a.gpx')
    expect((await tried(app, id, 'POST /shift', { startedAt: '2025-10-31T06:00:00.500Z' })).after).toMatchObject({
      startedAt: '2025-10-31T06:00:00.500Z',
    })
    const { before, after } = await tried(app, id, 'POST /shift', { timeZone: 'America/New_York' })
    expect(after).toMatchObject({ startedAt: before.startedAt, utcOffsetMinutes: -240 })
    // what is cut off later does not bring the zone of the place back
    const cropped = await done(app, 'POST', `/workouts/${id}/crop`, { removeFromStartSeconds: 60 })
    expect(cropped).toMatchObject({ startedAt: '2025-10-31T06:01:00.500Z', utcOffsetMinutes: -240 })
  })
})

describe('how far a run was', () => {
  const treadmill = () => {
    const samples = Array.from({ length: 2401 }, (_, t) => ({
      ...{ t, distanceM: (t * 7640) / 2400, speedMps: 7640 / 2400, hr: 140 },
    }))
    return fitFile({ startMs: START_MS, samples, session: { subSport: 1, totalDistanceM: 7640, calories: 500 } })
  }

  test('the treadmill said 8 km: distance, splits, pace and efforts agree, and null gives the old numbers', async () => {
    const id = await imported(app, treadmill())
    const before = await seen(app, id)
    const { after } = await tried(app, id, 'POST /distance', { distanceM: 8000 })
    expect(after).toMatchObject({ distanceM: 8000, durationS: 2400, avgPaceS: 300, avgSpeedMps: 3.333, calories: 500 })
    expect(after.splits).toHaveLength(8)
    for (const split of after.splits) expect(Math.abs(split.paceS - 300)).toBeLessThan(0.1)
    const best = (await seen(app, id)).efforts.distances.find(({ distance }: { distance: string }) => distance === '5K')
    expect(Math.abs(best.timeMs - 1_500_000)).toBeLessThan(20)
    const sources = await done(app, 'GET', `/workouts/${id}/sources`)
    expect(sources.numbers.distanceM).toMatchObject({ origin: 'runner', value: 8000 })
    app.clock.nowMs += 1000
    expect((await tried(app, id, 'POST /distance', { distanceM: null })).after.distanceM).toBe(7640)
    expect(await seen(app, id)).toEqual(before)
    expect(await refused(app, `POST /workouts/${id}/distance`, { distanceM: null })).toMatch(/was not changed/)
  })

  test('twice, then cropped: what is left keeps the scale', async () => {
    const id = await imported(app, treadmill())
    for (const distanceM of [7800, 8000]) await done(app, 'POST', `/workouts/${id}/distance`, { distanceM })
    const cut = await done(app, 'POST', `/workouts/${id}/cut`, { fromElapsedS: 600, toElapsedS: 1200, closeGap: true })
    expect(Math.abs(cut.distanceM - 6000)).toBeLessThan(0.2)
  })

  test('with a route only the distance and its pace change', async () => {
    const id = await imported(app, fitRun())
    const before = await seen(app, id)
    const { after } = await tried(app, id, 'POST /distance', { distanceM: 2000 })
    expect(after).toMatchObject({ distanceM: 2000, avgPaceS: 300, avgSpeedMps: 3.333, splits: before.detail.splits })
    expect(after.maxSpeedMps).toBe(before.detail.maxSpeedMps)
    expect((await seen(app, id)).efforts).toEqual(before.efforts)
    await done(app, 'POST', `/workouts/${id}/distance`, { distanceM: null })
    expect(await seen(app, id)).toEqual(before)
  })
})
