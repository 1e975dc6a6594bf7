import { describe, expect, test } from 'bun:test'
import { workouts } from '../../src/db/schema.ts'
import { nameKey, searchText } from '../../src/texts.ts'
import { type TestApp, testApp } from '../app.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'

type Row = typeof workouts.$inferInsert

const DAY_MS = 86_400_000

/** Plain rows straight into the table: the list looks at nothing else. */
function addRuns(app: TestApp, rows: readonly Partial<Row>[]): string[] {
  return rows.map((row, index) => {
    const id = row.id ?? `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
    const [name, device, source] = [row.name ?? null, row.device ?? null, row.source ?? 'fit_import']
    app.deps.db
      .insert(workouts)
      .values({
        startedAt: START_MS + index * DAY_MS,
        createdAt: START_MS,
        durationS: 1800,
        distanceM: 5000,
        avgPaceS: 360,
        splitsCount: 5,
        hasTimeSeriesHr: false,
        engineVersion: 1,
        wantedShoeId: row.shoeId ?? null,
        ...row,
        id,
        name,
        device,
        source,
        searchText: searchText(name, device, source),
        nameKey: nameKey(name),
      })
      .run()
    return id
  })
}

async function namesOf(app: TestApp, query: string): Promise<unknown> {
  const { status, json } = await app.call('GET', `/workouts${query}`)
  expect(status).toBe(200)
  return json.items.map(({ name }: { name: string | null }) => name)
}

test('an empty library is one empty page, whatever page is asked for', async () => {
  await using app = await testApp()
  for (const [query, page] of [
    ['', 1],
    ['?page=7', 7],
  ] as const) {
    expect((await app.call('GET', `/workouts${query}`)).json).toEqual({
      items: [],
      totalCount: 0,
      page,
      pageSize: 20,
      totalPages: 0,
      totals: { distanceM: 0, durationS: 0, movingTimeS: 0, elevGainM: 0 },
    })
  }
})

test('every key of the contract is there, and none of raw data', async () => {
  await using app = await testApp()
  await app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun() }])
  const { json } = await app.call('GET', '/workouts')
  expect(json).toMatchObject({ totalCount: 1, page: 1, pageSize: 20, totalPages: 1 })
  const [item] = json.items
  expect(item).toEqual({
    id: expect.any(String),
    startedAt: '2025-11-01T07:00:00Z',
    createdAt: '2025-11-20T13:05:11Z',
    durationS: 600,
    movingTimeS: 600,
    timerTimeS: 600,
    distanceM: 1800,
    avgPaceS: 333.33,
    gapPaceS: 333.33,
    elevGainM: 0,
    elevLossM: 0,
    minElevM: 400,
    maxElevM: 400,
    maxSpeedMps: 3,
    avgSpeedMps: 3,
    maxHeartRateBpm: 140,
    avgHeartRateBpm: 140,
    minHeartRateBpm: 140,
    maxCadenceRpm: 85,
    avgCadenceRpm: 85,
    maxCadenceSpm: 170,
    avgCadenceSpm: 170,
    maxPowerWatts: null,
    avgPowerWatts: null,
    calories: null,
    relativeEffort: 30,
    hrZoneSeconds: [0, 0, 601, 0, 0],
    rpe: null,
    runType: null,
    name: null,
    source: 'fit_import',
    device: 'Fenix 2',
    shoeId: null,
    hasRoute: true,
    splitsCount: 2,
    utcOffsetMinutes: 60,
    leftOut: false,
    load: 7.8,
    loadSource: 'heartRate',
    route: { type: 'LineString', coordinates: expect.any(Array) },
  })
  expect(item.route.coordinates.length).toBeLessThanOrEqual(100)
  expect(item.route.coordinates[0]).toEqual([8, 47])
})

describe('the order of the list', () => {
  const rows: Partial<Row>[] = [
    { name: 'b', durationS: 100, distanceM: 300, elevGainM: 5, relativeEffort: 9 },
    { name: 'A', durationS: 300, distanceM: 100, elevGainM: null, relativeEffort: 3 },
    { name: null, durationS: 200, distanceM: 200, elevGainM: 1, relativeEffort: null },
  ]
  const orders: readonly [string, unknown][] = [
    ['', [null, 'A', 'b']],
    ['?sortBy=startedAt', [null, 'A', 'b']],
    ['?sortBy=startedAt&sortOrder=asc', ['b', 'A', null]],
    ['?sortOrder=ASC', ['b', 'A', null]],
    ['?sortBy=whatever&sortOrder=sideways', [null, 'A', 'b']],
    ['?sortBy=name', [null, 'A', 'b']],
    ['?sortBy=NAME&sortOrder=Desc', ['b', 'A', null]],
    ['?sortBy=duration', ['b', null, 'A']],
    ['?sortBy=durations&sortOrder=desc', ['A', null, 'b']],
    ['?sortBy=distance', ['A', null, 'b']],
    ['?sortBy=distancem', ['A', null, 'b']],
    ['?sortBy=elevation', ['A', null, 'b']],
    ['?sortBy=elevgainm&sortOrder=desc', ['b', null, 'A']],
    ['?sortBy=relativeeffort', [null, 'A', 'b']],
    ['?sortBy=relative-effort&sortOrder=desc', ['b', 'A', null]],
  ]
  for (const [query, expected] of orders) {
    test(`${query || 'no parameters'} gives ${JSON.stringify(expected)}`, async () => {
      await using app = await testApp()
      addRuns(app, rows)
      expect(await namesOf(app, query)).toEqual(expected)
    })
  }

  const clocked: Partial<Row>[] = [
    { name: 'steady', durationS: 1800, movingTimeS: 1800, distanceM: 5000, avgPaceS: 360, avgHeartRateBpm: 140 },
    { name: 'stops', durationS: 2400, movingTimeS: 1700, distanceM: 5000, avgPaceS: 480, avgHeartRateBpm: null },
    { name: 'race', runType: 'Race', durationS: 1750, movingTimeS: 1500, distanceM: 5000, avgPaceS: 350 },
    { name: 'nowhere', durationS: 900, distanceM: 0, avgPaceS: 0, avgHeartRateBpm: 120 },
    // a timer, and no moving time; the three seconds between are none to a reader
    { name: 'timer', durationS: 1900, timerTimeS: 1897, distanceM: 5000, avgPaceS: 380, avgHeartRateBpm: 150 },
  ]
  const clockedOrders: readonly [string, unknown][] = [
    ['?sortBy=pace', ['race', 'steady', 'timer', 'stops', 'nowhere']],
    ['?sortBy=avgPaceS&sortOrder=desc', ['stops', 'timer', 'steady', 'race', 'nowhere']],
    ['?sortBy=movingpace', ['stops', 'race', 'steady', 'timer', 'nowhere']],
    ['?sortBy=movingPace&sortOrder=desc', ['timer', 'steady', 'race', 'stops', 'nowhere']],
    ['?sortBy=movingtime&sortOrder=desc', ['timer', 'steady', 'race', 'stops', 'nowhere']],
    ['?sortBy=heartrate', ['nowhere', 'steady', 'timer', 'race', 'stops']],
    ['?sortBy=avgHeartRateBpm&sortOrder=desc', ['timer', 'steady', 'nowhere', 'race', 'stops']],
  ]
  for (const [query, expected] of clockedOrders) {
    test(`${query} gives ${JSON.stringify(expected)}`, async () => {
      await using app = await testApp()
      addRuns(app, clocked)
      expect(await namesOf(app, query)).toEqual(expected)
    })
  }

  test('the list is filtered, sorted and added up without a look at the rows', async () => {
    await using app = await testApp()
    const plan = (sql: string) =>
      app.deps.db.$client
        .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => detail)
        .join()
    for (const sql of [
      'SELECT id FROM workout ORDER BY started_at DESC, id',
      'SELECT id FROM workout ORDER BY distance_m, started_at DESC, id',
      'SELECT id FROM workout ORDER BY avg_heart_rate_bpm IS NULL, avg_heart_rate_bpm, started_at DESC, id',
      "SELECT count(*), sum(distance_m), sum(min(duration_s, coalesce(moving_time_s, timer_time_s, duration_s))) FROM workout WHERE run_type = 'Race'",
    ]) {
      expect(plan(sql)).toContain('USING COVERING INDEX workout_started')
    }
  })

  test('equal keys page without repeats or losses', async () => {
    await using app = await testApp()
    const ids = addRuns(
      app,
      Array.from({ length: 47 }, () => ({ startedAt: START_MS, distanceM: 5000 })),
    )
    const seen: string[] = []
    for (let page = 1; page <= 5; page++) {
      const { json } = await app.call('GET', `/workouts?sortBy=distance&pageSize=10&page=${page}`)
      seen.push(...json.items.map(({ id }: { id: string }) => id))
    }
    expect(seen).toEqual([...ids].sort())
  })
})

describe('filters', () => {
  test('a date-time bound is exact to the millisecond, a date alone is its whole UTC day', async () => {
    await using app = await testApp()
    const at = (iso: string) => ({ name: iso, startedAt: Date.parse(iso) })
    addRuns(app, [
      at('2025-11-10T04:59:59.999Z'),
      at('2025-11-10T05:00:00Z'),
      at('2025-11-17T04:59:59.999Z'),
      at('2025-11-17T05:00:00Z'),
    ])
    const inWeek = ['2025-11-17T04:59:59.999Z', '2025-11-10T05:00:00Z']
    expect(await namesOf(app, '?startDate=2025-11-10T00:00:00-05:00&endDate=2025-11-16T23:59:59.999-05:00')).toEqual(
      inWeek,
    )
    expect(await namesOf(app, '?startDate=2025-11-10T05:00:00.000Z&endDate=2025-11-17T04:59:59.999Z')).toEqual(inWeek)
    // as a form encodes an offset without escaping its plus
    expect(await namesOf(app, '?startDate=2025-11-17T07:00:00+02:00&sortOrder=asc')).toEqual(['2025-11-17T05:00:00Z'])
    expect(await namesOf(app, '?startDate=2025-11-17&endDate=2025-11-17')).toHaveLength(2)
    expect(await namesOf(app, '?endDate=2025-11-10')).toHaveLength(2)
    expect(await namesOf(app, '?startDate=2025-11-17T05:00:00.001Z')).toEqual([])
  })

  test('distances are inclusive', async () => {
    await using app = await testApp()
    addRuns(app, [
      { name: 'short', distanceM: 4999.99 },
      { name: 'five', distanceM: 5000 },
      { name: 'ten', distanceM: 10_000 },
    ])
    expect(await namesOf(app, '?minDistanceM=5000&maxDistanceM=10000')).toEqual(['ten', 'five'])
    expect(await namesOf(app, '?minDistanceM=5000.5')).toEqual(['ten'])
  })

  test('the keyword is a plain text in name, device or source; É finds é', async () => {
    await using app = await testApp()
    addRuns(app, [
      { name: '100% effort' },
      { name: 'under_score' },
      { name: 'Café run' },
      { name: null, device: 'Forerunner 945' },
      { name: 'x', source: 'strava_import' },
    ])
    expect(await namesOf(app, '?keyword=%25')).toEqual(['100% effort'])
    expect(await namesOf(app, '?keyword=r_s')).toEqual(['under_score'])
    expect(await namesOf(app, '?keyword=CAF%C3%89')).toEqual(['Café run'])
    expect(await namesOf(app, `?keyword=${encodeURIComponent('CAFÉ'.normalize('NFD'))}`)).toEqual(['Café run'])
    expect(await namesOf(app, '?keyword=forerunner')).toEqual([null])
    expect(await namesOf(app, '?keyword=STRAVA')).toEqual(['x'])
    expect(await namesOf(app, '?keyword=100%25%20effort,x')).toEqual([])
    expect(await namesOf(app, '?keyword=%20')).toHaveLength(5)
  })

  test('the run type is exact; an unknown one finds nothing', async () => {
    await using app = await testApp()
    addRuns(app, [{ name: 'r', runType: 'Race' }, { name: 'e', runType: 'Easy Run' }, { name: 'n' }])
    expect(await namesOf(app, '?runType=Race')).toEqual(['r'])
    expect(await namesOf(app, '?runType=Easy%20Run')).toEqual(['e'])
    expect(await namesOf(app, '?runType=race')).toEqual([])
    expect(await namesOf(app, '?runType=Sprint')).toEqual([])
    expect(await namesOf(app, '?runType=none')).toEqual(['n'])
  })

  test('the shoe is one by its id, or none', async () => {
    await using app = await testApp()
    const made = async (model: string) =>
      (await app.call('POST', '/shoes', { json: { brand: 'Hoka', model } })).json.id as string
    const [worn, kept] = [await made('Mach'), await made('Bondi')]
    addRuns(app, [{ name: 'a', shoeId: worn }, { name: 'b' }, { name: 'c', shoeId: worn }])
    expect(await namesOf(app, `?shoeId=${worn}`)).toEqual(['c', 'a'])
    expect(await namesOf(app, `?shoeId=${worn.toUpperCase()}&keyword=c`)).toEqual(['c'])
    expect(await namesOf(app, `?shoeId=${kept}`)).toEqual([])
    expect(await namesOf(app, '?shoeId=none')).toEqual(['b'])
    expect(await namesOf(app, '?shoeId=sandals')).toEqual([])
    expect(await namesOf(app, '?shoeId=')).toEqual(['c', 'b', 'a'])
    expect((await app.call('DELETE', `/shoes/${worn}`)).status).toBe(204)
    expect(await namesOf(app, `?shoeId=${worn}`)).toEqual([])
    expect(await namesOf(app, '?shoeId=none')).toEqual(['c', 'b', 'a'])
  })
})

test('sums are those of everything that fits, on whatever page', async () => {
  await using app = await testApp()
  addRuns(app, [
    { runType: 'Race', distanceM: 10_000.1, durationS: 3000, movingTimeS: 2900, elevGainM: 12.5 },
    { runType: 'Race', distanceM: 5000.2, durationS: 1800, timerTimeS: 1700, elevGainM: null },
    { runType: 'Race', distanceM: 1000, durationS: 400, movingTimeS: 500, leftOut: true },
    { distanceM: 99_000 },
  ])
  const { json } = await app.call('GET', '/workouts?runType=Race&pageSize=1&page=2')
  expect([json.totalCount, json.totals]).toEqual([
    3,
    { distanceM: 16_000.3, durationS: 5200, movingTimeS: 5000, elevGainM: 12.5 },
  ])
})

describe('neighbours', () => {
  test('are those of the list that is asked for', async () => {
    await using app = await testApp()
    const [a, b, c, d] = addRuns(app, [
      { distanceM: 4000 },
      { distanceM: 2000, runType: 'Race' },
      { distanceM: 3000 },
      { distanceM: 1000 },
    ])
    const of = async (id: string | undefined, query = '') => {
      const { json } = await app.call('GET', `/workouts/${id}/neighbours${query}`)
      return [json.previousId, json.nextId, json.position, json.totalCount]
    }
    expect(await of(d)).toEqual([null, c, 1, 4])
    expect(await of(b)).toEqual([c, a, 3, 4])
    expect(await of(a)).toEqual([b, null, 4, 4])
    expect(await of(b, '?sortBy=distance')).toEqual([d, c, 2, 4])
    expect(await of(c, '?minDistanceM=2500&sortOrder=asc')).toEqual([a, null, 2, 2])
    expect(await of(c, '?runType=Race')).toEqual([null, null, null, 1])
  })
})

describe('pages and dates are clamped or refused, never a 500', () => {
  const refused = [
    'page=x',
    'page=1.5',
    'page=',
    'pageSize=ten',
    'page=99999999999999999999',
    'page=1&page=2',
    'startDate=yesterday',
    'startDate=2025-13-01',
    'startDate=2025-02-30',
    'endDate=2025-01-01T25:00:00Z',
    'startDate=9999999999999-01-01',
    'minDistanceM=far',
    'maxDistanceM=NaN',
    'minDistanceM=1e999',
  ]
  for (const query of refused) {
    test(`?${query} is 400`, async () => {
      await using app = await testApp()
      addRuns(app, [{}])
      const { status, json } = await app.call('GET', `/workouts?${query}`)
      expect(status).toBe(400)
      expect(json.error).toContain(query.split('=')[0]!)
    })
  }

  const clamped: readonly [string, number, number][] = [
    ['page=0', 1, 20],
    ['page=-5', 1, 20],
    ['pageSize=0', 1, 20],
    ['pageSize=-1', 1, 20],
    ['pageSize=100', 1, 100],
    ['pageSize=101', 1, 100],
    ['pageSize=2147483648', 1, 100],
  ]
  for (const [query, page, pageSize] of clamped) {
    test(`?${query} is page ${page} of ${pageSize}`, async () => {
      await using app = await testApp()
      addRuns(app, [{}])
      expect((await app.call('GET', `/workouts?${query}`)).json).toMatchObject({ page, pageSize, totalCount: 1 })
    })
  }

  test('a page past the end is 404 only when there are pages', async () => {
    await using app = await testApp()
    addRuns(
      app,
      Array.from({ length: 21 }, () => ({})),
    )
    expect((await app.call('GET', '/workouts?page=2')).json.items).toHaveLength(1)
    const past = await app.call('GET', '/workouts?page=3')
    expect([past.status, past.json]).toEqual([404, { error: 'Page not found' }])
    expect((await app.call('GET', '/workouts?page=9007199254740991')).status).toBe(404)
    expect((await app.call('GET', '/workouts?page=3&keyword=nothing')).status).toBe(200)
  })
})

test('a list shows each workout once, without raw data and with short routes, however many splits it has', async () => {
  await using app = await testApp()
  await app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun({ seconds: 7200 }) }])
  const { json, text } = await app.call('GET', '/workouts')
  expect(json.items).toHaveLength(1)
  expect(json.items[0].splitsCount).toBe(22)
  expect(json.items[0].route.coordinates.length).toBeLessThanOrEqual(100)
  expect(text).not.toMatch(/rawFitData|trackPoints|splits"/)
  expect(text.length).toBeLessThan(6000)
})
