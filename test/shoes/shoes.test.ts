import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { workouts } from '../../src/db/schema.ts'
import { settings } from '../../src/db/schema-account.ts'
import type { Event } from '../../src/events/emitter.ts'
import { namedShoes } from '../../src/library/gear.ts'
import { changeSettings, defaultShoeId } from '../../src/library/settings.ts'
import { wornShoe } from '../../src/workouts/fields.ts'
import { NOW_MS, type TestApp, testApp } from '../app.ts'
import { ask } from '../ask.ts'
import { butReceipts } from '../fixtures/events.ts'
import { addWorkout } from '../fixtures/feature-app.ts'

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

describe('refused, with nothing changed', () => {
  const [brand, model, long] = ['Asics', 'Novablast', 'x'.repeat(101)]
  const NO_SHOE = { error: 'Shoe not found' }
  const CASES: Readonly<Record<string, readonly (readonly [id: string | null, body: unknown, status?: number])[]>> = {
    'POST /shoes': [
      [null, ''],
      [null, []],
      [null, { model }],
      [null, { brand }],
      [null, { brand: null, model }],
      [null, { brand, model: '   ' }],
      [null, { brand: long, model }],
      [null, { brand, model: 5 }],
      [null, { brand, model, initialMileageM: -1 }],
      [null, { brand, model, initialMileageM: 1e308 }],
      [null, { brand, model, initialMileageM: 10_000_000.5 }],
      [null, { brand, model, initialMileageM: '5' }],
      [null, '{"brand":"Asics","model":"Novablast","initialMileageM":1e999}'],
    ],
    'PATCH /shoes/:id': [
      [null, { brand: null }],
      [null, { model: null }],
      [null, { brand: '' }],
      [null, { model: long }],
      [null, { initialMileageM: -0.5 }],
      [null, { initialMileageM: 1e308 }],
      [null, '"x"'],
      [null, []],
      ...[UNKNOWN, 'nonsense', '1'].map((id) => [id, { brand: 'x' }, 404] as const),
      [UNKNOWN, {}, 404],
    ],
    'DELETE /shoes/:id': [UNKNOWN, 'nonsense'].map((id) => [id, undefined, 404]),
    'GET /shoes/:id/mileage': [UNKNOWN, 'nonsense'].map((id) => [id, undefined, 404]),
    'GET /shoes/:id/mileage?unitPreference=x': [['7', undefined, 404]],
    'GET /shoes/:id/mileage?unitPreference=nautical': [[null, undefined]],
    'GET /shoes/:id/mileage?unitPreference=': [[null, undefined]],
    'GET /shoes/:id/mileage?unitPreference=Metric': [[null, undefined]],
    'GET /shoes/:id/mileage?unitPreference=metric&unitPreference=metric': [[null, undefined]],
    [`PUT ${DEFAULT}`]: [
      [null, ''],
      [null, {}],
      [null, { defaultShoeId: 5 }],
      [null, { defaultShoeId: 'Novablast' }],
      [null, { defaultShoeId: '' }],
      [null, { defaultShoeId: UNKNOWN }, 404],
    ],
  }
  test.each(Object.keys(CASES))('%s', async (call) => {
    const own = await addShoe('Asics', 'Novablast', 5)
    const before = [(await ask(app, 'GET', '/shoes')).body, app.deps.db.select().from(settings).all(), emitted.length]
    const [method = '', path = ''] = call.split(' ')
    for (const [id, body, status = 400] of CASES[call]!) {
      const answer = await ask(app, method, path.replace(':id', id ?? own), body)
      expect([body, answer]).toEqual([body, { status, body: status === 404 ? NO_SHOE : { error: expect.any(String) } }])
    }
    const after = [(await ask(app, 'GET', '/shoes')).body, app.deps.db.select().from(settings).all(), emitted.length]
    expect(after).toEqual(before)
  })
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
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        brand: 'Asics',
        model: 'Novablast 4',
        initialMileageM: 50_000,
        totalMileage: 50,
        unit: 'km',
        createdAt: '2025-11-20T13:05:11Z',
        updatedAt: '2025-11-20T13:05:11Z',
        ...NEW,
      },
    })
    expect(emitted).toEqual([{ event: 'shoe.created', data: { id: (answer.body as { id: string }).id } }])
  })

  test('counts characters, not their halves: a hundred shoes fit', async () => {
    expect((await ask(app, 'POST', '/shoes', { brand: '👟'.repeat(100), model: 'x' })).status).toBe(200)
    expect((await ask(app, 'POST', '/shoes', { brand: '👟'.repeat(101), model: 'x' })).status).toBe(400)
  })

  test('an initial mileage of 10,000 km is the most', async () => {
    const answer = await ask(app, 'POST', '/shoes', { brand: 'Asics', model: 'Novablast', initialMileageM: 10_000_000 })
    expect(answer).toMatchObject({ status: 200, body: { initialMileageM: 10_000_000, totalMileage: 10_000 } })
  })

  test.each([undefined, null, 0])('an initial mileage of %p is no mileage', async (initialMileageM) => {
    const answer = await ask(app, 'POST', '/shoes', { brand: 'Asics', model: 'Novablast', initialMileageM })
    expect(answer).toMatchObject({ status: 200, body: { initialMileageM: initialMileageM ?? null, totalMileage: 0 } })
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
  test('is empty at first', async () => {
    expect(await ask(app, 'GET', '/shoes')).toEqual({ status: 200, body: [] })
  })

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
      'Asics Novablast',
      'asics novablast',
      'Nike alphafly',
      'nike Zoom',
      'Óber One',
      'óber zwei',
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
    changeSettings(app.deps.db, app.deps, { unitPreference: 'imperial' })
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
        id,
        brand: 'Asics',
        model: 'Superblast',
        initialMileageM: 5,
        totalMileage: 0.005,
        unit: 'km',
        createdAt: '2025-11-20T13:05:11Z',
        updatedAt: '2025-11-20T13:06:11Z',
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
    addWorkout(app.deps, { id: 'a', shoeId: id })
    await ask(app, 'PUT', DEFAULT, { defaultShoeId: id })
    expect(await ask(app, 'DELETE', `/shoes/${id}`)).toEqual({ status: 204, body: null })
    expect(app.deps.db.select({ id: workouts.id, shoeId: wornShoe }).from(workouts).all()).toEqual([
      { id: 'a', shoeId: null },
    ])
    expect(await ask(app, 'GET', DEFAULT)).toEqual({ status: 200, body: null })
    expect(emitted.slice(-2)).toEqual([
      { event: 'shoe.deleted', data: { id } },
      { event: 'settings.updated', data: {} },
    ])
    expect(await ask(app, 'DELETE', `/shoes/${id}`)).toMatchObject({ status: 404 })
  })

  test('leaves another default alone', async () => {
    const [kept, gone] = [await addShoe(), await addShoe('Nike', 'Zoom')]
    await ask(app, 'PUT', DEFAULT, { defaultShoeId: kept })
    await ask(app, 'DELETE', `/shoes/${gone}`)
    expect(defaultShoeId(app.deps.db)).toBe(kept)
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
    changeSettings(app.deps.db, app.deps, { unitPreference: 'imperial' })
    expect(await mileage()).toEqual({ shoeId, totalMileage: 1, unit: 'miles' })
    expect(await mileage('?unitPreference=metric')).toEqual({ shoeId, totalMileage: 1.609344, unit: 'km' })
  })
})

describe('default shoe', () => {
  test('is the JSON null until one is chosen', async () => {
    expect(await ask(app, 'GET', DEFAULT)).toEqual({ status: 200, body: null })
  })

  test('is chosen, shown with its mileage, and cleared', async () => {
    const id = await addShoe('Asics', 'Novablast', 5000)
    expect(await ask(app, 'PUT', DEFAULT, { ShoeId: id.toUpperCase() })).toEqual({
      status: 200,
      body: { defaultShoeId: id, brand: 'Asics', model: 'Novablast' },
    })
    expect(await ask(app, 'GET', DEFAULT)).toEqual({
      status: 200,
      body: {
        defaultShoeId: id,
        id,
        brand: 'Asics',
        model: 'Novablast',
        initialMileageM: 5000,
        totalMileage: 5,
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

  test('stores no zones and no unit', async () => {
    await ask(app, 'PUT', DEFAULT, { defaultShoeId: await addShoe() })
    expect(app.deps.db.select().from(settings).get()).toMatchObject({ zoneBounds: null, unitPreference: null })
  })
})

test('the gear name of an export finds its shoe in any case, and no other', async () => {
  const id = await addShoe('Asics', 'Novablast 4')
  expect(namedShoes(app.deps.db).find(' ASICS novablast 4')).toBe(id)
  expect(namedShoes(app.deps.db).find('Novablast 4')).toBeNull()
  expect(namedShoes(app.deps.db).find('')).toBeNull()
})
