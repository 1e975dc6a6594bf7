import type { Static } from '@sinclair/typebox'
import type { Tx } from '../db/open.ts'
import { countFound, FOUND_DAYS } from '../library/files/found.ts'
import { missingFiles } from '../library/files/missing.ts'
import type { LibraryFiles } from './schemas.ts'

/** A library whose folder was lost misses all. */
const MOST_LISTED = 100

/** What the hourly clean-up put aside, and what it could not find. */
export async function libraryFiles(db: Tx, dataDir: string): Promise<Static<typeof LibraryFiles>> {
  const missing = await missingFiles(db, dataDir)
  const listed = missing.slice(0, MOST_LISTED).map(({ workoutId, filename }) => ({ workoutId, filename }))
  return {
    found: { count: await countFound(dataDir), keptDays: FOUND_DAYS },
    missing: { count: missing.length, files: listed },
  }
}
