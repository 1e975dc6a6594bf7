import { describe, expect, test } from 'bun:test'
import { createEvents, type Event } from '../../src/events/emitter.ts'
import { progressOf } from '../../src/events/progress.ts'

function heardBy(events: ReturnType<typeof createEvents>): Event[] {
  const heard: Event[] = []
  events.subscribe((event) => heard.push(event))
  return heard
}

/** What is reported of `total` parts that are done at the given times. */
function stated(atMs: readonly number[], total = atMs.length): { atMs: number; processed: number; filename: string }[] {
  const events = createEvents()
  const heard: { atMs: number; processed: number; filename: string }[] = []
  let nowMs = 0
  events.subscribe(({ event, data }) => {
    if (event === 'import.progress') heard.push({ atMs: nowMs, processed: data.processed, filename: data.filename })
  })
  const progress = progressOf({ events, now: () => nowMs, damage: { isFound: false } }, { kind: 'bulk', total })
  for (const [index, ms] of atMs.entries()) {
    nowMs = ms
    progress(`${index + 1}.fit`)
  }
  return heard
}

describe('the progress of an import', () => {
  test('is reported after each part that takes its time', () => {
    expect(stated([0, 250, 5_000, 60_000]).map(({ processed }) => processed)).toEqual([1, 2, 3, 4])
  })

  test('is reported at most four times per second, and in addition at the last part', () => {
    const everyMs = Array.from({ length: 3_001 }, (_, ms) => ms)
    const heard = stated(everyMs)
    expect(heard.map(({ atMs }) => atMs)).toEqual([
      0, 250, 500, 750, 1000, 1250, 1500, 1750, 2000, 2250, 2500, 2750, 3000,
    ])
    expect(heard.at(-1)).toEqual({ atMs: 3000, processed: 3001, filename: '3001.fit' })
    expect(stated([0, 1, 2, 3]).map(({ processed }) => processed)).toEqual([1, 4])
  })

  test('continues after the clock was set back or ahead', () => {
    expect(stated([3_600_000, 0, 100, 300, 9_000_000, 9_000_001], 100).map(({ atMs }) => atMs)).toEqual([
      3_600_000, 0, 300, 9_000_000,
    ])
  })
})

describe('an import under way', () => {
  /** What a new listener receives. */
  function toldAtOnce(events: ReturnType<typeof createEvents>): { id: number; data: unknown }[] {
    const stated: { id: number; data: unknown }[] = []
    events.tellUnderWay((event, id) => stated.push({ id, data: event.data }))
    return stated
  }

  test('is one of several, and is sent only to new listeners', () => {
    const events = createEvents()
    const heard = heardBy(events)
    using _first = progressOf({ events, now: () => 0, damage: { isFound: false } }, { kind: 'files', total: 2 })
    using _second = progressOf({ events, now: () => 0, damage: { isFound: false } }, { kind: 'files', total: 5 })
    expect(toldAtOnce(events).map(({ data }) => (data as { total: number }).total)).toEqual([2, 5])
    expect(heard).toEqual([])
  })
})
