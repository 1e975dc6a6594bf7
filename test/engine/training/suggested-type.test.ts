import { expect, test } from 'bun:test'
import { standardNear } from '../../../src/engine/training/races.ts'
import { SHORTEST_RACE_M, type SuggestionFacts, suggestedRunType } from '../../../src/engine/training/suggested-type.ts'
import { seededRandom } from '../../fixtures/knots.ts'

/** A run of 8 km among runs of 8 km, at moderate effort. */
const PLAIN: SuggestionFacts = {
  ...{ distanceM: 8000, race: null, repetitions: 0, last14DaysM: [8000, 8000] },
  ...{ last56DaysM: [8000, 8000, 8000, 8000, 8000], bands: [600, 1800, 0] },
}
const suggested = (facts: Partial<SuggestionFacts>) => suggestedRunType({ ...PLAIN, ...facts })

test('a run that fits no rule gets no suggestion', () => {
  expect(suggested({})).toBeNull()
  expect(suggested({ bands: null })).toBeNull()
})

test('a race distance is a standard distance from 5K on, within 2%', () => {
  const name = (metres: number) => standardNear(metres, SHORTEST_RACE_M)?.label ?? null
  expect([4899, 4900, 5000, 5100, 5101].map(name)).toEqual([null, '5K', '5K', '5K', null])
  expect([3218.688, 8000, 10_150, 21_300, 42_900].map(name)).toEqual([null, null, '10K', 'Half-Marathon', 'Marathon'])
})

test('Race: the best of a year over a standard distance, or within 3% of it', () => {
  const race = (timeMs: number, bestMs: number | null) => suggested({ race: { label: '10K', timeMs, bestMs } })
  expect(race(2_400_000, 2_450_000)).toEqual({ type: 'Race', reason: '10K, your best in a year' })
  expect(race(2_472_000, 2_400_000)).toEqual({ type: 'Race', reason: '10K, 3% behind your best in a year' })
  expect(race(2_400_000 * 1.015, 2_400_000)?.reason).toBe('10K, 1.5% behind your best in a year')
  expect(race(2_472_001, 2_400_000)).toBeNull()
  // nothing to compare it with
  expect(race(2_400_000, null)).toBeNull()
  // nobody races at an easy heart rate
  expect(suggested({ race: { label: '10K', timeMs: 2_400_000, bestMs: 2_450_000 }, bands: [95, 5, 0] })?.type).toBe(
    'Easy Run',
  )
})

test('Workout: from three repetitions on', () => {
  expect(suggested({ repetitions: 2 })).toBeNull()
  expect(suggested({ repetitions: 3 })).toEqual({ type: 'Workout', reason: '3 repetitions' })
})

test('Long Run: the longest of 14 days, and at least 1.5 times the median of 56', () => {
  const long = (distanceM: number, others: Partial<SuggestionFacts> = {}) => suggested({ distanceM, ...others })
  expect(long(12_000)).toEqual({ type: 'Long Run', reason: 'Longest in 14 days, 1.5 times your median of 56 days' })
  expect(long(11_999)).toBeNull()
  expect(long(12_000, { last14DaysM: [12_000] })).toBeNull()
  expect(long(12_000, { last14DaysM: [], last56DaysM: [8000] })).toBeNull()
  // the median of 6, 8, 10 and the run's own 14
  expect(long(14_000, { last14DaysM: [], last56DaysM: [6000, 8000, 10_000] })?.reason).toContain('1.6 times')
})

test('Easy Run: at least 90% of the known time below the moderate band', () => {
  expect(suggested({ bands: [2700, 200, 100] })).toEqual({ type: 'Easy Run', reason: '90% easy' })
  expect(suggested({ bands: [2699, 200, 101] })).toBeNull()
  expect(suggested({ bands: [0, 0, 0] })).toBeNull()
})

test('of several rules the first of race, workout, long run and easy run gives the type', () => {
  const race = { label: '10K', timeMs: 2_400_000, bestMs: 2_400_000 }
  const all = { distanceM: 20_000, race, repetitions: 5, bands: [80, 10, 10] } as const
  expect(suggested(all)?.type).toBe('Race')
  expect(suggested({ ...all, race: null })?.type).toBe('Workout')
  expect(suggested({ ...all, race: null, repetitions: 0 })?.type).toBe('Long Run')
  expect(suggested({ bands: [99, 1, 0], repetitions: 4 })?.type).toBe('Workout')
})

test('more of what a rule asks for never takes its suggestion away', () => {
  const random = seededRandom(8)
  for (let k = 0; k < 500; k += 1) {
    const metres = () => Math.round(3000 + 20_000 * random())
    const last56DaysM = Array.from({ length: Math.floor(8 * random()) }, metres)
    const facts = { ...PLAIN, distanceM: metres(), last56DaysM, last14DaysM: last56DaysM.slice(0, 2) }
    const now = suggestedRunType(facts)
    if (now?.type === 'Long Run') {
      expect(suggestedRunType({ ...facts, distanceM: facts.distanceM + metres() })?.type).toBe('Long Run')
    }
    const bands = [100 * random(), 10 * random(), random()] as const
    if (suggestedRunType({ ...facts, distanceM: 1, bands })?.type === 'Easy Run') {
      expect(suggestedRunType({ ...facts, distanceM: 1, bands: [bands[0] + 1, bands[1], bands[2]] })?.type).toBe(
        'Easy Run',
      )
    }
  }
})
