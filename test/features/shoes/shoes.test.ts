import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Event } from '../../../src/base/events.ts'
import { NOW_MS, type TestApp, testApp } from '../../app.ts'
import { ask } from '../../ask.ts'
import { butReceipts } from '../../fixtures/events.ts'
import { fitRun } from '../../fixtures/runs.ts'
import { addWorkout } from '../../library/feature-app.ts'
import { each } from '../../rows.ts'

const DEFAULT = '/settings/default-shoe'
const DAY_MS = 86_400_000
const NOW = '2025-11-20T13:05:11Z'
const UNUSED = { runs: 0, avgPaceS: null, firstRun: null, lastRun: null }
const NEW = { retiredAt: null, retireAtM: null, createdAt: NOW, ...UNUSED }

let app: TestApp
let emitted: Event[]
beforeEach(async () => {
  app = await testApp()
  emitted = []
  app.deps.events.subscribe(butReceipts((event) => emitted.push(event)))
})
afterEach(() => app.close())

const addShoe = async (model = 'Novablast', more: object = {}): Promise<string> =>
  (await app.ok('POST', '/shoes', { brand: 'Asics', model, ...more })).id
const shoes = () => app.ok('GET', '/shoes')
const patch = (id: string, json: object) => app.ok('PATCH', `/shoes/${id}`, json)
const retire = (id: string, retiredAt: string | null = NOW) => patch(id, { retiredAt })
const choose = (defaultShoeId: string | null) => app.ok('PUT', DEFAULT, { defaultShoeId })
const defaultId = async () => (await app.ok('GET', DEFAULT))?.id ?? null
const refused = (error: unknown) => ({ status: 400, body: expect.objectContaining({ error }) })
/** A UUID that ends in a digit. */
const uuid = (place: number) => `0198a000-0000-7000-8000-00000000000${place}`
const wornOn = (shoeId: string, id: number, day: number, more: object = {}) =>
  addWorkout(app.deps, { id: uuid(id), shoeId, startedAt: NOW_MS - day * DAY_MS, ...more })

test('a shoe is added, trimmed, under names in any case; a change takes only what is sent', async () => {
  const sent = { Brand: ' Asics ', MODEL: 'Novablast 4\t', initialMileageM: 50_000 }
  const added = await app.ok('POST', '/shoes', sent)
  const { id } = added
  expect(added).toEqual({
    ...{ ...NEW, id: expect.stringMatching(/^[0-9a-f-]{36}$/), brand: 'Asics', model: 'Novablast 4' },
    ...{ initialMileageM: 50_000, totalMileage: 50, unit: 'km', updatedAt: NOW },
  })
  app.clock.nowMs += 60_000
  expect(await patch(id, { colour: 'red' })).toEqual(added)
  expect(emitted).toEqual([{ event: 'shoe.created', data: { id } }])
  const changed = { ...added, model: 'Superblast', updatedAt: '2025-11-20T13:06:11Z' }
  expect(await patch(id.toUpperCase(), { model: 'Superblast' })).toEqual(changed)
  expect(await patch(id, { initialMileageM: null })).toEqual({ ...changed, initialMileageM: null, totalMileage: 0 })
  expect(emitted.slice(1)).toEqual(Array(2).fill({ event: 'shoe.updated', data: { id } }))
  expect((await ask(app, 'PUT', DEFAULT, { defaultShoeId: uuid(9) })).status).toBe(404)
  expect(await shoes()).toHaveLength(1)
})

test('a shoe has the sum of its runs and of no other, the first and last one, and their pace', async () => {
  const [worn, fresh] = [await addShoe('A', { initialMileageM: 50_000.75 }), await addShoe('B')]
  wornOn(worn, 2, 5, { distanceM: 4999.5, durationS: 1500, utcOffsetMinutes: 60 })
  wornOn(worn, 1, 9, { distanceM: 10_000.25, durationS: 3600 })
  wornOn(worn, 3, 7, { distanceM: 5000.25, durationS: 1400, leftOut: true })
  addWorkout(app.deps, { id: uuid(4), distanceM: 42_195 })
  expect(await shoes()).toMatchObject([
    {
      ...{ id: worn, runs: 3, totalMileage: 70.00075, unit: 'km', avgPaceS: 325 },
      firstRun: { id: uuid(1), startedAt: '2025-11-11T13:05:11Z' },
      lastRun: { id: uuid(2), startedAt: '2025-11-15T13:05:11Z', utcOffsetMinutes: 60 },
    },
    { id: fresh, totalMileage: 0, unit: 'km', ...UNUSED },
  ])
  expect(await patch(fresh, { model: 'C' })).toMatchObject(UNUSED)
  await app.ok('PUT', '/settings/unit-preference', { unitPreference: 'imperial' })
  const mileage = (query = '') => app.ok('GET', `/shoes/${worn}/mileage${query}`)
  expect(await mileage()).toEqual({ shoeId: worn, totalMileage: 70_000.75 / 1609.344, unit: 'miles' })
  expect(await mileage('?unitPreference=metric')).toEqual({ shoeId: worn, totalMileage: 70.00075, unit: 'km' })
})

test('the default shoe is chosen, shown with its mileage, and cleared', async () => {
  expect(await app.ok('GET', DEFAULT)).toBeNull()
  const id = await addShoe('Novablast', { initialMileageM: 5000 })
  const chosen = { defaultShoeId: id, brand: 'Asics', model: 'Novablast' }
  expect(await app.ok('PUT', DEFAULT, { ShoeId: id.toUpperCase() })).toEqual(chosen)
  const shown = { ...chosen, id, initialMileageM: 5000, totalMileage: 5, unit: 'km' }
  expect(await app.ok('GET', DEFAULT)).toEqual(shown)
  expect(emitted.at(-1)).toEqual({ event: 'settings.updated', data: {} })
  expect(await choose(null)).toEqual({ defaultShoeId: null, brand: null, model: null })
  expect(await app.ok('GET', DEFAULT)).toBeNull()
})

test('a shoe takes a retirement that may be and a limit, and gives them up for null', async () => {
  const id = await addShoe('Novablast', { retireAtM: 700_000 })
  expect(await shoes()).toMatchObject([{ retireAtM: 700_000, retiredAt: null }])
  const retired = { retiredAt: '2025-10-01T00:00:00Z', retireAtM: 650_000.5 }
  expect(await patch(id, { ...retired, retiredAt: '2025-10-01T02:00:00+02:00' })).toMatchObject(retired)
  const none = { retiredAt: null, retireAtM: null }
  expect(await patch(id, none)).toMatchObject(none)
  for (const retiredAt of ['2025-10-01', '1989-12-31T23:59:59Z', '2025-11-22T00:00:00Z']) {
    const answer = await ask(app, 'PATCH', `/shoes/${id}`, { retiredAt })
    expect(answer).toEqual(refused(expect.stringContaining('retiredAt')))
  }
})

describe('the default shoe that is retired', () => {
  test('hands on to the one of the latest run that is not retired', async () => {
    const [old, latest, retired] = [await addShoe('Old'), await addShoe('Latest'), await addShoe('Retired')]
    const [own, unworn] = [await addShoe('Own'), await addShoe('Unworn')]
    for (const [place, id] of [retired, own, latest, old].entries()) wornOn(id, place, place + 1)
    await retire(retired)
    await choose(own)
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
    expect([await defaultId(), each(await shoes(), 'id').includes(unworn)]).toEqual([null, true])
    await retire(old, null)
    expect(await defaultId()).toBeNull()
  })

  test('is given to no import', async () => {
    const [own, other] = [await addShoe('Own'), await addShoe('Other')]
    wornOn(other, 1, 30)
    await choose(own)
    await retire(own)
    const shoeOf = async (id: string) => (await app.ok('GET', `/workouts/${id}`)).shoeId
    expect(await shoeOf(await app.run(fitRun()))).toBe(other)
    await retire(other)
    const later = await app.run(fitRun({ startMs: NOW_MS - 3 * DAY_MS, seconds: 700 }))
    expect(await shoeOf(later)).toBeNull()
  })

  test('cannot be chosen', async () => {
    const own = await addShoe('Own')
    await retire(own)
    expect(await ask(app, 'PUT', DEFAULT, { defaultShoeId: own })).toEqual(refused('Asics Own is retired'))
  })
})
