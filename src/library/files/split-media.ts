import { eq } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { media } from '../../db/schema.ts'
import type { Deps } from '../deps.ts'
import { mediaFilePath } from './paths.ts'
import { type Taken, takenAt } from './taken.ts'

// Assigns the photos and videos of a run that is split to its parts.

/** When photos and videos were taken, by their id; those whose file states no time are missing. */
type TakenTimes = ReadonlyMap<string, Taken>

export async function takenTimes({ db, config }: Pick<Deps, 'db' | 'config'>, workoutId: string): Promise<TakenTimes> {
  const rows = db.select().from(media).where(eq(media.workoutId, workoutId)).all()
  const times = new Map<string, Taken>()
  for (const { id, mimeType } of rows) {
    const taken = await takenAt(mediaFilePath(config.dataDir, id), mimeType)
    if (taken !== null) times.set(id, taken)
  }
  return times
}

interface PartTimes {
  readonly startsMs: readonly number[]
  readonly endMs: number
  /** Offset of the local time from UTC, minutes. */
  readonly offsetMinutes: number
}

/**
 * The photos and videos that belong to a part after the first, each with the index of its part. A file that states no
 * time counts by the time of its upload if that was before the end of the run, and stays with the first part otherwise.
 */
export function laterMedia(
  tx: Tx,
  workoutId: string,
  { taken, startsMs, endMs, offsetMinutes }: PartTimes & { readonly taken: TakenTimes },
): { readonly row: typeof media.$inferSelect; readonly part: number }[] {
  const rows = tx.select().from(media).where(eq(media.workoutId, workoutId)).all()
  return rows.flatMap((row) => {
    const { createdAt } = row
    const stated = taken.get(row.id)
    const isOfRun = createdAt <= endMs
    const ms = stated ? stated.ms - (stated.isLocal ? offsetMinutes * 60_000 : 0) : isOfRun ? createdAt : startsMs[0]!
    const part = startsMs.findLastIndex((startMs) => startMs <= ms)
    return part > 0 ? [{ row, part }] : []
  })
}
