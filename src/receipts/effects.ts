import type { Deps } from '../deps.ts'
import type { Effect } from '../library/receipts/undoing.ts'

/** Workouts that listeners are told of one by one; of more they are told at once. */
const MOST_TOLD = 20

/** Tells what was taken back or brought back. */
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
