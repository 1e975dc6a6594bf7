import { eq } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { samples, workouts } from '../../db/schema.ts'
import { leavesPart } from '../../engine/repair/repairs.ts'
import { engineRepairs, isJoined, type RunHead, type RunTrack, runHead } from '../../library/documents/run.ts'
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
  primaryId,
  rankedRecordings,
  recordingsOf,
  type StoredRecording,
  samplesOf,
  workoutPositions,
  workoutTrack,
} from '../../library/recordings.ts'
import { unpackFractions, unpackTrack } from '../../workers/pack.ts'
import { readCarried } from '../format/carried.ts'
import { derivedIds, type Row } from '../format/fields.ts'
import { routeText } from '../format/part-rows.ts'
import { type RecordedSamples, recordingObject } from '../format/recording-rows.ts'
import { repairObjects } from '../format/repair-rows.ts'
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
  const head = headOf(db, row.id)
  const { carried } = head.body
  const stored = recordingsOf(db, row.id)
  const last = engineRepairs(head.body.track).findLast(leavesPart)
  const first = stored.find(({ storedAs }) => storedAs !== null)
  const member = recordingMember(row, {
    splitUnitM: head.asked.splitUnitM,
    fileSession: first?.fileSession ?? null,
    said: stored.map(({ totals }) => totals),
    repaired: last === undefined ? null : { caloriesKcal: last.caloriesKcal },
    samples: settledMeta(db, head),
  })
  return workoutJson(row, {
    head,
    carried: carried && readCarried(carried),
    member,
    rawData: await workoutRawData(library, row.id, () => whenDamaged(row.id)),
    original: first !== undefined && hasFile(first.id) ? first : null,
  })
}

function headOf(tx: Tx, id: string): RunHead {
  const head = runHead(tx, id)
  if (head === null) throw new Error(`The run ${id} has no document`)
  return head
}

const OWNER = `SELECT workout.id FROM naming JOIN workout ON workout.id = run_id
  WHERE recording_id = ? AND live = 1 ORDER BY started_at, workout.id LIMIT 1`

/** The earliest run that has a part of a recording; its row in an archive has the samples, those of other runs share it. */
function ownerOf(tx: Tx, recordingId: string): string | null {
  return tx.$client.query<{ id: string }, [string]>(OWNER).get(recordingId)?.id ?? null
}

/** The id that a recording has among the rows of a run: its own in the earliest of several runs. */
export function archivedId(tx: Tx, workoutId: string, recordingId: string): string {
  return ownerOf(tx, recordingId) === workoutId ? recordingId : derivedIds(workoutId, recordingId)(0)
}

/** The rows of `recordings.json` of one workout, in the order in which the recordings arrived. */
export async function recordingTexts(library: ExportedLibrary, workoutId: string): Promise<string[]> {
  const { db, hasFile } = library
  const { track } = headOf(db, workoutId).body
  const stored = recordingsOf(db, workoutId)
  const isWhole = engineRepairs(track).length === 0
  const ranks = isJoined(track) ? [] : rankedRecordings(db, track).map(({ id }) => id)
  const isShared = (id: string) => ownerOf(db, id) !== workoutId
  const raw = await rawParts(
    library,
    stored.filter(({ id }) => !isShared(id)),
  )
  return stored.map((recording, seq) => {
    const { id } = recording
    const position = isJoined(track) ? seq : ranks.indexOf(id)
    const shares = isShared(id) ? id : null
    return JSON.stringify(
      recordingObject(recording, {
        id: archivedId(db, workoutId, id),
        workoutId,
        seq,
        position,
        shares,
        part: laterPart(track, recording),
        hasOriginal: recording.storedAs !== null && hasFile(id),
        ...(raw.get(id) ?? { rawMembers: [], rawData: null }),
        samples: shares !== null ? null : position === 0 && isWhole ? fractionsOf(db, id) : allSamplesOf(db, id),
      }),
    )
  })
}

function laterPart({ repairs }: RunTrack, { startedAt }: StoredRecording) {
  const split = repairs.find(({ number, undoneAt }) => number !== undefined && undoneAt === undefined)
  return split?.kind !== 'split' ? null : { partFromMs: startedAt + split.fromMs, partToMs: startedAt + split.toMs }
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
export function repairRows(tx: Tx, workoutId: string): Row[] {
  const { track } = headOf(tx, workoutId).body
  if (!isJoined(track) && track.repairs.length === 0) return []
  const { timeZone, utcOffsetMinutes } = workouts
  const place = tx.select({ timeZone, utcOffsetMinutes }).from(workouts).where(eq(workouts.id, workoutId)).get()!
  return repairObjects(track, { workoutId, place, idOf: (id) => archivedId(tx, workoutId, id) })
}

/** The row of `routes.json` of one workout; null without a route. */
export function workoutRouteText({ db }: Pick<ExportedLibrary, 'db'>, workoutId: string): string | null {
  const positions = workoutPositions(db, workoutId)
  return positions && routeText({ workoutId, routeId: headOf(db, workoutId).body.routeId }, positions)
}

function settledMeta(db: Tx, { id, body: { track } }: RunHead): SamplesMeta | null {
  if (isJoined(track) || engineRepairs(track).length > 0) return workoutTrack(db, id)
  const primary = primaryId(db, track)
  if (primary === null) return null
  const stored = db.select({ meta: samples.meta }).from(samples).where(eq(samples.recordingId, primary)).get()
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
