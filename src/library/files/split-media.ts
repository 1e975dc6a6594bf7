import { eq } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { media } from '../../db/schema.ts'
import type { Deps } from '../../deps.ts'
import { mediaFilePath } from './paths.ts'
import { type Taken, takenAt } from './taken.ts'

// Which part of a run its photos and videos belong to.

/** When photos and videos were taken, by their id; those of which the file does not say it are missing. */
export type TakenTimes = ReadonlyMap<string, Taken>

/** Reads the files of one workout. */
export async function takenTimes({ db, config }: Pick<Deps, 'db' | 'config'>, workoutId: string): Promise<TakenTimes> {
  const rows = db.select().from(media).where(eq(media.workoutId, workoutId)).all()
  const times = new Map<string, Taken>()
  for (const { id, mimeType } of rows) {
    const taken = await takenAt(mediaFilePath(config.dataDir, id), mimeType)
    if (taken !== null) times.set(id, taken)
  }
  return times
}

export interface PartTimes {
  /** When each part begins, in order. */
  readonly startsMs: readonly number[]
  /** Of the last part. */
  readonly endMs: number
  /** Minutes that clocks of the place are ahead of UTC. */
  readonly offsetMinutes: number
}

/**
 * The photos and videos that were taken after the first part, each with the place of its part. One whose file does not say
 * when it was taken stays with the first, unless it came while the run went on.
 */
export function laterMedia(
  tx: Tx,
  workoutId: string,
  { taken, startsMs, endMs, offsetMinutes }: PartTimes & { readonly taken: TakenTimes },
): { readonly id: string; readonly part: number }[] {
  const rows = tx.select().from(media).where(eq(media.workoutId, workoutId)).all()
  return rows.flatMap(({ id, createdAt }) => {
    const told = taken.get(id)
    const isOfRun = createdAt <= endMs
    const ms = told ? told.ms - (told.isLocal ? offsetMinutes * 60_000 : 0) : isOfRun ? createdAt : startsMs[0]!
    const part = startsMs.findLastIndex((startMs) => startMs <= ms)
    return part > 0 ? [{ id, part }] : []
  })
}

export function moveMedia(tx: Tx, id: string, workoutId: string): void {
  tx.update(media).set({ workoutId }).where(eq(media.id, id)).run()
}
