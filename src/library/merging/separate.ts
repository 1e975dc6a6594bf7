import { and, desc, eq, isNotNull } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { formers } from '../../db/schema-documents.ts'
import type { DepsBy } from '../../deps.ts'
import type { MergeRepair } from '../../engine/repair/merge.ts'
import { invalid } from '../../errors.ts'
import {
  type Asked,
  activeRepairs,
  documentRow,
  isJoined,
  mergeOf,
  neededHead,
  type RecordedTrack,
  type RunDocument,
  recordingIds,
} from '../documents/run.ts'
import { askedNow } from '../inputs.ts'
import { withMerge } from './merge.ts'

// Recordings that were merged become runs of their own again, which is always possible, since nothing of them is lost.

/**
 * The runs that a merged one becomes. A recording gets the run back that it was, while that is kept, else a new one; what
 * the runner said stays with the first.
 * @param recordingId the one that is separated; null: all but the first
 * @throws AppError 404; 400 when there is nothing to separate
 */
export function plannedSeparation(deps: DepsBy, id: string, recordingId: string | null) {
  const { db, now } = deps
  const head = neededHead(db, id)
  const { track } = head.body
  const merged = isJoined(track) ? undefined : mergeOf(track)
  if (isJoined(track) || merged === undefined) throw invalid('This run is based on one recording')
  if (activeRepairs(track).some(({ kind }) => kind !== 'merge' && kind !== 'numbers')) {
    throw invalid('The recording of this run was changed; revert the changes first')
  }
  const groups = groupsOf(track)
  const asked = groups.filter((group) => recordingId === null || startOf(track, group) === recordingId)
  if (asked.length === 0) throw invalid('The recording is not one that this run was merged of')
  const all = groups.map((group) => ({ group, former: formerRun(db, group) }))
  // the run keeps what was its own, else the recording whose clock counts
  const own = all.find(({ former }) => former === null) ?? all[0]!
  const leaving = all.filter((one) =>
    groups.length === 2 || recordingId === null ? one !== own : asked.includes(one.group),
  )
  const staying = groups.filter((group) => leaving.every((one) => one.group !== group))
  const merge = keptMerge(track, merged, staying)
  const others = track.repairs.filter(({ kind }) => kind !== 'merge')
  const repairs = [...withMerge(deps, track, merge), ...others]
  const { primary: _, ...unpinned } = { ...track, recordings: staying.flat(), repairs }
  const pinned = merge === null ? unpinned : { ...unpinned, primary: startOf(track, staying[0]!) }
  const settings = askedNow(db, deps)
  const first = {
    id,
    from: head.seq,
    to: { ...head.body, track: pinned },
    asked: { ...head.asked, ...settings },
    settings,
  }
  const apart = leaving.map(({ group, former }) => {
    if (former !== null) return { ...former, areReturned: true }
    const to: RunDocument = { track: { recordings: group, repairs: [] }, routeId: Bun.randomUUIDv7(), createdAt: now() }
    return { id: Bun.randomUUIDv7(), from: null, to, asked: settings, settings }
  })
  const receipt = { kind: 'unmerge', title: `Separated into ${apart.length + 1} runs`, workoutId: id } as const
  return { receipt, runs: [first, ...apart] }
}

/** The recordings of each run that was merged, the first with the clock that counts. */
function groupsOf(track: RecordedTrack): string[][] {
  const { shiftsS = {} } = mergeOf(track) ?? {}
  const groups: string[][] = [[]]
  for (const id of track.recordings) {
    if (shiftsS[id] !== undefined) groups.push([])
    groups.at(-1)!.push(id)
  }
  return groups
}

/** The recording of a group whose samples count. */
function startOf(track: RecordedTrack, group: readonly string[]): string {
  return group.find((id) => id === track.primary) ?? group[0]!
}

/** The merge of those that stay together, on the clock of the first of them; null: it is one only. */
function keptMerge(
  track: RecordedTrack,
  { kind, shiftsS, fields, tail, caloriesKcal }: MergeRepair,
  [first, ...others]: readonly (readonly string[])[],
): MergeRepair | null {
  if (first === undefined || others.length === 0) return null
  const zeroS = shiftsS[startOf(track, first)] ?? 0
  const left = others.map((group) => startOf(track, group))
  const isLeft = (id: string | null) => id !== null && left.includes(id)
  return {
    kind,
    shiftsS: Object.fromEntries(left.map((id) => [id, (shiftsS[id] ?? 0) - zeroS])),
    fields: Object.fromEntries(Object.entries(fields).filter(([, id]) => isLeft(id))),
    tail: isLeft(tail) ? tail : null,
    caloriesKcal,
  }
}

/** The run in the trash that was made of these recordings. */
function formerRun(tx: Tx, recordings: readonly string[]) {
  const named = tx.$client
    .query<{ id: string }, [string]>('SELECT run_id AS id FROM naming WHERE recording_id = ? AND live = 0')
    .all(recordings[0]!)
  for (const { id } of named) {
    const row = documentRow(tx, id)
    if (row === null || row.body !== null) continue
    const isRun = and(eq(formers.documentId, id), eq(formers.kind, 'run'), isNotNull(formers.body))
    const kept = tx.select().from(formers).where(isRun).orderBy(desc(formers.seq)).get()
    if (kept === undefined) continue
    const to = JSON.parse(kept.body!) as RunDocument
    const isSame = recordingIds(to.track).toSorted().join() === recordings.toSorted().join()
    if (isSame) return { id, from: row.seq, to, asked: JSON.parse(row.asked) as Asked, revision: kept.revision ?? 0 }
  }
  return null
}
