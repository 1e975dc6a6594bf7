import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Event } from '../../src/events/emitter.ts'
import { namedShoes } from '../../src/library/gear.ts'
import { NOW_MS, type TestApp, testApp } from '../app.ts'
import { ask } from '../ask.ts'
import { butReceipts } from '../fixtures/events.ts'
import { addWorkout } from '../library/feature-app.ts'

const UNKNOWN = '00000000-0000-4000-8000-000000000000'
const DEFAULT = '/settings/default-shoe'
const NEW = { retiredAt: null, retireAtM: null, runs: 0, avgPaceS: null, firstRun: null, lastRun: null }

let app: TestApp
let emitted: Event[]
beforeEach(async () => {
  app = await testApp()
  emitted = []
  app.deps.events.subscribe(butReceipts((event) => emitted.push(event)))
})
afterEach(() => app.close())

async function addShoe(brand = 'Asics', model = 'Novablast', initialMileageM?: number): Promise<string> {
  const { status, body } = await ask(app, 'POST', '/shoes', { brand, model, initialMileageM })
  expect(status).toBe(200)
  return (body as { id: string }).id
}

test('what is unknown is 404, and a refusal changes nothing', async () => {
  const own = await addShoe('Asics', 'Novablast', 5)
  const state = async () => [
    (await ask(app, 'GET', '/shoes')).body,
    (await ask(app, 'GET', DEFAULT)).body,
    emitted.length,
  ]
  const before = await state()
  const error = 'Shoe not found'
  for (const [method, path, body] of [
    ['PATCH', `/shoes/${UNKNOWN}`, { brand: 'x' }],
    ['PATCH', '/shoes/nonsense', {}],
    ['DELETE', '/shoes/1', undefined],
    ['GET', '/shoes/7/mileage?unitPreference=x', undefined],
    ['PUT', DEFAULT, { defaultShoeId: UNKNOWN }],
  ] as const)
    expect([path, await ask(app, method, path, body)]).toEqual([path, { status: 404, body: { error } }])
  for (const [method, path, body] of [
    ['POST', '/shoes', '{"brand":"Asics","model":"Novablast","initialMileageM":1e999}'],
    ['PATCH', `/shoes/${own}`, { brand: null }],
    ['PUT', DEFAULT, {}],
  ] as const)
    expect((await ask(app, method, path, body)).status).toBe(400)
  expect(await state()).toEqual(before)
})

describe('adding a shoe', () => {
  test('answers 200 with the shoe, trimmed, and emits an event', async () => {
    const answer = await ask(app, 'POST', '/shoes', {
      Brand: ' Asics ',
      MODEL: 'Novablast 4\t',
      initialMileageM: 50_000,
    })
    expect(answer).toEqual({
      status: 200,
      body: {
        ...{ id: expect.stringMatching(/^[0-9a-f-]{36}$/), brand: 'Asics', model: 'Novablast 4' },
        ...{ initialMileageM: 50_000, totalMileage: 50, unit: 'km', createdAt: '2025-11-20T13:05:11Z' },
        updatedAt: '2025-11-20T13:05:11Z',
        ...NEW,
      },
    })
    expect(emitted).toEqual([{ event: 'shoe.created', data: { id: (answer.body as { id: string }).id } }])
  })
})

test('there are at most 1,000 shoes; one that is deleted makes room', async () => {
  const first = await addShoe()
  for (let count = 1; count < 1000; count += 1) await addShoe('Hoka', `Mach ${count}`)
  const refused = await ask(app, 'POST', '/shoes', { brand: 'Hoka', model: 'Mach 1001' })
  expect(refused).toEqual({ status: 400, body: { error: 'There are already 1000 shoes, the most allowed' } })
  expect((await ask(app, 'DELETE', `/shoes/${first}`)).status).toBe(204)
  expect((await ask(app, 'POST', '/shoes', { brand: 'Hoka', model: 'Mach 1001' })).status).toBe(200)
})

describe('the list', () => {
  test('is ordered by brand and model in any case, then by age', async () => {
    await addShoe('nike', 'Zoom')
    await addShoe('Óber', 'One')
    await addShoe('asics', 'novablast', 2)
    app.clock.nowMs = NOW_MS - 1000
    await addShoe('Asics', 'Novablast', 1)
    await addShoe('Nike', 'alphafly')
    await addShoe('óber', 'zwei')
    const { body } = await ask(app, 'GET', '/shoes')
    expect((body as { brand: string; model: string }[]).map(({ brand, model }) => `${brand} ${model}`)).toEqual([
      ...['Asics Novablast', 'asics novablast', 'Nike alphafly', 'nike Zoom', 'Óber One', 'óber zwei'],
    ])
  })

  test('sums the runs of each shoe and of no other, in the stored unit', async () => {
    const [worn, fresh] = [await addShoe('Asics', 'Novablast', 50_000), await addShoe('Nike', 'Zoom')]
    addWorkout(app.deps, { id: crypto.randomUUID(), shoeId: worn, distanceM: 10_000.5 })
    addWorkout(app.deps, { id: crypto.randomUUID(), shoeId: worn, distanceM: 5000.25 })
    addWorkout(app.deps, { id: crypto.randomUUID(), distanceM: 42_195 })
    const totals = async () =>
      ((await ask(app, 'GET', '/shoes')).body as { id: string; totalMileage: number; unit: string }[]).map(
        ({ id, totalMileage, unit }) => [id, totalMileage, unit],
      )
    expect(await totals()).toEqual([
      [worn, 65.00075, 'km'],
      [fresh, 0, 'km'],
    ])
    await app.ok('PUT', '/settings/unit-preference', { unitPreference: 'imperial' })
    expect(await totals()).toEqual([
      [worn, 65_000.75 / 1609.344, 'miles'],
      [fresh, 0, 'miles'],
    ])
  })
})

describe('changing a shoe', () => {
  test('takes only what is sent', async () => {
    const id = await addShoe('Asics', 'Novablast', 5)
    app.clock.nowMs = NOW_MS + 60_000
    expect(await ask(app, 'PATCH', `/shoes/${id.toUpperCase()}`, { model: 'Superblast' })).toEqual({
      status: 200,
      body: {
        ...{ id, brand: 'Asics', model: 'Superblast', initialMileageM: 5, totalMileage: 0.005, unit: 'km' },
        ...{ createdAt: '2025-11-20T13:05:11Z', updatedAt: '2025-11-20T13:06:11Z' },
        ...NEW,
      },
    })
    expect(await ask(app, 'PATCH', `/shoes/${id}`, { initialMileageM: null })).toMatchObject({
      body: { model: 'Superblast', initialMileageM: null, totalMileage: 0 },
    })
    expect(emitted.slice(1)).toEqual(Array(2).fill({ event: 'shoe.updated', data: { id } }))
  })

  test('with nothing sent changes nothing', async () => {
    const id = await addShoe()
    app.clock.nowMs = NOW_MS + 60_000
    expect(await ask(app, 'PATCH', `/shoes/${id}`, { colour: 'red' })).toMatchObject({
      status: 200,
      body: { id, updatedAt: '2025-11-20T13:05:11Z' },
    })
    expect(emitted).toHaveLength(1)
  })
})

describe('deleting a shoe', () => {
  test('answers 204 with nothing, keeps its runs and clears the default', async () => {
    const id = await addShoe()
    const run = crypto.randomUUID()
    addWorkout(app.deps, { id: run, shoeId: id })
    await ask(app, 'PUT', DEFAULT, { defaultShoeId: id })
    expect(await ask(app, 'DELETE', `/shoes/${id}`)).toEqual({ status: 204, body: null })
    expect((await app.ok('GET', '/workouts')).items).toMatchObject([{ id: run, shoeId: null }])
    expect(await ask(app, 'GET', DEFAULT)).toEqual({ status: 200, body: null })
    expect(emitted.slice(-2)).toEqual([
      { event: 'shoe.deleted', data: { id } },
      { event: 'settings.updated', data: {} },
    ])
    // another default stays
    const [kept, gone] = [await addShoe(), await addShoe('Nike', 'Zoom')]
    await ask(app, 'PUT', DEFAULT, { defaultShoeId: kept })
    await ask(app, 'DELETE', `/shoes/${gone}`)
    expect((await app.ok('GET', DEFAULT)).id).toBe(kept)
    expect(emitted.at(-1)).toEqual({ event: 'shoe.deleted', data: { id: gone } })
  })
})

describe('mileage of a shoe', () => {
  test('is in the unit asked for, else in the stored one', async () => {
    const id = await addShoe('Asics', 'Novablast', 1609.344)
    const shoeId = id
    const mileage = async (query = '') => (await ask(app, 'GET', `/shoes/${id}/mileage${query}`)).body
    expect(await mileage()).toEqual({ shoeId, totalMileage: 1.609344, unit: 'km' })
    expect(await mileage('?unitPreference=imperial')).toEqual({ shoeId, totalMileage: 1, unit: 'miles' })
    await app.ok('PUT', '/settings/unit-preference', { unitPreference: 'imperial' })
    expect(await mileage()).toEqual({ shoeId, totalMileage: 1, unit: 'miles' })
    expect(await mileage('?unitPreference=metric')).toEqual({ shoeId, totalMileage: 1.609344, unit: 'km' })
  })
})

describe('default shoe', () => {
  test('is chosen, shown with its mileage, and cleared', async () => {
    const none = { status: 200, body: null }
    expect(await ask(app, 'GET', DEFAULT)).toEqual(none)
    const id = await addShoe('Asics', 'Novablast', 5000)
    expect(await ask(app, 'PUT', DEFAULT, { ShoeId: id.toUpperCase() })).toEqual({
      status: 200,
      body: { defaultShoeId: id, brand: 'Asics', model: 'Novablast' },
    })
    expect(await ask(app, 'GET', DEFAULT)).toEqual({
      status: 200,
      body: {
        ...{ defaultShoeId: id, id, brand: 'Asics', model: 'Novablast', initialMileageM: 5000, totalMileage: 5 },
        unit: 'km',
      },
    })
    expect(emitted.at(-1)).toEqual({ event: 'settings.updated', data: {} })
    expect(await ask(app, 'PUT', DEFAULT, { defaultShoeId: null })).toEqual({
      status: 200,
      body: { defaultShoeId: null, brand: null, model: null },
    })
    expect(await ask(app, 'GET', DEFAULT)).toEqual({ status: 200, body: null })
  })
})

test('the gear name of an export finds its shoe in any case, and no other', async () => {
  const id = await addShoe('Asics', 'Novablast 4')
  expect(namedShoes(app.deps.db).find(' ASICS novablast 4')).toBe(id)
  expect(namedShoes(app.deps.db).find('Novablast 4')).toBeNull()
  expect(namedShoes(app.deps.db).find('')).toBeNull()
})
