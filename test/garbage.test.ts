import { expect, test } from 'bun:test'
import { createIdleCollector } from '../src/garbage.ts'

test('garbage is collected once each time the process becomes idle', () => {
  let [workedUs, givenBack] = [0, 0]
  const look = createIdleCollector(
    () => {
      givenBack += 1
    },
    () => workedUs,
  )
  // processor time between two looks, and how often memory was given back until then
  for (const [us, times] of [
    [2_000_000, 0],
    [900_000, 0],
    [200_000, 1],
    [10_000, 1],
    [299_999, 1],
    [300_000, 1],
    [0, 2],
  ] as const) {
    workedUs += us
    look()
    expect([workedUs, givenBack]).toEqual([workedUs, times])
  }
})
