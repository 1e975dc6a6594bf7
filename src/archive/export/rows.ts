import { asc, eq } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { repairs, samples, type workouts } from '../../db/schema.ts'
import { leavesPart } from '../../engine/repair/repairs.ts'
import { effortWordsOf } from '../../library/effort-words.ts'
import {
  hasRawData,
  RAW_MEMBERS,
  type RawData,
  type RawLibrary,
  type RawMember,
  recordingRawTexts,
  type TextPieces,
  wholeText,
  workoutRawData,
} from '../../library/files/raw-data.ts'
import {
  activeRepairs,
  recordingsOf,
  type StoredRecording,
  samplesOf,
  workoutPositions,
  workoutTrack,
} from '../../library/recordings.ts'
import { loadChoice } from '../../library/training/choices.ts'
import { unpackFractions, unpackTrack } from '../../workers/pack.ts'
import { routeText } from '../format/part-rows.ts'
import { type RecordedSamples, recordingObject } from '../format/recording-rows.ts'
import { repairObject } from '../format/repair-rows.ts'
import { allColumns, fractionColumns, type SamplesMeta, storedMeta } from '../format/sample-rows.ts'
import { recordingMember, workoutJson } from '../format/workout-rows.ts'

// Rows of an archive that are built from several rows of the database.

/** A library during its export. */
export interface ExportedLibrary extends RawLibrary {
  /** Whether the original of a recording exists. */
  readonly hasFile: (recordingId: string) => boolean
  /** Called when the raw data of a workout, or a part of it, cannot be read. */
  readonly whenDamaged: (workoutId: string) => void
}

type WorkoutRow = typeof workouts.$inferSelect

/** One row of `workouts.json`. */
export async function workoutText(library: ExportedLibrary, row: WorkoutRow): Promise<TextPieces> {
  const { db, hasFile, whenDamaged } = library
  const stored = recordingsOf(db, row.id)
  const active = activeRepairs(db, row.id)
  const last = active.findLast(leavesPart)
  const first = stored.find(({ storedAs }) => storedAs !== null)
  const member = recordingMember(row, {
    fileSession: first?.fileSession ?? null,
    said: stored.map(({ totals }) => totals),
    repaired: last === undefined ? null : { caloriesKcal: last.caloriesKcal },
    samples: settledMeta(db, { workoutId: row.id, isRepaired: active.length > 0, recordings: stored }),
  })
  return workoutJson(row, {
    member,
    rawData: await workoutRawData(library, row.id, () => whenDamaged(row.id)),
    effortWords: effortWordsOf(db, row.id),
    choice: loadChoice(db, row.id),
    original: first !== undefined && hasFile(first.id) ? first : null,
  })
}

/** The rows of `recordings.json` of one workout, in the order in which the recordings arrived. */
export async function recordingTexts(library: ExportedLibrary, workoutId: string): Promise<string[]> {
  const { db, hasFile } = library
  const stored = recordingsOf(db, workoutId)
  const isRepaired = activeRepairs(db, workoutId).length > 0
  const raw = await rawParts(library, stored)
  return stored.map((recording) => {
    const isInTimeSeries = recording.position === 0 && !isRepaired
    return JSON.stringify(
      recordingObject(recording, {
        hasOriginal: recording.storedAs !== null && hasFile(recording.id),
        ...(raw.get(recording.id) ?? { rawMembers: [], rawData: null }),
        samples: isInTimeSeries ? fractionsOf(db, recording.id) : allSamplesOf(db, recording.id),
      }),
    )
  })
}

/** Parts of samples that `time-series.json` cannot express; null when there are none. */
function fractionsOf(db: Tx, recordingId: string): RecordedSamples | null {
  const { meta, rest } = samples
  const stored = db.select({ meta, rest }).from(samples).where(eq(samples.recordingId, recordingId)).get()
  const recorded = stored === undefined ? null : storedMeta(stored.meta)
  return stored === undefined || recorded === null
    ? null
    : { meta: recorded, columns: fractionColumns(unpackFractions(stored)) }
}

function allSamplesOf(db: Tx, recordingId: string): RecordedSamples | null {
  const packed = samplesOf(db, recordingId)
  if (packed === null) return null
  const track = unpackTrack(packed)
  return { meta: track, columns: allColumns(track) }
}

/** The rows of `repairs.json` of one workout, in the order in which the repairs were made. */
export function repairTexts({ db }: Pick<ExportedLibrary, 'db'>, workoutId: string): string[] {
  const rows = db.select().from(repairs).where(eq(repairs.workoutId, workoutId)).orderBy(asc(repairs.seq)).all()
  return rows.map((row) => JSON.stringify(repairObject(row)))
}

/** The row of `routes.json` of one workout; null without a route. */
export function workoutRouteText(
  { db }: Pick<ExportedLibrary, 'db'>,
  { workoutId, routeId }: { readonly workoutId: string; readonly routeId: string | null },
): string | null {
  const positions = workoutPositions(db, workoutId)
  return positions && routeText({ workoutId, routeId }, positions)
}

function settledMeta(
  db: Tx,
  {
    workoutId,
    isRepaired,
    recordings,
  }: { readonly workoutId: string; readonly isRepaired: boolean; readonly recordings: readonly StoredRecording[] },
): SamplesMeta | null {
  if (isRepaired) return workoutTrack(db, workoutId)
  const primary = recordings.find(({ position }) => position === 0)
  if (primary === undefined) return null
  const stored = db.select({ meta: samples.meta }).from(samples).where(eq(samples.recordingId, primary.id)).get()
  return stored === undefined ? null : storedMeta(stored.meta)
}

interface RawPart {
  readonly rawMembers: readonly RawMember[]
  readonly rawData: Partial<RawData> | null
}

/**
 * Decides which recording's raw data goes into the workout's row: for each member that of the first recording that has
 * one; the others are written with their own recordings. When only one recording has raw data, all of it goes into the
 * row.
 */
async function rawParts(
  library: RawLibrary,
  recordings: readonly StoredRecording[],
): Promise<ReadonlyMap<string, RawPart>> {
  const parts = new Map<string, RawPart>()
  const having = recordings.filter(hasRawData)
  const [only] = having
  if (only !== undefined && having.length === 1) return parts.set(only.id, { rawMembers: RAW_MEMBERS, rawData: null })
  const taken = new Set<RawMember>()
  for (const recording of having) {
    const texts = await recordingRawTexts(library, recording, { whenDamaged: () => {} })
    const own = RAW_MEMBERS.filter((name) => texts[name] !== undefined)
    const rest = own
      .filter((name) => taken.has(name))
      .map((name) => [name, JSON.parse(wholeText(texts[name] ?? []))] as const)
    parts.set(recording.id, {
      rawMembers: own.filter((name) => !taken.has(name)),
      rawData: rest.length === 0 ? null : Object.fromEntries(rest),
    })
    for (const name of own) taken.add(name)
  }
  return parts
}
