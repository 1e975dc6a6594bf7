import type { Static } from '@sinclair/typebox'
import type { Tx } from '../../db/open.ts'
import { countFound, FOUND_DAYS } from '../../library/files/found.ts'
import { missingFiles } from '../../library/files/missing.ts'
import type { LibraryFiles } from './schemas.ts'

/** Most missing files listed, since a library whose folder was lost misses all. */
const MOST_LISTED = 100

/** Files that the hourly clean-up moved to the found folder, and missing ones. */
export async function libraryFiles(db: Tx, dataDir: string): Promise<Static<typeof LibraryFiles>> {
  const missing = await missingFiles(db, dataDir)
  const listed = missing.slice(0, MOST_LISTED).map(({ workoutId, filename }) => ({ workoutId, filename }))
  return {
    found: { count: await countFound(dataDir), keptDays: FOUND_DAYS },
    missing: { count: missing.length, files: listed },
  }
}
