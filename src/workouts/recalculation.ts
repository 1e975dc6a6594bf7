import type { Deps } from '../deps.ts'
import type { LibraryReport } from '../library/rederive.ts'

/** Errors that an answer lists; more are only counted. */
const MOST_ERRORS = 100

/** What the recalculations of the whole library have in common in their answers. */
export function recalculationAnswer(
  { log }: Pick<Deps, 'log'>,
  { total, done, unreadable }: LibraryReport,
  { name, lost }: { readonly name: string; readonly lost: string },
) {
  for (const { id, error } of unreadable) log.error(`Recalculating the ${name} of workout ${id} failed`, error)
  const errors = unreadable.slice(0, MOST_ERRORS).map(({ id }) => `Workout ${id}: ${lost}`)
  return {
    updatedCount: done,
    errorCount: unreadable.length,
    errors: errors.length === 0 ? null : errors,
    message: `Recalculated the ${name} of ${done} of ${total} workouts`,
  }
}
