import type { Events } from '../base/events.ts'

/** Up to this many runs are announced one by one, more by a single event. */
const MOST_EVENTS = 20

type RunChange = 'created' | 'updated' | 'deleted'

/** Announces the runs that a commit changed (docs/api.md 9). */
export function emitRunEvents(events: Events, changes: ReadonlyMap<string, RunChange>): void {
  if (changes.size > MOST_EVENTS) events.emit({ event: 'workout.updated', data: { id: null } })
  else for (const [id, change] of changes) events.emit({ event: `workout.${change}`, data: { id } })
}
