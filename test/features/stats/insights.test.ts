import { beforeEach, describe, expect, test } from 'bun:test'
import { statsRoutes } from '../../../src/features/stats/routes.ts'
import { changeSettings } from '../../../src/library/settings.ts'
import { addWorkout, type FeatureApp, featureApp } from '../../library/feature-app.ts'
import { removeRuns } from '../../library/recordings.ts'
import { runId } from './library.ts'

type Values = Parameters<typeof addWorkout>[1]

interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: members of answers are read and compared
  readonly [key: string]: any
}

const HOUR_MS = 3_600_000
/** Where every run is; insights are asked in UTC where it matters. */
const OFFSET = 0
let app: FeatureApp
beforeEach(() => {
  app = featureApp(statsRoutes)
})

async function insights(query = ''): Promise<Answer> {
  const { status, body } = await app.ask('GET', `/stats/insights${query}`)
  expect(status).toBe(200)
  return body as Answer
}

/** Run n starts n hours after 2025-06-09, a Monday, 06:00 UTC. */
function add(n: number, values: Partial<Values> = {}): void {
  const startedAt = Date.parse('2025-06-09T06:00:00Z') + n * HOUR_MS
  addWorkout(app.deps, { id: runId(n), startedAt, utcOffsetMinutes: OFFSET, ...values })
}

function entry(n: number, name: string | null = null) {
  return {
    date: new Date(Date.parse('2025-06-09T06:00:00Z') + n * HOUR_MS).toISOString().replace('.000', ''),
    utcOffsetMinutes: OFFSET,
    workoutId: runId(n),
    workoutName: name,
  }
}

function weather(temperature: number | null, rest: Readonly<Record<string, number | string>> = {}): Partial<Values> {
  const of = (name: string) => (rest[name] as number) ?? null
  return {
    weather: JSON.stringify({ temperature, source: 'open_meteo', ...rest }),
    ...{ weatherTemperatureC: temperature, weatherHumidity: of('humidity'), weatherWindSpeedMps: of('windSpeed') },
    ...{ weatherPrecipitationMm: of('precipitation'), weatherWindDirection: of('windDirection') },
    weatherCode: of('weatherCode'),
  }
}

test.each([0, 1, 4])('%d workouts get a message that names the minimum', async (count) => {
  for (let n = 0; n < count; n += 1) add(n)
  expect(await insights()).toEqual({
    ...{ message: expect.stringContaining('5 workouts'), sufficientData: false, currentWorkouts: count },
    ...{ requiredWorkouts: 5, weather: null, performance: null, habits: null },
    metadata: {
      ...{ totalWorkouts: count, firstWorkoutDate: null, latestWorkoutDate: null, daysSinceFirstWorkout: null },
      ...{ dataAvailability: {}, minimumWorkoutsRequired: 5 },
    },
  })
})

test('five workouts have highlights, and neither weather nor habits', async () => {
  for (let n = 0; n < 5; n += 1) add(n, { distanceM: 2000 + n, durationS: 900, avgPaceS: 450 })
  const none = { count: 0, percentage: 0, available: false }
  expect(await insights()).toEqual({
    ...{ message: null, sufficientData: true, currentWorkouts: null, requiredWorkouts: null, weather: null },
    metadata: {
      ...{ totalWorkouts: 5, firstWorkoutDate: '2025-06-09T06:00:00Z', latestWorkoutDate: '2025-06-09T10:00:00Z' },
      ...{ daysSinceFirstWorkout: 11, minimumWorkoutsRequired: 5 },
      dataAvailability: { weather: none, heartRate: none, elevation: none, calories: none, cadence: none, power: none },
    },
    performance: {
      longestRun: { distanceM: 2004, durationS: 900, ...entry(4) },
      ...{ fastestAvgPace: null, mostElevation: null, highestRelativeEffort: null },
      biggestWeek: { weekStart: '2025-06-09', weekEnd: '2025-06-15', distanceM: 10_010, runs: 5 },
    },
    habits: null,
  })
})

test('weather and heart rate are there with a quarter of the runs, the others with one', async () => {
  const first = { calories: 500, maxCadenceRpm: 90, maxPowerWatts: 0, elevGainM: 0, weather: '{}' }
  for (let n = 0; n < 8; n += 1) add(n, { ...(n < 1 ? first : {}), ...(n < 2 ? { maxHeartRateBpm: 180 } : {}) })
  const one = { count: 1, percentage: 12.5, available: true }
  expect((await insights()).metadata.dataAvailability).toEqual({
    ...{ elevation: one, calories: one, cadence: one, power: one, weather: { ...one, available: false } },
    heartRate: { count: 2, percentage: 25, available: true },
  })
})

describe('weather', () => {
  test('every extreme with its fields; ties go to the earliest run', async () => {
    add(0, { ...weather(-3.25, { humidity: 40, windSpeed: 0 }), name: 'Frost' })
    add(1, weather(-3.25, { humidity: 97, precipitation: 0 }))
    add(2, weather(31.44, { humidity: 97, windSpeed: 10, windDirection: 349 }))
    add(3, weather(20, { windSpeed: 10, precipitation: 4.2, weatherCode: 65 }))
    add(4, weather(18, { weatherCode: 95, condition: 'Gewitter' }))
    add(5, weather(18, { weatherCode: 96 }))
    add(6, weather(null, { weatherCode: 45 }))
    add(7, weather(0, { weatherCode: 71 }))
    add(8, weather(0, { weatherCode: 86, precipitation: 1.5 }))
    add(9, weather(0, { weatherCode: 67, precipitation: 3 }))
    expect((await insights()).weather).toEqual({
      coldest: { temperature: -3.2, temperatureUnit: '°C', ...entry(0, 'Frost') },
      hottest: { temperature: 31.4, temperatureUnit: '°C', ...entry(2) },
      windiest: { windSpeed: 36, windSpeedUnit: 'km/h', windDirection: 349, windDirectionCardinal: 'N', ...entry(2) },
      mostHumid: { humidity: 97, ...entry(1) },
      wettest: { precipitation: 4.2, precipitationUnit: 'mm', ...entry(3) },
      mostEpic: { weatherCode: 96, condition: 'Thunderstorm with slight hail', ...entry(5) },
      foggiest: { weatherCode: 45, condition: 'Foggy', ...entry(6) },
      snowiest: { weatherCode: 86, condition: 'Heavy snow showers', precipitation: 1.5, ...entry(8) },
    })
    changeSettings(app.deps.db, app.deps, { unitPreference: 'imperial' })
    for (const n of [8, 5]) removeRuns(app.deps, runId(n))
    const { coldest, hottest, windiest, mostEpic, snowiest } = (await insights()).weather
    expect([coldest.temperature, coldest.temperatureUnit]).toEqual([26.2, '°F'])
    expect([hottest.temperature, hottest.temperatureUnit]).toEqual([88.6, '°F'])
    // 36 km/h = 22.369 mph
    expect([windiest.windSpeed, windiest.windSpeedUnit]).toEqual([22.4, 'mph'])
    expect(mostEpic.condition).toBe('Gewitter')
    expect(snowiest).toEqual({ weatherCode: 71, condition: 'Slight snow fall', precipitation: null, ...entry(7) })
  })
})

test('highlights: only paces over 3 km count, only climbs and efforts above nothing', async () => {
  add(0, { distanceM: 2999.99, avgPaceS: 180, elevGainM: 0, relativeEffort: 0 })
  add(1, { distanceM: 3000, avgPaceS: 300.5, elevGainM: 12.5 })
  add(2, { distanceM: 3000, avgPaceS: 300.5, elevGainM: 12.5, relativeEffort: 30 })
  add(3, { distanceM: 9000, avgPaceS: 0, relativeEffort: 31 })
  add(4, { distanceM: 9000, avgPaceS: 400, name: 'Later' })
  const { performance } = await insights()
  expect(performance.fastestAvgPace).toEqual({ avgPaceS: 300.5, distanceM: 3000, ...entry(1) })
  expect(performance.mostElevation).toEqual({ elevGainM: 12.5, ...entry(1) })
  expect(performance.highestRelativeEffort).toEqual({ relativeEffort: 31, ...entry(3) })
  expect(performance.longestRun).toEqual({ distanceM: 9000, durationS: 3600, ...entry(3) })
})

describe('habits', () => {
  const addOn = (dates: readonly string[], utcOffsetMinutes: number | null = null) =>
    dates.map((date, n) => add(n, { startedAt: Date.parse(date), utcOffsetMinutes, distanceM: 5000 + n }))
  // the oracle of docs/algorithms.md 9 and one run more
  const DATES = ['01', '02', '03', '05', '06', '07', '08', '10', '11', '11'].map((n) => `2025-01-${n}T22:30:00Z`)

  test('need ten workouts: weekday, time of day, averages and streaks', async () => {
    addOn(DATES.slice(0, 9))
    expect((await insights()).habits).toBeNull()
    app = featureApp(statsRoutes)
    addOn(DATES)
    app.setNow(Date.parse('2025-01-12T23:59:59Z'))
    expect((await insights()).habits).toEqual({
      // Wednesday 1 and 8, Thursday 2, Friday 3 and 10, Saturday 11 twice, Sunday 5, Monday 6, Tuesday 7: three ties of 2
      favoriteWeekday: { weekday: 'Wednesday', weekdayIndex: 2, runs: 2, percentage: 20 },
      favoriteTimeOfDay: { timeOfDay: 'night', runs: 10, percentage: 100 },
      ...{ averageRunsPerWeek: 5, averageDistanceM: 5004.5, longestStreakDays: 4, longestStreakWeeks: 2 },
      ...{ longestStreakStart: '2025-01-05', longestStreakEnd: '2025-01-08', currentStreakDays: 2 },
    })
    app.setNow(Date.parse('2025-01-13T00:00:00Z'))
    expect((await insights()).habits).toMatchObject({ currentStreakDays: 0, averageRunsPerWeek: 3.33 })
  })

  test("without an offset each run's own time counts, with one everything is in its frame", async () => {
    addOn(DATES, 120)
    app.setNow(Date.parse('2025-01-12T22:30:00Z'))
    // 00:30 of the day after at +120
    expect((await insights()).habits).toMatchObject({
      longestStreakStart: '2025-01-06',
      favoriteTimeOfDay: { timeOfDay: 'night' },
      currentStreakDays: 2,
    })
    expect((await insights('?timezoneOffsetMinutes=0')).habits).toMatchObject({ longestStreakStart: '2025-01-05' })
    const { habits, performance } = await insights('?timezoneOffsetMinutes=-300')
    expect(habits.favoriteTimeOfDay).toEqual({ timeOfDay: 'evening', runs: 10, percentage: 100 })
    const distanceM = 5004 + 5005 + 5006 + 5007 + 5008 + 5009
    expect(performance.biggestWeek).toEqual({ weekStart: '2025-01-06', weekEnd: '2025-01-12', distanceM, runs: 6 })
  })
})

test('the highest heart rate is that of the last run that had it, of runs that count, and no slip of a strap', async () => {
  const ask = async () => (await app.ask('GET', '/stats/highest-heart-rate')).body
  expect(await ask()).toEqual({ highest: null })
  for (const [n, maxHeartRateBpm, more] of [
    [4, 191, {}],
    [5, 191, { name: 'Track' }],
    [6, null, {}],
    [7, 231, {}],
    [8, 199, { leftOut: true }],
  ] as const)
    add(n, { maxHeartRateBpm, ...more })
  const { workoutName, ...run } = entry(5, 'Track')
  expect(await ask()).toEqual({ highest: { heartRateBpm: 191, workoutName, ...run } })
})
