import { expect, test } from 'bun:test'
import { effortId, splitId } from '../../src/library/row-ids.ts'

const workoutId = '0199a000-0000-7000-8000-000000000001'
const UUID = /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

const split = (idx: number, id: string | null = null) => ({ id, workoutId, idx })
const effort = (distanceIndex: number, id: string | null = null) => ({ id, workoutId, distanceIndex })

test('a made id is a UUID, the same every time, and another at every place', () => {
  const made = new Set<string>()
  for (const of of [workoutId, 'another', 'another 1'])
    for (let place = 0; place < 300; place += 1) {
      const ids = [splitId({ ...split(place), workoutId: of }), effortId({ ...effort(place), workoutId: of })]
      for (const id of ids) expect(made.add(id) && id).toMatch(UUID)
    }
  expect(made.size).toBe(1800)
  // part of what archives say: never to be changed
  expect(splitId(split(3))).toBe('ce6e7dbc-3517-8022-bf67-2b86b9a4c794')
  expect(effortId(effort(3))).toBe('96c2c417-9936-88ca-849c-98ee1c5c1f30')
})
