import type { ImportCounts } from '../events/emitter.ts'
import type { Decision } from './ledger.ts'

/** An archive was left before its last run for a reason that is not its own; read again it goes on from there. */
export class EndedEarly extends Error {}

/** Different sentences that one reason holds. */
const MOST_SENTENCES = 3

/** Different sentences after each other. */
export function listed(sentences: readonly string[]): string {
  const different = [...new Set(sentences)]
  const more = different.length > MOST_SENTENCES ? '; and others' : ''
  return different.slice(0, MOST_SENTENCES).join('; ') + more
}

/** What an archive of many runs comes to, in one word and one sentence. */
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
