import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Event } from '../../../src/base/events.ts'
import { storedZones, zonesOrDefault, zonesVersion } from '../../../src/library/settings.ts'
import { type TestApp, testApp } from '../../app.ts'
import { ask } from '../../ask.ts'
import { butReceipts } from '../../fixtures/events.ts'
import { pairs } from '../../fixtures/pairs.ts'
import { rowsOf } from '../../library/as-stored.ts'
import oracles from '../../oracles.json' with { type: 'json' }

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

const put = (path: string, body: unknown) => ask(app, 'PUT', path, body)
const answered = (body: unknown) => ({ status: 200, body })

describe('heart-rate zones', () => {
  test('that lack what their method needs are refused, and nothing is stored', async () => {
    for (const body of [
      ...['', { calculationMethod: 'AgeBased' }, { calculationMethod: 'Custom' }],
      { calculationMethod: 'Karvonen', maxHeartRateBpm: 100, restingHeartRateBpm: 100 },
      { calculationMethod: 'Custom', zones: [...FIVE.slice(0, 4), { minBpm: 175 }] },
    ])
      expect([body, await put(ZONES, body)]).toEqual([
        body,
        { status: 400, body: expect.objectContaining({ error: expect.any(String) }) },
      ])
    expect([storedZones(app.deps.db), emitted, app.logged]).toEqual([null, [], []])
  })

  test.each(Object.entries(oracles.zonesAge))('at age %s are the oracle’s', async (age, bounds) => {
    const set = { calculationMethod: 'AgeBased', age: Number(age), maxHeartRateBpm: 220 - Number(age) }
    const zones = { ...NOTHING, ...set, zones: numbered(bounds) }
    const body = { ...set, restingHeartRateBpm: 55, maxHeartRateBpm: 300 }
    expect(await put(ZONES, body)).toEqual(answered({ ...zones, isFirstTimeSetup: true }))
    expect(await ask(app, 'GET', ZONES)).toEqual(answered(zones))
  })

  test.each(oracles.zonesKarvonen)('of the reserve $rest to $max are the oracle’s', async ({ max, rest, zones }) => {
    const stored = { calculationMethod: 'Karvonen', maxHeartRateBpm: max, restingHeartRateBpm: rest }
    const answer = { ...NOTHING, ...stored, zones: numbered(zones), isFirstTimeSetup: true }
    expect(await put(ZONES, { ...stored, age: 500, zones: [] })).toEqual(answered(answer))
  })

  test('of one’s own are stored as given, and may join at the next beat', async () => {
    const zones = FIVE.map((zone) => ({ zoneNumber: 9, ...zone }))
    const body = { calculationMethod: 'Custom', age: 40, restingHeartRateBpm: 50, maxHeartRateBpm: 190, zones }
    const own = FIVE.map((zone, k) => ({ zoneNumber: k + 1, ...zone }))
    const stored = { ...NOTHING, calculationMethod: 'Custom', zones: own }
    expect(await put(ZONES, body)).toEqual(answered({ ...stored, isFirstTimeSetup: true }))
    expect(await ask(app, 'GET', ZONES)).toEqual(answered(stored))
    expect(zonesOrDefault(app.deps.db) as readonly unknown[]).toEqual(FIVE)
  })

  test('are read under the names of earlier clients, in any case', async () => {
    const zones = { calculationMethod: 'Karvonen', restingHeartRateBpm: 60, maxHeartRateBpm: 190 }
    const sent = { Method: 'karvonen', MaxHeartRate: 190.0, restingheartrate: 60 }
    expect(await put(ZONES, sent)).toMatchObject(answered(zones))
  })

  test('are those of age 30 until some are stored, a first setup once, whatever else was stored before', async () => {
    expect(await ask(app, 'GET', ZONES)).toEqual(answered(DEFAULTS))
    expect(rowsOf(app.deps, 'settings')).toEqual([])
    expect(await ask(app, 'GET', UNIT)).toEqual(answered({ unitPreference: 'metric' }))
    const imperial = { unitPreference: 'imperial' }
    expect(await put(UNIT, { unit: 'imperial' })).toEqual(answered(imperial))
    expect(await ask(app, 'GET', ZONES)).toEqual(answered(DEFAULTS))
    for (const isFirstTimeSetup of [true, false])
      expect(await put(ZONES, { calculationMethod: 'AgeBased', age: 40 })).toMatchObject({ body: { isFirstTimeSetup } })
    expect(await ask(app, 'GET', UNIT)).toEqual(answered(imperial))
    expect(zonesVersion(app.deps.db)).toBe(2)
  })
})
