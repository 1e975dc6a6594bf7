import { eq, inArray } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { media, recordings, repairs, workouts } from '../db/schema.ts'
import { archivedBestEfforts } from '../db/schema-efforts.ts'
import type { Before } from '../db/stored.ts'
import type { Deps } from '../deps.ts'
import { nameKey, searchText } from '../texts.ts'
import { computed } from '../workers/compute.ts'
import type { DerivedRun } from '../workers/derive.ts'
import type { JoinFound } from '../workers/join.ts'
import { insertRecording } from './add-workout.ts'
import { boundsOfZones, elevationOptions, type RunJob } from './inputs.ts'
import { touchInputs, writeRun } from './numbers.ts'
import { packRun } from './receipts/capsule.ts'
import { leaveReceipt, type NewItem, touchRevision } from './receipts/record.ts'
import { recordingsOf } from './recordings.ts'
import { splitUnitM, unitPreference, zonesOrDefault } from './settings.ts'

type Samples = Exclude<JoinFound, { readonly refusal: string }>
type WorkoutRow = typeof workouts.$inferSelect

/** Several runs joined to one, derived but not stored. */
export interface Joining {
  readonly samples: Samples
  readonly derived: DerivedRun
  readonly caloriesKcal: number | null
  readonly made: Pick<RunJob, 'zones' | 'splitLengthM' | 'elevation'>
}

/** Derives the joined run in the Worker. */
export async function derivedJoin(
  { db, config, analyzer }: Pick<Deps, 'db' | 'config' | 'analyzer'>,
  samples: Samples,
  { durationS, caloriesKcal }: { readonly durationS: number; readonly caloriesKcal: number | null },
): Promise<Joining> {
  const made = settingsOf(db, { config })
  const derived = await computed(analyzer, {
    what: 'everything',
    ...made,
    durationS,
    primary: 0,
    ours: { effort: false },
    recordings: [{ kind: 'file', said: {}, samples: samples.samples }],
    repairs: [{ kind: 'join', caloriesKcal }],
  })
  return { samples, derived, caloriesKcal, made }
}

function settingsOf(tx: Tx, deps: Pick<Deps, 'config'>): Joining['made'] {
  const splitLengthM = splitUnitM(unitPreference(tx))
  return { zones: zonesOrDefault(tx), splitLengthM, elevation: elevationOptions(deps) }
}

/**
 * Joins runs into one, within the caller's transaction: the earliest keeps its id and gets the recordings, photos and
 * notes of all; the others go to the trash.
 * @param rows of the workouts, in order of time
 * @returns id of the receipt; undefined: zones, units or settings have changed since
 */
export function joinRuns(
  tx: Tx,
  deps: Pick<Deps, 'config' | 'now' | 'author'>,
  rows: readonly WorkoutRow[],
  { samples, derived, caloriesKcal, made }: Joining,
): string | null | undefined {
  const [first, ...others] = rows
  if (first === undefined || !Bun.deepEquals(settingsOf(tx, deps), made)) return undefined
  const { id } = first
  const nowMs = deps.now()
  const capsules = rows.map((row) => (deps.author === undefined ? null : packRun(tx, row.id, 'whole')))
  const otherIds = others.map((row) => row.id)

  const told = rows.flatMap((row) => recordingsOf(tx, row.id))
  for (const [k, recording] of told.entries()) {
    // unique positions: two rows may not share one, not even between two statements
    tx.update(recordings)
      .set({ workoutId: id, seq: k + 1, position: -1 - k })
      .where(eq(recordings.id, recording.id))
      .run()
  }
  for (const [k, recording] of told.entries()) {
    tx.update(recordings)
      .set({ position: k + 1 })
      .where(eq(recordings.id, recording.id))
      .run()
  }
  const words = { name: null, notes: null, runType: null, rpe: null, source: null, device: null, gear: null }
  insertRecording(tx, id, {
    id: Bun.randomUUIDv7(),
    seq: 0,
    position: 0,
    origin: 'joined',
    kind: 'file',
    totals: {},
    words,
    startedAt: samples.startMs,
    utcOffsetMinutes: told[0]?.utcOffsetMinutes ?? null,
    addedAt: nowMs,
    samples: samples.samples,
    channels: [...samples.channels],
    laps: told.flatMap(({ laps }) => laps ?? []),
    hasRaw: false,
    hasEstimatedTimes: derived.analysis.bestEfforts.length === 0 && told.some((one) => one.hasEstimatedTimes),
  })
  if (otherIds.length > 0) {
    tx.update(media).set({ workoutId: id }).where(inArray(media.workoutId, otherIds)).run()
    tx.delete(workouts).where(inArray(workouts.id, otherIds)).run()
  }
  tx.delete(archivedBestEfforts).where(eq(archivedBestEfforts.workoutId, id)).run()
  tx.delete(repairs).where(eq(repairs.workoutId, id)).run()
  const { effortZones: zonesBefore, timeZone, utcOffsetMinutes } = first
  const before: Before = { zonesBefore, before: { timeZone, utcOffsetMinutes, splits: [], efforts: [] } }
  tx.insert(repairs)
    .values({
      id: Bun.randomUUIDv7(),
      workoutId: id,
      seq: 0,
      kind: 'join',
      madeAt: nowMs,
      data: { caloriesKcal, ...before },
    })
    .run()
  tx.update(workouts)
    .set({
      ...joinedWords(rows),
      startedAt: samples.startMs,
      ours: [],
      splitUnitM: made.splitLengthM,
      effortZones: boundsOfZones(made.zones),
      hasRawHr: rows.some((row) => row.hasRawHr),
    })
    .where(eq(workouts.id, id))
    .run()
  touchInputs(tx, id)
  writeRun(tx, id, { derived, zones: made.zones, elevation: made.elevation, nowMs })
  const revision = touchRevision(tx, id)
  // the joined run is undone first, so that the others find their recordings free again
  const items: NewItem[] = [
    ...others.map((row, k) => ({
      outcome: 'deleted' as const,
      workoutId: row.id,
      capsule: capsules[k + 1] ?? null,
      beforeRevision: row.revision,
    })),
    {
      outcome: 'changed',
      workoutId: id,
      capsule: capsules[0] ?? null,
      beforeRevision: revision?.before ?? null,
      afterRevision: revision?.after ?? null,
    },
  ]
  return leaveReceipt(tx, deps, { kind: 'join', title: `Joined ${rows.length} runs`, workoutId: id }, items)
}

/** The name of the longest run, the notes of all, and for other words the first value present. */
function joinedWords(rows: readonly WorkoutRow[]): Partial<WorkoutRow> {
  const [first] = rows
  const byLength = rows.toSorted((a, b) => b.distanceM - a.distanceM)
  const name = byLength.find((row) => row.name !== null)?.name ?? null
  const notes = [...new Set(rows.flatMap((row) => row.notes ?? []))].join('\n\n')
  const said = <K extends 'rpe' | 'runType' | 'shoeId'>(word: K) =>
    rows.find((row) => row[word] !== null)?.[word] ?? null
  return {
    name,
    notes: notes === '' ? null : notes,
    rpe: said('rpe'),
    runType: said('runType'),
    shoeId: said('shoeId'),
    searchText: searchText(name, first?.device ?? null, first?.source ?? null),
    nameKey: nameKey(name),
    runnerSet: [...new Set(rows.flatMap((row) => row.runnerSet))].toSorted(),
  }
}
