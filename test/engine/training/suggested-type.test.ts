import { expect, test } from 'bun:test'
import { standardNear } from '../../../src/engine/training/races.ts'
import { SHORTEST_RACE_M, type SuggestionFacts, suggestedRunType } from '../../../src/engine/training/suggested-type.ts'

/** A run of 8 km among runs of 8 km, at moderate effort. */
const PLAIN: SuggestionFacts = {
  ...{ distanceM: 8000, race: null, repetitions: 0, last14DaysM: [8000, 8000] },
  ...{ last56DaysM: [8000, 8000, 8000, 8000, 8000], bands: [600, 1800, 0] },
}
const race = (timeMs: number, bestMs: number | null) => ({ race: { label: '10K', timeMs, bestMs } })
const LONG = 'Long Run: Longest in 14 days, 1.5 times your median of 56 days'
const ALL: Partial<SuggestionFacts> = {
  ...race(2_400_000, 2_400_000),
  distanceM: 20_000,
  repetitions: 5,
  bands: [80, 10, 10],
}

test.each<[facts: Partial<SuggestionFacts>, says: string]>([
  [{}, 'none'],
  [{ bands: null }, 'none'],
  // Race: the best of a year over a standard distance, or within 3 % of it; nobody races at an easy heart rate
  [race(2_400_000, 2_450_000), 'Race: 10K, your best in a year'],
  [race(2_472_000, 2_400_000), 'Race: 10K, 3% behind your best in a year'],
  [race(2_400_000 * 1.015, 2_400_000), 'Race: 10K, 1.5% behind your best in a year'],
  [race(2_472_001, 2_400_000), 'none'],
  [race(2_400_000, null), 'none'],
  [{ ...race(2_400_000, 2_450_000), bands: [95, 5, 0] }, 'Easy Run'],
  // Workout: from three repetitions on
  [{ repetitions: 2 }, 'none'],
  [{ repetitions: 3 }, 'Workout: 3 repetitions'],
  // Long Run: the longest of 14 days, and at least 1.5 times the median of 56, to which the run belongs
  [{ distanceM: 12_000 }, LONG],
  [{ distanceM: 11_999 }, 'none'],
  [{ distanceM: 12_000, last14DaysM: [12_000] }, 'none'],
  [{ distanceM: 12_000, last14DaysM: [], last56DaysM: [8000] }, 'none'],
  [{ distanceM: 14_000, last14DaysM: [], last56DaysM: [6000, 8000, 10_000] }, LONG.replace('1.5', '1.6')],
  // Easy Run: at least 90 % of the known time below the moderate band
  [{ bands: [2700, 200, 100] }, 'Easy Run: 90% easy'],
  [{ bands: [2699, 200, 101] }, 'none'],
  [{ bands: [0, 0, 0] }, 'none'],
  // the first of several rules gives the type
  [ALL, 'Race'],
  [{ ...ALL, race: null }, 'Workout'],
  [{ ...ALL, race: null, repetitions: 0 }, 'Long Run'],
  [{ bands: [99, 1, 0], repetitions: 4 }, 'Workout'],
])('%j is %s', (facts, says) => {
  const found = suggestedRunType({ ...PLAIN, ...facts })
  expect(found === null ? 'none' : `${found.type}: ${found.reason}`).toStartWith(says)
})

test('a race distance is a standard distance from 5K on, within 2%', () => {
  const name = (metres: number) => standardNear(metres, SHORTEST_RACE_M)?.label ?? null
  expect([4899, 4900, 5000, 5100, 5101].map(name)).toEqual([null, '5K', '5K', '5K', null])
  expect([3218.688, 8000, 10_150, 21_300, 42_900].map(name)).toEqual([null, null, '10K', 'Half-Marathon', 'Marathon'])
})
