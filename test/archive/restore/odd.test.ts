// Rows that no program writes, one among good ones: it is reported, and the others are restored.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { workouts } from '../../../src/db/schema.ts'
import { shoes } from '../../../src/db/schema-account.ts'
import { type TestApp, testApp } from '../../app.ts'
import { jpeg } from '../../fixtures/media.ts'
import { archiveOf, exported, restored } from '../archives.ts'
import { counts, id, shoe, workout } from './restoring.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app.close())

/** Deeper than what JSON.stringify can write; parsing takes it. */
const DEEP = `${'['.repeat(60_000)}${']'.repeat(60_000)}`
/** Packs a hundred times: what packs more is refused. */
const NOISE = Buffer.from(crypto.getRandomValues(new Uint8Array(512))).toString('hex')
/** What String() and Number() throw at. */
const STUBBORN = { toString: 1, valueOf: 1 }

describe('a restore', () => {
  test.each([
    ['9999-12-31T23:59:59-01:00', 'beyond the year 9999'],
    ['0100-01-01T00:00:00+14:00', 'before the year 100'],
  ])('refuses startedAt %s, which is %s once it is UTC: the next export could not be read', async (startedAt) => {
    const { json } = await restored(
      app,
      await archiveOf({ 'data/workouts.json': [workout(1, { startedAt }), workout(2)] }),
    )
    expect(json.statistics.workouts).toEqual(counts(1, 0, 1))
    expect(json.errors).toEqual([`Workouts without a startedAt that is a timestamp: ${id(1)}`])
    await using second = await testApp()
    expect((await restored(second, await exported(app))).json).toMatchObject({ success: true })
  })

  test('refuses a run of a year after 2100, since no request could page to its weeks', async () => {
    const rows = [
      workout(1, { startedAt: '2101-01-01T00:00:00Z' }),
      workout(2, { startedAt: '9999-01-01T00:00:00Z' }),
      workout(3, { startedAt: '2100-12-31T23:59:59.999Z' }),
    ]
    const { json } = await restored(app, await archiveOf({ 'data/workouts.json': rows }))
    expect(json.statistics.workouts).toEqual(counts(1, 0, 2))
    expect(json.errors).toEqual([`Workouts that start after the year 2100: ${id(1)}, ${id(2)}`])
  })

  test('stores shoes up to 1,000 of them', async () => {
    await app.call('POST', '/shoes', { json: { brand: 'Hoka', model: 'Mach 6' } })
    const many = Array.from({ length: 1002 }, (_, n) => shoe(n + 1, 'Brand', `Model ${n}`))
    const { json } = await restored(app, await archiveOf({ 'data/shoes.json': many }))
    expect(json.statistics.shoes).toEqual(counts(999, 0, 3))
    expect(json.errors).toEqual([
      `Shoes beyond the 1000 that a library may have: ${id(1000)}, ${id(1001)}, ${id(1002)}`,
    ])
    expect((await app.call('GET', '/shoes')).json).toHaveLength(1000)
  })

  test('names media by their id when their name is not text, and cuts a name that is too long to read', async () => {
    const photo = (n: number, filename: unknown) => ({ id: id(n), workoutId: id(1), filename })
    const media = [photo(50, 'good.jpg'), photo(51, STUBBORN), photo(52, 'q'.repeat(500_000))]
    const { json } = await restored(
      app,
      await archiveOf({
        'data/workouts.json': [workout(1)],
        'data/media-metadata.json': media,
        [`workouts/${id(1)}/media/${id(50)}/good.jpg`]: jpeg(99),
      }),
    )
    expect(json.statistics).toMatchObject({ workouts: counts(1), media: counts(1, 0, 2) })
    expect(json.errors).toEqual([`Media whose file is not in the archive: ${id(51)}, ${'q'.repeat(100)}`])
  })

  test('keeps of notes as much as a request could have brought', async () => {
    const notes = 'n'.repeat(3_000_000)
    const { json } = await restored(
      app,
      await archiveOf({ 'data/workouts.json': [{ ...workout(1), notes }, workout(2)] }),
    )
    expect(json).toMatchObject({ success: true, statistics: { workouts: counts(2) } })
    expect((await app.call('GET', `/workouts/${id(1)}`)).json.notes).toBe('n'.repeat(1_048_576))
  })

  test('takes settings of odd values for none', async () => {
    const zones = Object.fromEntries(
      [1, 2, 3, 4, 5].flatMap((k) => [
        [`zone${k}MinBpm`, STUBBORN],
        [`zone${k}MaxBpm`, STUBBORN],
      ]),
    )
    const { json } = await restored(
      app,
      await archiveOf({
        'data/settings.json': { ...zones, calculationMethod: STUBBORN },
        'data/workouts.json': [workout(1)],
      }),
    )
    expect(json).toMatchObject({ success: true, statistics: { settings: counts(1), workouts: counts(1) } })
    expect((await app.call('GET', '/settings/heart-rate-zones')).json.zones[0].minBpm).toBe(95)
    const bounds = [100, 120, 140, 160, 180, 200]
    const real = Object.fromEntries(
      [1, 2, 3, 4, 5].flatMap((k) => [
        [`zone${k}MinBpm`, bounds[k - 1]],
        [`zone${k}MaxBpm`, bounds[k]],
      ]),
    )
    await restored(app, await archiveOf({ 'data/settings.json': { ...real, calculationMethod: STUBBORN } }))
    expect((await app.call('GET', '/settings/heart-rate-zones')).json).toMatchObject({
      calculationMethod: 'Custom',
      zones: [{ minBpm: 100 }, {}, {}, {}, { maxBpm: 200 }],
    })
  })

  test.each(['routes', 'splits', 'workouts'])('leaves out a row of %s that is nested without end', async (kind) => {
    const rows = [
      JSON.stringify(workout(1)),
      `{"id":"${id(1)}","workoutId":"${id(1)}","rawGpxData":${DEEP},"idx":${DEEP},"routeGeoJson":${DEEP}}`,
      JSON.stringify(workout(2)),
    ]
    const files = {
      'data/workouts.json': [workout(1), workout(2)],
      [`data/${kind}.json`]: `[${(kind === 'workouts' ? rows : rows.slice(1, 2)).join(',')}]`,
    }
    const { json } = await restored(app, await archiveOf(files))
    expect(json.statistics.workouts).toEqual(counts(2))
    expect([json.success, json.errors]).toEqual([true, []])
    const row = kind === 'workouts' ? 2 : 1
    expect(json.warnings).toEqual([
      `Rows of data/${kind}.json that are nested deeper than 500 levels and were skipped: row ${row}`,
    ])
    expect(app.logged).toEqual([])
  })

  test.each([
    [
      'of 600 levels',
      () => `{"id":"${id(2)}","notes":${'['.repeat(599)}${']'.repeat(599)}}`,
      'nested deeper than 500 levels',
    ],
    [
      'of 195 MiB',
      () => `{"id":"${id(2)}","notes":"${NOISE.repeat((195 * 1_048_576) / NOISE.length)}"}`,
      'larger than 192 MiB',
    ],
  ] as const)('restores the rows around one %s', async (_name, odd, why) => {
    await using app = await testApp()
    const text = [1, 3, 4].map((n) => JSON.stringify(workout(n)))
    const zip = await archiveOf({ 'data/workouts.json': `[${text.toSpliced(1, 0, odd()).join(',')}]` })
    const { json } = await restored(app, zip)
    expect(json.statistics.workouts).toEqual(counts(3))
    expect(json.warnings).toEqual([`Rows of data/workouts.json that are ${why} and were skipped: row 2`])
    expect((await app.call('GET', '/workouts')).json.items.map((item: { id: string }) => item.id).toSorted()).toEqual([
      id(1),
      id(3),
      id(4),
    ])
    expect(app.logged).toEqual([])
  })

  test('leaves out raw data and weather that are nested without end in a text', async () => {
    const deep = `{"a":${DEEP}}`
    const rows = [workout(1, { rawGpxData: deep, weather: deep }), workout(2, { rawGpxData: '{"source":"\\"[["}' })]
    const { json } = await restored(app, await archiveOf({ 'data/workouts.json': rows }))
    expect(json.statistics.workouts).toEqual(counts(2))
    expect(json.warnings).toEqual([expect.stringContaining(`${id(1)} rawGpxData`)])
    expect((await app.call('GET', `/workouts/${id(1)}`)).json).toMatchObject({ rawGpxData: null, weather: null })
    expect((await app.call('GET', `/workouts/${id(2)}`)).json).toMatchObject({ rawGpxData: { source: '"[[' } })
    expect(app.logged).toEqual([])
  })

  test('takes a geometry of odd points for none', async () => {
    const route = (coordinates: unknown) => ({ workoutId: id(1), routeGeoJson: { type: 'LineString', coordinates } })
    const { json } = await restored(
      app,
      await archiveOf({
        'data/workouts.json': [workout(1)],
        'data/routes.json': [route([[STUBBORN, STUBBORN], [8], 8, null, ['8', '47'], [8, 47]])],
      }),
    )
    expect(json).toMatchObject({ success: true, statistics: { workouts: counts(1), routes: counts(0, 1) } })
  })

  test('counts the parts of a workout that repeats in the archive once', async () => {
    const split = { id: id(60), workoutId: id(1).toUpperCase(), idx: 0, distanceM: 5000, durationS: 1800 }
    const { json } = await restored(
      app,
      await archiveOf({
        'data/workouts.json': [workout(1, { id: id(1).toUpperCase() }), workout(1)],
        'data/splits.json': [split],
      }),
    )
    expect(json.statistics).toMatchObject({ workouts: counts(1, 1), splits: counts(1) })
  })

  test('keeps a workout whose shoe is deleted while its files are put in place', async () => {
    const { db, config } = app.deps
    const zip = await archiveOf({
      'data/shoes.json': [shoe(70, 'A', 'B')],
      'data/workouts.json': [workout(1, { shoeId: id(70), rawStravaData: { source: 'strava_import' } })],
    })
    // what was read out of the original is the last file before the row
    const placed = join(config.dataDir, 'files', 'raw', `${id(1)}.json.zst`)
    let isDeleted = false
    const transaction = db.transaction.bind(db)
    Object.assign(db, {
      transaction: (...given: Parameters<typeof transaction>) => {
        if (!isDeleted && existsSync(placed)) {
          isDeleted = true
          expect(db.select().from(workouts).all()).toEqual([])
          db.delete(shoes).run()
        }
        return transaction(...given)
      },
    })
    const { json } = await restored(app, zip)
    expect(isDeleted).toBe(true)
    expect(json.statistics).toMatchObject({ shoes: counts(1), workouts: counts(1) })
    expect((await app.call('GET', `/workouts/${id(1)}`)).json).toMatchObject({ shoeId: null })
    expect(app.logged).toEqual([])
  })

  test('leaves a run deleted that is deleted after its parts were left out as known', async () => {
    const split = { id: id(80), workoutId: id(1), idx: 0, distanceM: 1000, durationS: 300, paceS: 300 }
    const zip = await archiveOf({ 'data/workouts.json': [workout(2), workout(1)], 'data/splits.json': [split] })
    await restored(app, zip)
    await app.call('DELETE', `/workouts/${id(2)}`)
    let isDeleted = false
    app.deps.events.subscribe(({ event }) => {
      if (event !== 'import.progress' || isDeleted) return
      isDeleted = true
      app.deps.db
        .delete(workouts)
        .where(eq(workouts.id, id(1)))
        .run()
    })
    const { json } = await restored(app, zip)
    expect(isDeleted).toBe(true)
    expect(json.statistics).toMatchObject({ workouts: counts(1, 1), splits: counts(0, 1) })
    expect((await app.call('GET', `/workouts/${id(1)}`)).status).toBe(404)
  })
})
