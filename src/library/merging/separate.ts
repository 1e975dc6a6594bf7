import { and, desc, eq, isNotNull } from 'drizzle-orm'
import { invalid, notApplicable } from '../../base/errors.ts'
import type { Tx } from '../../db/open.ts'
import { earlierVersions } from '../../db/schema-documents.ts'
import { SHORTEST_RUN_S } from '../../engine/limits.ts'
import { unpackTimes } from '../../workers/pack.ts'
import type { DepsBy } from '../deps.ts'
import {
  type Asked,
  activeRepairs,
  documentRow,
  isJoined,
  isResampled,
  mergeOf,
  neededHead,
  type RecordedTrack,
  type RunDocument,
  type RunRepair,
  recordingIds,
} from '../documents/run.ts'
import { askedNow } from '../inputs.ts'
import { samplesOf } from '../recordings.ts'
import { type Merging, mediaOf, saidApart, withMerge } from './merge.ts'

// Recordings that were merged become runs of their own again, since nothing of them is lost.

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
  if (isJoined(track)) throw notApplicable('The recordings of a joined run cannot be separated; undo the join first')
  const merged = mergeOf(track)
  if (merged === undefined) throw notApplicable('This run is based on one recording')
  if (activeRepairs(track).some(({ kind }) => kind === 'split')) throw notApplicable(SPLIT)
  const groups = groupsOf(track)
  const asked = groups.filter((group) => recordingId === null || startOf(track, group) === recordingId)
  if (asked.length === 0)
    throw invalid('The recording is not one that this run was merged of', {
      code: 'recording_not_found',
      field: 'sourceId',
    })
  const { runs: were = [], given = {} } = merged.apart ?? {}
  const all = groups.map((group) => {
    const run = were.find(({ recordingId: one }) => group.includes(one))
    return { group, run, earlier: earlierRun(db, group) }
  })
  // the run keeps what was its own, else the recording whose clock counts
  const own = all.find(({ run }) => run?.id === id) ?? all.find(({ earlier }) => earlier === null) ?? all[0]!
  const leaving = all.filter((one) =>
    groups.length === 2 || recordingId === null ? one !== own : asked.includes(one.group),
  )
  const staying = groups.filter((group) => leaving.every((one) => one.group !== group))
  const merge = keptMerge(track, merged, staying)
  const { words: _, shoeId: __, carried: ___, ...bare } = head.body
  const isAlone = staying.length === 1 && staying[0] === own.group && own.run !== undefined
  const body = isAlone ? { ...bare, ...saidApart(head.body, given, own.run!.said) } : head.body
  const settings = askedNow(db, deps)
  const timed = track.repairs.filter(isTimed)
  // times of repairs are on the clock of the recording that counted
  const home = leaving.find(({ group }) => startOf(track, group) === track.primary)
  const moved = merge?.tail === merged.tail || merged.tail === null ? timed : withoutTail(deps, track, timed)
  const repairs = [
    ...withMerge(deps, track, merge),
    ...track.repairs.filter((repair) => repair.kind !== 'merge' && !isTimed(repair)),
    ...(home === undefined ? moved : []),
  ]
  const first = {
    id,
    from: head.seq,
    to: { ...body, track: pinned({ recordings: staying.flat(), repairs }, startOf(track, staying[0]!)) },
    asked: { ...head.asked, ...settings },
    settings,
  }
  const apart = leaving.map((one) => {
    const { group: recordings, earlier, run } = one
    const made = { id: Bun.randomUUIDv7(), from: null, asked: settings, settings }
    const fresh = { ...run?.said, routeId: Bun.randomUUIDv7(), createdAt: now() }
    const to = earlier?.to ?? { ...fresh, track: { recordings, repairs: [] } }
    if (one !== home || timed.length === 0)
      return earlier === null ? { ...made, to } : { ...earlier, areReturned: true }
    const others = to.track.repairs.filter((repair) => moved.every(({ id }) => id !== repair.id))
    const changed = pinned({ recordings, repairs: [...others, ...moved] }, track.primary)
    return { ...made, ...earlier, to: { ...to, track: changed }, asked: { ...earlier?.asked, ...settings } }
  })
  const receipt = { kind: 'unmerge', title: `Separated into ${apart.length + 1} runs`, workoutId: id } as const
  const movedMedia = (tx: Tx) =>
    mediaOf(tx, id).flatMap((row) => {
      const owner = apart[leaving.findIndex(({ run }) => run?.photos.includes(row.id))]?.id
      return owner === undefined ? [] : [{ kind: 'media', id: row.id, to: { ...row, workoutId: owner } } as const]
    })
  return { receipt, runs: [first, ...apart], movedMedia }
}

const SPLIT =
  'This run was split after it was merged; undo the split first, since its recordings belong to several runs'

/** Whether its times are on the clock of a recording, or it corrects that clock. */
function isTimed({ kind }: RunRepair): boolean {
  return kind !== 'merge' && kind !== 'numbers'
}

/** With the recording whose samples count, where that matters. */
function pinned(track: RecordedTrack, primary: string | undefined): RecordedTrack {
  return primary !== undefined && (isResampled(track) || mergeOf(track) !== undefined) ? { ...track, primary } : track
}

/** The repairs of a recording without the rows of another that followed it; what concerned those alone is undone. */
function withoutTail(
  { db, now }: Pick<DepsBy, 'db' | 'now'>,
  { primary, repairs }: RecordedTrack,
  timed: readonly RunRepair[],
): RunRepair[] {
  const endMs = Math.round((unpackTimes(samplesOf(db, primary!)!).tS.at(-1) ?? 0) * 1000)
  const mergedAt = repairs.find(({ kind }) => kind === 'merge')!.madeAt
  return timed.map((repair) => {
    const leastMs = repair.kind === 'crop' ? SHORTEST_RUN_S * 1000 : 1
    const isOfTail = 'fromMs' in repair ? endMs - repair.fromMs < leastMs : repair.madeAt >= mergedAt
    if (isOfTail && repair.kind !== 'shift') return { undoneAt: now(), ...repair }
    return repair.kind === 'crop' ? { ...repair, toMs: Math.min(repair.toMs, endMs) } : repair
  })
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
  { kind, shiftsS, fields, tail, caloriesKcal, apart }: Merging,
  [first, ...others]: readonly (readonly string[])[],
): Merging | null {
  if (first === undefined || others.length === 0) return null
  const zeroS = shiftsS[startOf(track, first)] ?? 0
  const left = others.map((group) => startOf(track, group))
  const stays = [...first, ...others.flat()]
  const isLeft = (id: string | null) => id !== null && left.includes(id)
  return {
    kind,
    shiftsS: Object.fromEntries(left.map((id) => [id, (shiftsS[id] ?? 0) - zeroS])),
    fields: Object.fromEntries(Object.entries(fields).filter(([, id]) => isLeft(id))),
    tail: isLeft(tail) && startOf(track, first) === track.primary ? tail : null,
    caloriesKcal,
    ...(apart && { apart: { ...apart, runs: apart.runs.filter((run) => stays.includes(run.recordingId)) } }),
  }
}

function earlierRun(tx: Tx, recordings: readonly string[]) {
  const named = tx.$client
    .query<{ id: string }, [string]>('SELECT run_id AS id FROM run_recording WHERE recording_id = ? AND live = 0')
    .all(recordings[0]!)
  for (const { id } of named) {
    const row = documentRow(tx, id)
    if (row === null || row.body !== null) continue
    const isRun = and(
      eq(earlierVersions.documentId, id),
      eq(earlierVersions.kind, 'run'),
      isNotNull(earlierVersions.body),
    )
    const kept = tx.select().from(earlierVersions).where(isRun).orderBy(desc(earlierVersions.seq)).get()
    if (kept === undefined) continue
    const to = JSON.parse(kept.body!) as RunDocument
    const isSame = recordingIds(to.track).toSorted().join() === recordings.toSorted().join()
    if (isSame) return { id, from: row.seq, to, asked: JSON.parse(row.asked) as Asked, isBack: true }
  }
  return null
}
