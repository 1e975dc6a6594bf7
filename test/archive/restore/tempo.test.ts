import { describe, expect, test } from 'bun:test'
import { testApp } from '../../app.ts'
import { archiveOf, dataOf, entriesOf, exported, restored } from '../archives.ts'
import { gpx, heartRates, id, MEDIA, points, route, SHOE, splits, tempoLibrary, workout } from './tempo-archive.ts'

describe('an archive of Tempo', () => {
  test('is restored whole: values, splits, samples with positions out of the original, media, settings', async () => {
    await using app = await testApp()
    const zip = await archiveOf(tempoLibrary())
    const answer = await restored(app, zip)
    expect(answer.json).toMatchObject({ success: true, warnings: [], errors: [] })
    const one = (imported: number) => ({ imported, skipped: 0, errors: 0 })
    expect(answer.json.statistics).toEqual({
      settings: one(1),
      shoes: one(1),
      workouts: one(1),
      routes: one(1),
      splits: one(4),
      timeSeries: one(1201),
      media: one(1),
      bestEfforts: one(0),
      rawFiles: one(1),
    })
    const detail = (await app.call('GET', `/workouts/${id(1)}`)).json
    expect(detail).toMatchObject({
      startedAt: '2024-05-04T06:30:00.250Z',
      createdAt: '2024-05-04T08:00:00.123Z',
      durationS: 1200,
      movingTimeS: 1190,
      distanceM: 3600.4,
      // 1200 s over 3600.4 m
      avgPaceS: 333.3,
      elevGainM: 12.5,
      relativeEffort: 41,
      calories: 301,
      shoe: { id: SHOE, brand: 'Hoka', model: 'Mach' },
      splitsCount: 4,
      hasRoute: true,
      rawGpxData: { source: 'gpx_import' },
      weather: { temperature: 11.5, humidity: 83 },
    })
    expect(detail.splits[3]).toMatchObject({
      idx: 3,
      distanceM: 600.4,
      durationS: 200,
      paceS: 333.11,
      startElapsedS: null,
    })
    expect(detail.route.coordinates).toHaveLength(1201)
    expect((await app.call('GET', `/workouts/${id(1)}/time-series`)).json.totalCount).toBe(1201)
    // 1 km at 3 m/s
    const { distances } = (await app.call('GET', '/stats/best-efforts')).json
    expect(distances.find(({ distance }: { distance: string }) => distance === '1K')).toMatchObject({ timeS: 333 })
    expect((await app.call('GET', `/workouts/${id(1)}/media`)).json).toEqual([
      {
        id: MEDIA,
        filename: 'b.jpg',
        mimeType: 'image/jpeg',
        fileSizeBytes: 300,
        caption: 'hello',
        createdAt: '2024-05-05T00:00:00Z',
        ...{ lat: null, lon: null, placedBy: null },
      },
    ])
    expect((await app.call('GET', '/settings/unit-preference')).json).toMatchObject({ unitPreference: 'imperial' })
    expect((await app.call('GET', '/settings/heart-rate-zones')).json).toMatchObject({
      calculationMethod: 'Custom',
      zones: [{ minBpm: 100 }, {}, {}, {}, { maxBpm: 190 }],
    })
    expect((await app.call('GET', '/settings/default-shoe')).json).toMatchObject({ defaultShoeId: SHOE })
    // what Tempo would crop, Harrier can: 10 s of 3 m/s less
    const cropped = await app.call('POST', `/workouts/${id(1)}/crop`, { json: { removeFromEndSeconds: 10 } })
    expect(cropped.json).toMatchObject({ durationS: 1190 })
    expect(cropped.json.distanceM).toBeCloseTo(3570, -1)
  })

  test('zones that were never chosen are zeros there, and none here', async () => {
    await using app = await testApp()
    const zeros = Object.fromEntries(
      [1, 2, 3, 4, 5].flatMap((k) => [
        [`zone${k}MinBpm`, 0],
        [`zone${k}MaxBpm`, 0],
      ]),
    )
    const zip = await archiveOf({
      'data/settings.json': { calculationMethod: 0, ...zeros, unitPreference: null, defaultShoeId: id(404) },
    })
    await app.call('PUT', '/settings/unit-preference', { json: { unitPreference: 'imperial' } })
    const { json } = await restored(app, zip)
    expect(json.statistics.settings).toEqual({ imported: 1, skipped: 0, errors: 0 })
    expect(json.warnings).toEqual(['The default shoe of the archive does not exist and was skipped'])
    expect((await app.call('GET', '/settings/heart-rate-zones')).json).toMatchObject({ age: 30, maxHeartRateBpm: 190 })
    expect((await app.call('POST', '/workouts/recalculate-relative-effort')).status).toBe(400)
    // null does not clear what is stored
    expect((await app.call('GET', '/settings/unit-preference')).json).toMatchObject({ unitPreference: 'imperial' })
  })

  const trackPoints = points.map(({ lat, lon, ele, timeMs }) => ({
    lat,
    lon,
    ele,
    time: new Date(timeMs!).toISOString(),
  }))
  const sources: readonly (readonly [
    name: string,
    given: Record<string, unknown>,
    more: Record<string, unknown>,
    route: number,
  ])[] = [
    ['the original in base64', { rawFileData: Buffer.from(gpx).toString('base64') }, {}, 1201],
    ['the points of the raw data', { rawFileName: null, rawGpxData: JSON.stringify({ trackPoints }) }, {}, 1201],
    [
      'the points within the time of a cropped workout, not its original',
      { durationS: 600, rawGpxData: { trackPoints } },
      { [`workouts/${id(1)}/raw/run.gpx`]: gpx },
      601,
    ],
    ['the route without times', { rawFileName: null }, { 'data/routes.json': [route(id(1))] }, 1201],
  ]
  for (const [name, given, more, routePoints] of sources) {
    test(`takes positions from ${name}`, async () => {
      await using app = await testApp()
      const rows = heartRates(id(1), 15).filter(({ elapsedSeconds }) => elapsedSeconds <= 600)
      const row = workout(1, { shoeId: null, ...given })
      const zip = await archiveOf({ 'data/workouts.json': [row], 'data/time-series.json': rows, ...more })
      const { json } = await restored(app, zip)
      expect(json).toMatchObject({ success: true, errors: [] })
      const detail = (await app.call('GET', `/workouts/${id(1)}`)).json
      expect(detail).toMatchObject({ distanceM: 3600.4, durationS: row.durationS, hasRoute: true })
      expect(detail.route.coordinates).toHaveLength(routePoints)
      expect((await app.call('GET', `/workouts/${id(1)}/time-series`)).json.totalCount).toBeGreaterThan(40)
      expect((await app.call('POST', `/workouts/${id(1)}/recalculate-splits`)).status).toBe(200)
    })
  }

  test('keeps its ids and values through the next export', async () => {
    await using app = await testApp()
    const effort = {
      id: id(600),
      distance: '5K',
      distanceM: 5000,
      timeS: 1500,
      workoutId: id(2),
      workoutDate: '2024-05-04T06:30:00Z',
      calculatedAt: '2024-06-01T00:00:00Z',
    }
    const zip = await archiveOf({
      'data/workouts.json': [
        workout(1, { shoeId: null, rawFileName: null }),
        workout(2, {
          shoeId: null,
          rawFileName: null,
          startedAt: '2024-05-07T00:00:00',
          durationS: 1500,
          StartedAt: undefined,
        }),
      ],
      'data/routes.json': [route(id(1))],
      'data/splits.json': splits(id(1)),
      'data/best-efforts.json': [effort],
    })
    expect((await restored(app, zip)).json).toMatchObject({
      success: true,
      statistics: { bestEfforts: { imported: 1 } },
    })
    const entries = await entriesOf(app, await exported(app))
    expect(dataOf(entries, 'data/routes.json')).toMatchObject([{ id: id(7001), workoutId: id(1) }])
    expect(dataOf(entries, 'data/splits.json').map((row: { id: string }) => row.id)).toEqual(
      splits(id(1)).map((row) => row.id),
    )
    expect(dataOf(entries, 'data/best-efforts.json')).toEqual([
      { ...effort, timeMs: 1_500_000, workoutDate: '2024-05-07T00:00:00Z', workout: null },
    ])
    expect(dataOf(entries, 'data/workouts.json')[1]).toMatchObject({ id: id(2), startedAt: '2024-05-07T00:00:00Z' })
  })
})
