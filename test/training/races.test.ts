import { describe, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../app.ts'
import { exported, restored } from '../archive/archives.ts'
import { addRun, raced, steady } from './days-ago.ts'

const NOBODY = '0198a000-0000-7000-8000-00000000dead'
const CITY = { date: '2025-11-15', name: 'City 10K', distanceM: 10_000, goalTimeS: 2700, note: 'Flat' }

/** A 10 km race of 5 days ago, on 15 November. */
function cityRun(app: TestApp, values: Parameters<typeof addRun>[2] = {}): string {
  return addRun(app, 5, { runType: 'Race', distanceM: 10_120, durationS: 2650, ...values })
}

const planned = async (app: TestApp, race: object = CITY) => await app.ok('POST', '/races', race)

describe('planned races', () => {
  test('are added, changed and removed', async () => {
    await using app = await testApp()
    const race = await planned(app, { ...CITY, date: '2025-12-02', name: ' City 10K ' })
    expect(race).toEqual({
      ...{ ...CITY, date: '2025-12-02', id: race.id, workoutId: null, isLinked: false, timeMs: null, place: null },
      ...{ prediction: expect.objectContaining({ value: null, unit: 's', reasons: ['tooFewRuns'] }) },
      ...{ inPrediction: null, ageGrade: null },
    })
    expect(await app.ok('PATCH', `/races/${race.id}`, { goalTimeS: null, distanceM: 21_097.5 })).toEqual({
      ...{ ...race, goalTimeS: null, distanceM: 21_097.5 },
    })
    expect(await app.ok('PATCH', `/races/${race.id}`, {})).toMatchObject({ goalTimeS: null, name: 'City 10K' })
    expect((await app.call('DELETE', `/races/${race.id}`)).status).toBe(204)
    expect(await app.ok('GET', '/races')).toEqual([])
    expect((await app.ok('GET', '/receipts')).items).toEqual([])
  })

  test('an unknown run, and a window that ends before it begins, are refused', async () => {
    await using app = await testApp()
    const { id } = await planned(app)
    for (const [method, path] of [
      ['POST', '/races'],
      ['PATCH', `/races/${id}`],
    ] as const) {
      const { status, json } = await app.call(method, path, { json: { ...CITY, workoutId: NOBODY } })
      expect([status, json]).toEqual([400, { error: 'Workout not found' }])
    }
    expect(await app.ok('GET', '/races')).toHaveLength(1)
    expect((await app.call('GET', '/races?from=2025-11-20&to=2025-11-20')).status).toBe(400)
  })
})

describe('results', () => {
  test('a race of that local day within 6 % of the distance becomes the result', async () => {
    await using app = await testApp()
    const city = await planned(app)
    const near = cityRun(app)
    expect(
      (await app.ok('GET', '/races')).map(({ id, workoutId, timeMs }: never) => ({ id, workoutId, timeMs })),
    ).toEqual([{ id: city.id, workoutId: near, timeMs: 2_650_000 }])
    // another day, another distance, no race
    for (const change of [{ date: '2025-11-14' }, { distanceM: 9500 }]) {
      await app.ok('PATCH', `/races/${city.id}`, { ...CITY, ...change })
      expect(await app.ok('GET', '/races')).toHaveLength(2)
    }
    await app.ok('PATCH', `/races/${city.id}`, CITY)
    await app.ok('PATCH', `/workouts/${near}`, { runType: 'Workout' })
    expect(await app.ok('GET', '/races')).toMatchObject([{ id: city.id, workoutId: null, timeMs: null }])
  })

  test('the local day is the one where the run was, else that of the viewer', async () => {
    await using app = await testApp()
    const city = await planned(app, { ...CITY, date: '2025-11-16' })
    const startedAt = Date.UTC(2025, 10, 15, 23, 30)
    const id = cityRun(app, { startedAt })
    const found = async (offset: number) =>
      (await app.ok('GET', `/races?timezoneOffsetMinutes=${offset}`)).find(
        (race: { id: string }) => race.id === city.id,
      )
    expect((await found(0)).workoutId).toBeNull()
    expect((await found(60)).workoutId).toBe(id)
  })

  test('of two races of a day each planned one gets the nearer run, and each run is one result', async () => {
    await using app = await testApp()
    const [long, short] = [cityRun(app, { distanceM: 10_300 }), cityRun(app, { distanceM: 9950 })]
    const first = await planned(app, { ...CITY, name: 'A', distanceM: 10_300 })
    const second = await planned(app, { ...CITY, name: 'B' })
    const linked = async () =>
      Object.fromEntries(
        (await app.ok('GET', '/races')).map((race: { id: string; workoutId: string }) => [race.id, race.workoutId]),
      )
    expect(await linked()).toEqual({ [first.id]: long, [second.id]: short })
    const { status, json } = await app.call('PATCH', `/races/${second.id}`, { json: { workoutId: long } })
    expect(status, 'a run that follows by the rule may be taken').toBe(200)
    expect(json.workoutId).toBe(long)
    expect(await linked()).toEqual({ [second.id]: long, [first.id]: short })
    const taken = await app.call('PATCH', `/races/${first.id}`, { json: { workoutId: long } })
    expect([taken.status, taken.json]).toEqual([400, { error: 'This run is already the result of B' }])
  })

  test('the runner may link another run, or none', async () => {
    await using app = await testApp()
    const [race, other] = [cityRun(app), addRun(app, 6, { distanceM: 9000, durationS: 2600 })]
    const city = await planned(app)
    expect(city.workoutId).toBe(race)
    expect(await app.ok('PATCH', `/races/${city.id}`, { workoutId: other })).toMatchObject({ timeMs: 2_600_000 })
    expect(await app.ok('GET', '/races')).toMatchObject([
      { id: city.id, workoutId: other },
      { id: null, workoutId: race },
    ])
    expect(await app.ok('PATCH', `/races/${city.id}`, { workoutId: null })).toMatchObject({
      workoutId: null,
      timeMs: null,
    })
    expect(await app.ok('PATCH', `/races/${city.id}`, { name: 'City' })).toMatchObject({
      workoutId: null,
      isLinked: true,
    })
    expect(await app.ok('PATCH', `/races/${city.id}`, { isLinked: false })).toMatchObject({
      workoutId: race,
      isLinked: false,
    })
  })

  test('a linked run that is deleted is not the result, and is it again when that is undone', async () => {
    await using app = await testApp()
    const linked = await raced(app, 6, { seconds: 2400, speedMps: 4, hr: 170 })
    const city = await planned(app, { ...CITY, workoutId: linked })
    expect(city).toMatchObject({ workoutId: linked, timeMs: 2_400_000 })
    await app.call('DELETE', `/workouts/${linked}`)
    expect(await app.ok('GET', '/races')).toMatchObject([{ id: city.id, workoutId: null, timeMs: null, place: null }])
    expect(await app.ok('PATCH', `/races/${city.id}`, { goalTimeS: 2600 })).toMatchObject({
      ...{ goalTimeS: 2600, isLinked: true },
    })
    const again = await app.call('PATCH', `/races/${city.id}`, { json: { workoutId: linked } })
    expect([again.status, again.json]).toEqual([400, { error: 'Workout not found' }])
    // meanwhile the rule holds
    const byRule = cityRun(app)
    expect(await app.ok('GET', '/races')).toMatchObject([{ id: city.id, workoutId: byRule }])
    await app.ok('POST', `/trash/${linked}/restore`)
    const races = await app.ok('GET', '/races')
    expect(races).toMatchObject([
      { id: city.id, workoutId: linked },
      { id: null, workoutId: byRule },
    ])
    await app.call('DELETE', `/workouts/${linked}?forever=true`)
    expect(await app.ok('GET', '/races')).toMatchObject([{ id: city.id, workoutId: byRule }])
  })
})

describe('the list', () => {
  test('has races without a plan by the standard distance, and the place among races of one distance', async () => {
    await using app = await testApp()
    const run = (day: number, durationS: number, distanceM: number, name: string | null = null) =>
      addRun(app, day, { runType: 'Race', durationS, distanceM, name })
    const ids = [run(40, 2700, 10_090), run(30, 2600, 9900, 'Park'), run(20, 2800, 10_000), run(10, 6000, 21_300)]
    const odd = run(8, 1800, 7120)
    addRun(app, 7, { runType: 'Race', durationS: 2400, distanceM: 10_000, leftOut: true })
    addRun(app, 6, { runType: 'Easy Run', durationS: 2400, distanceM: 10_000 })
    const races = await app.ok('GET', '/races')
    type Shown = Readonly<Record<'workoutId' | 'name' | 'distanceM' | 'place' | 'date' | 'id', unknown>>
    expect(races.map(({ workoutId, name, distanceM, place }: Shown) => [workoutId, name, distanceM, place])).toEqual([
      [odd, null, 7120, { rank: 1, of: 1 }],
      [ids[3], null, 21_097.5, { rank: 1, of: 1 }],
      [ids[2], null, 10_000, { rank: 3, of: 3 }],
      [ids[1], 'Park', 10_000, { rank: 1, of: 3 }],
      [ids[0], null, 10_000, { rank: 2, of: 3 }],
    ])
    expect(races[2]).toMatchObject({ id: null, date: '2025-10-31', goalTimeS: null, note: null })
    const window = await app.ok('GET', '/races?from=2025-10-21&to=2025-10-31')
    expect(window).toEqual([races[3]])
  })

  test('a past race is predicted from what came before it, an upcoming one from those up to today', async () => {
    await using app = await testApp()
    const hard = { seconds: 1300, hr: 175 }
    await raced(app, 440, { ...hard, speedMps: 4.9 })
    await raced(app, 60, { ...hard, speedMps: 4 })
    for (const day of [70, 66, 62, 58]) await steady(app, day, { seconds: 2400, speedMps: 3.2, hr: 145 })
    const race = await raced(app, 30, { seconds: 2450, speedMps: 4.1, hr: 175 })
    await planned(app, { ...CITY, date: '2025-10-21' })
    await raced(app, 10, { ...hard, speedMps: 4.3 })
    const coming = await planned(app, { ...CITY, date: '2025-12-01' })
    const early = await planned(app, { ...CITY, date: '2025-01-01' })
    const races = await app.ok('GET', '/races')
    const { prediction, timeMs, inPrediction } = races.find(
      ({ workoutId }: { workoutId: string }) => workoutId === race,
    )
    expect(timeMs).toBe(2_450_000)
    // the four runs and the race, not what came after it, nor the race of more than a year before it
    expect(prediction).toMatchObject({ n: 5, asOf: '2025-09-23', unit: 's', missing: null })
    expect(prediction.low).toBeLessThan(prediction.value)
    expect(inPrediction).toBe(prediction.low <= 2450 && 2450 <= prediction.high)
    const of = (id: string) => races.find((one: { id: string }) => one.id === id)
    const { predictions } = await app.ok('GET', '/training/predictions?distanceM=10000')
    expect(of(coming.id).prediction).toEqual(predictions[0].time)
    expect(of(coming.id).inPrediction).toBeNull()
    expect(of(early.id).prediction).toMatchObject({ value: null, reasons: ['tooFewRuns'] })
  })

  test('distances that the formulas do not cover have no prediction', async () => {
    await using app = await testApp()
    await raced(app, 10, { seconds: 1300, speedMps: 4, hr: 175 })
    for (const [distanceM, reason] of [
      [800, 'tooShort'],
      [160_000, 'extrapolated'],
    ] as const) {
      const race = await planned(app, { ...CITY, date: '2025-12-01', distanceM })
      expect(race.prediction).toMatchObject({ value: null, reasons: [reason] })
    }
  })

  test('planned races enter no load and no goal', async () => {
    await using app = await testApp()
    addRun(app, 3)
    const before = await app.ok('GET', '/training/today')
    await planned(app, { ...CITY, date: '2025-11-20' })
    expect(await app.ok('GET', '/training/today')).toEqual(before)
  })
})

test('a restored link follows a run that is there under another id, and is undone with its race', async () => {
  await using app = await testApp()
  const linked = await raced(app, 6, { seconds: 2400, speedMps: 4, hr: 170 })
  await planned(app, { ...CITY, workoutId: linked })
  await using other = await testApp()
  const same = await raced(other, 6, { seconds: 2400, speedMps: 4, hr: 170 })
  expect(same).not.toBe(linked)
  const { json } = await restored(other, await exported(app))
  expect(await other.ok('GET', '/races')).toMatchObject([{ name: 'City 10K', workoutId: same, isLinked: true }])
  await other.ok('POST', `/receipts/${json.receiptId}/undo`)
  expect(await other.ok('GET', '/races')).toMatchObject([{ id: null, workoutId: same }])
})
