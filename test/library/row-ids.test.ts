import { expect, test } from 'bun:test'
import { effortId, splitId, storedEffortId, storedSplitId } from '../../src/library/row-ids.ts'

const workoutId = '0199a000-0000-7000-8000-000000000001'
const UUID = /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

test('a made id is a UUID, the same every time, and another at every place', () => {
  const made = new Set<string>()
  for (const id of [workoutId, 'another', 'another 1']) {
    for (let place = 0; place < 300; place += 1) {
      const [split, effort] = [
        splitId({ id: null, workoutId: id, idx: place }),
        effortId({ id: null, workoutId: id, distanceIndex: place }),
      ]
      expect([split, effort]).toEqual([expect.stringMatching(UUID), expect.stringMatching(UUID)])
      made.add(split).add(effort)
    }
  }
  expect(made.size).toBe(1800)
  // part of what archives say: never to be changed
  expect(splitId({ id: null, workoutId, idx: 3 })).toBe('ce6e7dbc-3517-8022-bf67-2b86b9a4c794')
  expect(effortId({ id: null, workoutId, distanceIndex: 3 })).toBe('96c2c417-9936-88ca-849c-98ee1c5c1f30')
})

test('one that was given stays, and only such a one is stored', () => {
  expect(splitId({ id: 'given', workoutId, idx: 3 })).toBe('given')
  expect(storedSplitId({ id: 'given', workoutId, idx: 3 })).toBe('given')
  expect(storedSplitId({ id: null, workoutId, idx: 3 })).toBeNull()
  expect(storedSplitId({ id: splitId({ id: null, workoutId, idx: 3 }), workoutId, idx: 3 })).toBeNull()
  const other = splitId({ id: null, workoutId, idx: 4 })
  expect(storedSplitId({ id: other, workoutId, idx: 3 })).toBe(other)
  expect(storedEffortId({ id: 'given', workoutId, distanceIndex: 3 })).toBe('given')
  expect(
    storedEffortId({ id: effortId({ id: null, workoutId, distanceIndex: 3 }), workoutId, distanceIndex: 3 }),
  ).toBeNull()
})
