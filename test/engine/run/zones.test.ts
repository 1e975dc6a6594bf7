import { describe, expect, test } from 'bun:test'
import { DEFAULT_ZONES, zoneOf, zonesOf, zonesProblem } from '../../../src/engine/run/zones.ts'
import { pairs } from '../../fixtures/pairs.ts'

const zonesIn = (bounds: readonly (readonly [number, number])[]) =>
  bounds.map(([minBpm, maxBpm]) => ({ minBpm, maxBpm }))

test('a zone reaches up to the next one, and the last has no end', () => {
  const bpm = [94, 95, 113, 114, 132, 133, 151, 152, 170, 171, 190, 250]
  expect(bpm.map((value) => zoneOf(value, DEFAULT_ZONES))).toEqual([0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 5])
})

test('custom zones may join at the bound or one above it', () => {
  const bounds = pairs('100,120 121,140 140,160 161,180 180,200')
  const zones = zonesIn(bounds)
  expect([...zonesOf({ calculationMethod: 'Custom', zones })]).toEqual(zones)
  expect(zoneOf(120.5, zonesOf({ calculationMethod: 'Custom', zones }))).toBe(1)
})

describe('what breaks a rule is named with its value', () => {
  const custom = (bounds: string) => ({ calculationMethod: 'Custom', zones: zonesIn(pairs(bounds)) }) as const
  const zones = (first: string, last = '180,200') => custom(`${first} 140,160 160,180 ${last}`)
  const karvonen = (maxHeartRateBpm: number, restingHeartRateBpm: number) =>
    ({ calculationMethod: 'Karvonen', maxHeartRateBpm, restingHeartRateBpm }) as const
  const age = (value: number) => ({ calculationMethod: 'AgeBased', age: value }) as const

  test.each<[Parameters<typeof zonesProblem>[0], string | null]>([
    [age(0), 'age must be a whole number from 1 to 120, not 0'],
    [age(30.5), 'age must be a whole number from 1 to 120, not 30.5'],
    [karvonen(59, 50), 'maxHeartRateBpm must be a whole number from 60 to 250, not 59'],
    [karvonen(190, 29), 'restingHeartRateBpm must be a whole number from 30 to 120, not 29'],
    [karvonen(100, 100), 'maxHeartRateBpm must be above restingHeartRateBpm, not 100 and 100'],
    [custom('100,120'), 'zones must have exactly 5 entries, not 1'],
    [zones('29,120 120,140'), 'minBpm of zone 1 must be a whole number from 30 to 250, not 29'],
    [zones('100,120 120,120'), 'minBpm of zone 2 must be below its maxBpm, not 120 and 120'],
    [zones('100,120 122,140'), 'minBpm of zone 2 must be 120 or 121, not 122'],
    [age(1), null],
    [karvonen(60, 59), null],
  ])('%j: %s', (method, problem) => {
    expect(zonesProblem(method)).toBe(problem)
    if (problem === null) expect(zonesOf(method)).toHaveLength(5)
    else expect(() => zonesOf(method)).toThrow(new RangeError(problem))
  })
})
