// Runs by hand, their numbers, when a run was, and how far.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { stravaCsv } from '../../fixtures/csv.ts'
import { fitFile } from '../../fixtures/fit.ts'
import { fitRun, gpxRun, START_MS } from '../../fixtures/runs.ts'
import { zipUpload } from '../../fixtures/strava-zip.ts'
import { seen, tried } from './repairing.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app.close())

const RUN = { startedAt: '2025-11-01T07:00:00Z', durationS: 2700, distanceM: 8000 }

async function added(body: object) {
  const { status, text, headers, json } = await app.call('POST', '/workouts', { json: body })
  expect([status, text, headers.get('location')]).toEqual([201, text, `/workouts/${json.id}`])
  return json
}

function heard(): unknown[] {
  const events: unknown[] = []
  app.deps.events.subscribe((event) => events.push(event))
  return events
}

/** The repairs of a run are undone, and it is what it was. */
async function expectReverted(id: string, before: Awaited<ReturnType<typeof seen>>): Promise<void> {
  app.clock.nowMs += 1000
  await app.ok('POST', `/workouts/${id}/revert`)
  expect(await seen(app, id)).toEqual(before)
}

describe('a run by hand', () => {
  test('is only computed by a dry run', async () => {
    const events = heard()
    const body = { ...RUN, avgHeartRateBpm: 150, timeZone: 'Europe/Berlin' }
    const dry = await app.call('POST', '/workouts', { json: { ...body, dryRun: true } })
    const { before, after } = dry.json
    expect([dry.status, before, dry.headers.get('location')]).toEqual([200, null, null])
    const counts = ['/workouts', '/receipts'].map(async (path) => (await app.ok('GET', path)).totalCount)
    expect([await Promise.all(counts), events]).toEqual([[0, 0], []])
    expect(after).toMatchObject({ distanceM: 8000, durationS: 2700, utcOffsetMinutes: 60 })
    expect(await added({ ...body, dryRun: false })).toMatchObject(after)
  })

  test('has the entered numbers, and those computed from them', async () => {
    const events = heard()
    const shoe = await app.ok('POST', '/shoes', { brand: 'Brooks', model: 'Ghost' })
    await app.ok('PUT', '/settings/default-shoe', { defaultShoeId: shoe.id })
    const words = { name: 'Treadmill', notes: 'dark', runType: 'Easy Run', rpe: 4 }
    const run = await added({
      ...{ ...RUN, ...words, movingTimeS: 2640, calories: 600, timeZone: 'Europe/Berlin', elevGainM: 40 },
      ...{ avgHeartRateBpm: 150, maxHeartRateBpm: 171, avgCadenceSpm: 171 },
    })
    expect(run).toMatchObject({
      ...{ startedAt: '2025-11-01T07:00:00Z', utcOffsetMinutes: 60, source: 'manual', device: null, hasRoute: false },
      ...{ durationS: 2700, movingTimeS: 2640, timerTimeS: null, distanceM: 8000, avgPaceS: 337.5, avgSpeedMps: 2.963 },
      ...{ avgHeartRateBpm: 150, maxHeartRateBpm: 171, minHeartRateBpm: null, calories: 600, elevGainM: 40 },
      ...{ ...words, avgCadenceSpm: 171, avgCadenceRpm: 86 },
      ...{ shoe: { brand: 'Brooks' }, splits: [], splitsCount: 0, weather: null, route: null, rawFitData: null },
      // 45 min in the zone of the average
      ...{ relativeEffort: 135, hrZoneSeconds: [0, 0, 2700, 0, 0] },
    })
    expect(events).toContainEqual({ event: 'workout.created', data: { id: run.id } })
    const { recordings, numbers } = await app.ok('GET', `/workouts/${run.id}/sources`)
    expect(recordings).toMatchObject([{ origin: 'manual', kind: 'manual', filename: null, channels: [] }])
    expect(numbers).toMatchObject({ distanceM: { origin: 'runner', value: 8000 }, avgPaceS: { origin: 'derived' } })
  })

  test('needs only start, time and distance', async () => {
    const unknown = { name: null, shoeId: null, utcOffsetMinutes: null, elevGainM: null, relativeEffort: null }
    expect(await added({ ...RUN, indoor: true, elevGainM: 50 })).toMatchObject(unknown)
    expect(await added({ ...RUN, utcOffsetMinutes: -300 })).toMatchObject({ utcOffsetMinutes: -300 })
  })

  test('goes out as a file with one lap, and comes back', async () => {
    const told = { ...RUN, avgHeartRateBpm: 150, maxHeartRateBpm: 171, calories: 600 }
    const { id } = await added(told)
    for (const format of ['fit', 'tcx']) {
      const path = `http://localhost/workouts/${id}/export?format=${format}`
      const file = await app.handle(new Request(path, { headers: { authorization: `Bearer ${app.token}` } }))
      await using other = await testApp()
      const again = await other.run(await file.bytes(), `a.${format}`)
      expect(await other.ok('GET', `/workouts/${again}`)).toMatchObject(told)
      expect(await other.ok('GET', `/workouts/${again}/laps`)).toHaveLength(1)
    }
    expect((await app.call('GET', `/workouts/${id}/export?format=gpx`)).status).toBe(400)
  })

  test('is completed by its file when that comes, and known by it then', async () => {
    const { id } = await added({ startedAt: RUN.startedAt, durationS: 600, distanceM: 1800, name: 'Mine' })
    for (const action of ['updated', 'skipped']) {
      const { json } = await app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun() }])
      expect(json).toMatchObject({ id, action })
    }
    const completed = { name: 'Mine', avgHeartRateBpm: 140, avgCadenceRpm: 85, hasRoute: true, splitsCount: 2 }
    expect(await app.ok('GET', `/workouts/${id}`)).toMatchObject(completed)
    expect((await app.ok('GET', `/workouts/${id}/time-series`)).totalCount).toBe(601)
  })
})

describe('numbers of a run without samples', () => {
  test('are those entered by the runner, and dependent numbers follow', async () => {
    const { id } = await added({ ...RUN, avgHeartRateBpm: 150, calories: 600, timeZone: 'Europe/Berlin' })
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
    const again = await app.ok('PATCH', `/workouts/${id}/numbers`, { durationS: 2500, avgHeartRateBpm: null })
    expect(again).toMatchObject({ durationS: 2500, distanceM: 9000, avgHeartRateBpm: null, relativeEffort: null })
    await expectReverted(id, whole)
  })

  test('of a table of Strava too, which is still the same run', async () => {
    const summary = { 'Activity ID': 7, 'Activity Date': 'Nov 5, 2025, 7:00:00 AM', 'Activity Type': 'Run' }
    const row = { ...summary, 'Activity Name': 'Table', 'Elapsed Time': 1200, Distance: 3.6, 'Elevation Gain': 33 }
    const upload = () => app.upload('/workouts/import/bulk', [zipUpload({ 'activities.csv': stravaCsv([row]) })])
    expect((await upload()).json).toMatchObject({ successful: 1 })
    const { id } = (await app.ok('GET', '/workouts')).items[0]
    const before = await seen(app, id)
    await tried(app, id, 'PATCH /numbers', { startedAt: '2025-11-05T08:00:00Z', distanceM: 4000 })
    expect((await upload()).json).toMatchObject({ successful: 0, skipped: 1 })
    await expectReverted(id, before)
  })
})

describe('when a run was', () => {
  test('an hour later it is in another day and week, and its file is still known', async () => {
    // Sunday, 23:30 in Berlin
    const bytes = fitRun({ startMs: Date.UTC(2025, 10, 2, 22, 30) })
    const id = await app.run(bytes)
    const before = await seen(app, id)
    expect(before.detail.utcOffsetMinutes).toBe(60)
    const days = async () =>
      (await app.ok('GET', '/stats/daily?from=2025-10-27&to=2025-11-10&timezoneOffsetMinutes=60')).days as unknown
    const sunday = await days()
    const { splits, distanceM } = before.detail
    const { after } = await tried(app, id, 'POST /shift', { offsetSeconds: 3600 })
    expect(after).toMatchObject({ startedAt: '2025-11-02T23:30:00Z', splits, distanceM })
    expect([sunday, await days()]).toMatchObject([[{ date: '2025-11-02', runs: 1 }], [{ date: '2025-11-03', runs: 1 }]])
    const again = await app.upload('/workouts/import', [{ name: 'b.fit', bytes }])
    expect(again.json).toMatchObject({ action: 'skipped', id })
    expect((await app.ok('GET', `/workouts/${id}/samples`)).distanceM).toEqual(before.samples.distanceM)
    await expectReverted(id, before)
    expect(await days()).toEqual(sunday)
  })

  test('a start, and a time zone that is only shown', async () => {
    const id = await app.run(gpxRun(), 'a.gpx')
    const startedAt = '2025-10-31T06:00:00.500Z'
    expect((await tried(app, id, 'POST /shift', { startedAt })).after).toMatchObject({ startedAt })
    const zoned = await tried(app, id, 'POST /shift', { timeZone: 'America/New_York' })
    expect(zoned.after).toMatchObject({ startedAt, utcOffsetMinutes: -240 })
    // what is cut off later does not bring the zone of the place back
    const cropped = await app.ok('POST', `/workouts/${id}/crop`, { removeFromStartSeconds: 60 })
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
    const id = await app.run(treadmill())
    const before = await seen(app, id)
    const { after } = await tried(app, id, 'POST /distance', { distanceM: 8000 })
    expect(after).toMatchObject({ distanceM: 8000, durationS: 2400, avgPaceS: 300, avgSpeedMps: 3.333, calories: 500 })
    expect(after.splits).toHaveLength(8)
    for (const split of after.splits) expect(Math.abs(split.paceS - 300)).toBeLessThan(0.1)
    const best = (await seen(app, id)).efforts.distances.find(({ distance }: { distance: string }) => distance === '5K')
    expect(Math.abs(best.timeMs - 1_500_000)).toBeLessThan(20)
    const { numbers } = await app.ok('GET', `/workouts/${id}/sources`)
    expect(numbers.distanceM).toMatchObject({ origin: 'runner', value: 8000 })
    app.clock.nowMs += 1000
    expect((await tried(app, id, 'POST /distance', { distanceM: null })).after.distanceM).toBe(7640)
    expect(await seen(app, id)).toEqual(before)
  })

  test('twice, then cropped: what is left keeps the scale', async () => {
    const id = await app.run(treadmill())
    for (const distanceM of [7800, 8000]) await app.ok('POST', `/workouts/${id}/distance`, { distanceM })
    const cut = await app.ok('POST', `/workouts/${id}/cut`, { fromElapsedS: 600, toElapsedS: 1200, closeGap: true })
    expect(Math.abs(cut.distanceM - 6000)).toBeLessThan(0.2)
  })

  test('with a route only the distance and its pace change', async () => {
    const id = await app.run(fitRun())
    const before = await seen(app, id)
    const { splits, maxSpeedMps } = before.detail
    const { after } = await tried(app, id, 'POST /distance', { distanceM: 2000 })
    expect(after).toMatchObject({ distanceM: 2000, avgPaceS: 300, avgSpeedMps: 3.333, splits, maxSpeedMps })
    expect((await seen(app, id)).efforts).toEqual(before.efforts)
    await app.ok('POST', `/workouts/${id}/distance`, { distanceM: null })
    expect(await seen(app, id)).toEqual(before)
  })
})
