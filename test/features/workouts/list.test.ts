import { afterEach, beforeEach, expect, test } from 'bun:test'
import { nameKey, searchText } from '../../../src/base/texts.ts'
import { type TestApp, testApp } from '../../app.ts'
import { fitRun, START_MS } from '../../fixtures/runs.ts'
import { addWorkout } from '../../library/feature-app.ts'

type Row = Parameters<typeof addWorkout>[1]

const DAY_MS = 86_400_000

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app.close())

/** Plain rows straight into the table: the list looks at nothing else. */
function addRuns(...rows: readonly Partial<Row>[]): string[] {
  return rows.map((row, index) => {
    const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
    const [name, device, source] = [row.name ?? null, row.device ?? null, row.source ?? 'fit_import']
    const found = { searchText: searchText(name, device, source), nameKey: nameKey(name) }
    const about = { startedAt: START_MS + index * DAY_MS, durationS: 1800, distanceM: 5000, splitsCount: 5 }
    addWorkout(app.deps, { ...about, ...row, id, name, device, source, ...found })
    return id
  })
}

/** @param cases names of the runs that a query finds, in their order and with commas; `-` is a run without a name */
async function expectNames(cases: Readonly<Record<string, string>>): Promise<void> {
  for (const [query, names] of Object.entries(cases)) {
    const { items } = await app.ok('GET', `/workouts?${query}`)
    expect([query, items.map(({ name }: { name: string | null }) => name ?? '-').join()]).toEqual([query, names])
  }
}

test('a run is listed with every number, and nothing of its raw data', async () => {
  await app.run(fitRun())
  const { items } = await app.ok('GET', '/workouts')
  expect(items).toEqual([
    {
      ...{ id: expect.any(String), startedAt: '2025-11-01T07:00:00Z', createdAt: '2025-11-20T13:05:11Z' },
      ...{ durationS: 600, movingTimeS: 600, timerTimeS: 600, distanceM: 1800, avgPaceS: 333.33, gapPaceS: 333.33 },
      ...{ elevGainM: 0, elevLossM: 0, minElevM: 400, maxElevM: 400, maxSpeedMps: 3, avgSpeedMps: 3 },
      ...{ maxHeartRateBpm: 140, avgHeartRateBpm: 140, minHeartRateBpm: 140, maxCadenceRpm: 85, avgCadenceRpm: 85 },
      ...{ maxCadenceSpm: 170, avgCadenceSpm: 170, maxPowerWatts: null, avgPowerWatts: null, calories: null },
      ...{ relativeEffort: 30, hrZoneSeconds: [0, 0, 601, 0, 0], rpe: null, runType: null, name: null },
      ...{ source: 'fit_import', device: 'Fenix 2', shoeId: null, hasRoute: true, splitsCount: 2 },
      ...{
        utcOffsetMinutes: 60,
        leftOut: false,
        load: 7.8,
        loadSource: 'heartRate',
        updatedAt: '2025-11-20T13:05:11Z',
      },
      suggestedRunType: { type: 'Easy Run', reason: '100% easy' },
      route: { type: 'LineString', coordinates: expect.any(Array) },
    },
  ])
  const { coordinates } = items[0].route
  expect([coordinates.length <= 100, coordinates[0]]).toEqual([true, [8, 47]])
})

const at = (name: string, iso: string, utcOffsetMinutes: number | null = null): Partial<Row> => {
  return { name, startedAt: Date.parse(iso), utcOffsetMinutes }
}
const IN_WEEK = '17T04:59:59.999,10T05:00:00'
const DAY = 'startDate=2025-11-10&endDate=2025-11-10&sortOrder=asc'
const KNOWN = '0:00 in Auckland,0:20 in Zurich'

const LISTS: readonly [name: string, rows: readonly Partial<Row>[], cases: Readonly<Record<string, string>>][] = [
  [
    'sorted by a column, by the start where that is none',
    [
      { name: 'b', durationS: 100, distanceM: 300, elevGainM: 5, relativeEffort: 9 },
      { name: 'A', durationS: 300, distanceM: 100, elevGainM: null, relativeEffort: 3 },
      { name: null, durationS: 200, distanceM: 200, elevGainM: 1, relativeEffort: null },
    ],
    {
      ...{ '': '-,A,b', 'sortBy=startedAt&sortOrder=asc': 'b,A,-', 'sortBy=whatever&sortOrder=sideways': '-,A,b' },
      // found in every object that is used as a table
      ...{ 'sortBy=constructor': '-,A,b', 'sortBy=name': '-,A,b', 'sortBy=NAME&sortOrder=Desc': 'b,A,-' },
      ...{ 'sortBy=duration': 'b,-,A', 'sortBy=durations&sortOrder=desc': 'A,-,b', 'sortBy=distancem': 'A,-,b' },
      ...{ 'sortBy=elevgainm&sortOrder=desc': 'b,-,A', 'sortBy=relativeeffort': '-,A,b' },
      'sortBy=relative-effort&sortOrder=desc': 'b,A,-',
    },
  ],
  [
    'sorted by pace, moving time and heart rate, those without at the end',
    [
      { name: 'steady', durationS: 1800, movingTimeS: 1800, distanceM: 5000, avgPaceS: 360, avgHeartRateBpm: 140 },
      { name: 'stops', durationS: 2400, movingTimeS: 1700, distanceM: 5000, avgPaceS: 480, avgHeartRateBpm: null },
      { name: 'race', runType: 'Race', durationS: 1750, movingTimeS: 1500, distanceM: 5000, avgPaceS: 350 },
      { name: 'nowhere', durationS: 900, distanceM: 0, avgPaceS: 0, avgHeartRateBpm: 120 },
      // a timer, and no moving time; the three seconds between are none to a reader
      { name: 'timer', durationS: 1900, timerTimeS: 1897, distanceM: 5000, avgPaceS: 380, avgHeartRateBpm: 150 },
    ],
    {
      'sortBy=pace': 'race,steady,timer,stops,nowhere',
      'sortBy=avgPaceS&sortOrder=desc': 'stops,timer,steady,race,nowhere',
      'sortBy=movingpace': 'stops,race,steady,timer,nowhere',
      'sortBy=movingPace&sortOrder=desc': 'timer,steady,race,stops,nowhere',
      'sortBy=movingtime&sortOrder=desc': 'timer,steady,race,stops,nowhere',
      'sortBy=heartrate': 'nowhere,steady,timer,race,stops',
      'sortBy=avgHeartRateBpm&sortOrder=desc': 'timer,steady,nowhere,race,stops',
    },
  ],
  [
    'between two instants to the millisecond, or the whole UTC days of two dates',
    ['10T04:59:59.999', '10T05:00:00', '17T04:59:59.999', '17T05:00:00'].map((name) => at(name, `2025-11-${name}Z`)),
    {
      'startDate=2025-11-10T00:00:00-05:00&endDate=2025-11-16T23:59:59.999-05:00': IN_WEEK,
      'startDate=2025-11-10T05:00:00.000Z&endDate=2025-11-17T04:59:59.999Z': IN_WEEK,
      // as a form encodes an offset without escaping its plus
      'startDate=2025-11-17T07:00:00+02:00&sortOrder=asc': '17T05:00:00',
      'startDate=2025-11-17&endDate=2025-11-17': '17T05:00:00,17T04:59:59.999',
      'endDate=2025-11-10': '10T05:00:00,10T04:59:59.999',
      'startDate=2025-11-17T05:00:00.001Z': '',
    },
  ],
  [
    'with days=local on a day at the place of each run, else by timezoneOffsetMinutes',
    [
      at('0:20 in Zurich', '2025-11-09T23:20:00Z', 60),
      at('23:59 in New York', '2025-11-11T04:59:59.999Z', -300),
      at('0:00 in Auckland', '2025-11-09T11:00:00Z', 780),
      at('0:00 a day later in Auckland', '2025-11-10T11:00:00Z', 780),
      at('3:00 somewhere', '2025-11-11T03:00:00Z'),
    ],
    {
      [DAY]: '0:00 a day later in Auckland',
      [`${DAY}&days=local`]: `${KNOWN},23:59 in New York`,
      [`${DAY}&days=local&timezoneOffsetMinutes=-300`]: `${KNOWN},3:00 somewhere,23:59 in New York`,
      'startDate=2025-11-11&days=local&sortOrder=asc': '0:00 a day later in Auckland,3:00 somewhere',
      // an instant is the same everywhere
      'startDate=2025-11-11T04:00:00Z&days=local': '23:59 in New York',
    },
  ],
  [
    'by a keyword, a plain text in name, device or source, in which É finds é',
    [
      ...[{ name: '100% effort' }, { name: 'under_score' }, { name: 'Café run' }],
      ...[{ device: 'Forerunner 945' }, { name: 'x', source: 'strava_import' }],
    ],
    {
      ...{ 'keyword=%25': '100% effort', 'keyword=r_s': 'under_score', 'keyword=CAF%C3%89': 'Café run' },
      ...{ [`keyword=${encodeURIComponent('CAFÉ'.normalize('NFD'))}`]: 'Café run', 'keyword=forerunner': '-' },
      ...{ 'keyword=STRAVA': 'x', 'keyword=100%25%20effort,x': '' },
      'keyword=%20': 'x,-,Café run,under_score,100% effort',
    },
  ],
  [
    'by a device, part of its name in any case, and not of names and sources; by a type that is exact; without those left out',
    [
      { name: 'a', device: 'Garmin Forerunner 945', runType: 'Race' },
      { name: 'Forerunner test', device: 'Café Watch', runType: 'Easy Run', leftOut: true },
      { name: 'c', device: null, source: 'forerunner' },
    ],
    {
      ...{ 'device=forerunner': 'a', 'device=FORERUNNER%20945': 'a', 'device=CAF%C3%89': 'Forerunner test' },
      ...{ 'device=%25': '', 'device=none': 'c', 'device=%20': 'c,Forerunner test,a' },
      ...{ 'runType=Race': 'a', 'runType=Easy%20Run': 'Forerunner test', 'runType=race': '', 'runType=Sprint': '' },
      ...{ 'runType=none': 'c', 'leftOut=false': 'c,a', 'leftOut=true': 'Forerunner test' },
    },
  ],
]
test.each(LISTS)('runs are listed %s', async (_, rows, cases) => {
  addRuns(...rows)
  await expectNames(cases)
})

test('bounds of distance, pace, heart rate, climb and load are inclusive, and a run without a value fits none', async () => {
  addRuns(
    { name: 'slow', distanceM: 4999.99, durationS: 10_800, avgPaceS: 400, avgHeartRateBpm: 130, elevGainM: 0 },
    { name: 'fast', avgPaceS: 240.5, avgHeartRateBpm: 171, elevGainM: 250.5 },
    { name: 'bare', distanceM: 10_000, avgPaceS: 0, avgHeartRateBpm: null, elevGainM: null, leftOut: true },
  )
  const { items } = await app.ok('GET', '/workouts')
  const [bare, less, more] = items.map(({ load }: { load: number | null }) => load)
  expect([bare, less < more]).toEqual([null, true])
  await expectNames({
    ...{ 'minDistanceM=5000&maxDistanceM=10000': 'bare,fast', 'minDistanceM=5000.5': 'bare' },
    ...{ 'minPaceS=240.5&maxPaceS=399.9': 'fast', 'maxPaceS=400': 'fast,slow', 'minHeartRateBpm=171': 'fast' },
    ...{ 'maxHeartRateBpm=170': 'slow', 'maxElevGainM=250.5': 'fast,slow', 'minElevGainM=1': 'fast' },
    ...{ [`minLoad=${more}`]: 'slow', [`maxLoad=${less}`]: 'fast', 'minLoad=0': 'fast,slow' },
    ...{ [`minLoad=${more + 0.1}`]: '' },
  })
})

test('the shoe is one by its id, or none, also once it is deleted', async () => {
  const made = async (model: string): Promise<string> => (await app.ok('POST', '/shoes', { brand: 'Hoka', model })).id
  const [worn, kept] = [await made('Mach'), await made('Bondi')]
  addRuns({ name: 'a', shoeId: worn }, { name: 'b' }, { name: 'c', shoeId: worn })
  await expectNames({
    ...{ [`shoeId=${worn}`]: 'c,a', [`shoeId=${worn.toUpperCase()}&keyword=c`]: 'c', [`shoeId=${kept}`]: '' },
    ...{ 'shoeId=none': 'b', 'shoeId=sandals': '', 'shoeId=': 'c,b,a' },
  })
  await app.ok('DELETE', `/shoes/${worn}`)
  await expectNames({ [`shoeId=${worn}`]: '', 'shoeId=none': 'c,b,a' })
})

test('a search finds words of notes, shoes and named places, too', async () => {
  const { id: shoeId } = await app.ok('POST', '/shoes', { brand: 'Höka', model: 'Mach 6' })
  addRuns(
    { name: 'a', notes: 'Along the CAFÉ, 50%' },
    { name: 'b', shoeId },
    { name: 'mach one' },
    { name: 'd', device: 'Fenix' },
  )
  await expectNames({
    ...{ 'search=caf%C3%A9': 'a', 'search=0%25': 'a', 'search=MACH': 'mach one,b', 'search=h%C3%B6ka%20mach': 'b' },
    ...{ 'search=fenix': 'd', 'search=nothing': '', 'search=%20': 'd,mach one,b,a', 'keyword=mach': 'mach one' },
  })
  // that starts at 47, 8
  await app.ok('PATCH', `/workouts/${await app.run(fitRun())}`, { name: 'routed' })
  await app.ok('POST', '/places', { name: 'Stadtpark Nord', lat: 47.001, lon: 8 })
  await app.ok('POST', '/places', { name: 'Elsewhere', lat: 47.9, lon: 8 })
  await expectNames({ 'search=stadtPARK': 'routed', 'search=elsewhere': '', 'keyword=stadtpark': '' })
})

test('a pace is bounded as the page shows it, by moving time, and of a race by elapsed time', async () => {
  const run = { distanceM: 10_000, durationS: 3600, avgPaceS: 360, movingTimeS: 3000 }
  addRuns({ ...run, name: 'race', runType: 'Race' }, { ...run, name: 'easy' })
  await expectNames({ 'maxMovingPaceS=300': 'easy', 'minMovingPaceS=301': 'race', 'minPaceS=301': 'easy,race' })
})

test('sums are those of everything that fits, on whatever page', async () => {
  addRuns(
    { runType: 'Race', distanceM: 10_000.1, durationS: 3000, movingTimeS: 2900, elevGainM: 12.5 },
    { runType: 'Race', distanceM: 5000.2, durationS: 1800, timerTimeS: 1700, elevGainM: null },
    { runType: 'Race', distanceM: 1000, durationS: 400, movingTimeS: 500, leftOut: true },
    { distanceM: 99_000 },
  )
  expect(await app.ok('GET', '/workouts?runType=Race&pageSize=1&page=2')).toMatchObject({
    ...{ totalCount: 3, totals: { distanceM: 16_000.3, durationS: 5200, movingTimeS: 5000, elevGainM: 12.5 } },
  })
})

test('neighbours are those of the list that is asked for', async () => {
  const [a, b, c, d] = addRuns(...[4000, 2000, 3000, 1000].map((distanceM) => ({ distanceM })))
  await app.ok('PATCH', `/workouts/${b}`, { runType: 'Race' })
  for (const [id, query, ...expected] of [
    [d, '', null, c, 1, 4],
    [b, '', c, a, 3, 4],
    [a, '', b, null, 4, 4],
    [b, '?sortBy=distance', d, c, 2, 4],
    [c, '?minDistanceM=2500&sortOrder=asc', a, null, 2, 2],
    [c, '?runType=Race', null, null, null, 1],
  ]) {
    const { previousId, nextId, position, totalCount } = await app.ok('GET', `/workouts/${id}/neighbours${query}`)
    expect([previousId, nextId, position, totalCount] as unknown[]).toEqual(expected)
  }
})

test('pages begin at 1 and have at most 100 runs; equal keys page without repeats or losses; past the end is 404', async () => {
  const none = { items: [], totalCount: 0, pageSize: 20, totalPages: 0 }
  const totals = { distanceM: 0, durationS: 0, movingTimeS: 0, elevGainM: 0 }
  for (const page of [1, 7]) expect(await app.ok('GET', `/workouts?page=${page}`)).toEqual({ ...none, page, totals })
  const ids = addRuns(...Array(47).fill({ startedAt: START_MS, distanceM: 5000 }))
  const pages = { 'page=0': 20, 'page=-5': 20, 'pageSize=0': 20, 'pageSize=100': 100, 'pageSize=2147483648': 100 }
  for (const [query, pageSize] of Object.entries(pages))
    expect(await app.ok('GET', `/workouts?${query}`), query).toMatchObject({ page: 1, pageSize, totalCount: 47 })
  const seen: string[] = []
  for (let page = 1; page <= 5; page++) {
    const { items } = await app.ok('GET', `/workouts?sortBy=distance&pageSize=10&page=${page}`)
    seen.push(...items.map(({ id }: { id: string }) => id))
  }
  expect(seen).toEqual(ids.toSorted())
  for (const query of ['page=4', 'page=9007199254740991']) {
    const { status, json } = await app.call('GET', `/workouts?${query}`)
    expect([status, json]).toEqual([404, expect.objectContaining({ error: 'Page not found' })])
  }
  expect((await app.ok('GET', '/workouts?page=3&keyword=nothing')).items).toEqual([])
})
