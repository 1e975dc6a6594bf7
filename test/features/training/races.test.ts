import { describe, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { dataOf, entriesOf, exported, restored, zipOf } from '../../archive/archives.ts'
import { rowWith, said } from '../../rows.ts'
import { addRun, raced, steady } from './days-ago.ts'

const NOBODY = '0198a000-0000-7000-8000-00000000dead'
const CITY = { date: '2025-11-15', name: 'City 10K', distanceM: 10_000, goalTimeS: 2700, note: 'Flat' }
const HARD = { seconds: 2400, speedMps: 4, hr: 170 }

/** A 10 km race of 5 days ago, on 15 November. */
function cityRun(app: TestApp, values: Parameters<typeof addRun>[2] = {}): string {
  return addRun(app, 5, { runType: 'Race', distanceM: 10_120, durationS: 2650, ...values })
}

const planned = async (app: TestApp, race: object = CITY) => await app.ok('POST', '/races', race)
const races = async (app: TestApp, query = '') => await app.ok('GET', `/races${query}`)
/** @returns what is refused, and why */
async function refusal(app: TestApp, call: string, json: object) {
  const [method = '', path = ''] = call.split(' ')
  const { status, json: answer } = await app.call(method, path, { json })
  expect(status).toBe(400)
  return answer.error
}

test('planned races are added, changed and removed, and enter no load and no goal', async () => {
  await using app = await testApp()
  addRun(app, 3)
  const today = await app.ok('GET', '/training/today')
  const race = await planned(app, { ...CITY, date: '2025-11-20', name: ' City 10K ' })
  expect(await app.ok('GET', '/training/today')).toEqual(today)
  expect(race).toEqual({
    ...{ ...CITY, date: '2025-11-20', id: race.id, workoutId: null, isLinked: false, timeMs: null, place: null },
    ...{ prediction: expect.objectContaining({ value: null, unit: 's', reasons: ['tooFewRuns'] }) },
    ...{ inPrediction: null, ageGrade: null, updatedAt: '2025-11-20T13:05:11Z' },
  })
  const change = { goalTimeS: null, distanceM: 21_097.5 }
  expect(await app.ok('PATCH', `/races/${race.id}`, change)).toEqual({ ...race, ...change })
  expect(await app.ok('PATCH', `/races/${race.id}`, {})).toMatchObject({ goalTimeS: null, name: 'City 10K' })
  for (const call of ['POST /races', `PATCH /races/${race.id}`])
    expect(await refusal(app, call, { ...CITY, workoutId: NOBODY })).toBe('Workout not found')
  expect(await races(app)).toHaveLength(1)
  expect((await app.call('GET', '/races?from=2025-11-20&to=2025-11-20')).status).toBe(400)
  expect((await app.call('DELETE', `/races/${race.id}`)).status).toBe(204)
  expect(await races(app)).toEqual([])
  // only the deletion leaves a receipt
  expect((await app.ok('GET', '/receipts')).items).toMatchObject([
    { kind: 'delete', title: 'Deleted the race City 10K' },
  ])
})

describe('results', () => {
  test('a race of that local day within 6 % of the distance becomes the result', async () => {
    await using app = await testApp()
    const { id } = await planned(app)
    const near = cityRun(app)
    expect(said(await races(app), 'id', 'workoutId', 'timeMs')).toEqual([[id, near, 2_650_000]])
    // another day, another distance, no race
    for (const change of [{ date: '2025-11-14' }, { distanceM: 9500 }]) {
      await app.ok('PATCH', `/races/${id}`, { ...CITY, ...change })
      expect(await races(app)).toHaveLength(2)
    }
    await app.ok('PATCH', `/races/${id}`, CITY)
    await app.ok('PATCH', `/workouts/${near}`, { runType: 'Workout' })
    expect(await races(app)).toMatchObject([{ id, workoutId: null, timeMs: null }])
  })

  test('of two races of a day each planned one gets the nearer run, and each run is one result', async () => {
    await using app = await testApp()
    const [long, short] = [cityRun(app, { distanceM: 10_300 }), cityRun(app, { distanceM: 9950 })]
    const first = await planned(app, { ...CITY, name: 'A', distanceM: 10_300 })
    const second = await planned(app, { ...CITY, name: 'B' })
    const linked = async () => Object.fromEntries(said(await races(app), 'id', 'workoutId'))
    expect(await linked()).toEqual({ [first.id]: long, [second.id]: short })
    // a run that follows by the rule may be taken
    const taken = { workoutId: long }
    expect(await app.ok('PATCH', `/races/${second.id}`, taken)).toMatchObject(taken)
    expect(await linked()).toEqual({ [second.id]: long, [first.id]: short })
    expect(await refusal(app, `PATCH /races/${first.id}`, taken)).toBe('This run is already the result of B')
  })

  test('the runner may link another run, or none; one that is deleted is not the result until that is undone', async () => {
    await using app = await testApp()
    const [race, other] = [cityRun(app), await steady(app, 6, HARD)]
    const city = await planned(app)
    expect(city.workoutId).toBe(race)
    const change = (json: object) => app.ok('PATCH', `/races/${city.id}`, json)
    expect(await change({ workoutId: null })).toMatchObject({ workoutId: null, timeMs: null })
    expect(await change({ name: 'City' })).toMatchObject({ workoutId: null, isLinked: true })
    expect(await change({ isLinked: false })).toMatchObject({ workoutId: race, isLinked: false })
    expect(await change({ workoutId: other })).toMatchObject({ timeMs: 2_400_000 })
    const both = [
      { id: city.id, workoutId: other },
      { id: null, workoutId: race },
    ]
    expect(await races(app)).toMatchObject(both)
    await app.call('DELETE', `/workouts/${other}`)
    // meanwhile the rule holds
    expect(await races(app)).toMatchObject([{ id: city.id, workoutId: race }])
    expect(await change({ goalTimeS: 2600 })).toMatchObject({ goalTimeS: 2600, isLinked: true })
    expect(await refusal(app, `PATCH /races/${city.id}`, { workoutId: other })).toBe('Workout not found')
    await app.ok('POST', `/trash/${other}/restore`)
    expect(await races(app)).toMatchObject(both)
    await app.call('DELETE', `/workouts/${other}?forever=true`)
    expect(await races(app)).toMatchObject([{ id: city.id, workoutId: race }])
    await app.call('DELETE', `/workouts/${race}`)
    expect(await races(app)).toMatchObject([{ id: city.id, workoutId: null, timeMs: null, place: null }])
  })
})

describe('the list', () => {
  test('has races without a plan by the standard distance, and the place among races of one distance', async () => {
    await using app = await testApp()
    const run = (day: number, durationS: number, distanceM: number, more: Parameters<typeof addRun>[2] = {}) =>
      addRun(app, day, { runType: 'Race', durationS, distanceM, ...more })
    const ids = [run(40, 2700, 10_090), run(30, 2600, 9900, { name: 'Park' }), run(20, 2800, 10_000)]
    ids.push(run(10, 6000, 21_300), run(8, 1800, 7120))
    run(7, 2400, 10_000, { leftOut: true })
    run(6, 2400, 10_000, { runType: 'Easy Run' })
    const all = await races(app)
    expect(said(all, 'workoutId', 'name', 'distanceM', 'place')).toEqual([
      [ids[4], null, 7120, { rank: 1, of: 1 }],
      [ids[3], null, 21_097.5, { rank: 1, of: 1 }],
      [ids[2], null, 10_000, { rank: 3, of: 3 }],
      [ids[1], 'Park', 10_000, { rank: 1, of: 3 }],
      [ids[0], null, 10_000, { rank: 2, of: 3 }],
    ])
    expect(all[2]).toMatchObject({ id: null, date: '2025-10-31', goalTimeS: null, note: null })
    expect(await races(app, '?from=2025-10-21&to=2025-10-31')).toEqual([all[3]])
  })

  test('a past race is predicted from what came before it, an upcoming one from those up to today, within the formulas', async () => {
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
    const all = await races(app)
    const { prediction, timeMs, inPrediction } = rowWith(all, 'workoutId', race)
    // the four runs and the race, not what came after it, nor the race of more than a year before it
    expect(prediction).toMatchObject({ n: 5, asOf: '2025-09-23', unit: 's', missing: null })
    expect(prediction.low).toBeLessThan(prediction.value)
    expect([timeMs, inPrediction]).toEqual([2_450_000, prediction.low <= 2450 && 2450 <= prediction.high])
    const { predictions } = await app.ok('GET', '/training/predictions?distanceM=10000')
    expect(rowWith(all, 'id', coming.id)).toMatchObject({ prediction: predictions[0].time, inPrediction: null })
    expect(rowWith(all, 'id', early.id).prediction).toMatchObject({ value: null, reasons: ['tooFewRuns'] })
    for (const [distanceM, reason] of [
      [800, 'tooShort'],
      [160_000, 'extrapolated'],
    ] as const) {
      const beyond = await planned(app, { ...CITY, date: '2025-12-01', distanceM })
      expect(beyond.prediction).toMatchObject({ value: null, reasons: [reason] })
    }
  })
})

test('a restored link follows a run that is there under another id, and is undone with its race', async () => {
  await using app = await testApp()
  const linked = await raced(app, 6, HARD)
  await planned(app, { ...CITY, workoutId: linked })
  await using other = await testApp()
  const same = await raced(other, 6, HARD)
  expect(same).not.toBe(linked)
  const { json } = await restored(other, await exported(app))
  expect(await races(other)).toMatchObject([{ name: 'City 10K', workoutId: same, isLinked: true }])
  await other.ok('POST', `/receipts/${json.receiptId}/undo`)
  expect(await races(other)).toMatchObject([{ id: null, workoutId: same }])
})

test('a race that was measured short is its time over the official distance, until its link goes', async () => {
  await using app = await testApp()
  // 20.94 km by the watch, in 1:27:29
  const run = await steady(app, 5, { seconds: 5249, speedMps: 20_940 / 5249, hr: 172 })
  const half = async () => {
    const { distances } = await app.ok('GET', '/stats/best-efforts')
    return distances.find((one: { distance: string }) => one.distance === 'Half-Marathon')
  }
  expect(await half()).toBeUndefined()
  const race = await planned(app, { name: 'City Half', date: '2025-11-15', distanceM: 21_097.5, workoutId: run })
  expect(race.timeMs).toBe(5_249_000)
  const counted = { timeMs: 5_249_000, isRaceResult: true }
  expect(await half()).toMatchObject({ ...counted, workoutId: run, timeS: 5249 })
  const { top, years } = await app.ok('GET', '/stats/best-efforts/21097.5/progress')
  expect([top, years]).toMatchObject([[counted], [counted]])
  const { distances } = await app.ok('GET', `/workouts/${run}/best-efforts`)
  expect(distances.at(-1)).toMatchObject({
    ...counted,
    distance: 'Half-Marathon',
    startS: 0,
    counts: true,
    rankEver: 1,
  })
  // no type says that it is a race, the link does
  for (const day of [33, 29, 25, 21]) await steady(app, day, { seconds: 2400, speedMps: 3.2, hr: 145 })
  const { efforts } = await app.ok('GET', '/training/predictions')
  expect(rowWith(efforts, 'workoutId', run)).toMatchObject({
    distance: 'Half-Marathon',
    timeMs: 5_249_000,
    isRace: true,
  })
  // an effort that the runner takes out is none
  await app.ok('PATCH', `/workouts/${run}/best-efforts/21097.5`, { isRecord: false })
  expect(await half()).toBeUndefined()
  await app.ok('PATCH', `/workouts/${run}/best-efforts/21097.5`, { isRecord: null })
  // recorded much longer it is not that course
  await app.ok('PATCH', `/races/${race.id}`, { distanceM: 15_000 })
  expect(await half()).toBeUndefined()
  await app.ok('PATCH', `/races/${race.id}`, { distanceM: 21_097.5, workoutId: null })
  expect(await half()).toBeUndefined()
  expect((await app.ok('GET', '/training/vo2max')).factorRaces).toEqual([])
})

test('an archive states what was measured, so no result of a race stays as an effort of its run', async () => {
  await using app = await testApp()
  const run = await steady(app, 5, { seconds: 5249, speedMps: 20_940 / 5249, hr: 172 })
  await planned(app, { name: 'City Half', date: '2025-11-15', distanceM: 21_097.5, workoutId: run })
  const half = (rows: readonly object[]) => rows.some((row) => 'distance' in row && row.distance === 'Half-Marathon')
  expect(half((await app.ok('GET', '/stats/best-efforts')).distances)).toBe(true)
  const entries = await entriesOf(app, await exported(app))
  expect(half(dataOf(entries, 'data/best-efforts.json'))).toBe(false)
  // by its rows, as another program would keep them
  entries.delete('data/library.json')
  await using other = await testApp()
  await restored(other, await zipOf(entries))
  expect(half((await other.ok('GET', '/stats/best-efforts')).distances)).toBe(false)
})

test('a race that is corrected to its distance has the effort over it', async () => {
  await using app = await testApp()
  const run = await raced(app, 5, { seconds: 5249, speedMps: 20_940 / 5249, hr: 172 })
  await app.ok('POST', `/workouts/${run}/distance`, { distanceM: 21_097.5 })
  const { distances } = await app.ok('GET', '/stats/best-efforts')
  const half = rowWith(distances, 'distance', 'Half-Marathon')
  expect(half).toMatchObject({ workoutId: run, timeMs: 5_249_000, isRaceResult: true })
})

test('a result that the runner takes out says nothing of fitness, linked or corrected', async () => {
  await using app = await testApp()
  for (const day of [33, 29, 25, 21]) await steady(app, day, { seconds: 2400, speedMps: 3.2, hr: 145 })
  const HALF = { seconds: 5249, speedMps: 20_940 / 5249, hr: 172 }
  const [linked, corrected] = [await steady(app, 5, HALF), await raced(app, 9, HALF)]
  await planned(app, { name: 'City Half', date: '2025-11-15', distanceM: 21_097.5, workoutId: linked })
  await app.ok('POST', `/workouts/${corrected}/distance`, { distanceM: 21_097.5 })
  const results = async () => {
    const { efforts } = await app.ok('GET', '/training/predictions')
    return [linked, corrected].map((run) => {
      const { isRace, distance } = rowWith(efforts, 'workoutId', run) ?? {}
      return isRace === true && distance === 'Half-Marathon'
    })
  }
  const races = async () => {
    const { efforts } = await app.ok('GET', '/training/predictions')
    return efforts.filter(({ isRace }: { isRace: boolean }) => isRace).length
  }
  expect([await results(), await races()]).toEqual([[true, true], 2])
  await app.ok('PATCH', `/workouts/${linked}/best-efforts/21097.5`, { isRecord: false })
  expect([await results(), await races()]).toEqual([[false, true], 1])
  await app.ok('PATCH', `/workouts/${corrected}/best-efforts/21097.5`, { isRecord: false })
  expect([await results(), await races()]).toEqual([[false, false], 0])
  await app.ok('PATCH', `/workouts/${linked}/best-efforts/21097.5`, { isRecord: null })
  expect([await results(), await races()]).toEqual([[true, false], 1])
})

test('a run of the type Race that was measured short has no effort over a course that nobody named', async () => {
  await using app = await testApp()
  const run = await raced(app, 5, { seconds: 5249, speedMps: 20_940 / 5249, hr: 172 })
  const half = async () => rowWith((await app.ok('GET', '/stats/best-efforts')).distances, 'distance', 'Half-Marathon')
  expect(await half()).toBeUndefined()
  await app.ok('POST', `/workouts/${run}/distance`, { distanceM: 21_097.5 })
  expect(await half()).toMatchObject({ workoutId: run, timeMs: 5_249_000, isRaceResult: true })
  // left out, and then with the correction undone
  await app.ok('PATCH', `/workouts/${run}`, { leftOut: true })
  expect(await half()).toBeUndefined()
  await app.ok('PATCH', `/workouts/${run}`, { leftOut: false })
  expect(await half()).toBeDefined()
  const { items } = await app.ok('GET', '/receipts')
  const { id } = items.find(({ title }: { title: string }) => title.includes('distance'))
  await app.ok('POST', `/receipts/${id}/undo`)
  expect(await half()).toBeUndefined()
})

test('the day of a race is that of its run at its place, or by UTC where that is unknown, whoever asks', async () => {
  await using app = await testApp()
  const run = cityRun(app, { startedAt: Date.parse('2025-11-15T23:30:00Z'), utcOffsetMinutes: null })
  await planned(app)
  for (const offset of [0, 60, -300])
    expect(await races(app, `?timezoneOffsetMinutes=${offset}`)).toMatchObject([{ name: 'City 10K', workoutId: run }])
})
