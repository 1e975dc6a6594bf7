import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import type { Events, ImportCounts, ImportKind } from './emitter.ts'

/** Four a second. */
const SPACING_MS = 250

/** To be called after each file or row, with its name; disposing of it says that the import is over. */
export type Progress = ((filename: string) => void) & Disposable

/**
 * Tells how far an import is, at most four times per second and always at its last part, and whoever begins to listen
 * meanwhile at once.
 */
export function progressOf(
  { events, now }: Pick<Deps, 'events' | 'now'>,
  { kind, total }: { readonly kind: ImportKind; readonly total: number },
): Progress {
  let processed = 0
  let last = ''
  let toldMs = Number.NEGATIVE_INFINITY
  const end = events.begin(() => ({ kind, processed, total, filename: last }))
  const step = (filename: string) => {
    processed += 1
    last = filename
    const nowMs = now()
    // a clock that was set back must not silence the rest
    const isDue = Math.abs(nowMs - toldMs) >= SPACING_MS
    if (!isDue && processed !== total) return
    toldMs = nowMs
    events.emit({ event: 'import.progress', data: { kind, processed, total, filename } })
  }
  return Object.assign(step, { [Symbol.dispose]: end })
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
