import { expect, test } from 'bun:test'
import { clockTime, withAnother, withEnd } from '../../../src/web/run/again/sections.ts'

const TWO = [
  { startS: 100, endS: 200 },
  { startS: 300, endS: 400 },
]

test('an end is moved no further than its neighbours and the ends of the run allow', () => {
  const moved = (index: number, end: 'startS' | 'endS', atS: number) => withEnd(TWO, { index, end, atS }, 600.5)[index]
  expect(moved(0, 'startS', -5)).toEqual({ startS: 0, endS: 200 })
  expect(moved(0, 'startS', 199)).toEqual({ startS: 195, endS: 200 })
  expect(moved(0, 'endS', 350)).toEqual({ startS: 100, endS: 299 })
  expect(moved(1, 'startS', 150)).toEqual({ startS: 201, endS: 400 })
  expect(moved(1, 'endS', 700)).toEqual({ startS: 300, endS: 600.5 })
})

test('a repetition is added where most room is, as long as the others, while there is room', () => {
  expect(withAnother([], 1000)).toEqual({ repetitions: [{ startS: 470, endS: 530 }], index: 0 })
  expect(withAnother(TWO, 1000)).toEqual({ repetitions: [...TWO, { startS: 651, endS: 751 }], index: 2 })
  expect(withAnother([{ startS: 40, endS: 940 }], 950)?.repetitions[0]).toEqual({ startS: 10, endS: 29.5 })
  expect(withAnother([{ startS: 4, endS: 996 }], 1000)).toBeNull()
})

test('times of the run are typed to the second', () => {
  const typed = ['0:00', '12:30', ' 1:02:30 ', '90:05', '12', '1:60', '-1:00', '']
  expect(typed.map(clockTime)).toEqual([0, 750, 3750, 5405, null, null, null, null])
})
