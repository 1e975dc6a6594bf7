import type { Deps } from '../deps.ts'
import type { Effect } from '../library/receipts/undo-types.ts'

/** Up to this many workouts are announced one by one; more are announced by a single event. */
const MOST_TOLD = 20

/** Emits the events of what was undone or brought back. */
export function tellEffects({ events }: Pick<Deps, 'events'>, effects: readonly Effect[]): void {
  const runs = new Map<string, 'created' | 'updated' | 'deleted'>()
  for (const effect of effects) {
    if ('workoutId' in effect) runs.set(effect.workoutId, effect.what)
    else if ('shoeId' in effect) events.emit({ event: effect.what, data: { id: effect.shoeId } })
    else events.emit({ event: effect.what, data: {} })
  }
  if (runs.size > MOST_TOLD) events.emit({ event: 'workout.updated', data: { id: null } })
  else for (const [id, what] of runs) events.emit({ event: `workout.${what}`, data: { id } })
}
