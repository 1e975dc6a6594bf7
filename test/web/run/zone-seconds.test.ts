import { expect, test } from 'bun:test'
import { secondsWithin } from '../../../src/web/run/tables/zone-seconds.ts'

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
