import { expect, test } from 'bun:test'
import { createIdleCollector, createYoungCollector } from '../src/garbage.ts'

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

test('garbage of steps is collected after a few of them, not at each', async () => {
  const left: WeakRef<object>[] = []
  const collect = createYoungCollector({ young: 8, all: 1_000_000, mostGrownBytes: Number.POSITIVE_INFINITY })
  const step = () => {
    for (let i = 0; i < 100; i += 1) left.push(new WeakRef({ bytes: new Uint8Array(10_000) }))
    collect()
  }
  const countLeft = () => left.filter((one) => one.deref() !== undefined).length
  for (let steps = 1; steps < 8; steps += 1) step()
  expect(countLeft()).toBe(700)
  // what was looked at lives until the end of a turn
  await Bun.sleep(0)
  step()
  await Bun.sleep(0)
  expect(countLeft()).toBeLessThan(120)
})
