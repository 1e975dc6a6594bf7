import type { TakeoutSource } from './kind.ts'

/** An export that is known but cannot be read, with what to do instead. */
interface RefusedKind {
  recognises(source: TakeoutSource): boolean
  readonly refusal: string
}

export const REFUSED_KINDS: readonly RefusedKind[] = []
