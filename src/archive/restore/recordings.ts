import { eq } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { recordings as recordingTable, repairs as repairTable } from '../../db/schema.ts'
import type { OurPart, StashedSplit } from '../../db/stored.ts'
import { NUMBER_NAMES, NUMBERS, type NumberName, type Said, saidTotals } from '../../engine/numbers.ts'
import { channelsOf } from '../../engine/run/channels.ts'
import { type Repair, repaired } from '../../engine/settle.ts'
import type { Track } from '../../engine/track.ts'
import type { NewRepair } from '../../library/add-workout.ts'
import { RAW_MEMBERS, type RawData } from '../../library/files/raw-data.ts'
import type { NewRecording } from '../../library/recordings.ts'
import { packTrack } from '../../workers/pack.ts'
import { exportedTrack } from '../format/recorded.ts'
import type { ReadRecording } from '../format/recordings.ts'
import { hasTimes, tableOfColumns } from '../format/samples.ts'
import type { WorkoutValues } from '../format/workouts.ts'
import type { ArchivedWorkout } from './archived.ts'
import type { RawFile } from './files.ts'
import type { RestoreReport } from './report.ts'
import { ownTrack } from './track.ts'

/** A recording with the files that belong to it. */
export interface RestoredRecording {
  readonly recording: NewRecording
  readonly original: RawFile | null
  readonly rawData: RawData | null
}

/** What a workout is made of here. */
export interface RestoredInputs {
  /** By arrival. */
  readonly recordings: readonly RestoredRecording[]
  /** Of each recording. */
  readonly positions: readonly number[]
  readonly repairs: readonly NewRepair[]
  /** As the repairs leave it. */
  readonly track: Track | null
  /** Of archives of before these were written. */
  readonly ours: readonly OurPart[]
}

const NO_RAW: RawData = { rawGpxData: null, rawFitData: null, rawStravaData: null }

/** Recordings and repairs as an archive has them, under their ids where nobody else has these. */
export function toldInputs(tx: Tx, archived: ArchivedWorkout, report: RestoreReport): RestoredInputs {
  const { told, rawData } = archived
  const ids = new Map(told.map(({ id }) => [id, freeRecordingId(tx, id)]))
  const ranked = told.toSorted((a, b) => a.position - b.position)
  const hashes = new Set<string>()
  const tracks = told.map((recording) => trackOf(archived, recording, { isPrimary: recording === ranked[0], report }))
  const recordings = told.map((recording, place): RestoredRecording => {
    const { meta: _, columns: __, hasOriginal: ___, rawMembers, ...about } = recording
    const own = rawMembers.filter((name) => rawData[name] !== null).map((name) => [name, rawData[name]] as const)
    const raw = { ...NO_RAW, ...recording.rawData, ...Object.fromEntries(own) }
    const hasRaw = RAW_MEMBERS.some((name) => raw[name] !== null)
    const original = archived.originals.get(recording.id) ?? null
    const file = fileOf(original, recording.fileSession, hashes)
    const track = tracks[place] ?? null
    return {
      recording: {
        ...about,
        id: ids.get(recording.id) ?? recording.id,
        file,
        samples: track && packTrack(track),
        hasRaw,
        hasEstimatedTimes: track?.hasEstimatedTimes === true,
      },
      original,
      rawData: hasRaw ? raw : null,
    }
  })
  const recorded = tracks[told.indexOf(ranked[0]!)] ?? null
  const { repairs, track } = settledBy(recorded, archived, report)
  return {
    recordings,
    positions: told.map((recording) => ranked.indexOf(recording)),
    repairs: repairs.map((repair) => ({
      ...repair,
      id: freeRepairId(tx, repair.id),
      recordingId: repair.recordingId === null ? null : (ids.get(repair.recordingId) ?? null),
    })),
    track,
    ours: [],
  }
}

/**
 * What an archive of before recordings had a file of their own gives: that which the migration of a library of then gives.
 * An archive of another program says its numbers itself, and is one recording.
 * @param track of its samples
 */
export function oneRecording(
  tx: Tx,
  archived: ArchivedWorkout,
  { track, nowMs }: { readonly track: Track | null; readonly nowMs: number },
): RestoredInputs {
  const { id, values, member, originals, rawData, splits } = archived
  const { words, weather, numbers } = values
  const kind = kindOf(archived, track)
  const totals = member === null ? {} : saidTotals(member.deviceTotals)
  // a total of the climb is never a file's: it came from a table's row, which a file completed
  const hasRow = kind === 'file' && track !== null && (totals.elevGainM ?? totals.elevLossM ?? null) !== null
  const original = originals.get(id) ?? null
  const hasRaw = RAW_MEMBERS.some((name) => rawData[name] !== null)
  const about = {
    externalId: null,
    startedAtMs: values.startedAtMs,
    addedAtMs: member === null ? nowMs : values.createdAtMs,
  }
  const recording: NewRecording = {
    ...about,
    id: freeRecordingId(tx, id),
    origin: kind === 'archive' ? 'archive' : words.source === 'strava_import' ? 'strava_archive' : 'upload',
    kind,
    file: fileOf(original, member?.fileSession ?? null, new Set()),
    utcOffsetMinutes: values.utcOffsetMinutes ?? null,
    said: kind === 'archive' ? saidNumbers(values) : hasRow ? {} : totals,
    words: { ...words, gear: null },
    weather,
    samples: track && packTrack(track),
    channels: track === null ? [] : channelsOf(track),
    hasRaw,
    hasEstimatedTimes: track?.hasEstimatedTimes === true,
  }
  const row: NewRecording = {
    ...about,
    ...{ id: crypto.randomUUID(), origin: 'strava_archive', kind: 'row', file: null, utcOffsetMinutes: null },
    ...{ said: totals, weather: null, samples: null, channels: [], hasRaw: false, hasEstimatedTimes: false },
    words: { name: null, notes: null, runType: null, rpe: null, source: null, device: null, gear: null },
  }
  const isOurs = member !== null && kind === 'archive'
  const ours: readonly (readonly [OurPart, boolean])[] = [
    ['effort', numbers.hrZoneSeconds !== null],
    ['splits', splits.length > 0 && splits.every(isPlaced)],
  ]
  const rows: RestoredRecording[] = hasRow ? [{ recording: row, original: null, rawData: null }] : []
  return {
    recordings: [...rows, { recording, original, rawData: hasRaw ? rawData : null }],
    positions: hasRow ? [1, 0] : [0],
    repairs: [],
    track,
    ours: isOurs ? ours.filter(([, is]) => is).map(([part]) => part) : [],
  }
}

/** As src/db/migrations/0009_recordings.sql has it. */
function kindOf({ values, member, splits }: ArchivedWorkout, track: Track | null) {
  if (member === null) return 'archive'
  if (values.words.source === 'strava_import' && track === null && splits.length === 0) return 'row'
  if (!splits.every(isPlaced)) return 'archive'
  const { numbers } = values
  const isSaid = (name: NumberName) => {
    const { total } = NUMBERS[name]
    return total === null || name === 'avgSpeedMps' || member.deviceTotals[total] === numbers[name]
  }
  return member.deviceTotals.avgSpeedMps === null && NUMBER_NAMES.every(isSaid) ? 'archive' : 'file'
}

/** It says where in the run it begins: no other program's does. */
function isPlaced({ startElapsedS }: StashedSplit): boolean {
  return startElapsedS !== null
}

/** All that a row says, but the pace, which is computed. */
function saidNumbers({ numbers }: WorkoutValues): Said {
  const told = NUMBER_NAMES.filter((name) => name !== 'avgPaceS' && numbers[name] !== null)
  const said: Said = Object.fromEntries(told.map((name) => [name, numbers[name]]))
  return numbers.hrZoneSeconds === null ? said : { ...said, hrZoneSeconds: numbers.hrZoneSeconds }
}

/** @param hashes of the other originals: the same bytes are one recording's */
function fileOf(original: RawFile | null, session: number | null, hashes: Set<string>): NewRecording['file'] {
  if (original === null) return null
  const key = `${original.sha256}/${session ?? 0}`
  const sha256 = hashes.has(key) ? null : original.sha256
  hashes.add(key)
  return { name: original.name, type: original.type, sha256, session, isStored: true }
}

function trackOf(
  { table, values, routeGeoJson, id }: ArchivedWorkout,
  { meta, columns }: ReadRecording,
  { isPrimary, report }: { readonly isPrimary: boolean; readonly report: RestoreReport },
): Track | null {
  if (meta === null) return null
  const isInTimeSeries = isPrimary && !hasTimes(columns)
  const rows = tableOfColumns(columns, isInTimeSeries ? table : null)
  const { durationS } = values.numbers
  const track = isInTimeSeries
    ? ownTrack({ table: rows ?? table, meta, routeGeoJson, durationS }, () =>
        report.warn(LOST_POSITIONS, { which: id }),
      )
    : rows && exportedTrack(rows, meta)
  if (track === null) report.warn('Recordings whose samples are not in the archive, restored without', { which: id })
  return track
}

export const LOST_POSITIONS = 'Workouts whose samples lost their positions, which are taken from the route'

/** A repair that cannot be done, of samples that are not there, is left out with all others. */
function settledBy(recorded: Track | null, { id, repairs }: ArchivedWorkout, report: RestoreReport) {
  const active = repairs.filter(({ undoneAt }) => undoneAt === null)
  if (active.length === 0) return { repairs, track: recorded }
  try {
    if (recorded === null) throw new RangeError('No samples to repair')
    const track = repaired(
      recorded,
      active.map(({ kind, data }): Repair => ({ kind, ...data })),
    )
    return { repairs, track }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    report.warn('Workouts whose repairs cannot be done, restored without', { which: id })
    return { repairs: [], track: recorded }
  }
}

function freeRecordingId(tx: Tx, id: string): string {
  const taken = tx.select({ id: recordingTable.id }).from(recordingTable).where(eq(recordingTable.id, id)).get()
  return taken === undefined ? id : Bun.randomUUIDv7()
}

function freeRepairId(tx: Tx, id: string): string {
  const taken = tx.select({ id: repairTable.id }).from(repairTable).where(eq(repairTable.id, id)).get()
  return taken === undefined ? id : Bun.randomUUIDv7()
}
