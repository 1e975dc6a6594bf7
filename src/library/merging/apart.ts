import { eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { media } from '../../db/schema.ts'
import {
  isJoined,
  type MergedRuns,
  mergeOf,
  type RecordedTrack,
  type RunApart,
  type RunDocument,
  type RunHead,
  type RunWords,
  runHead,
} from '../documents/run.ts'

// What the runs of a merge were beside their recordings, so that each is itself again when they are separated.

/** The recordings of each run that was merged, the first with the clock that counts. */
export function groupsOf(track: RecordedTrack): string[][] {
  const { shiftsS = {} } = mergeOf(track) ?? {}
  const groups: string[][] = [[]]
  for (const id of track.recordings) {
    if (shiftsS[id] !== undefined) groups.push([])
    groups.at(-1)!.push(id)
  }
  return groups
}

/** The recording of a group whose samples count. */
export function startOf(track: RecordedTrack, group: readonly string[]): string {
  return group.find((id) => id === track.primary) ?? group[0]!
}

/** The runs that one is merged of, as they would be now; one that is not merged is its own. @param start its recording */
export function runsApart(tx: Tx, { id, body }: RunHead, start: string): MergedRuns['runs'] {
  const { words = {}, shoeId = null, carried = {} } = body
  const rows = tx.select({ id: media.id }).from(media).where(eq(media.workoutId, id)).all()
  const photos = rows.map((row) => row.id)
  const apart = isJoined(body.track) ? undefined : mergeOf(body.track)?.apart
  if (apart === undefined) return { [start]: { id, words, shoeId, carried, photos } }
  const runs = Object.entries(apart.runs)
  const others = runs.flatMap(([, run]) => (run.id === id ? [] : run.photos))
  const own = { photos: photos.filter((photo) => !others.includes(photo)) }
  return Object.fromEntries(
    runs.map(([one, run]) => [one, run.id === id ? { ...run, ...saidApart(body, apart, run), ...own } : run]),
  )
}

/** What a run had before it was merged, and what the runner said of it since. */
function saidApart(
  { words = {}, shoeId }: RunDocument,
  { given }: Pick<MergedRuns, 'given'>,
  run: RunApart,
): Pick<RunApart, 'words' | 'shoeId'> {
  const since = Object.entries(words).filter(([word, said]) => said !== given.words[word as keyof RunWords])
  return {
    words: { ...run.words, ...Object.fromEntries(since) },
    shoeId: (shoeId ?? null) === given.shoeId ? run.shoeId : (shoeId ?? null),
  }
}

/** A merged run that is one of its runs again. */
export function runAgain(body: RunDocument, apart: MergedRuns, run: RunApart): RunDocument {
  const { shoeId: _, ...rest } = body
  return { ...rest, ...saidOf({ ...run, ...saidApart(body, apart, run) }) }
}

/** The members of a document that a run had. */
export function saidOf({ words, shoeId, carried }: RunApart): Partial<RunDocument> {
  return { words, carried, ...(shoeId === null ? {} : { shoeId }) }
}

/** The photos and videos of a merged run that go with runs which leave it. @param owners ids of these by photo */
export function returnedMedia(tx: Tx, id: string, owners: ReadonlyMap<string, string>) {
  const rows = tx
    .select()
    .from(media)
    .where(inArray(media.id, [...owners.keys()]))
    .all()
  // what both runs had stayed with the run that went to the trash
  const isFree = ({ workoutId }: (typeof rows)[number]) => workoutId === id || runHead(tx, workoutId) === null
  return rows.filter(isFree).map((row) => {
    return { kind: 'media', id: row.id, to: { ...row, workoutId: owners.get(row.id)! } } as const
  })
}

/** Notes of several runs, each once: those that another has already, as after an earlier merge, are not repeated. */
export function joinedNotes(all: readonly string[]): string {
  const has = (text: string, part: string) => `\n\n${text}\n\n`.includes(`\n\n${part}\n\n`)
  const joined = (text: string, next: string) =>
    has(text, next) ? text : has(next, text) ? next : `${text}\n\n${next}`
  return all.length === 0 ? '' : all.reduce(joined)
}
