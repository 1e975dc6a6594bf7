import { AppError, STOPPING } from '../base/errors.ts'
import type { Events, ImportCounts, ImportKind } from '../base/events.ts'
import { printableName } from '../base/texts.ts'
import { DAMAGED } from '../db/disk-full.ts'
import type { Deps } from './deps.ts'

/** At most four events a second. */
const SPACING_MS = 250

/** Called after each file or row with its name; disposing of it ends the import's registration. */
export interface Progress extends Disposable {
  (filename: string): void
  /** Member of the summary when the process ends before the last part is done, or the database is damaged. */
  stopped(): { readonly stopped?: string }
}

/**
 * Reports the progress of an import, at most four times per second, always at its last part, and at once to new
 * listeners.
 * @param total of parts; a function where it is known only later, which may return less than were processed by then
 * @throws AppError 503 when the process ends already
 */
export function progressOf(
  { events, now, damage }: Pick<Deps, 'events' | 'now' | 'damage'>,
  { kind, total: parts }: { readonly kind: ImportKind; readonly total: number | (() => number) },
): Progress {
  events.closed.throwIfAborted()
  let processed = 0
  let last = ''
  let statedMs = Number.NEGATIVE_INFINITY
  const totalOf = () => (typeof parts === 'number' ? parts : Math.max(parts(), processed))
  const end = events.begin(() => ({ kind, processed, total: totalOf(), filename: last }))
  const step = (name: string) => {
    const filename = printableName(name)
    processed += 1
    last = filename
    const nowMs = now()
    // the absolute difference, so that a clock that was set back does not suppress the remaining events
    const isDue = Math.abs(nowMs - statedMs) >= SPACING_MS
    const total = totalOf()
    if (!isDue && processed !== total) return
    statedMs = nowMs
    events.emit({ event: 'import.progress', data: { kind, processed, total, filename } })
  }
  const stopped = () => {
    if (damage.isFound) return { stopped: DAMAGED }
    const total = typeof parts === 'number' ? parts : parts() || Number.POSITIVE_INFINITY
    if (!events.closed.aborted || processed >= total) return {}
    const [what, again] = kind === 'files' ? ['files', 'them'] : ['runs', 'the file']
    const done = Number.isFinite(total) ? `${processed} of ${total} ${what}` : `${processed} ${what}`
    return { stopped: `${STOPPING}: ${done} are done, the others were not imported; send ${again} again` }
  }
  return Object.assign(step, { stopped, [Symbol.dispose]: end })
}

export function announceDone(events: Events, kind: ImportKind, counts: ImportCounts): void {
  const { successful, skipped, updated, errors, stopped } = counts
  const ended = stopped === undefined ? {} : { stopped }
  events.emit({ event: 'import.done', data: { kind, successful, skipped, updated, errors, ...ended } })
}

export function announceRefused(events: Events, kind: ImportKind, error: unknown): void {
  const reason = error instanceof AppError ? error.message : 'Internal server error'
  events.emit({ event: 'import.done', data: { kind, error: reason } })
}
