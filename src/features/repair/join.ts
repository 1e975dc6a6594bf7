import type { Static } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import { invalid, notApplicable } from '../../base/errors.ts'
import type { Tx } from '../../db/open.ts'
import { media } from '../../db/schema.ts'
import { MOST_REPETITIONS } from '../../engine/limits.ts'
import type { JoinGap } from '../../engine/repair/join.ts'
import { roundHalfUp } from '../../engine/units.ts'
import { changeRuns, triedRuns } from '../../library/change-run.ts'
import type { DepsBy } from '../../library/deps.ts'
import { isLaterPart, type JoinedTrack, leftOutTogether, type RunDocument } from '../../library/documents/run.ts'
import { askedNow } from '../../library/inputs.ts'
import { givenLaps } from '../../library/laps.ts'
import { knownRun } from '../../library/merging/merge.ts'
import { packedTrack } from '../../library/recordings.ts'
import { numbersOf, type Trial } from './change.ts'
import type { WorkoutJoin } from './schemas.ts'

/**
 * Joins consecutive runs into one: the earliest keeps its id and is made of the tracks of all; the others go to the
 * trash.
 * @returns the id of the run, or the numbers of a dry run, where `before` is that of the earliest
 * @throws AppError 400 for unknown runs, runs without samples, runs that overlap or are far apart
 */
export async function joinWorkouts(
  deps: DepsBy,
  { ids: sent, gap = 'pause', dryRun }: Static<typeof WorkoutJoin>,
): Promise<{ readonly id: string } | Trial> {
  const ids = [...new Set(sent)]
  if (ids.length < 2) throw invalid('ids must name at least two workouts', { field: 'ids' })
  const plan = () => plannedJoin(deps, ids, gap)
  if (dryRun !== true) return { id: (await changeRuns(deps, ids, plan)).first.id }
  const { planned, rows } = await triedRuns(deps, ids, plan)
  return { before: numbersOf(planned.first), after: numbersOf(rows[0]!) }
}

async function plannedJoin(deps: DepsBy, ids: readonly string[], gap: JoinGap) {
  const { db, worker, now } = deps
  const runs = runsOf(db, ids)
  const [{ row: first, head }, ...others] = runs as [JoinedRun, ...JoinedRun[]]
  const recorded = runs.flatMap((run) => packedTrack(db, run.head.body.track) ?? [])
  if (recorded.length < runs.length) throw notApplicable('A run without recorded points cannot be joined to another')
  const climb = climbOf(runs)
  const { found } = await worker.ask('join', { runs: recorded, gap, climb })
  if ('refusal' in found) throw notApplicable(found.refusal)
  const energies = runs.flatMap(({ row }) => row.calories ?? [])
  const caloriesKcal = energies.length === 0 ? null : sumOf(energies)
  const join = runs.map((run) => run.head.body.track)
  const made = { id: Bun.randomUUIDv7(), madeAt: now(), gap, climb, caloriesKcal, ...found }
  const to = joinedDocument(db, runs, { join, ...made, repairs: [] })
  // they go before the run is joined, and so return after it is undone, when it leaves their recordings free again
  const gone = others.map((run) => run.head)
  const movedMedia = (tx: Tx) => {
    const shown = gone.flatMap(({ id }) => tx.select().from(media).where(eq(media.workoutId, id)).all())
    return shown.map((row) => ({ kind: 'media', id: row.id, to: { ...row, workoutId: first.id } }) as const)
  }
  const receipt = { kind: 'join', title: `Joined ${runs.length} runs`, workoutId: first.id } as const
  const settings = askedNow(db, deps)
  const joined = { id: first.id, from: head.seq, to, asked: settings, settings }
  return { receipt, gone, runs: [joined], movedMedia, first }
}

type JoinedRun = ReturnType<typeof runsOf>[number]

/** In order of time. @throws AppError 400 for an unknown run */
function runsOf(tx: Tx, ids: readonly string[]) {
  const runs = ids.map((id) => knownRun(tx, id, 'ids'))
  return runs.toSorted((a, b) => a.row.startedAt - b.row.startedAt || a.row.id.localeCompare(b.row.id))
}

/** The climb of all, which the gaps must not change. */
function climbOf(runs: readonly JoinedRun[]): JoinedTrack['climb'] {
  const gains = runs.flatMap(({ row }) => row.elevGainM ?? [])
  const losses = runs.flatMap(({ row }) => row.elevLossM ?? [])
  return gains.length === 0 ? null : { gainM: roundHalfUp(sumOf(gains), 1), lossM: roundHalfUp(sumOf(losses), 1) }
}

/** The notes of all, and of other words the first that is there. */
function joinedDocument(tx: Tx, runs: readonly JoinedRun[], track: JoinedTrack): RunDocument {
  const { row, head } = runs[0]!
  const rows = runs.map((run) => run.row)
  const first = <K extends 'rpe' | 'runType' | 'shoeId'>(word: K) =>
    rows.find((one) => one[word] !== null)?.[word] ?? null
  const notes = [...new Set(rows.flatMap((one) => one.notes ?? []))].join('\n\n')
  const shoeId = first('shoeId')
  const stated = { name: joinedName(runs), notes: notes || null, rpe: first('rpe'), runType: first('runType') }
  const set = new Set(runs.flatMap((run) => Object.keys(run.head.body.words ?? {})))
  const words = Object.fromEntries(Object.entries({ ...stated, shoeId }).filter(([word]) => set.has(word)))
  const { timeZone, utcOffsetMinutes, source, device } = row
  return {
    ...head.body,
    track,
    words,
    choices: leftOutTogether(
      { ...head.body.choices, ...givenToAll(tx, runs, track) },
      runs.map((run) => run.head.body),
    ),
    ...(shoeId === null ? {} : { shoeId }),
    carried: { words: { ...stated, source, device }, place: { timeZone, utcOffsetMinutes } },
  }
}

/** The repetitions that the runner gave, each within its run; behind a closed gap the times are others. */
function givenToAll(tx: Tx, runs: readonly JoinedRun[], { gap }: JoinedTrack): Pick<Choices, 'intervals'> {
  const given = (gap === 'none' ? runs.slice(0, 1) : runs).flatMap(({ row, head }) => {
    const laps = givenLaps(tx, head.body)
    return laps === null ? [] : [{ laps, fromMs: row.startedAt, toMs: row.startedAt + row.durationS * 1000 }]
  })
  const stretches = given
    .flatMap(({ laps, fromMs, toMs }) =>
      laps.map(({ startMs, endMs }) => ({ startMs: Math.max(startMs, fromMs), endMs: Math.min(endMs, toMs) })),
    )
    .filter(({ startMs, endMs }) => endMs > startMs)
  return given.length === 0 ? {} : { intervals: { stretches: stretches.slice(0, MOST_REPETITIONS) } }
}

type Choices = NonNullable<RunDocument['choices']>

/** The name of the longest run; of parts of one split that of the earliest. */
function joinedName(runs: readonly JoinedRun[]): string | null {
  const named = runs.flatMap(({ row: { name, distanceM }, head }) => {
    const whole = isLaterPart(head.body) ? name?.replace(/ \(\d+\)$/, '') : name
    return name === null ? [] : { name, whole, distanceM }
  })
  const longest = named.toSorted((a, b) => b.distanceM - a.distanceM)[0]
  return named.find(({ whole }) => whole === longest?.whole)?.name ?? null
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}
