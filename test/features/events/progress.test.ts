import { expect, test } from 'bun:test'
import { createEvents, type Event, emitRunEvents } from '../../../src/base/events.ts'
import { progressOf } from '../../../src/library/progress.ts'
import { pairs } from '../../fixtures/pairs.ts'

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

test.each<[atMs: readonly number[], total: number, expected: [atMs: number, processed: number][]]>([
  [[0, 250, 5_000, 60_000], 4, pairs('0,1 250,2 5000,3 60000,4')],
  [Array.from({ length: 501 }, (_, ms) => ms), 501, pairs('0,1 250,251 500,501')],
  [[0, 1, 2, 3], 4, pairs('0,1 3,4')],
  [[36e5, 0, 100, 300, 9e6, 9e6 + 1], 100, pairs('3600000,1 0,2 300,4 9000000,5')],
])(
  'the progress of an import is told four times a second at most, at the last part, and after a change of the clock',
  (atMs, total, expected) => {
    expect(stated(atMs, total)).toEqual(expected)
  },
)

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
