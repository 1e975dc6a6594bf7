import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Event } from '../../src/events/emitter.ts'
import { NOW_MS, type TestApp, testApp } from '../app.ts'
import { ask } from '../ask.ts'
import { butReceipts } from '../fixtures/events.ts'
import { fitRun } from '../fixtures/runs.ts'
import { addWorkout } from '../library/feature-app.ts'

const DEFAULT = '/settings/default-shoe'
const DAY_MS = 86_400_000
const NOW = '2025-11-20T13:05:11Z'

let app: TestApp
let emitted: Event[]
beforeEach(async () => {
  app = await testApp()
  emitted = []
  app.deps.events.subscribe(butReceipts((event) => emitted.push(event)))
})
afterEach(() => app.close())

const addShoe = async (model: string, more: object = {}): Promise<string> =>
  (await app.ok('POST', '/shoes', { brand: 'Asics', model, ...more })).id
const shoes = () => app.ok('GET', '/shoes')
const retire = (id: string, retiredAt: string | null = NOW) => app.ok('PATCH', `/shoes/${id}`, { retiredAt })
const defaultId = async () => (await app.ok('GET', DEFAULT))?.id ?? null
/** A UUID that ends in a digit. */
const uuid = (place: number) => `0198a000-0000-7000-8000-00000000000${place}`
const wornOn = (shoeId: string, id: number, day: number, more: object = {}) =>
  addWorkout(app.deps, { id: uuid(id), shoeId, startedAt: NOW_MS - day * DAY_MS, ...more })

describe('a shoe', () => {
  test('takes a retirement that may be and a limit, and gives them up for null', async () => {
    const id = await addShoe('Novablast', { retireAtM: 700_000 })
    expect((await shoes())[0]).toMatchObject({ retireAtM: 700_000, retiredAt: null })
    expect(
      await app.ok('PATCH', `/shoes/${id}`, { retiredAt: '2025-10-01T02:00:00+02:00', retireAtM: 650_000.5 }),
    ).toMatchObject({ retiredAt: '2025-10-01T00:00:00Z', retireAtM: 650_000.5 })
    expect(await app.ok('PATCH', `/shoes/${id}`, { model: 'Superblast' })).toMatchObject({ retireAtM: 650_000.5 })
    const bare = await app.ok('PATCH', `/shoes/${id}`, { retiredAt: null, retireAtM: null })
    expect(bare).toMatchObject({ retiredAt: null, retireAtM: null, model: 'Superblast' })
    for (const retiredAt of ['2025-10-01', '1989-12-31T23:59:59Z', '2025-11-22T00:00:00Z']) {
      const error = expect.stringContaining('retiredAt')
      expect(await ask(app, 'PATCH', `/shoes/${id}`, { retiredAt })).toEqual({ status: 400, body: { error } })
    }
    await addShoe('Old', { retiredAt: '2024-01-02T03:04:05Z' })
    expect((await shoes())[0]).toMatchObject({ model: 'Old', retiredAt: '2024-01-02T03:04:05Z' })
  })

  test('has its runs, its first and last one, and their pace', async () => {
    const [worn, fresh] = [await addShoe('A'), await addShoe('B')]
    wornOn(worn, 2, 5, { distanceM: 5000, durationS: 1500, utcOffsetMinutes: 60 })
    wornOn(worn, 1, 9, { distanceM: 10_000, durationS: 3600 })
    wornOn(worn, 3, 7, { distanceM: 5000, durationS: 1400, leftOut: true })
    const unused = { runs: 0, avgPaceS: null, firstRun: null, lastRun: null }
    expect(await shoes()).toMatchObject([
      {
        id: worn,
        ...{ runs: 3, totalMileage: 20, avgPaceS: 325 },
        firstRun: { id: uuid(1), startedAt: '2025-11-11T13:05:11Z' },
        lastRun: { id: uuid(2), startedAt: '2025-11-15T13:05:11Z', utcOffsetMinutes: 60 },
      },
      { id: fresh, ...unused },
    ])
    expect(await app.ok('PATCH', `/shoes/${fresh}`, { model: 'C' })).toMatchObject(unused)
  })
})

describe('the default shoe that is retired', () => {
  test('hands on to the one of the latest run that is not retired', async () => {
    const [old, latest, retired] = [await addShoe('Old'), await addShoe('Latest'), await addShoe('Retired')]
    const [own, unworn] = [await addShoe('Own'), await addShoe('Unworn')]
    for (const [place, id] of [retired, own, latest, old].entries()) wornOn(id, place, place + 1)
    await retire(retired)
    await app.ok('PUT', DEFAULT, { defaultShoeId: own })
    emitted.length = 0
    await retire(own)
    expect(emitted).toEqual([
      { event: 'shoe.updated', data: { id: own } },
      { event: 'settings.updated', data: {} },
    ])
    expect(await defaultId()).toBe(latest)
    await retire(latest)
    expect(await defaultId()).toBe(old)
    await retire(old)
    // a pair without runs may be meant for something else
    expect([await defaultId(), (await shoes()).length]).toEqual([null, 5])
    await retire(old, null)
    expect(await defaultId()).toBeNull()
    await retire(unworn)
  })

  test('is given to no import; a file that names it still gets it', async () => {
    const [own, other] = [await addShoe('Own'), await addShoe('Other')]
    wornOn(other, 1, 30)
    await app.ok('PUT', DEFAULT, { defaultShoeId: own })
    await retire(own)
    const id = await app.run(fitRun())
    expect((await app.ok('GET', `/workouts/${id}`)).shoeId).toBe(other)
    await retire(other)
    const later = await app.run(fitRun({ startMs: NOW_MS - 3 * DAY_MS, seconds: 700 }))
    expect((await app.ok('GET', `/workouts/${later}`)).shoeId).toBeNull()
    await app.ok('PATCH', `/workouts/${later}`, { shoeId: own })
    expect((await app.ok('GET', `/workouts/${later}`)).shoe).toMatchObject({ id: own })
  })

  test('cannot be chosen, and an undo that returns a retired one as default gives it to no run', async () => {
    const [own, other] = [await addShoe('Own'), await addShoe('Other')]
    await retire(own)
    emitted.length = 0
    expect(await ask(app, 'PUT', DEFAULT, { defaultShoeId: own })).toEqual({
      status: 400,
      body: { error: 'Asics Own is retired' },
    })
    expect(emitted).toEqual([])
    await app.ok('PUT', DEFAULT, { defaultShoeId: other })
    const gone = await app.call('DELETE', `/shoes/${other}`)
    await app.ok('POST', `/receipts/${gone.headers.get('Harrier-Receipt')}/undo`, {})
    expect(await defaultId()).toBe(other)
  })
})
