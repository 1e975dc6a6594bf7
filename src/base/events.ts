import { AppError, STOPPING } from './errors.ts'

export type ImportKind = 'files' | 'bulk' | 'restore'

export interface ImportCounts {
  readonly successful: number
  readonly skipped: number
  readonly updated: number
  readonly errors: number
  /** Why it ended before its last run; absent: it did not. */
  readonly stopped?: string
}

/** Progress of an import: files of an upload, or rows of an archive. */
export interface ImportProgress {
  readonly kind: ImportKind
  readonly processed: number
  readonly total: number
  /** Name of the file or run processed last; empty before the first. */
  readonly filename: string
}

/** Events that clients receive (`GET /events` says when). */
export type Event =
  | { readonly event: 'import.progress'; readonly data: ImportProgress }
  | { readonly event: 'import.done'; readonly data: { kind: ImportKind } & (ImportCounts | { readonly error: string }) }
  | {
      readonly event:
        | ('workout.created' | 'workout.deleted' | 'shoe.created' | 'shoe.updated' | 'shoe.deleted')
        | ('receipt.created' | 'receipt.undone')
      readonly data: { id: string }
    }
  | { readonly event: 'workout.updated'; readonly data: { id: string | null } }
  | {
      readonly event: 'settings.updated' | 'training.updated' | 'watch_folder.updated' | 'ground.updated'
      readonly data: Record<string, never>
    }
  /** Internal only: a session or an API key became invalid. */
  | { readonly event: 'credentials.changed'; readonly data: Record<string, never> }

export type Listener = (event: Event) => void

export interface Events {
  emit(event: Event): void
  subscribe(listener: Listener): () => void
  /**
   * Registers an import in progress.
   * @param progress called whenever its progress is needed
   * @returns a function that ends the registration
   */
  begin(progress: () => ImportProgress): () => void
  /** Sends the progress of each import in progress to one listener, the earliest first. */
  tellUnderWay(listener: Listener): void
  /** Called before the process ends: open event streams close, and imports end after the file in hand. */
  close(): void
  /** Its reason is the error of an import that comes too late. */
  readonly closed: AbortSignal
}

export function createEvents(): Events {
  const listeners = new Set<Listener>()
  const underWay = new Set<() => ImportProgress>()
  const closing = new AbortController()
  return {
    emit: (event) => {
      for (const listener of listeners) listener(event)
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    begin: (progress) => {
      underWay.add(progress)
      return () => void underWay.delete(progress)
    },
    tellUnderWay: (listener) => {
      for (const progress of underWay) listener({ event: 'import.progress', data: progress() })
    },
    close: () => closing.abort(new AppError('unavailable', `${STOPPING}; nothing was imported`, { code: 'stopping' })),
    closed: closing.signal,
  }
}

/** Up to this many runs are announced one by one, more by a single event. */
const MOST_EVENTS = 20

type RunChange = 'created' | 'updated' | 'deleted'

/** Announces the runs that a commit changed. */
export function emitRunEvents(events: Events, changes: ReadonlyMap<string, RunChange>): void {
  if (changes.size > MOST_EVENTS) events.emit({ event: 'workout.updated', data: { id: null } })
  else for (const [id, change] of changes) events.emit({ event: `workout.${change}`, data: { id } })
}
