import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { repairs, workoutSplits, workouts } from '../db/schema.ts'
import { archivedBestEfforts, workoutBestEfforts } from '../db/schema-efforts.ts'
import type { CropData, StashedEffort, StashedSplit } from '../db/stored.ts'
import type { Deps } from '../deps.ts'
import type { CropRepair } from '../engine/settle.ts'
import { type DerivedRun, deriveRun } from '../workers/derive.ts'
import { insertSplits } from './add-workout.ts'
import type { Finish } from './change-run.ts'
import { boundsOfZones, elevationOptions, type RunJob, runJob } from './inputs.ts'
import { touchInputs, writeRun } from './numbers.ts'
import { activeRepairRows, choosePrimary, nextRepair, recordingsOf } from './recordings.ts'
import { effortId, splitId, storedEffortId } from './row-ids.ts'
import { splitUnitM, unitPreference, zonesOrDefault } from './settings.ts'
import { placeTime, utcOffsetMinutes } from './time-zone.ts'

// What the runner changed: written once, in order, and taken back by a time stamp. All in the caller's transaction.

type Needs = Pick<Deps, 'config' | 'now'>

/**
 * Adds a crop to a workout, to be scored with the zones stored now and cut in the preferred unit. What an archive said of
 * splits and efforts is kept with the repair until it is taken back.
 * @returns what writes the numbers of what is left; null for an unknown workout
 */
export function addCrop(tx: Tx, deps: Needs, id: string, crop: Omit<CropRepair, 'kind'>): Finish | null {
  const nowMs = deps.now()
  const stored = tx.select().from(workouts).where(eq(workouts.id, id)).get()
  if (stored === undefined) return null
  const data: CropData = {
    ...crop,
    zonesBefore: stored.effortZones,
    before: {
      timeZone: stored.timeZone,
      utcOffsetMinutes: stored.utcOffsetMinutes,
      splits: stashedSplits(tx, id),
      efforts: stashedEfforts(tx, id),
    },
  }
  const seq = nextRepair(tx, id)
  tx.insert(repairs).values({ id: Bun.randomUUIDv7(), workoutId: id, seq, kind: 'crop', data, madeAt: nowMs }).run()
  tx.delete(archivedBestEfforts).where(eq(archivedBestEfforts.workoutId, id)).run()
  tx.update(workouts)
    .set({ splitUnitM: splitUnitM(unitPreference(tx)), effortZones: boundsOfZones(zonesOrDefault(tx)) })
    .where(eq(workouts.id, id))
    .run()
  touchInputs(tx, id)
  return (derived, job) => writeRepaired(tx, { id, nowMs }, derived, job)
}

/**
 * Takes all active repairs back, in one step: the state before the first of them, scored with the zones of then.
 * @returns what writes the numbers of the whole; null when none is active
 */
export function revertRepairs(tx: Tx, deps: Needs, id: string): Finish | null {
  const [first] = activeRepairRows(tx, id)
  if (first === undefined) return null
  const { zonesBefore, before } = first.data
  const nowMs = deps.now()
  tx.update(repairs)
    .set({ undoneAt: nowMs })
    .where(and(eq(repairs.workoutId, id), isNull(repairs.undoneAt)))
    .run()
  tx.update(workouts)
    .set({
      startedAt: recordingsOf(tx, id)[0]?.startedAt ?? 0,
      timeZone: before.timeZone,
      utcOffsetMinutes: before.utcOffsetMinutes,
      effortZones: zonesBefore,
    })
    .where(eq(workouts.id, id))
    .run()
  choosePrimary(tx, id)
  touchInputs(tx, id)
  returnSplits(tx, id, before.splits)
  return (derived, { zones, elevation }) => {
    writeRun(tx, id, { derived, zones, elevation, nowMs })
    returnEfforts(tx, id, before.efforts)
  }
}

interface Settling {
  readonly id: string
  readonly nowMs: number
}

/** Derives everything of one workout on this thread, as part of the caller's transaction. */
export function settle(tx: Tx, deps: Pick<Deps, 'config'>, { id, nowMs }: Settling): void {
  const elevation = elevationOptions(deps)
  const job = runJob(tx, id, elevation)
  if (job !== null) writeRun(tx, id, { derived: deriveRun(job), zones: job.zones, elevation, nowMs })
}

/** What repairs left may begin later, and elsewhere: a cut may cross a border or a change of the clocks. */
function writeRepaired(tx: Tx, { id, nowMs }: Settling, derived: DerivedRun, { zones, elevation }: RunJob): void {
  const stored = tx.select().from(workouts).where(eq(workouts.id, id)).get()
  if (stored === undefined) return
  const startedAt = (recordingsOf(tx, id)[0]?.startedAt ?? stored.startedAt) + derived.startShiftMs
  const place = placeTime(derived.firstPosition, null, startedAt)
  const offset = stored.timeZone === null ? stored.utcOffsetMinutes : utcOffsetMinutes(stored.timeZone, startedAt)
  tx.update(workouts)
    .set({
      startedAt,
      timeZone: place.zone ?? stored.timeZone,
      utcOffsetMinutes: place.zone === null ? offset : place.utcOffsetMinutes,
    })
    .where(eq(workouts.id, id))
    .run()
  writeRun(tx, id, { derived, zones, elevation, nowMs })
}

function stashedSplits(tx: Tx, workoutId: string): StashedSplit[] {
  const rows = tx.select().from(workoutSplits).where(eq(workoutSplits.workoutId, workoutId)).orderBy(workoutSplits.idx)
  return rows.all().map(({ workoutId: _, ...split }) => ({ ...split, id: splitId({ ...split, workoutId }) }))
}

/** Those that only an archive knows, and those that the samples give, whose ids may be an archive's. */
function stashedEfforts(tx: Tx, workoutId: string): StashedEffort[] {
  const archived = tx.select().from(archivedBestEfforts).where(eq(archivedBestEfforts.workoutId, workoutId)).all()
  const own = tx.select().from(workoutBestEfforts).where(eq(workoutBestEfforts.workoutId, workoutId)).all()
  const stashed = (isArchived: boolean) => (row: (typeof archived)[number]) => {
    const { id, distanceIndex, timeMs, calculatedAt } = row
    return { id, distanceIndex, timeMs, calculatedAt, isArchived }
  }
  return [...archived.map(stashed(true)), ...own.map((row) => ({ ...row, id: effortId(row) })).map(stashed(false))]
}

/** As they were, where an archive said them; those that are cut anew find their ids there. */
function returnSplits(tx: Tx, workoutId: string, splits: readonly StashedSplit[]): void {
  tx.delete(workoutSplits).where(eq(workoutSplits.workoutId, workoutId)).run()
  insertSplits(
    tx,
    splits.map((split) => ({ ...split, workoutId })),
  )
  tx.update(workouts).set({ splitsCount: splits.length }).where(eq(workouts.id, workoutId)).run()
}

function returnEfforts(tx: Tx, workoutId: string, efforts: readonly StashedEffort[]): void {
  const { workoutId: ofWorkout, distanceIndex: ofDistance, timeMs: ofTime } = workoutBestEfforts
  for (const { isArchived, ...effort } of efforts) {
    const { id, distanceIndex, timeMs, calculatedAt } = effort
    const archived = tx.insert(archivedBestEfforts).values({ ...effort, workoutId })
    const own = tx
      .update(workoutBestEfforts)
      .set({ id: storedEffortId({ id, workoutId, distanceIndex }), calculatedAt })
    if (isArchived) archived.onConflictDoNothing().run()
    else own.where(and(eq(ofWorkout, workoutId), eq(ofDistance, distanceIndex), eq(ofTime, timeMs))).run()
  }
}
