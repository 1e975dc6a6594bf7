import { describe, expect, test } from 'bun:test'
import { AppError } from '../../src/errors.ts'
import { createEvents, type Event } from '../../src/events/emitter.ts'
import { progressOf, tellDone, tellRefused } from '../../src/events/progress.ts'

function heardBy(events: ReturnType<typeof createEvents>): Event[] {
  const heard: Event[] = []
  events.subscribe((event) => heard.push(event))
  return heard
}

/** What is told of `total` parts that are done at the given times. */
function told(atMs: readonly number[], total = atMs.length): { atMs: number; processed: number; filename: string }[] {
  const events = createEvents()
  const heard: { atMs: number; processed: number; filename: string }[] = []
  let nowMs = 0
  events.subscribe(({ event, data }) => {
    if (event === 'import.progress') heard.push({ atMs: nowMs, processed: data.processed, filename: data.filename })
  })
  const progress = progressOf({ events, now: () => nowMs }, { kind: 'bulk', total })
  for (const [index, ms] of atMs.entries()) {
    nowMs = ms
    progress(`${index + 1}.fit`)
  }
  return heard
}

describe('the progress of an import', () => {
  test('is reported after each part that takes its time', () => {
    expect(told([0, 250, 5_000, 60_000]).map(({ processed }) => processed)).toEqual([1, 2, 3, 4])
  })

  test('is reported at most four times per second, and in addition at the last part', () => {
    const everyMs = Array.from({ length: 3_001 }, (_, ms) => ms)
    const heard = told(everyMs)
    expect(heard.map(({ atMs }) => atMs)).toEqual([
      0, 250, 500, 750, 1000, 1250, 1500, 1750, 2000, 2250, 2500, 2750, 3000,
    ])
    expect(heard.at(-1)).toEqual({ atMs: 3000, processed: 3001, filename: '3001.fit' })
    expect(told([0, 1, 2, 3]).map(({ processed }) => processed)).toEqual([1, 4])
  })

  test('goes on after the clock was set back or ahead', () => {
    expect(told([3_600_000, 0, 100, 300, 9_000_000, 9_000_001], 100).map(({ atMs }) => atMs)).toEqual([
      3_600_000, 0, 300, 9_000_000,
    ])
  })

  test('says of which kind it is, and how many parts there are', () => {
    const events = createEvents()
    const heard = heardBy(events)
    progressOf({ events, now: () => 0 }, { kind: 'restore', total: 340 })('a.fit')
    expect(heard).toEqual([
      { event: 'import.progress', data: { kind: 'restore', processed: 1, total: 340, filename: 'a.fit' } },
    ])
  })
})

describe('an import under way', () => {
  /** What one who begins to listen now is told. */
  function toldAtOnce(events: ReturnType<typeof createEvents>): { id: number; data: unknown }[] {
    const told: { id: number; data: unknown }[] = []
    events.tellUnderWay((event, id) => told.push({ id, data: event.data }))
    return told
  }

  test('is reported as it stands, between two messages too, until it is over', () => {
    const events = createEvents()
    {
      using progress = progressOf({ events, now: () => 0 }, { kind: 'bulk', total: 3 })
      const data = { kind: 'bulk', total: 3 }
      expect(toldAtOnce(events)).toEqual([{ id: 1, data: { ...data, processed: 0, filename: '' } }])
      progress('1.fit')
      progress('2.fit')
      expect(toldAtOnce(events)).toEqual([{ id: 3, data: { ...data, processed: 2, filename: '2.fit' } }])
    }
    expect(toldAtOnce(events)).toEqual([])
  })

  test('is one of several, and is sent only to new listeners', () => {
    const events = createEvents()
    const heard = heardBy(events)
    using _first = progressOf({ events, now: () => 0 }, { kind: 'files', total: 2 })
    using _second = progressOf({ events, now: () => 0 }, { kind: 'files', total: 5 })
    expect(toldAtOnce(events).map(({ data }) => (data as { total: number }).total)).toEqual([2, 5])
    expect(heard).toEqual([])
  })
})

describe('the end of an import', () => {
  test('has its counts alone', () => {
    const events = createEvents()
    const heard = heardBy(events)
    const counts = { successful: 1, skipped: 2, updated: 3, errors: 4, totalProcessed: 10, errorDetails: [] }
    tellDone(events, 'bulk', counts)
    expect(heard).toEqual([
      { event: 'import.done', data: { kind: 'bulk', successful: 1, skipped: 2, updated: 3, errors: 4 } },
    ])
  })

  test('by a refusal has the words of the answer, by a defect none', () => {
    const events = createEvents()
    const heard = heardBy(events)
    tellRefused(events, 'restore', new AppError('invalid', 'The upload has no file'))
    tellRefused(events, 'restore', new Error('SQLITE_FULL: /data/harrier.sqlite'))
    expect(heard.map(({ data }) => data)).toEqual([
      { kind: 'restore', error: 'The upload has no file' },
      { kind: 'restore', error: 'Internal server error' },
    ])
  })
})
