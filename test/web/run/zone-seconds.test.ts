import { expect, test } from 'bun:test'
import { percentsOf, secondsWithin } from '../../../src/web/run/tables/rows.ts'

test('the zones of a run of half an hour are together no longer than it', () => {
  // one sample a second, and one every 15 s
  expect(secondsWithin([0, 1, 1800, 0, 0], 1800)).toEqual([0, 1, 1799, 0, 0])
  expect(secondsWithin([0, 0, 615, 1200, 0], 1800)).toEqual([0, 0, 615, 1185, 0])
  // displayed as 30:00
  expect(secondsWithin([0, 0, 1801, 0, 0], 1800.4)).toEqual([0, 0, 1800, 0, 0])
})

test('what is shorter than the run, or longer for another reason, stays', () => {
  for (const seconds of [
    [0, 0, 1800, 0, 0],
    [100, 200, 300, 0, 0],
    [0, 0, 1861, 0, 0],
    [0, 0, 0, 0, 0],
  ]) {
    expect(secondsWithin(seconds, 1800)).toEqual(seconds)
  }
  expect(secondsWithin([0, 3, 2, 0, 0], 0)).toEqual([0, 3, 2, 0, 0])
})

test.each([[[1, 1, 1]], [[44, 36, 2166]], [[0, 0, 7]], [[333, 333, 334, 1]]])(
  'the shares of %j add up to 100',
  (seconds) => {
    expect(percentsOf(seconds).reduce((sum, percent) => sum + percent, 0)).toBe(100)
    expect(percentsOf([0, 0])).toEqual([0, 0])
  },
)
