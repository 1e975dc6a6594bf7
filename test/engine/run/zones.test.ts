import { describe, expect, test } from 'bun:test'
import {
  ageZones,
  customZones,
  DEFAULT_ZONES,
  karvonenZones,
  zoneOf,
  zonesProblem,
} from '../../../src/engine/run/zones.ts'
import oracles from '../../oracles.json'

const pairs = (zones: readonly { minBpm: number; maxBpm: number }[]) => zones.map((zone) => [zone.minBpm, zone.maxBpm])
const zonesOf = (bounds: readonly (readonly [number, number])[]) =>
  bounds.map(([minBpm, maxBpm]) => ({ minBpm, maxBpm }))

test('zones by age round half up', () => {
  for (const [age, wanted] of Object.entries(oracles.zonesAge)) expect(pairs(ageZones(Number(age)))).toEqual(wanted)
})

test('zones of the reserve round half up', () => {
  for (const { max, rest, zones } of oracles.zonesKarvonen) expect(pairs(karvonenZones(max, rest))).toEqual(zones)
})

test('the default is age 30', () => {
  expect(pairs(DEFAULT_ZONES)).toEqual(oracles.zonesAge['30'])
})

test('a zone reaches up to the next one, and the last has no end', () => {
  const bpm = [94, 95, 113, 114, 132, 133, 151, 152, 170, 171, 190, 250]
  expect(bpm.map((value) => zoneOf(value, DEFAULT_ZONES))).toEqual([0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 5])
})

test('custom zones may join at the bound or one above it', () => {
  const bounds = [
    [100, 120],
    [121, 140],
    [140, 160],
    [161, 180],
    [180, 200],
  ] as const
  expect(pairs(customZones(zonesOf(bounds)))).toEqual(bounds.map((pair) => [...pair]))
  expect(zoneOf(120.5, customZones(zonesOf(bounds)))).toBe(1)
})

describe('what breaks a rule is named with its value', () => {
  const custom = (...bounds: (readonly [number, number])[]) =>
    ({ calculationMethod: 'Custom', zones: zonesOf(bounds) }) as const
  const karvonen = (maxHeartRateBpm: number, restingHeartRateBpm: number) =>
    ({ calculationMethod: 'Karvonen', maxHeartRateBpm, restingHeartRateBpm }) as const
  const age = (value: number) => ({ calculationMethod: 'AgeBased', age: value }) as const

  for (const [method, problem] of [
    [age(0), 'age must be a whole number from 1 to 120, not 0'],
    [age(121), 'age must be a whole number from 1 to 120, not 121'],
    [age(30.5), 'age must be a whole number from 1 to 120, not 30.5'],
    [age(Number.NaN), 'age must be a whole number from 1 to 120, not NaN'],
    [karvonen(59, 50), 'maxHeartRateBpm must be a whole number from 60 to 250, not 59'],
    [karvonen(251, 50), 'maxHeartRateBpm must be a whole number from 60 to 250, not 251'],
    [karvonen(190, 29), 'restingHeartRateBpm must be a whole number from 30 to 120, not 29'],
    [karvonen(190, 121), 'restingHeartRateBpm must be a whole number from 30 to 120, not 121'],
    [karvonen(100, 100), 'maxHeartRateBpm must be above restingHeartRateBpm, not 100 and 100'],
    [custom([100, 120]), 'zones must have exactly 5 entries, not 1'],
    [
      custom([29, 120], [120, 140], [140, 160], [160, 180], [180, 200]),
      'minBpm of zone 1 must be a whole number from 30 to 250, not 29',
    ],
    [
      custom([100, 120], [120, 140], [140, 160], [160, 180], [180, 251]),
      'maxBpm of zone 5 must be a whole number from 30 to 250, not 251',
    ],
    [
      custom([100, 120], [120, 120], [120, 160], [160, 180], [180, 200]),
      'minBpm of zone 2 must be below its maxBpm, not 120 and 120',
    ],
    [
      custom([100, 120], [122, 140], [140, 160], [160, 180], [180, 200]),
      'minBpm of zone 2 must be 120 or 121, not 122',
    ],
    [
      custom([100, 120], [120, 140], [139, 160], [160, 180], [180, 200]),
      'minBpm of zone 3 must be 140 or 141, not 139',
    ],
  ] as const) {
    test(problem, () => {
      expect(zonesProblem(method)).toBe(problem)
    })
  }

  test('and what keeps them all has no problem', () => {
    for (const method of [age(1), age(120), karvonen(60, 59), karvonen(250, 30)])
      expect(zonesProblem(method)).toBeNull()
  })

  test('making zones of it throws', () => {
    expect(() => ageZones(0)).toThrow(new RangeError('age must be a whole number from 1 to 120, not 0'))
    expect(() => karvonenZones(60, 60)).toThrow(RangeError)
    expect(() => customZones([])).toThrow(new RangeError('zones must have exactly 5 entries, not 0'))
  })
})
