import { expect, test } from 'bun:test'
import { createEvents } from '../../../src/base/events.ts'
import { keepCurrent } from '../../../src/features/training/load-watch.ts'

test('work begins 250 ms after the last change, and at most 10 s after the first', () => {
  const events = createEvents()
  let nowMs = 1000
  const waits: number[] = []
  let ring = () => {}
  let done = 0
  const end = keepCurrent(
    {
      events,
      now: () => nowMs,
      after: (ms, call) => {
        waits.push(ms)
        ring = call
        return () => {}
      },
    },
    () => {
      done += 1
    },
  )
  const change = (atMs: number) => {
    nowMs = atMs
    events.emit({ event: 'workout.created', data: { id: 'a' } })
  }
  for (const atMs of [1000, 5000, 10_900, 12_000]) change(atMs)
  expect([waits, done]).toEqual([[250, 250, 100, 0], 0])
  ring()
  change(20_000)
  expect([waits.at(-1), done]).toEqual([250, 1])
  end()
  change(30_000)
  expect(waits).toHaveLength(5)
})
