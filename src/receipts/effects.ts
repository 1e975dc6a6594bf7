import type { Deps } from '../deps.ts'
import { emitRunEvents } from '../events/runs.ts'
import type { Effect } from '../library/undo.ts'

/** Emits the events of what was undone or brought back. */
export function tellEffects({ events }: Pick<Deps, 'events'>, effects: readonly Effect[]): void {
  const runs = new Map<string, 'created' | 'updated' | 'deleted'>()
  for (const effect of effects) {
    if ('workoutId' in effect) runs.set(effect.workoutId, effect.what)
    else if ('shoeId' in effect) events.emit({ event: effect.what, data: { id: effect.shoeId } })
    else events.emit({ event: effect.what, data: {} })
  }
  emitRunEvents(events, runs)
}
