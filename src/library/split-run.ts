import { eq } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { workouts } from '../db/schema.ts'
import type { RepairData } from '../db/stored.ts'
import type { Deps } from '../deps.ts'
import { ENGINE_VERSION } from '../engine/analyze.ts'
import type { SplitRepair } from '../engine/repair/repairs.ts'
import { computed } from '../workers/compute.ts'
import type { DerivedRun } from '../workers/derive.ts'
import { insertWorkout, type NewRecording } from './add-workout.ts'
import { laterMedia, moveMedia, type PartTimes, type TakenTimes, takenTimes } from './files/split-media.ts'
import { boundsOfZones, elevationOptions, type RunJob, runJob } from './inputs.ts'
import { splitRows } from './numbers.ts'
import { packRun } from './receipts/capsule.ts'
import { leaveReceipt, touchRevision } from './receipts/record.ts'
import { activeRepairRows, recordingsOf, samplesOf } from './recordings.ts'
import { addRepair } from './repairs.ts'
import { splitUnitM, unitPreference, zonesOrDefault } from './settings.ts'
import { utcOffsetMinutes } from './time-zone.ts'
import { enqueueWeather, servedWeather } from './weather.ts'

/** The parts of a run, derived but not stored. */
export interface Parts {
  readonly job: RunJob
  readonly repairs: readonly SplitRepair[]
  readonly derived: readonly DerivedRun[]
  readonly taken: TakenTimes
}

/** Derives each part of a run in the Worker. null: there is no such workout. */
export async function derivedParts(
  deps: Pick<Deps, 'db' | 'config' | 'analyzer'>,
  id: string,
  repairs: readonly SplitRepair[],
): Promise<Parts | null> {
  const job = partsJob(deps.db, deps, id)
  if (job === null) return null
  const derived: DerivedRun[] = []
  for (const repair of repairs) {
    derived.push(await computed(deps.analyzer, { ...job, what: 'everything', repairs: [...job.repairs, repair] }))
  }
  return { job, repairs, derived, taken: await takenTimes(deps, id) }
}

/** Parts are scored with the current zones and split in the preferred unit, as after any repair. */
function partsJob(tx: Tx, deps: Pick<Deps, 'config'>, id: string): RunJob | null {
  const job = runJob(tx, id, elevationOptions(deps))
  return job && { ...job, zones: zonesOrDefault(tx), splitLengthM: splitUnitM(unitPreference(tx)) }
}

/**
 * Splits a run, in the caller's transaction: the first part keeps the workout, every other one becomes a new workout
 * with the same recordings and the photos and videos of its time. No recorded data is lost, since the parts share the
 * originals.
 * @returns the ids of the parts in order of time, and of the receipt; null: the run was changed since
 */
export function splitRun(
  tx: Tx,
  deps: Pick<Deps, 'config' | 'now' | 'author'>,
  id: string,
  parts: Parts,
): { readonly ids: readonly string[]; readonly receiptId: string | null } | null {
  const { job, repairs, derived, taken } = parts
  const now = partsJob(tx, deps, id)
  if (now === null || !Bun.deepEquals(inputsOf(now), inputsOf(job))) return null
  const moved = laterMedia(tx, id, { taken, ...partTimes(tx, id, derived) })
  const capsule = deps.author === undefined ? null : packRun(tx, id, moved.length > 0 ? 'whole' : 'numbers')
  const others = repairs
    .slice(1)
    .map((repair, k) => insertPart(tx, deps, { id, job, repair, derived: derived[k + 1]!, number: k + 2 }))
  for (const { id: mediaId, part } of moved) moveMedia(tx, mediaId, others[part - 1]!)
  addRepair(tx, deps, id, repairs[0]!)?.(derived[0]!, { ...job, repairs: [...job.repairs, repairs[0]!] })
  const revision = touchRevision(tx, id)
  const receiptId = leaveReceipt(
    tx,
    deps,
    { kind: 'split', title: `Split into ${repairs.length} runs`, workoutId: id },
    [
      {
        outcome: 'changed',
        workoutId: id,
        capsule,
        beforeRevision: revision?.before ?? null,
        afterRevision: revision?.after ?? null,
      },
      ...others.map((other) => ({ outcome: 'created' as const, workoutId: other, afterRevision: 0 })),
    ],
  )
  return { ids: [id, ...others], receiptId }
}

function inputsOf({ recordings: _, ...inputs }: RunJob): Omit<RunJob, 'recordings'> {
  return inputs
}

function partTimes(tx: Tx, id: string, derived: readonly DerivedRun[]): PartTimes {
  const stored = tx.select().from(workouts).where(eq(workouts.id, id)).get()!
  const recordedMs = recordingsOf(tx, id)[0]?.startedAt ?? stored.startedAt
  const startsMs = derived.map(({ startShiftMs }) => recordedMs + startShiftMs)
  const lastS = derived.at(-1)?.analysis.durationS ?? 0
  return { startsMs, endMs: (startsMs.at(-1) ?? 0) + lastS * 1000, offsetMinutes: stored.utcOffsetMinutes ?? 0 }
}

interface Part {
  readonly id: string
  readonly job: RunJob
  readonly repair: SplitRepair
  readonly derived: DerivedRun
  /** Number of the part, from 2 on. */
  readonly number: number
}

/** @returns the id of the new workout */
function insertPart(tx: Tx, deps: Pick<Deps, 'config' | 'now'>, { id, job, repair, derived, number }: Part): string {
  const stored = tx.select().from(workouts).where(eq(workouts.id, id)).get()!
  const told = recordingsOf(tx, id)
  const nowMs = deps.now()
  const partId = Bun.randomUUIDv7()
  const startedAt = (told[0]?.startedAt ?? stored.startedAt) + derived.startShiftMs
  const { analysis, routeIndex, hasHeartRate, training } = derived
  const isLookedUp = servedWeather(stored.weather)?.source === 'open_meteo'
  const { shoeId, source, device, timeZone, hasRawHr, leftOut } = stored
  insertWorkout(tx, {
    row: {
      id: partId,
      startedAt,
      createdAt: nowMs,
      shoeId,
      source,
      device,
      timeZone,
      hasRawHr,
      leftOut,
      name: stored.name === null ? null : `${stored.name} (${number})`,
      notes: null,
      runType: null,
      rpe: null,
      utcOffsetMinutes: timeZone === null ? stored.utcOffsetMinutes : utcOffsetMinutes(timeZone, startedAt),
      weather: isLookedUp ? null : stored.weather,
      hasTimeSeriesHr: hasHeartRate,
      engineVersion: ENGINE_VERSION,
      splitUnitM: job.splitLengthM,
      effortZones: boundsOfZones(job.zones),
      elevationSettings: job.elevation,
    },
    numbers: analysis,
    preview: analysis.preview,
    splits: splitRows(partId, analysis.splits),
    bestEfforts: analysis.bestEfforts,
    calculatedAtMs: nowMs,
    routeIndex,
    training,
    recordings: told.map((recording): NewRecording => {
      const { workoutId: _, ...row } = recording
      // raw data that cannot be parsed from the original stays with the first part
      const shared = { ...row, id: Bun.randomUUIDv7(), hasRaw: false, rawView: row.hasRaw ? null : row.rawView }
      return {
        ...shared,
        partFromMs: recording.startedAt + repair.fromMs,
        partToMs: recording.startedAt + repair.toMs,
        samples: samplesOf(tx, recording.id),
      }
    }),
    repairs: [
      // splits and efforts that these repairs replaced belong to the first part
      ...activeRepairRows(tx, id).map(({ workoutId: _, ...row }) => ({
        ...row,
        id: Bun.randomUUIDv7(),
        recordingId: null,
        data: { ...row.data, before: { ...row.data.before, splits: [], efforts: [] } },
      })),
      partRepair(stored, repair, nowMs, activeRepairRows(tx, id).at(-1)?.seq ?? -1),
    ],
  })
  if (derived.firstPosition !== null && deps.config.weatherEnabled && (isLookedUp || stored.weather === null)) {
    enqueueWeather(tx, partId, nowMs)
  }
  return partId
}

function partRepair(
  { effortZones, timeZone, utcOffsetMinutes: offset }: typeof workouts.$inferSelect,
  { kind, ...change }: SplitRepair,
  madeAt: number,
  lastSeq: number,
) {
  const before = { timeZone, utcOffsetMinutes: offset, splits: [], efforts: [] }
  const data: RepairData<SplitRepair> = { ...change, zonesBefore: effortZones, before }
  return { id: Bun.randomUUIDv7(), recordingId: null, seq: lastSeq + 1, kind, data, madeAt, undoneAt: null }
}
