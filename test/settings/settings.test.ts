import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Event } from '../../src/events/emitter.ts'
import { splitUnitM, storedZones, unitPreference, zonesOrDefault, zonesVersion } from '../../src/library/settings.ts'
import { type TestApp, testApp } from '../app.ts'
import { ask } from '../ask.ts'
import { butReceipts } from '../fixtures/events.ts'
import { pairs } from '../fixtures/pairs.ts'
import { rowsOf } from '../library/as-stored.ts'
import oracles from '../oracles.json' with { type: 'json' }

const ZONES = '/settings/heart-rate-zones'
const UNIT = '/settings/unit-preference'

/** docs/api.md 4, letter for letter. */
const NOTHING = { age: null, restingHeartRateBpm: null, maxHeartRateBpm: null }
const DEFAULTS = {
  ...{ ...NOTHING, calculationMethod: 'AgeBased', age: 30, maxHeartRateBpm: 190 },
  zones: numbered(pairs('95,114 114,133 133,152 152,171 171,190')),
}
const FIVE = numbered(pairs('100,120 120,140 141,160 160,175 175,200')).map(({ zoneNumber: _, ...zone }) => zone)

let app: TestApp
let emitted: Event[]
beforeEach(async () => {
  app = await testApp()
  emitted = []
  app.deps.events.subscribe(butReceipts((event) => emitted.push(event)))
})
afterEach(() => app.close())

function numbered(bounds: readonly (readonly number[])[]) {
  return bounds.map(([minBpm, maxBpm], k) => ({ zoneNumber: k + 1, minBpm, maxBpm }))
}

describe('heart-rate zones', () => {
  test.each<[string, unknown]>([
    ['no body', ''],
    ['AgeBased without age', { calculationMethod: 'AgeBased' }],
    ['AgeBased with null as age', { calculationMethod: 'AgeBased', age: null }],
    ['Karvonen without resting heart rate', { calculationMethod: 'Karvonen', maxHeartRateBpm: 190 }],
    ['Karvonen without maximum', { calculationMethod: 'Karvonen', restingHeartRateBpm: 60 }],
    ['a maximum at rest', { calculationMethod: 'Karvonen', maxHeartRateBpm: 100, restingHeartRateBpm: 100 }],
    ['Custom without zones', { calculationMethod: 'Custom' }],
    ['a zone without end', { calculationMethod: 'Custom', zones: [...FIVE.slice(0, 4), { minBpm: 175 }] }],
  ])('%s is refused and nothing is stored', async (_name, body) => {
    const answer = await ask(app, 'PUT', ZONES, body)
    expect(answer).toEqual({ status: 400, body: { error: expect.any(String) } })
    expect(storedZones(app.deps.db)).toBeNull()
    expect(emitted).toEqual([])
    expect(app.logged).toEqual([])
  })

  test('a refusal names field and rule', async () => {
    const { body } = await ask(app, 'PUT', ZONES, { calculationMethod: 'AgeBased', age: 121 })
    expect(body).toEqual({ error: 'age must be a whole number from 1 to 120, not 121' })
  })

  test('are those of age 30 until some are stored', async () => {
    expect(await ask(app, 'GET', ZONES)).toEqual({ status: 200, body: DEFAULTS })
    expect(rowsOf(app.deps, 'settings')).toEqual([])
  })

  test.each(Object.entries(oracles.zonesAge))('at age %s are the oracle’s', async (age, bounds) => {
    const body = { calculationMethod: 'AgeBased', age: Number(age), restingHeartRateBpm: 55, maxHeartRateBpm: 300 }
    const maxHeartRateBpm = 220 - Number(age)
    const set = { calculationMethod: 'AgeBased', age: Number(age), maxHeartRateBpm }
    const zones = { ...NOTHING, ...set, zones: numbered(bounds) }
    expect(await ask(app, 'PUT', ZONES, body)).toEqual({ status: 200, body: { ...zones, isFirstTimeSetup: true } })
    expect(await ask(app, 'GET', ZONES)).toEqual({ status: 200, body: zones })
  })

  test.each(oracles.zonesKarvonen)('of the reserve $rest to $max are the oracle’s', async ({ max, rest, zones }) => {
    const body = { calculationMethod: 'Karvonen', maxHeartRateBpm: max, restingHeartRateBpm: rest, age: 500, zones: [] }
    const { age: _, zones: __, ...stored } = body
    const answer = { ...NOTHING, ...stored, zones: numbered(zones), isFirstTimeSetup: true }
    expect(await ask(app, 'PUT', ZONES, body)).toEqual({ status: 200, body: answer })
  })

  test('of one’s own are stored as given, and may join at the next beat', async () => {
    const zones = FIVE.map((zone) => ({ zoneNumber: 9, ...zone }))
    const body = { calculationMethod: 'Custom', age: 40, restingHeartRateBpm: 50, maxHeartRateBpm: 190, zones }
    const own = FIVE.map((zone, k) => ({ zoneNumber: k + 1, ...zone }))
    const stored = { ...NOTHING, calculationMethod: 'Custom', zones: own }
    expect(await ask(app, 'PUT', ZONES, body)).toEqual({ status: 200, body: { ...stored, isFirstTimeSetup: true } })
    expect(await ask(app, 'GET', ZONES)).toEqual({ status: 200, body: stored })
    expect(zonesOrDefault(app.deps.db) as readonly unknown[]).toEqual(FIVE)
  })

  test('are read under the names of earlier clients, in any case', async () => {
    const body = { Method: 'karvonen', MaxHeartRate: 190.0, restingheartrate: 60 }
    expect(await ask(app, 'PUT', ZONES, body)).toMatchObject({
      status: 200,
      body: { calculationMethod: 'Karvonen', restingHeartRateBpm: 60, maxHeartRateBpm: 190 },
    })
  })

  test('are a first setup once, whatever else was stored before', async () => {
    await ask(app, 'PUT', UNIT, { unitPreference: 'imperial' })
    expect(await ask(app, 'GET', ZONES)).toEqual({ status: 200, body: DEFAULTS })
    const body = { calculationMethod: 'AgeBased', age: 40 }
    expect(await ask(app, 'PUT', ZONES, body)).toMatchObject({ body: { isFirstTimeSetup: true } })
    expect(await ask(app, 'PUT', ZONES, body)).toMatchObject({ body: { isFirstTimeSetup: false } })
    expect(unitPreference(app.deps.db)).toBe('imperial')
    expect(zonesVersion(app.deps.db)).toBe(2)
  })

  test('of several first writes at once leave one record', async () => {
    await Promise.all([
      ask(app, 'PUT', ZONES, { calculationMethod: 'AgeBased', age: 40 }),
      ask(app, 'PUT', UNIT, { unitPreference: 'imperial' }),
      ask(app, 'PUT', ZONES, { calculationMethod: 'AgeBased', age: 50 }),
    ])
    expect(rowsOf(app.deps, 'settings')).toHaveLength(1)
    expect(emitted).toEqual(Array(3).fill({ event: 'settings.updated', data: {} }))
  })
})

describe('unit preference', () => {
  test('is metric until another is stored', async () => {
    expect(await ask(app, 'GET', UNIT)).toEqual({ status: 200, body: { unitPreference: 'metric' } })
    const imperial = { status: 200, body: { unitPreference: 'imperial' } }
    expect(await ask(app, 'PUT', UNIT, { unit: 'imperial' })).toEqual(imperial)
    expect(await ask(app, 'GET', UNIT)).toEqual(imperial)
  })

  test('gives splits of a kilometre or an international mile', () => {
    expect([splitUnitM('metric'), splitUnitM('imperial')]).toEqual([1000, 1609.344])
  })
})
