// Runs in the trash as older code packed them, with what it answered of them before it deleted them.
import { join } from 'node:path'
import type { Json } from './fill/filling.ts'

/** Schemas whose code packed deleted runs; no commit had 0019, 0020 or 0023 as its newest. */
export const TRASH_SCHEMAS = ['0017', '0018', '0021', '0022', '0024'] as const

export interface Trash {
  /** Of GET /trash, what was deleted last first. */
  readonly items: readonly Json[]
  /** Answers before the deletion, by run and path; of bytes their hash and length. */
  readonly runs: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

export const PATHS_OF_A_RUN = ['?includeRaw=false', '/best-efforts', '/samples', '/laps', '/sources', '/file']

export const trashPath = (schema: string) => join(import.meta.dir, `trash-${schema}.zst`)
