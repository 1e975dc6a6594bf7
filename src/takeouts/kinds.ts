import type { TakeoutKind } from './kind.ts'

/** The first that recognises an upload reads it. */
export const TAKEOUT_KINDS: readonly TakeoutKind[] = []
