import type { ImportCounts } from '../events/emitter.ts'
import type { Decision } from './ledger.ts'

/**
 * Thrown when an archive was interrupted for a reason other than its content; reading it again continues from there.
 */
export class EndedEarly extends Error {}

/** Most different sentences combined into one reason. */
const MOST_SENTENCES = 3

/** Joins different sentences. */
export function listed(sentences: readonly string[]): string {
  const different = [...new Set(sentences)]
  const more = different.length > MOST_SENTENCES ? '; and others' : ''
  return different.slice(0, MOST_SENTENCES).join('; ') + more
}

/** The outcome of an archive with many runs as one word and one sentence. */
export function zipDecision(
  { successful, updated, skipped, errors, firstError }: ImportCounts & { readonly firstError: string | null },
  sha256: string | null,
): Decision {
  const parts = [
    successful > 0 ? `${runs(successful)} added` : '',
    updated > 0 ? `${runs(updated)} completed` : '',
    skipped > 0 ? `${runs(skipped)} already there` : '',
    errors > 0 ? `${errors} could not be read: ${firstError ?? ''}` : '',
  ].filter((part) => part !== '')
  const outcome = errors > 0 ? 'error' : successful > 0 ? 'created' : updated > 0 ? 'updated' : 'skipped'
  const reason = parts.length === 0 ? 'No run is in it' : parts.join(', ')
  return { outcome, reason, workoutIds: [], sha256, isOpen: errors > 0 }
}

function runs(count: number): string {
  return count === 1 ? '1 run' : `${count} runs`
}
