import type { ImportCounts } from '../../base/events.ts'
import type { Decision } from './ledger.ts'

/** Thrown when an archive was interrupted for another reason than its content; read again, it continues from there. */
export class EndedEarly extends Error {}

const MOST_SENTENCES = 3

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
    updated > 0 ? `${runs(updated)} updated` : '',
    skipped > 0 ? `${skipped} ${skipped === 1 ? 'duplicate' : 'duplicates'}` : '',
    errors > 0 ? `${errors} could not be read: ${firstError ?? ''}` : '',
  ].filter((part) => part !== '')
  const outcome = errors > 0 ? 'error' : successful > 0 ? 'created' : updated > 0 ? 'updated' : 'skipped'
  const reason = parts.length === 0 ? 'No runs found' : parts.join(', ')
  return { outcome, reason, workoutIds: [], sha256, isOpen: errors > 0 }
}

function runs(count: number): string {
  return count === 1 ? '1 run' : `${count} runs`
}
