import { expect, test } from 'bun:test'
import { createEvents, type Event } from '../../src/events/emitter.ts'
import { progressOf } from '../../src/events/progress.ts'
import { emitRunEvents } from '../../src/events/runs.ts'

const damage = { isFound: false }

/** What is reported of `total` parts that are done at the given times: when, and of how many. */
function stated(atMs: readonly number[], total = atMs.length): [atMs: number, processed: number][] {
  const events = createEvents()
  const heard: [number, number][] = []
  let nowMs = 0
  events.subscribe(({ event, data }) => {
    if (event === 'import.progress') heard.push([nowMs, data.processed])
  })
  const progress = progressOf({ events, now: () => nowMs, damage }, { kind: 'bulk', total })
  for (const [index, ms] of atMs.entries()) {
    nowMs = ms
    progress(`${index + 1}.fit`)
  }
  return heard
}

test('the progress of an import is reported at most four times a second, at the last part, and after a change of the clock', () => {
  const everyMs = Array.from({ length: 3_001 }, (_, ms) => ms)
  const quarters = Array.from({ length: 13 }, (_, k) => [250 * k, 250 * k + 1] as const)
  for (const [atMs, total, expected] of [
    [
      [0, 250, 5_000, 60_000],
      4,
      [
        [0, 1],
        [250, 2],
        [5_000, 3],
        [60_000, 4],
      ],
    ],
    [everyMs, 3_001, quarters],
    [
      [0, 1, 2, 3],
      4,
      [
        [0, 1],
        [3, 4],
      ],
    ],
    [
      [36e5, 0, 100, 300, 9e6, 9e6 + 1],
      100,
      [
        [36e5, 1],
        [0, 2],
        [300, 4],
        [9e6, 5],
      ],
    ],
  ] as const)
    expect(stated(atMs, total)).toEqual(expected as never)
})

test('an import under way is one of several, and is sent only to new listeners', () => {
  const events = createEvents()
  const [heard, told]: [Event[], unknown[]] = [[], []]
  events.subscribe((event) => heard.push(event))
  using _first = progressOf({ events, now: () => 0, damage }, { kind: 'files', total: 2 })
  using _second = progressOf({ events, now: () => 0, damage }, { kind: 'files', total: 5 })
  events.tellUnderWay(({ data }) => told.push(data))
  expect(told).toMatchObject([{ total: 2 }, { total: 5 }])
  expect(heard).toEqual([])
})

test('changed runs are announced one by one up to 20, else by a single event', () => {
  for (const count of [0, 1, 20, 21, 500]) {
    const events = createEvents()
    const emitted: Event[] = []
    events.subscribe((event) => emitted.push(event))
    const kinds = ['created', 'updated', 'deleted'] as const
    const changes = Array.from({ length: count }, (_, k) => [`run ${k}`, kinds[k % 3]!] as const)
    emitRunEvents(events, new Map(changes))
    const each: Event[] = changes.map(([id, change]) => ({ event: `workout.${change}`, data: { id } }))
    expect(emitted).toEqual(count > 20 ? [{ event: 'workout.updated', data: { id: null } }] : each)
  }
})
