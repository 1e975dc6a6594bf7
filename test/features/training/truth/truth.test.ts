import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type TestApp, testApp } from '../../../app.ts'
import { madeRuns, storeRuns } from '../../../library/made-library.ts'
import { each, rowWith } from '../../../rows.ts'

setDefaultTimeout(60_000)

const STRAP = { day: '2025-10-01', kind: 'sensor', name: 'Chest strap' }
const runs = madeRuns()

async function library(some = runs) {
  const app = await testApp()
  const ids = storeRuns(app, some)
  await app.deps.loads.refresh()
  return { app, ids, [Symbol.asyncDispose]: () => app.close() }
}

const fitness = (app: TestApp, query = '') => app.ok('GET', `/truth/fitness${query}`)

describe('fitness', () => {
  test('an empty library says what is missing, and days that are none are refused', async () => {
    await using app = await testApp()
    expect(await fitness(app)).toEqual({
      ...{ day: '2025-11-20', against: '2025-05-22', referenceHeartRateBpm: 143, recomputing: false, stated: false },
      withoutHeat: false,
      change: expect.objectContaining({
        ...{ value: null, unit: '%', reasons: ['tooFewRuns'], n: 0 },
        missing: '0 of 60 steady runs with heart rate and weather',
      }),
      runs: { used: 0, window: 0, before: 0, left: {} },
      ...{ selfCheck: null, weeks: [], points: [], marks: [] },
    })
    expect(await app.ok('GET', '/truth/conditions')).toEqual({ recomputing: false, heat: [], week: null, terms: [] })
    for (const [asked, error] of [
      ['day=2025-11-21', 'day must not be after today, which is 2025-11-20'],
      ['day=2025-11-01&against=2025-11-01', 'against must be before day, which is 2025-11-01'],
    ])
      expect(await app.call('GET', `/truth/fitness?${asked}`)).toMatchObject({ status: 400, json: { error } })
  })

  test.each([
    [1, 'noWeather', { wbgtC: null, temperatureC: null }, 'have no weather'],
    [1, 'noHeartRate', { bpm: null, coverage: 0 }, 'have no heart rate'],
    [1, 'gpsAltitude', { isAltitudeUsable: false, gainPerKm: 20 }, 'are hilly and have no reliable altitude'],
    [2, 'notSteady', { speedCv: 0.3 }, 'have an uneven pace'],
  ])('of runs of which all but each 40th are lacking: %d, %s', async (_, reason, changed, words) => {
    await using made = await library(runs.map((run, i) => (i % 40 === 0 ? run : { ...run, ...changed })))
    const { change, runs: counted, weeks } = await fitness(made.app)
    const left = runs.length - counted.used
    const missing = `${counted.used} of 60 steady runs with heart rate and weather; ${left} others ${words}`
    expect(change).toMatchObject({ value: null, reasons: ['tooFewRuns', reason], missing })
    expect([counted.left, weeks]).toEqual([{ [reason]: left }, []])
  })

  test('while weather is off, runs without it answer: heat stays in, the range is wider, and there is no curve of heat', async () => {
    const made = madeRuns({ change: 0.06 })
    const bare = made.map((run) => ({ ...run, wbgtC: null, temperatureC: null }))
    await using known = await library(made)
    await using some = await library(bare)
    const { app } = some
    expect((await fitness(app)).change.value).toBeNull()
    await app.ok('PUT', '/settings/weather', { lookups: false })
    const { withoutHeat, change, weeks, runs: counted } = await fitness(app)
    const { change: certain, withoutHeat: none } = await fitness(known.app)
    expect([withoutHeat, none, counted.left]).toEqual([true, false, {}])
    expect(change).toMatchObject({ basis: ['heartRate'] })
    expect(change.high - change.low).toBeGreaterThan(certain.high - certain.low + 1)
    expect(weeks.at(-1)).toMatchObject({ value: 0, low: 0, high: 0 })
    expect(await app.ok('GET', '/truth/conditions')).toMatchObject({ heat: [], week: null })
  })

  test('the change has a band, the weeks and runs around it, and each run is the sum of its conditions', async () => {
    const made = madeRuns({ change: 0.06 })
    await using some = await library([{ ...made[0]!, isRace: true }, ...made.slice(1)])
    const { app, ids } = some
    const { change, stated, runs: counted, selfCheck, weeks, points, marks } = await fitness(app)
    const n = ids.length - 1
    expect(change).toMatchObject({ unit: '%', reasons: [], confidence: 'high', n, missing: null })
    const { low, value, high } = change
    expect(2 < low && low < value && value < high && high < 8).toBe(true)
    expect([stated, counted.used, marks]).toEqual([true, n, []])
    expect(selfCheck.share).toBeGreaterThan(0.6)
    expect(weeks.at(-1)).toEqual({ weekStart: '2025-11-17', value: 0, low: 0, high: 0 })
    expect(weeks.length).toBeGreaterThan(103)
    expect(points.at(-1).workoutId).toBe(ids.at(-1))
    expect(points[0].date > '2024-11-20').toBe(true)
    const then = await fitness(app, '?day=2025-11-16&against=2025-06-01')
    const week = rowWith(then.weeks, 'weekStart', '2025-05-26')
    // both are rounded, the week to hundredths: a tenth of it would be rounded twice
    expect(Math.abs(week.value + then.change.value)).toBeLessThan(0.0551)

    const ofRun = (id?: string) => fitness(app, `/${id}`)
    const { sum, reason } = await ofRun(ids.at(-1))
    expect(reason).toBeNull()
    const total = each(sum.parts, 'value').reduce((all, part) => all + part, sum.restS)
    expect(Math.abs(sum.referencePaceS + total - sum.paceS)).toBeLessThan(0.6)
    for (const part of sum.parts) expect(part.low <= part.value && part.value <= part.high).toBe(true)
    expect(await ofRun(ids[0])).toMatchObject({ reason: 'race', sum: null })
    expect(await ofRun(ids[1])).toMatchObject({ reason: null, sum: null })
  })
})

test('heat has a curve, and the cost of the last full week; another device is a mark from its recordings', async () => {
  const hot = madeRuns({ heat: [0.006, 0.004, 0.004] })
  await using made = await library(hot.map((run) => ({ ...run, device: run.day > 600 ? 'New watch' : 'Watch' })))
  const { heat, week, terms } = await made.app.ok('GET', '/truth/conditions')
  expect(each(heat, 'wbgtC')).toEqual([12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32])
  expect(heat[0]).toMatchObject({ cost: { value: 0, low: 0, high: 0, unit: '%' }, stated: false, atLeast: false })
  expect(heat[5]).toMatchObject({ stated: true, cost: { confidence: 'high', reasons: [] } })
  const ofWeek = runs.filter(({ day }) => day >= 720 && day <= 726).length
  expect(week).toMatchObject({ weekStart: '2025-11-10', cost: { unit: 's/km' }, runs: ofWeek })
  const names = ['pulse', 'morning', 'cold', 'wind', 'climb', 'length', 'tired']
  expect(each(terms, 'name').slice(0, 7)).toEqual(names)
  expect(rowWith(terms, 'name', 'device: New watch').unit).toBe('%')
  const mark = { id: null, day: expect.stringMatching(/^2025-07-/), kind: 'device', name: 'New watch' }
  expect((await fitness(made.app)).marks).toEqual([mark])
})

describe('marks', () => {
  test('are added and removed, each with a receipt that is undone', async () => {
    await using app = await testApp()
    const mark = await app.ok('POST', '/truth/marks', { ...STRAP, name: ' Chest strap ' })
    expect(mark).toEqual({ id: mark.id, ...STRAP })
    const marks = async () => (await fitness(app)).marks
    expect(await marks()).toEqual([mark])
    const receipts = async () => (await app.ok('GET', '/receipts')).items
    const undo = async () => app.ok('POST', `/receipts/${(await receipts())[0].id}/undo`)
    const remove = () => app.call('DELETE', `/truth/marks/${mark.id}`)
    for (const [change, left] of [
      [undo, []],
      [undo, [mark]],
      [remove, []],
      [undo, [mark]],
    ] as const) {
      await change()
      expect(await marks()).toEqual([...left])
    }
    expect(each(await receipts(), 'title')).toContain('Marked a new sensor: Chest strap')
  })
})
