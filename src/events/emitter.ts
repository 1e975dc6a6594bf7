/** What clients may be told while it happens (CONTRACT 9). */
export type Event =
  | {
      readonly event: 'import.progress'
      readonly data: { kind: 'files' | 'bulk' | 'restore'; processed: number; total: number; filename: string }
    }
  | { readonly event: 'import.done'; readonly data: Record<string, unknown> & { kind: 'files' | 'bulk' | 'restore' } }
  | {
      readonly event: 'workout.created' | 'workout.deleted' | 'shoe.created' | 'shoe.updated' | 'shoe.deleted'
      readonly data: { id: string }
    }
  | { readonly event: 'workout.updated'; readonly data: { id: string | null } }
  | { readonly event: 'settings.updated'; readonly data: Record<string, never> }

export interface Events {
  emit(event: Event): void
  /** @returns a function that ends the subscription */
  subscribe(listener: (event: Event) => void): () => void
}

export function createEvents(): Events {
  const listeners = new Set<(event: Event) => void>()
  return {
    emit: (event) => {
      for (const listener of listeners) listener(event)
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
