import type { Static } from '@sinclair/typebox'
import type { Tx } from '../../db/open.ts'
import type { SplitRepair } from '../../engine/repair/split.ts'
import { changeRuns, triedRuns } from '../../library/change-run.ts'
import type { DepsBy } from '../../library/deps.ts'
import { neededHead, type RunDocument, type RunHead, recordingIds, wantedShoe } from '../../library/documents/run.ts'
import { mediaOf } from '../../library/merging/merge.ts'
import { takenTimes } from '../../library/photo-places.ts'
import { recordingsByIds } from '../../library/recordings.ts'
import { type Planned, withRepair } from '../../library/repairs.ts'
import { combinedWords, type RunRows } from '../../library/run-rows.ts'
import { foundRepairs, numbersOf, runRow } from './change.ts'
import type { TriedSplit, WorkoutSplit } from './schemas.ts'

/**
 * Splits a run into several: the first part keeps the run, every other is a new one of the same recordings, with the
 * photos and videos of its time.
 * @returns ids of the parts, or the numbers of a dry run
 * @throws AppError 404; 400 for a part of less than 10 s, a split within a pause, or a run without samples
 */
export async function splitWorkout(
  deps: DepsBy,
  id: string,
  { atElapsedS: atS, dryRun }: Static<typeof WorkoutSplit>,
): Promise<{ readonly ids: readonly string[] } | Static<typeof TriedSplit>> {
  const plan = () => plannedSplit(deps, id, atS)
  if (dryRun !== true) return { ids: (await changeRuns(deps, [id], plan)).runs.map((part) => part.id) }
  const numbers = (await triedRuns(deps, [id], plan)).rows.map(numbersOf)
  return { before: numbersOf(runRow(deps.db, id)), after: numbers[0]!, parts: numbers }
}

async function plannedSplit(deps: DepsBy, id: string, atS: readonly number[]) {
  const { db } = deps
  const head = neededHead(db, id)
  const change = { kind: 'split', atS } as const
  const refused = 'The workout has no recorded points, so it cannot be split'
  const repairs = (await foundRepairs(deps, head, change, refused)) as readonly SplitRepair[]
  const runs = repairs.map((repair, k) =>
    k === 0
      ? { ...withRepair(db, deps, head, repair), id, from: head.seq }
      : { ...laterPart(deps, head, repair, k + 1), id: Bun.randomUUIDv7(), from: null },
  )
  const taken = await takenTimes(deps, id)
  const movedMedia = (tx: Tx, rows: readonly Row[]) =>
    laterMedia(tx, id, taken, rows).map(({ row, part }) => {
      return { kind: 'media', id: row.id, to: { ...row, workoutId: runs[part]!.id } } as const
    })
  const receipt = { kind: 'split', title: `Split into ${runs.length} runs`, workoutId: id } as const
  return { receipt, runs, movedMedia }
}

type Row = RunRows['row']

/** A part after the first: a run of its own, with the name of the whole and its number. */
function laterPart(deps: DepsBy, head: RunHead, repair: SplitRepair, number: number): Planned {
  const { db, now } = deps
  const planned = withRepair(db, deps, head, repair)
  const { track, choices: { leftOut, intervals, stated } = {} } = planned.to
  const words = combinedWords(head.body, recordingsByIds(db, recordingIds(track)))
  const shoeId = wantedShoe(head.body)
  const repairs = track.repairs
    .filter(({ undoneAt }) => undoneAt === undefined)
    .map((one, k, all) => ({ ...one, id: Bun.randomUUIDv7(), ...(k === all.length - 1 ? { number } : {}) }))
  const name = words.name === null ? null : `${words.name} (${number})`
  const { effortTimes: _, ours: __, ...asked } = planned.asked
  const to: RunDocument = {
    track: { ...track, repairs },
    ...(shoeId === null ? {} : { shoeId }),
    choices: { ...(leftOut && { leftOut }), ...(intervals && { intervals }), ...(stated && { stated }) },
    carried: {
      ...head.body.carried,
      words: { ...words, name, notes: null, runType: null, rpe: null },
      efforts: [],
      effortIds: {},
      numbers: {},
    },
    routeId: Bun.randomUUIDv7(),
    createdAt: now(),
  }
  return { to, asked }
}

/**
 * The photos and videos that belong to a part after the first, each with the index of its part. A file that states no
 * time counts by the time of its upload if that was before the end of the run, and stays with the first part otherwise.
 */
function laterMedia(tx: Tx, workoutId: string, taken: ReadonlyMap<string, number>, rows: readonly Row[]) {
  const { startedAt, durationS } = rows.at(-1)!
  const endMs = startedAt + durationS * 1000
  return mediaOf(tx, workoutId).flatMap((row) => {
    const ms = taken.get(row.id) ?? (row.createdAt <= endMs ? row.createdAt : rows[0]!.startedAt)
    const part = rows.findLastIndex((one) => one.startedAt <= ms)
    return part > 0 ? [{ row, part }] : []
  })
}
