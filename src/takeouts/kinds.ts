import type { TakeoutKind } from './kind.ts'
import { plainZip } from './plain-zip.ts'

/** The first that recognises an upload reads it. */
export const TAKEOUT_KINDS: readonly TakeoutKind[] = [plainZip]
