import type { Static } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { media, workouts } from '../db/schema.ts'
import type { DepsBy } from '../deps.ts'
import { roundHalfUp } from '../engine/units.ts'
import { invalid } from '../errors.ts'
import { derivedRun, timedEfforts } from '../library/change-run.ts'
import { type ChangeGroup, commit, Outdated } from '../library/commit.ts'
import { runRows } from '../library/derive.ts'
import { type JoinedTrack, type RunDocument, type RunHead, type RunWords, runHead } from '../library/documents/run.ts'
import { askedNow } from '../library/inputs.ts'
import { tellReceipt } from '../library/receipts/record.ts'
import { packedTrack } from '../library/recordings.ts'
import { computed } from '../workers/compute.ts'
import { numbersOf, runNumbers, type Trial } from './change.ts'
import type { WorkoutJoin } from './schemas.ts'

type How = Required<Pick<Static<typeof WorkoutJoin>, 'gap' | 'dryRun'>>
type Joined = { readonly id: string } | Trial

/**
 * Joins consecutive runs into one: the earliest keeps its id and is made of the tracks of all; the others go to the
 * trash.
 * @returns the id of the run, or the numbers of a dry run, where `before` is that of the earliest
 * @throws AppError 400 for unknown runs, runs without samples, runs that overlap or are far apart
 */
export async function joinWorkouts(
  deps: DepsBy,
  { ids, gap = 'pause', dryRun = false }: Static<typeof WorkoutJoin>,
): Promise<Joined> {
  const wanted = [...new Set(ids)]
  if (wanted.length < 2) throw invalid('ids must name at least two workouts')
  for (;;) {
    try {
      return await attempted(deps, wanted, { gap, dryRun })
    } catch (error) {
      if (!(error instanceof Outdated)) throw error
    }
  }
}

/** @throws Outdated when one of them was changed meanwhile */
async function attempted(deps: DepsBy, ids: readonly string[], { gap, dryRun }: How): Promise<Joined> {
  const { db, analyzer, events, now } = deps
  const runs = runsOf(db, ids)
  const [first, ...others] = runs
  if (first === undefined) throw new Outdated()
  const { id } = first.row
  const recorded = runs.flatMap(({ head }) => packedTrack(db, head.body.track) ?? [])
  if (recorded.length < runs.length) throw invalid('A run without recorded points cannot be joined to another')
  const climb = climbOf(runs)
  const { found } = await computed(analyzer, { what: 'join', runs: recorded, gap, climb })
  if ('refusal' in found) throw invalid(found.refusal)
  const energies = runs.flatMap(({ row }) => row.calories ?? [])
  const caloriesKcal = energies.length === 0 ? null : sumOf(energies)
  const join = runs.map(({ head }) => head.body.track)
  const made = { id: Bun.randomUUIDv7(), madeAt: now(), gap, climb, caloriesKcal, ...found }
  const to = joinedDocument(runs, { join, ...made, repairs: [] })
  const asked = askedNow(db, deps)
  const derived = await derivedRun(deps, id, { to, asked })
  if (dryRun) return { before: runNumbers(db, id), after: numbersOf(runRows(db, { id, body: to, asked }, derived).row) }
  const receiptId = db.transaction((tx) => {
    if (!Bun.deepEquals(askedNow(tx, deps), asked)) throw new Outdated()
    // the joined run is undone first, so that the others find their recordings free again
    const gone = others.map(
      ({ head }): ChangeGroup => ({
        changes: [{ kind: 'run', id: head.id, from: head.seq, to: null }],
        item: { outcome: 'deleted', workoutId: head.id },
      }),
    )
    const timed = timedEfforts(tx, id, { asked, derived, nowMs: now() })
    const run = { kind: 'run', id, from: first.head.seq, to, asked: timed, derived } as const
    const receipt = { kind: 'join', title: `Joined ${runs.length} runs`, workoutId: id } as const
    const joined: ChangeGroup = {
      changes: [...movedMedia(tx, others, id), run],
      item: { outcome: 'changed', workoutId: id },
    }
    return commit(tx, deps, deps.by, { receipt, groups: [...gone, joined] })
  })
  for (const { head } of others) events.emit({ event: 'workout.deleted', data: { id: head.id } })
  events.emit({ event: 'workout.updated', data: { id } })
  tellReceipt(deps, receiptId)
  return { id }
}

interface JoinedRun {
  readonly row: typeof workouts.$inferSelect
  readonly head: RunHead
}

/** In order of time. @throws AppError 400 for an unknown run */
function runsOf(tx: Tx, ids: readonly string[]): JoinedRun[] {
  const runs = ids.map((id) => {
    const row = tx.select().from(workouts).where(eq(workouts.id, id)).get()
    const head = runHead(tx, id)
    if (row === undefined || head === null) throw invalid(`There is no workout ${id}`)
    return { row, head }
  })
  return runs.toSorted((a, b) => a.row.startedAt - b.row.startedAt || a.row.id.localeCompare(b.row.id))
}

/** The climb of all, which the gaps must not change. */
function climbOf(runs: readonly JoinedRun[]): JoinedTrack['climb'] {
  const gains = runs.flatMap(({ row }) => row.elevGainM ?? [])
  const losses = runs.flatMap(({ row }) => row.elevLossM ?? [])
  return gains.length === 0 ? null : { gainM: roundHalfUp(sumOf(gains), 1), lossM: roundHalfUp(sumOf(losses), 1) }
}

/** The name of the longest run, the notes of all, and of other words the first that is there. */
function joinedDocument(runs: readonly JoinedRun[], track: JoinedTrack): RunDocument {
  const { row, head } = runs[0]!
  const rows = runs.map((run) => run.row)
  const first = <K extends 'rpe' | 'runType' | 'shoeId'>(word: K) =>
    rows.find((one) => one[word] !== null)?.[word] ?? null
  const notes = [...new Set(rows.flatMap((one) => one.notes ?? []))].join('\n\n')
  const byLength = rows.toSorted((a, b) => b.distanceM - a.distanceM)
  const { shoeId, ...told } = {
    name: byLength.find(({ name }) => name !== null)?.name ?? null,
    notes: notes === '' ? null : notes,
    rpe: first('rpe'),
    runType: first('runType'),
    shoeId: first('shoeId'),
  } satisfies RunWords
  const set = new Set(runs.flatMap((run) => Object.keys(run.head.body.words ?? {})))
  const words = Object.fromEntries(Object.entries({ ...told, shoeId }).filter(([word]) => set.has(word)))
  const { timeZone, utcOffsetMinutes, source, device } = row
  return {
    ...head.body,
    track,
    words,
    ...(shoeId === null ? {} : { shoeId }),
    carried: { words: { ...told, source, device }, place: { timeZone, utcOffsetMinutes } },
  }
}

function movedMedia(tx: Tx, runs: readonly JoinedRun[], workoutId: string) {
  const shown = runs.flatMap(({ head }) => tx.select().from(media).where(eq(media.workoutId, head.id)).all())
  return shown.map((row) => ({ kind: 'media', id: row.id, to: { ...row, workoutId } }) as const)
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}
