import { expect, test } from 'bun:test'
import { createEvents, type Event } from '../../src/events/emitter.ts'
import { emitRunEvents } from '../../src/events/runs.ts'

test.each([0, 1, 20, 21, 500])('%d changed runs are announced one by one up to 20, else by a single event', (count) => {
  const events = createEvents()
  const emitted: Event[] = []
  events.subscribe((event) => emitted.push(event))
  const kinds = ['created', 'updated', 'deleted'] as const
  const changes = Array.from({ length: count }, (_, k) => [`run ${k}`, kinds[k % 3]!] as const)
  emitRunEvents(events, new Map(changes))
  expect(emitted).toEqual(
    count > 20
      ? [{ event: 'workout.updated', data: { id: null } }]
      : changes.map(([id, change]) => ({ event: `workout.${change}`, data: { id } })),
  )
})
