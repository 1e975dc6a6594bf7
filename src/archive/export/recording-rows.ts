import { eq } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { samples } from '../../db/schema.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { lapsOfStored } from '../../engine/laps.ts'
import { engineRepairs, isJoined, type RunHead } from '../../library/documents/run.ts'
import {
  hasRawData,
  RAW_MEMBERS,
  type RawLibrary,
  type RawMember,
  recordingRawTexts,
  wholeText,
} from '../../library/files/raw-data.ts'
import { rankedRecordings, recordingsOf, type StoredRecording, samplesOf } from '../../library/recordings.ts'
import { packedMeta, unpackFractions, unpackTrack } from '../../workers/pack.ts'
import { derivedIds, type Row } from '../format/fields.ts'
import { RECORDING } from '../format/recording-rows.ts'
import { allColumns, fractionColumns, type RowColumns, type SamplesMeta, storedMeta } from '../format/sample-rows.ts'
import type { ExportedLibrary } from './library.ts'

const OWNERS = `SELECT workout.id FROM naming JOIN workout ON workout.id = run_id
  WHERE recording_id = ? AND live = 1 ORDER BY started_at, workout.id`

/**
 * The id that a recording has among the rows of a run: its own in the earliest of several runs, whose row has the samples
 * and raw data, and where an undone repair alone names it.
 */
export function archivedId(tx: Tx, workoutId: string, recordingId: string): string {
  const owners = tx.$client.query<{ id: string }, [string]>(OWNERS).all(recordingId)
  return owners.findIndex(({ id }) => id === workoutId) > 0 ? derivedIds(workoutId, recordingId)(0) : recordingId
}

/** The rows of `recordings.json` of one run, in the order in which the recordings arrived. */
export async function recordingObjects(library: ExportedLibrary, head: RunHead): Promise<Row[]> {
  const { db, hasFile } = library
  const { track } = head.body
  const named = recordingsOf(db, head.id).map((row) => ({ ...row, archivedId: archivedId(db, head.id, row.id) }))
  const isWhole = engineRepairs(track).length === 0
  const ranks = isJoined(track) ? named : rankedRecordings(db, track)
  const split = track.repairs.find(({ number, undoneAt }) => number !== undefined && undoneAt === undefined)
  const raw = await rawParts(library, named)
  return named.map((row, seq) => {
    const { id, startedAt, timeZone, splits, fileSession, fileName, fileType, weather, channels, laps } = row
    const isShared = row.archivedId !== id
    const position = ranks.findIndex((one) => one.id === id)
    const hasOriginal = row.storedAs !== null && hasFile(id)
    return {
      id: row.archivedId,
      workoutId: head.id,
      seq,
      position,
      origin: row.origin,
      kind: row.kind,
      externalId: row.externalId,
      ...(hasOriginal ? { fileSession, fileName, fileType } : { fileSession: null, fileName: null, fileType: null }),
      hasOriginal,
      startedAt: isoTime(startedAt),
      utcOffsetMinutes: row.utcOffsetMinutes,
      totals: RECORDING.totals(row.totals),
      words: RECORDING.words(row.words),
      weather,
      channels,
      laps: lapsOfStored(laps),
      ...(split?.kind === 'split' ? { partFromMs: startedAt + split.fromMs } : {}),
      ...(timeZone === null ? {} : { timeZone }),
      ...(splits === null ? {} : { splits }),
      ...(isShared ? { shares: id } : {}),
      ...(row.corrections.length > 0 ? { corrections: row.corrections } : {}),
      hasEstimatedTimes: row.hasEstimatedTimes,
      addedAt: isoTime(row.addedAt),
      ...(raw.get(id) ?? { rawMembers: [], rawData: null }),
      samples: isShared ? null : position === 0 && isWhole ? fractionsOf(db, id) : allSamplesOf(db, id),
    }
  })
}

/** Parts of samples that `time-series.json` cannot express; null when there are none. */
function fractionsOf(db: Tx, recordingId: string): Row | null {
  const { meta, rest } = samples
  const stored = db.select({ meta, rest }).from(samples).where(eq(samples.recordingId, recordingId)).get()
  const recorded = stored === undefined ? null : storedMeta(stored.meta)
  return stored && recorded ? samplesObject(recorded, fractionColumns(unpackFractions(stored))) : null
}

function allSamplesOf(db: Tx, recordingId: string): Row | null {
  const packed = samplesOf(db, recordingId)
  if (packed === null) return null
  const track = unpackTrack(packed)
  return samplesObject(track, allColumns(track))
}

/** @param columns those that are not in `time-series.json`; null when all are */
function samplesObject(meta: SamplesMeta, columns: RowColumns | null): Row {
  return { ...packedMeta(meta), columns }
}

/**
 * Decides which recording's raw data goes into the workout's row: for each member that of the first recording that has
 * one; the others are written with their own recordings, and those of a recording that another run has with that. When
 * only one recording has raw data, all of it goes into the row.
 */
async function rawParts(
  library: RawLibrary,
  recordings: readonly (StoredRecording & { readonly archivedId: string })[],
): Promise<ReadonlyMap<string, Row>> {
  const parts = new Map<string, Row>()
  const having = recordings.filter(hasRawData)
  const isOwn = ({ id, archivedId }: (typeof having)[number]) => id === archivedId
  const [only] = having
  if (only !== undefined && having.length === 1)
    return isOwn(only) ? parts.set(only.id, { rawMembers: RAW_MEMBERS, rawData: null }) : parts
  const taken = new Set<RawMember>()
  for (const recording of having) {
    const texts = await recordingRawTexts(library, recording, { whenDamaged: () => {} })
    const own = RAW_MEMBERS.filter((name) => texts[name] !== undefined)
    const rest = own.filter((name) => taken.has(name))
    const data = rest.map((name) => [name, JSON.parse(wholeText(texts[name] ?? []))] as const)
    if (isOwn(recording)) {
      parts.set(recording.id, {
        rawMembers: own.filter((name) => !taken.has(name)),
        rawData: data.length === 0 ? null : Object.fromEntries(data),
      })
    }
    for (const name of own) taken.add(name)
  }
  return parts
}
