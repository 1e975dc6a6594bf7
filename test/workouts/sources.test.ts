// Where the numbers of a workout come from, its originals, and the way back from its repairs.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../app.ts'
import { stravaCsv } from '../fixtures/csv.ts'
import { butReceipts } from '../fixtures/events.ts'
import { fitRun, gpxRun, hillyRun, START_MS } from '../fixtures/runs.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app.close())

const UNKNOWN = '0198a000-0000-7000-8000-00000000ffff'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

async function imported(app: TestApp, name: string, bytes: Uint8Array, action = 'created'): Promise<string> {
  const { status, json, text } = await app.upload('/workouts/import', [{ name, bytes }])
  expect(status, text).toBe(200)
  expect(json.action).toBe(action)
  return json.id
}

/** The row of a table of the run of `hillyRun`, with totals of its own. */
function rowOfRun(): Uint8Array {
  return stravaCsv([
    {
      ...{ 'Activity ID': 1, 'Activity Date': 'Nov 1, 2025, 7:00:00 AM', 'Activity Name': 'Row' },
      ...{ 'Activity Type': 'Run', 'Elapsed Time#2': 1500, 'Moving Time': 1400, 'Distance#2': 4222.22 },
      ...{ 'Average Heart Rate': 150.4, Calories: 300.5, 'Elevation Gain': 44.44 },
    },
  ])
}

/** A row, and the file of the same run that came later. */
async function completedRow(app: TestApp): Promise<string> {
  const id = await imported(app, 'activities.csv', rowOfRun())
  // a row of a table that was uploaded has the table for its original
  app.deps.db.$client.run(
    'UPDATE recording SET file_sha256 = NULL, file_name = NULL, file_type = NULL, stored_as = NULL',
  )
  const bytes = hillyRun(START_MS, { totalDistanceM: 4222.22, calories: 999, maxHr: 181 })
  expect(await imported(app, 'later.fit', bytes, 'updated')).toBe(id)
  return id
}

interface Source {
  readonly value: number | null
  readonly origin: string | null
  readonly recordingId: string | null
  readonly others: readonly { readonly origin: string; readonly recordingId: string; readonly value: number }[]
}

/** Every number is the one that is shown, and names a recording that says it. */
async function expectToldNumbers(app: TestApp, id: string): Promise<Record<string, Source>> {
  const detail = await app.ok('GET', `/workouts/${id}?includeRaw=false`)
  const { recordings, numbers } = await app.ok('GET', `/workouts/${id}/sources`)
  const ids = recordings.map((recording: { id: string }) => recording.id)
  for (const [name, source] of Object.entries<Source>(numbers)) {
    expect([name, source.value]).toEqual([name, detail[name]])
    expect(source.origin === null, name).toBe(source.value === null)
    if (source.origin !== null && source.origin !== 'derived') expect(ids, name).toContain(source.recordingId)
    for (const other of source.others) {
      expect(ids, name).toContain(other.recordingId)
      // no voice is reported twice
      expect([other.recordingId, other.origin], name).not.toEqual([source.recordingId, source.origin])
    }
  }
  return numbers
}

describe('GET /workouts/{id}/sources', () => {
  test('of a FIT run: the device, its samples and what is derived', async () => {
    const session = { totalDistanceM: 4222.22, calories: 300, avgHr: 141, totalAscent: 99 }
    const id = await imported(app, 'hilly.fit', hillyRun(START_MS, session))
    const { recordings, repairs } = await app.ok('GET', `/workouts/${id}/sources`)
    expect(recordings).toEqual([
      {
        ...{ id, origin: 'upload', kind: 'file', filename: 'hilly.fit', fileType: 'fit', isPrimary: true },
        ...{ startedAt: '2025-11-01T07:00:00Z', addedAt: '2025-11-20T13:05:11Z', durationS: 1500, distanceM: 4222.22 },
        device: null,
        channels: ['position', 'elevation', 'heartRate', 'cadence', 'power'],
      },
    ])
    expect(repairs).toEqual([])
    const numbers = await expectToldNumbers(app, id)
    expect(numbers.distanceM).toMatchObject({ value: 4222.22, origin: 'device', recordingId: id })
    // what the samples say beside it
    expect(numbers.distanceM!.others).toEqual([{ origin: 'samples', recordingId: id, value: 4200 }])
    expect(numbers.avgHeartRateBpm).toMatchObject({ value: 141, origin: 'device', recordingId: id })
    expect(numbers.maxElevM).toMatchObject({ value: 410, origin: 'samples', recordingId: id })
    expect(numbers.avgPaceS).toMatchObject({ origin: 'derived', recordingId: null })
    expect(numbers.timerTimeS!.origin).toBe('device')
  })

  test('of a row that its file completed: both, and which number comes from which', async () => {
    const id = await completedRow(app)
    const { recordings } = await app.ok('GET', `/workouts/${id}/sources`)
    expect(recordings).toMatchObject([
      { id, kind: 'row', filename: null, fileType: null, distanceM: 4222.22, channels: [], isPrimary: false },
      { kind: 'file', filename: 'later.fit', fileType: 'fit', isPrimary: true },
    ])
    const [, { id: fileId }] = recordings
    expect(fileId).toMatch(UUID)
    expect(fileId).not.toBe(id)
    const numbers = await expectToldNumbers(app, id)
    expect(numbers.calories).toMatchObject({ value: 301, origin: 'row', recordingId: id })
    expect(numbers.calories!.others).toEqual([{ origin: 'device', recordingId: fileId, value: 999 }])
    expect(numbers.elevGainM).toMatchObject({ value: 44.4, origin: 'row', recordingId: id })
    expect(numbers.elevGainM!.others).toContainEqual({ origin: 'samples', recordingId: fileId, value: 70 })
    expect(numbers.maxHeartRateBpm).toMatchObject({ value: 181, origin: 'device', recordingId: fileId })
    expect(numbers.maxElevM).toMatchObject({ origin: 'samples', recordingId: fileId })
    expect(numbers.relativeEffort!.origin).toBe('derived')
  })

  test('of a GPX: nothing but samples', async () => {
    const id = await imported(app, 'a.gpx', gpxRun())
    const { recordings } = await app.ok('GET', `/workouts/${id}/sources`)
    expect(recordings).toMatchObject([{ id, kind: 'file', fileType: 'gpx', device: null, isPrimary: true }])
    const numbers = await expectToldNumbers(app, id)
    const origins = new Set(Object.values(numbers).map(({ origin }) => origin))
    expect(origins).toEqual(new Set(['samples', 'derived', null]))
    expect(numbers.calories).toEqual({ value: null, origin: null, recordingId: null, others: [] })
  })

  test('of a cropped run: all of it derived, and the repair', async () => {
    const id = await imported(app, 'a.fit', hillyRun(START_MS, { calories: 300, totalDistanceM: 4222.22 }))
    await app.ok('POST', `/workouts/${id}/crop`, { removeFromStartSeconds: 60, removeFromEndSeconds: 40.5 })
    const { repairs } = await app.ok('GET', `/workouts/${id}/sources`)
    expect(repairs).toEqual([
      {
        ...{ id: expect.stringMatching(UUID), kind: 'crop', madeAt: '2025-11-20T13:05:11Z', undoneAt: null },
        data: { fromMs: 60_000, toMs: 1_459_500, climbLimit: null, caloriesKcal: (300 * 1400) / 1500 },
      },
    ])
    const numbers = await expectToldNumbers(app, id)
    for (const { value, origin } of Object.values(numbers)) expect(origin).toBe(value === null ? null : 'derived')
    // what was recorded still says what it said
    expect(numbers.distanceM!.others).toContainEqual({ origin: 'device', recordingId: id, value: 4222.22 })
    app.clock.nowMs += 5000
    await app.ok('POST', `/workouts/${id}/revert`)
    const after = await app.ok('GET', `/workouts/${id}/sources`)
    expect(after.repairs).toEqual([{ ...repairs[0], undoneAt: '2025-11-20T13:05:16Z' }])
  })
})

describe('GET /workouts/{id}/sources/{recordingId}/file', () => {
  test('is the original of that recording; 404 of one without, of others and of unknown ones', async () => {
    const id = await completedRow(app)
    const other = await imported(app, 'other.fit', fitRun({ startMs: START_MS + 864e5 }))
    const { recordings } = await app.ok('GET', `/workouts/${id}/sources`)
    const fileId = recordings[1].id
    const get = async (workoutId: string, recordingId: string) => {
      const path = `http://localhost/workouts/${workoutId}/sources/${recordingId}/file`
      return await app.handle(new Request(path, { headers: { authorization: `Bearer ${app.token}` } }))
    }
    const answer = await get(id, fileId)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-disposition')).toContain('later.fit')
    const bytes = hillyRun(START_MS, { totalDistanceM: 4222.22, calories: 999, maxHr: 181 })
    expect(Buffer.from(await answer.arrayBuffer()).equals(Buffer.from(bytes))).toBe(true)

    const refusals: readonly [string, string, string][] = [
      [id, id, 'The recording has no original file'],
      [id, other, 'Recording not found'],
      [id, UNKNOWN, 'Recording not found'],
      [id, 'x', 'Recording not found'],
    ]
    for (const [workoutId, recordingId, error] of refusals) {
      const refused = await get(workoutId, recordingId)
      expect([refused.status, await refused.json()]).toEqual([404, { error }])
    }
    await Bun.file(`${app.deps.config.dataDir}/files/raw/${fileId}`).delete()
    const lost = await get(id, fileId)
    expect([lost.status, await lost.json()]).toEqual([404, { error: 'The original file of the workout is lost' }])
  })
})

describe('POST /workouts/{id}/revert', () => {
  test('is 400 where no repair is active', async () => {
    const id = await imported(app, 'a.fit', fitRun())
    const refused = { error: 'The workout has no repair to undo' }
    const never = await app.call('POST', `/workouts/${id}/revert`)
    expect([never.status, never.json]).toEqual([400, refused])
    await app.ok('POST', `/workouts/${id}/crop`, { removeFromStartSeconds: 10 })
    await app.ok('POST', `/workouts/${id}/revert`)
    const twice = await app.call('POST', `/workouts/${id}/revert`)
    expect([twice.status, twice.json]).toEqual([400, refused])
  })

  test('answers the detail as before the crops, and so does everything else', async () => {
    const runs: readonly [string, Uint8Array][] = [
      ['hilly.fit', hillyRun(START_MS, { calories: 300, totalDistanceM: 4222.22, avgHr: 141 })],
      ['a.gpx', gpxRun({ seconds: 1300 })],
      ['steady.fit', fitRun({ seconds: 1300 })],
    ]
    for (const [name, bytes] of runs) {
      await using app = await testApp()
      const id = await imported(app, name, bytes)
      const answers = () => everythingOf(app, id)
      const before = await answers()
      const stated: unknown[] = []
      app.deps.events.subscribe(butReceipts((event) => stated.push(event)))
      for (const removeFromStartSeconds of [12.345, 0, 300]) {
        const cropped = await app.ok('POST', `/workouts/${id}/crop`, {
          removeFromStartSeconds,
          removeFromEndSeconds: 30,
        })
        expect(cropped.durationS).toBeLessThan(before.detail.durationS)
      }
      const reverted = await app.ok('POST', `/workouts/${id}/revert`)
      expect(reverted).toEqual({ ...before.detail, rawGpxData: null, rawFitData: null, rawStravaData: null })
      expect(await answers()).toEqual(before)
      expect(stated).toEqual(Array(4).fill({ event: 'workout.updated', data: { id } }))
    }
  })

  test('of a completed row: the numbers of the row count again', async () => {
    const id = await completedRow(app)
    const before = await everythingOf(app, id)
    const cropped = await app.ok('POST', `/workouts/${id}/crop`, { removeFromEndSeconds: 600 })
    expect([cropped.durationS, cropped.avgHeartRateBpm]).not.toEqual([before.detail.durationS, 150])
    await app.ok('POST', `/workouts/${id}/revert`)
    expect(await everythingOf(app, id)).toEqual(before)
    // scored again it is the same, too
    await app.ok('POST', '/stats/best-efforts/recalculate')
    expect(await everythingOf(app, id)).toEqual(before)
  })

  test('scores with the zones of before the crop, and leaves words and edits of the runner', async () => {
    const id = await imported(app, 'a.fit', fitRun({ seconds: 1300 }))
    const { relativeEffort, hrZoneSeconds } = await app.ok('GET', `/workouts/${id}`)
    const zones = [60, 70, 80, 90, 100].map((minBpm) => ({ minBpm, maxBpm: minBpm + 10 }))
    await app.ok('PUT', '/settings/heart-rate-zones', { calculationMethod: 'Custom', zones })
    const cropped = await app.ok('POST', `/workouts/${id}/crop`, { removeFromEndSeconds: 100 })
    expect(cropped).toMatchObject({ relativeEffort: 100, hrZoneSeconds: [0, 0, 0, 0, 1201] })
    await app.ok('PATCH', `/workouts/${id}`, { name: 'Mine', rpe: 7 })
    const reverted = await app.ok('POST', `/workouts/${id}/revert`)
    expect(reverted).toMatchObject({ relativeEffort, hrZoneSeconds, name: 'Mine', rpe: 7, durationS: 1300 })
  })
})

test('a crop keeps the splits and efforts of an archive, with their ids, and revert returns them; the split unit stays', async () => {
  const id = await imported(app, 'a.fit', fitRun({ seconds: 1300 }))
  const { $client: client } = app.deps.db
  client.run(
    `INSERT INTO archived_best_effort (id, workout_id, distance_index, time_ms, calculated_at) VALUES ('theirs', ?, 7, 5, 9)`,
    [id],
  )
  const effort = '{"id":"theirs","distanceIndex":7,"timeMs":5,"calculatedAt":9}'
  const carrying = "UPDATE document SET body = json_set(body, '$.carried.efforts', json(?)) WHERE id = ?"
  client.query(carrying).run(`[${effort}]`, id)
  const stored = (table: string) => client.query(`SELECT * FROM ${table} ORDER BY 1, 2`).all()
  const before = ['archived_best_effort', 'workout_best_effort', 'workout_split'].map(stored)
  app.clock.nowMs += 1000
  await app.ok('POST', `/workouts/${id}/crop`, { removeFromEndSeconds: 600 })
  expect(stored('archived_best_effort')).toEqual([])
  await app.ok('POST', `/workouts/${id}/revert`)
  expect(['archived_best_effort', 'workout_best_effort', 'workout_split'].map(stored)).toEqual(before)

  await app.ok('PUT', '/settings/unit-preference', { unitPreference: 'imperial' })
  await app.ok('POST', `/workouts/${id}/crop`, { removeFromEndSeconds: 600 })
  const { splits } = await app.ok('POST', `/workouts/${id}/revert`)
  expect(splits.map(({ distanceM }: { distanceM: number }) => distanceM)).toEqual([1609.344, 1609.344, 681.312])
})

/** All that the API tells of one run. */
async function everythingOf(app: TestApp, id: string) {
  return {
    detail: await app.ok('GET', `/workouts/${id}?includeRaw=false`),
    samples: await app.ok('GET', `/workouts/${id}/samples`),
    series: await app.ok('GET', `/workouts/${id}/time-series?pageSize=5000`),
    list: await app.ok('GET', '/workouts'),
    efforts: await app.ok('GET', '/stats/best-efforts'),
    numbers: (await app.ok('GET', `/workouts/${id}/sources`)).numbers,
  }
}
