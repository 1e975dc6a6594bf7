import type { Static } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { media } from '../db/schema.ts'
import type { DepsBy } from '../deps.ts'
import type { SplitRepair } from '../engine/repair/split.ts'
import { notFound } from '../errors.ts'
import { derivedRun, timedEfforts } from '../library/change-run.ts'
import { type Change, type ChangeGroup, commit, Outdated } from '../library/commit.ts'
import { type RunRows, runRows, settledWords } from '../library/derive.ts'
import { type RunDocument, type RunHead, recordingIds, runHead, wantedShoe } from '../library/documents/run.ts'
import { laterMedia, takenTimes } from '../library/files/split-media.ts'
import { askedNow } from '../library/inputs.ts'
import { tellReceipt } from '../library/receipts/record.ts'
import { recordingsByIds } from '../library/recordings.ts'
import { type Planned, withRepair } from '../library/repairs.ts'
import type { DerivedRun } from '../workers/derive.ts'
import { foundRepairs, numbersOf, runNumbers } from './change.ts'
import type { SplitTrial, WorkoutSplit } from './schemas.ts'

/** Ids of the parts of a run, or the result of a dry run. */
export type Split = { readonly ids: readonly string[] } | Static<typeof SplitTrial>

/**
 * Splits a run into several: the first part keeps the run, every other is a new one of the same recordings, with the
 * photos and videos of its time.
 * @throws AppError 404; 400 for a part of less than 10 s, or a run without samples
 */
export async function splitWorkout(
  deps: DepsBy,
  id: string,
  { atElapsedS: atS, dryRun = false }: Static<typeof WorkoutSplit>,
): Promise<Split> {
  for (;;) {
    try {
      return await attempted(deps, id, { atS, dryRun })
    } catch (error) {
      if (!(error instanceof Outdated)) throw error
    }
  }
}

interface Part extends Planned {
  readonly id: string
  readonly derived: DerivedRun
  readonly rows: RunRows
}

/** @throws Outdated when the run was changed meanwhile */
async function attempted(
  deps: DepsBy,
  id: string,
  { atS, dryRun }: { readonly atS: readonly number[]; readonly dryRun: boolean },
): Promise<Split> {
  const { db, events, now } = deps
  const head = runHead(db, id)
  if (head === null) throw notFound('Workout')
  const change = { kind: 'split', atS } as const
  const refused = 'The workout has no recorded points, so it cannot be split'
  const repairs = (await foundRepairs(deps, head, { change, refused })).filter(
    ({ kind }) => kind === 'split',
  ) as SplitRepair[]
  const parts: Part[] = []
  for (const [k, repair] of repairs.entries()) {
    const planned = k === 0 ? withRepair(db, deps, head, repair) : laterPart(deps, head, { repair, number: k + 1 })
    const partId = k === 0 ? id : Bun.randomUUIDv7()
    const derived = await derivedRun(deps, id, planned)
    parts.push({
      ...planned,
      id: partId,
      derived,
      rows: runRows(db, { id: partId, body: planned.to, asked: planned.asked }, derived),
    })
  }
  const numbers = parts.map(({ rows }) => numbersOf(rows.row))
  if (dryRun) return { before: runNumbers(db, id), after: numbers[0]!, parts: numbers }
  const taken = await takenTimes(deps, id)
  const receiptId = db.transaction((tx) => {
    if (!Bun.deepEquals(askedNow(tx, deps), parts[0]!.settings)) throw new Outdated()
    const moved = laterMedia(tx, id, { taken, ...timesOf(parts) })
    const groups = parts.map(({ id: workoutId, to, asked, derived }, k): ChangeGroup => {
      if (k > 0) return created({ id: workoutId, to, asked, derived })
      const timed = timedEfforts(tx, id, { asked, derived, nowMs: now() })
      const run: Change = { kind: 'run', id, from: head.seq, to, asked: timed, derived }
      return { changes: [run, ...movedMedia(tx, moved, parts)], item: { outcome: 'changed', workoutId } }
    })
    const receipt = { kind: 'split', title: `Split into ${parts.length} runs`, workoutId: id } as const
    return commit(tx, deps, deps.by, { receipt, groups })
  })
  const ids = parts.map((part) => part.id)
  events.emit({ event: 'workout.updated', data: { id } })
  for (const part of ids.slice(1)) events.emit({ event: 'workout.created', data: { id: part } })
  tellReceipt(deps, receiptId)
  return { ids }
}

function created({ id, to, asked, derived }: Pick<Part, 'id' | 'to' | 'asked' | 'derived'>): ChangeGroup {
  const changes = [{ kind: 'run', id, from: null, to, asked, derived } as const]
  return { changes, item: { outcome: 'created', workoutId: id } }
}

/** A part after the first: a run of its own, with the name of the whole and its number. */
function laterPart(
  deps: Pick<DepsBy, 'db' | 'config' | 'now'>,
  head: RunHead,
  { repair, number }: { readonly repair: SplitRepair; readonly number: number },
): Planned {
  const { db, now } = deps
  const planned = withRepair(db, deps, head, repair)
  const { track, choices } = planned.to
  const words = settledWords(head.body, recordingsByIds(db, recordingIds(track)))
  const shoeId = wantedShoe(head.body)
  const repairs = track.repairs
    .filter(({ undoneAt }) => undoneAt === undefined)
    .map((one, k, all) => ({ ...one, id: Bun.randomUUIDv7(), ...(k === all.length - 1 ? { number } : {}) }))
  const name = words.name === null ? null : `${words.name} (${number})`
  const { effortTimes: _, ours: __, ...asked } = planned.asked
  const to: RunDocument = {
    track: { ...track, repairs },
    ...(shoeId === null ? {} : { shoeId }),
    ...(choices?.leftOut ? { choices: { leftOut: true } } : {}),
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

/** When the parts begin and the last one ends. */
function timesOf(parts: readonly Part[]) {
  const rows = parts.map(({ rows: { row } }) => row)
  const { startedAt, durationS } = rows.at(-1)!
  const offsetMinutes = rows[0]!.utcOffsetMinutes ?? 0
  return { startsMs: rows.map((row) => row.startedAt), endMs: startedAt + durationS * 1000, offsetMinutes }
}

function movedMedia(tx: Tx, moved: ReturnType<typeof laterMedia>, parts: readonly Part[]): Change[] {
  return moved.flatMap(({ id, part }) => {
    const row = tx.select().from(media).where(eq(media.id, id)).get()
    return row === undefined ? [] : [{ kind: 'media', id, to: { ...row, workoutId: parts[part]!.id } } as const]
  })
}
