// Where the numbers of a workout come from, its originals, and the way back from its repairs.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { stravaCsv } from '../../fixtures/csv.ts'
import { butReceipts } from '../../fixtures/events.ts'
import { fitRun, hillyRun, START_MS } from '../../fixtures/runs.ts'
import { forgetOriginals } from '../../library/recordings.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app.close())

const UNKNOWN = '0198a000-0000-7000-8000-00000000ffff'
const LATER = hillyRun(START_MS, { totalDistanceM: 4222.22, calories: 999, maxHr: 181 })

/** A row of a table, and the file of the same run that came later. */
async function completedRow(): Promise<string> {
  const row = {
    ...{ 'Activity ID': 1, 'Activity Date': 'Nov 1, 2025, 7:00:00 AM', 'Activity Name': 'Row' },
    ...{ 'Activity Type': 'Run', 'Elapsed Time#2': 1500, 'Moving Time': 1400, 'Distance#2': 4222.22 },
    ...{ 'Average Heart Rate': 150.4, Calories: 300.5, 'Elevation Gain': 44.44 },
  }
  const id = await app.run(stravaCsv([row]), 'activities.csv')
  // a row of a table that was uploaded has the table for its original
  forgetOriginals(app.deps)
  const { json } = await app.upload('/workouts/import', [{ name: 'later.fit', bytes: LATER }])
  expect(json).toMatchObject({ id, action: 'updated' })
  return id
}

interface Source {
  readonly value: number | null
  readonly origin: string | null
  readonly recordingId: string | null
  readonly others: readonly { readonly origin: string; readonly recordingId: string; readonly value: number }[]
}

/** Sources of which every number is the one that is shown, and names a recording that says it. */
async function told(id: string) {
  const detail = await app.ok('GET', `/workouts/${id}?includeRaw=false`)
  const { recordings, repairs, numbers } = await app.ok('GET', `/workouts/${id}/sources`)
  const ids = recordings.map((recording: { id: string }) => recording.id)
  for (const [name, { value, origin, recordingId, others }] of Object.entries<Source>(numbers)) {
    expect([name, value, origin === null]).toEqual([name, detail[name], value === null])
    if (origin !== null && origin !== 'derived') expect(ids, name).toContain(recordingId)
    for (const other of others) {
      expect(ids, name).toContain(other.recordingId)
      // no voice is reported twice
      expect([other.recordingId, other.origin], name).not.toEqual([recordingId, origin])
    }
  }
  return { recordings, repairs, numbers: numbers as Record<string, Source> }
}

describe('sources', () => {
  test('of a FIT run: the device, its samples and what is derived', async () => {
    const session = { totalDistanceM: 4222.22, calories: 300, avgHr: 141, totalAscent: 99 }
    const id = await app.run(hillyRun(START_MS, session), 'hilly.fit')
    const { recordings, repairs, numbers } = await told(id)
    expect(recordings).toEqual([
      {
        ...{ id, origin: 'upload', kind: 'file', filename: 'hilly.fit', fileType: 'fit', isPrimary: true },
        ...{ startedAt: '2025-11-01T07:00:00Z', addedAt: '2025-11-20T13:05:11Z', durationS: 1500, distanceM: 4222.22 },
        device: null,
        channels: ['position', 'elevation', 'heartRate', 'cadence', 'power'],
      },
    ])
    expect(repairs).toEqual([])
    expect(numbers).toMatchObject({
      // what the samples say beside it
      distanceM: {
        ...{ value: 4222.22, origin: 'device', recordingId: id },
        others: [{ origin: 'samples', recordingId: id, value: 4200 }],
      },
      avgHeartRateBpm: { value: 141, origin: 'device', recordingId: id },
      maxElevM: { value: 410, origin: 'samples', recordingId: id },
      avgPaceS: { origin: 'derived', recordingId: null },
      timerTimeS: { origin: 'device' },
    })
  })

  test('of a row that its file completed: both, and which number comes from which', async () => {
    const id = await completedRow()
    const { recordings, numbers } = await told(id)
    expect(recordings).toMatchObject([
      { id, kind: 'row', filename: null, fileType: null, distanceM: 4222.22, channels: [], isPrimary: false },
      { kind: 'file', filename: 'later.fit', fileType: 'fit', isPrimary: true },
    ])
    const recordingId = recordings[1].id
    expect(recordingId).not.toBe(id)
    expect(numbers).toMatchObject({
      calories: { value: 301, origin: 'row', recordingId: id, others: [{ origin: 'device', recordingId, value: 999 }] },
      elevGainM: { value: 44.4, origin: 'row', recordingId: id },
      maxHeartRateBpm: { value: 181, origin: 'device', recordingId },
      maxElevM: { origin: 'samples', recordingId },
      relativeEffort: { origin: 'derived' },
    })
    expect(numbers.elevGainM!.others).toContainEqual({ origin: 'samples', recordingId, value: 70 })
  })

  test('of a cropped run: all of it derived, and the repair', async () => {
    const id = await app.run(hillyRun(START_MS, { calories: 300, totalDistanceM: 4222.22 }))
    await app.ok('POST', `/workouts/${id}/crop`, { removeFromStartSeconds: 60, removeFromEndSeconds: 40.5 })
    const { repairs, numbers } = await told(id)
    expect(repairs).toEqual([
      {
        ...{ id: expect.any(String), kind: 'crop', madeAt: '2025-11-20T13:05:11Z', undoneAt: null },
        data: { fromMs: 60_000, toMs: 1_459_500, climbLimit: null, caloriesKcal: (300 * 1400) / 1500 },
      },
    ])
    for (const { value, origin } of Object.values(numbers)) expect(origin).toBe(value === null ? null : 'derived')
    // what was recorded still says what it said
    expect(numbers.distanceM!.others).toContainEqual({ origin: 'device', recordingId: id, value: 4222.22 })
    app.clock.nowMs += 5000
    await app.ok('POST', `/workouts/${id}/revert`)
    expect((await told(id)).repairs).toEqual([{ ...repairs[0], undoneAt: '2025-11-20T13:05:16Z' }])
  })
})

test('the original of a recording is served; 404 of one without, of others, of unknown and of lost ones', async () => {
  const id = await completedRow()
  const other = await app.run(fitRun({ startMs: START_MS + 864e5 }), 'other.fit')
  const fileId = (await app.ok('GET', `/workouts/${id}/sources`)).recordings[1].id
  const get = async (recordingId: string) => {
    const path = `http://localhost/workouts/${id}/sources/${recordingId}/file`
    return await app.handle(new Request(path, { headers: { authorization: `Bearer ${app.token}` } }))
  }
  const answer = await get(fileId)
  expect([answer.status, answer.headers.get('content-disposition')]).toEqual([
    200,
    expect.stringContaining('later.fit'),
  ])
  expect(Buffer.compare(await answer.bytes(), LATER)).toBe(0)
  await Bun.file(`${app.deps.config.dataDir}/files/raw/${fileId}`).delete()
  for (const [recordingId, error] of [
    [id, 'The recording has no original file'],
    [other, 'Recording not found'],
    [UNKNOWN, 'Recording not found'],
    ['x', 'Recording not found'],
    [fileId, 'The original file of the workout is lost'],
  ] as const) {
    const refused = await get(recordingId)
    expect([refused.status, await refused.json()]).toEqual([404, expect.objectContaining({ error })])
  }
})

describe('a revert', () => {
  /** All that the API tells of one run. */
  const everythingOf = async (id: string) => ({
    detail: await app.ok('GET', `/workouts/${id}?includeRaw=false`),
    samples: await app.ok('GET', `/workouts/${id}/samples`),
    series: await app.ok('GET', `/workouts/${id}/time-series?pageSize=5000`),
    list: await app.ok('GET', '/workouts'),
    efforts: await app.ok('GET', '/stats/best-efforts'),
    numbers: (await app.ok('GET', `/workouts/${id}/sources`)).numbers,
  })

  test('of a completed row: the numbers of the row count again; it is 400 where no repair is active', async () => {
    const id = await completedRow()
    const refused = async () => {
      const { status, json } = await app.call('POST', `/workouts/${id}/revert`)
      expect([status, json]).toEqual([400, expect.objectContaining({ error: 'The workout has no repair to undo' })])
    }
    await refused()
    const before = await everythingOf(id)
    const stated: unknown[] = []
    app.deps.events.subscribe(butReceipts((event) => stated.push(event)))
    for (const removeFromStartSeconds of [12.345, 0, 300]) {
      const crop = { removeFromStartSeconds, removeFromEndSeconds: 200 }
      const { avgHeartRateBpm } = await app.ok('POST', `/workouts/${id}/crop`, crop)
      expect(avgHeartRateBpm).not.toBe(150)
    }
    expect(await app.ok('POST', `/workouts/${id}/revert`)).toEqual(before.detail)
    expect(await everythingOf(id)).toEqual(before)
    expect(stated).toEqual(Array(4).fill({ event: 'workout.updated', data: { id } }))
    await refused()
    // scored again it is the same, too
    await app.ok('POST', '/stats/best-efforts/recalculate')
    expect(await everythingOf(id)).toEqual(before)
  })

  test('scores with the zones of before the crop, cuts in the unit of now, and leaves words and edits of the runner', async () => {
    const id = await app.run(fitRun({ seconds: 1300 }))
    const { relativeEffort, hrZoneSeconds } = await app.ok('GET', `/workouts/${id}`)
    const zones = [60, 70, 80, 90, 100].map((minBpm) => ({ minBpm, maxBpm: minBpm + 10 }))
    await app.ok('PUT', '/settings/heart-rate-zones', { calculationMethod: 'Custom', zones })
    await app.ok('PUT', '/settings/unit-preference', { unitPreference: 'imperial' })
    const cropped = await app.ok('POST', `/workouts/${id}/crop`, { removeFromEndSeconds: 100 })
    expect(cropped).toMatchObject({ relativeEffort: 100, hrZoneSeconds: [0, 0, 0, 0, 1201] })
    await app.ok('PATCH', `/workouts/${id}`, { name: 'Mine', rpe: 7 })
    const reverted = await app.ok('POST', `/workouts/${id}/revert`)
    expect(reverted).toMatchObject({ relativeEffort, hrZoneSeconds, name: 'Mine', rpe: 7, durationS: 1300 })
    const metres = [cropped, reverted].map(({ splits }) => splits.map(({ distanceM }: never) => distanceM))
    expect(metres).toEqual([
      [1609.344, 1609.344, 381.312],
      [1609.344, 1609.344, 681.312],
    ])
  })
})
