import type { Static } from '@sinclair/typebox'
import type { BulkEdited } from '../../features/repair/schemas.ts'
import { api } from '../api.ts'
import { counted, number } from '../format.ts'
import { useAsked } from '../use-asked.ts'

type BulkCounts = Pick<Static<typeof BulkEdited>, 'changed' | 'unchanged'>

/** Waits for the next key, so that a text being typed is not asked about letter by letter. */
const PAUSE_MS = 250

/** Asks how many of the runs the change would concern. @param set as in the edit of several; null: do not ask */
export function useBulkTrial(ids: readonly string[], set: object | null) {
  return useAsked(set && JSON.stringify(set), () => api.trial('POST', '/workouts/bulk-edit', { ids, set }), PAUSE_MS)
}

/** Such as `12 change, 3 already set`. */
export function trialText({ changed, unchanged }: BulkCounts): string {
  const same = `${number(unchanged)} already set`
  if (changed === 0) return `Nothing changes (${same})`
  if (unchanged === 0) return `${counted(changed, 'run')} ${changed === 1 ? 'changes' : 'change'}`
  return `${number(changed)} ${changed === 1 ? 'changes' : 'change'}, ${same}`
}
