import { eq } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { media } from '../../db/schema.ts'
import {
  isJoined,
  mergeOf,
  type RunApart,
  type RunDocument,
  type RunHead,
  type RunWords,
  type SaidOfRun,
} from '../documents/run.ts'

// What the runs of a merge were beside their recordings, so that each is itself again when they are separated.

export function saidOf({ track: _, choices: __, routeId: ___, createdAt: ____, ...said }: RunDocument): SaidOfRun {
  return said
}

/** What was said of a run before a merge, and what the runner said since. @param given what the merge gave it */
export function saidApart({ words = {}, shoeId }: RunDocument, given: SaidOfRun, before: SaidOfRun): SaidOfRun {
  const since = Object.entries(words).filter(([word, one]) => one !== given.words?.[word as keyof RunWords])
  const worn = shoeId === undefined || shoeId === given.shoeId ? {} : { shoeId }
  return { ...before, words: { ...before.words, ...Object.fromEntries(since) }, ...worn }
}

/** The runs that one is merged of, as they would be now; one that is not merged is its own, of that recording. */
export function runsApart(tx: Tx, { id, body }: RunHead, recordingId: string): RunApart[] {
  const merged = isJoined(body.track) ? undefined : mergeOf(body.track)?.apart
  const said = saidOf(body)
  const { runs, given } = merged ?? { runs: [{ id, recordingId, said, photos: [] }], given: said }
  const others = runs.flatMap((run) => (run.id === id ? [] : run.photos))
  const photos = mediaOf(tx, id).flatMap((row) => (others.includes(row.id) ? [] : row.id))
  return runs.map((run) => (run.id === id ? { ...run, said: saidApart(body, given, run.said), photos } : run))
}

export function mediaOf(tx: Tx, runId: string) {
  return tx.select().from(media).where(eq(media.workoutId, runId)).all()
}

/** The notes of two runs; what one of them has already, as after an earlier merge, is not repeated. */
export function joinedNotes(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other
  const has = (text: string, part: string) => `\n\n${text}\n\n`.includes(`\n\n${part}\n\n`)
  return has(one, other) ? one : has(other, one) ? other : `${one}\n\n${other}`
}
