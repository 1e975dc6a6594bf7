import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import type { Events, ImportCounts, ImportKind } from './emitter.ts'

/** Four a second. */
const SPACING_MS = 250

/**
 * Tells how far an import is, at most four times per second and always at its last part.
 * @returns to be called after each of the `total` files or rows, with its name
 */
export function progressOf(
  { events, now }: Pick<Deps, 'events' | 'now'>,
  { kind, total }: { readonly kind: ImportKind; readonly total: number },
): (filename: string) => void {
  let processed = 0
  let toldMs = Number.NEGATIVE_INFINITY
  return (filename) => {
    processed += 1
    const nowMs = now()
    // a clock that was set back must not silence the rest
    const isDue = Math.abs(nowMs - toldMs) >= SPACING_MS
    if (!isDue && processed !== total) return
    toldMs = nowMs
    events.emit({ event: 'import.progress', data: { kind, processed, total, filename } })
  }
}

/** Tells that an import ended, whatever else its answer says. */
export function tellDone(events: Events, kind: ImportKind, counts: ImportCounts): void {
  const { successful, skipped, updated, errors, stopped } = counts
  const ended = stopped === undefined ? {} : { stopped }
  events.emit({ event: 'import.done', data: { kind, successful, skipped, updated, errors, ...ended } })
}

/** Tells that an import was refused, in the words of its answer. */
export function tellRefused(events: Events, kind: ImportKind, error: unknown): void {
  const reason = error instanceof AppError ? error.message : 'Internal server error'
  events.emit({ event: 'import.done', data: { kind, error: reason } })
}
