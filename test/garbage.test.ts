import { expect, test } from 'bun:test'
import { createIdleCollector } from '../src/garbage.ts'
import { pairs } from './fixtures/pairs.ts'

test('garbage is collected once each time the process becomes idle', () => {
  let [workedUs, givenBack] = [0, 0]
  const look = createIdleCollector(
    () => {
      givenBack += 1
    },
    () => workedUs,
  )
  // processor time between two looks, and how often memory was given back until then
  for (const [us, times] of pairs('2000000,0 900000,0 200000,1 10000,1 299999,1 300000,1 0,2')) {
    workedUs += us
    look()
    expect([workedUs, givenBack]).toEqual([workedUs, times])
  }
})
