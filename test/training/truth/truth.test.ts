import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { setRows } from '../../library/as-stored.ts'
import { madeRuns, storeRuns } from '../../library/made-library.ts'

setDefaultTimeout(60_000)

const NOBODY = '0198a000-0000-7000-8000-00000000dead'
const STRAP = { day: '2025-10-01', kind: 'sensor', name: 'Chest strap' }
const runs = madeRuns()

async function library(some = runs): Promise<{ app: TestApp; ids: string[] } & AsyncDisposable> {
  const app = await testApp()
  const ids = storeRuns(app, some)
  await app.deps.loads.refresh()
  return { app, ids, [Symbol.asyncDispose]: () => app.close() as never }
}

describe('fitness', () => {
  test('an empty library says what is missing', async () => {
    await using app = await testApp()
    expect(await app.ok('GET', '/truth/fitness')).toEqual({
      ...{ day: '2025-11-20', against: '2025-05-22', referenceHeartRateBpm: 143, recomputing: false, stated: false },
      change: expect.objectContaining({
        ...{ value: null, unit: '%', reasons: ['tooFewRuns'], n: 0 },
        missing: '0 of 60 steady runs with heart rate and weather',
      }),
      runs: { used: 0, window: 0, before: 0, left: {} },
      ...{ selfCheck: null, weeks: [], points: [], marks: [] },
    })
    expect(await app.ok('GET', '/truth/conditions')).toEqual({ recomputing: false, heat: [], week: null, terms: [] })
  })

  test.each([
    [1, 'noWeather', { wbgtC: null, temperatureC: null }, 'have no weather'],
    [1, 'noHeartRate', { bpm: null, coverage: 0 }, 'have no heart rate'],
    [1, 'gpsAltitude', { isAltitudeUsable: false, gainPerKm: 20 }, 'are hilly and have no reliable altitude'],
    [2, 'notSteady', { speedCv: 0.3 }, 'have an uneven pace'],
  ])('of runs of which all but each 40th are lacking: %d, %s', async (_, reason, changed, words) => {
    await using made = await library(runs.map((run, i) => (i % 40 === 0 ? run : { ...run, ...changed })))
    const { change, runs: counted, weeks } = await made.app.ok('GET', '/truth/fitness')
    expect(change).toMatchObject({ value: null, reasons: ['tooFewRuns', reason] })
    expect(counted.left).toEqual({ [reason]: runs.length - counted.used })
    expect(change.missing).toBe(
      `${counted.used} of 60 steady runs with heart rate and weather; ${counted.left[reason]} others ${words}`,
    )
    expect(weeks).toEqual([])
  })

  test('the change has a band, and the weeks and runs around it', async () => {
    await using made = await library(madeRuns({ change: 0.06 }))
    const { app, ids } = made
    const { change, stated, runs: counted, selfCheck, weeks, points, marks } = await app.ok('GET', '/truth/fitness')
    expect(change).toMatchObject({ unit: '%', reasons: [], confidence: 'high', n: ids.length, missing: null })
    expect(stated).toBe(true)
    expect(change.low).toBeGreaterThan(2)
    expect(change.low < change.value && change.value < change.high).toBe(true)
    expect(change.high).toBeLessThan(8)
    expect(counted.used).toBe(ids.length)
    expect(selfCheck.share).toBeGreaterThan(0.6)
    expect(weeks.at(-1)).toEqual({ weekStart: '2025-11-17', value: 0, low: 0, high: 0 })
    expect(weeks.length).toBeGreaterThan(103)
    expect(points.at(-1).workoutId).toBe(ids.at(-1))
    expect(points[0].date > '2024-11-20').toBe(true)
    expect(marks).toEqual([])
    const then = await app.ok('GET', '/truth/fitness?day=2025-11-16&against=2025-06-01')
    const week = then.weeks.find(({ weekStart }: { weekStart: string }) => weekStart === '2025-05-26')
    // both are rounded, the week to hundredths: a tenth of it would be rounded twice
    expect(Math.abs(week.value + then.change.value)).toBeLessThan(0.0551)
  })

  test('one run is the sum of its conditions', async () => {
    await using made = await library([{ ...runs[0]!, isRace: true }, ...runs.slice(1)])
    const { app, ids } = made
    const { sum, reason } = await app.ok('GET', `/truth/fitness/${ids.at(-1)}`)
    expect(reason).toBeNull()
    const total = sum.parts.reduce((all: number, { value }: { value: number }) => all + value, sum.restS)
    expect(Math.abs(sum.referencePaceS + total - sum.paceS)).toBeLessThan(0.6)
    for (const { low, value, high } of sum.parts) expect(low <= value && value <= high).toBe(true)
    expect(await app.ok('GET', `/truth/fitness/${ids[0]}`)).toMatchObject({ reason: 'race', sum: null })
    expect(await app.ok('GET', `/truth/fitness/${ids[1]}`)).toMatchObject({ reason: null, sum: null })
    expect((await app.call('GET', `/truth/fitness/${NOBODY}`)).json).toEqual({ error: 'Workout not found' })
  })

  test.each([
    ['day=2025-11-21', 'day must not be after today, which is 2025-11-20'],
    ['day=2025-11-01&against=2025-11-01', 'against must be before day, which is 2025-11-01'],
  ])('%s is refused', async (asked, error) => {
    await using app = await testApp()
    const { status, json } = await app.call('GET', `/truth/fitness?${asked}`)
    expect([status, json]).toEqual([400, { error }])
  })

  test('another device is a mark from its recordings', async () => {
    await using made = await library(runs.map((run) => ({ ...run, device: run.day > 600 ? 'New watch' : 'Watch' })))
    const { marks } = await made.app.ok('GET', '/truth/fitness')
    expect(marks).toEqual([{ id: null, day: expect.stringMatching(/^2025-07-/), kind: 'device', name: 'New watch' }])
    const { terms } = await made.app.ok('GET', '/truth/conditions')
    expect(terms).toContainEqual(expect.objectContaining({ name: 'device: New watch', unit: '%' }))
  })
})

describe('conditions', () => {
  test('heat has a curve, and the cost of the last full week', async () => {
    await using made = await library(madeRuns({ heat: [0.006, 0.004, 0.004] }))
    const { heat, week, terms } = await made.app.ok('GET', '/truth/conditions')
    expect(heat.map(({ wbgtC }: { wbgtC: number }) => wbgtC)).toEqual([12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32])
    expect(heat[0]).toMatchObject({ cost: { value: 0, low: 0, high: 0, unit: '%' }, stated: false, atLeast: false })
    expect(heat[5]).toMatchObject({ stated: true, cost: { confidence: 'high', reasons: [] } })
    expect(week).toMatchObject({ weekStart: '2025-11-10', cost: { unit: 's/km' } })
    expect(week.runs).toBe(runs.filter(({ day }) => day >= 720 && day <= 726).length)
    expect(terms.map(({ name }: { name: string }) => name)).toEqual([
      ...['pulse', 'morning', 'cold', 'wind', 'climb', 'length', 'tired'],
    ])
  })

  test('a cost that may as well be none is not stated', async () => {
    await using made = await library(madeRuns({ heat: [0, 0, 0], seed: 8 }).filter(({ wbgtC }) => wbgtC! < 14))
    const { heat } = await made.app.ok('GET', '/truth/conditions')
    expect(heat[10]).toMatchObject({
      stated: false,
      cost: { confidence: 'low', reasons: expect.arrayContaining(['uncertain']) },
    })
  })
})

describe('what is kept', () => {
  test('a change of weather or of a run is in the next answer, and nothing is fitted twice', async () => {
    await using made = await library()
    const { app, ids } = made
    const first = await app.ok('GET', '/truth/fitness')
    expect(await app.ok('GET', '/truth/fitness')).toEqual(first)
    setRows(app.deps, 'workout', { weather_temperature_c: 30 }, { id: ids.at(-1)! })
    const settled = async () => {
      for (;;) {
        const answer = await app.ok('GET', '/truth/fitness')
        if (!answer.recomputing) return answer
        await Bun.sleep(20)
      }
    }
    expect((await settled()).points.at(-1)).not.toEqual(first.points.at(-1))
    await app.ok('PATCH', `/workouts/${ids.at(-1)}`, { runType: 'Race' })
    expect((await settled()).runs.used).toBe(first.runs.used - 1)
    await app.ok('PATCH', `/workouts/${ids.at(-1)}`, { runType: null })
    const back = await settled()
    expect(back.runs).toEqual(first.runs)
  })
})

describe('marks', () => {
  test('are added and removed, each with a receipt that is undone', async () => {
    await using app = await testApp()
    const mark = await app.ok('POST', '/truth/marks', { ...STRAP, name: ' Chest strap ' })
    expect(mark).toEqual({ id: mark.id, ...STRAP })
    const marks = async () => (await app.ok('GET', '/truth/fitness')).marks
    expect(await marks()).toEqual([mark])
    const undo = async () => {
      const [{ id }] = (await app.ok('GET', '/receipts')).items
      await app.ok('POST', `/receipts/${id}/undo`)
    }
    await undo()
    expect(await marks()).toEqual([])
    await undo()
    expect(await marks()).toEqual([mark])
    expect((await app.call('DELETE', `/truth/marks/${mark.id}`)).status).toBe(204)
    expect(await marks()).toEqual([])
    await undo()
    expect(await marks()).toEqual([mark])
    expect((await app.ok('GET', '/receipts')).items.map(({ title }: { title: string }) => title)).toContain(
      'Marked a new sensor: Chest strap',
    )
  })

  test('take a change of the sensor out of fitness', async () => {
    const last = 365 * 2
    const strapped = runs.map((run) => (run.day > last - 112 ? { ...run, bpm: run.bpm! - 6 } : run))
    await using made = await library(strapped)
    const before = await made.app.ok('GET', '/truth/fitness')
    await made.app.ok('POST', '/truth/marks', { ...STRAP, day: '2025-08-01' })
    let after = await made.app.ok('GET', '/truth/fitness')
    while (after.recomputing) {
      await Bun.sleep(20)
      after = await made.app.ok('GET', '/truth/fitness')
    }
    expect(before.change.value).toBeGreaterThan(1.5)
    expect(after.change.value).toBeLessThan(before.change.value - 1)
    expect(after.stated).toBe(false)
    const { terms } = await made.app.ok('GET', '/truth/conditions')
    expect(terms).toContainEqual(expect.objectContaining({ name: 'sensor: Chest strap' }))
  })
})
