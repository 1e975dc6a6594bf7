import type { recordings, repairs } from '../../db/schema.ts'
import type { CropData, RecordingWords, StashedEffort } from '../../db/stored.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { NUMBER_NAMES, type NumberName, type Said } from '../../engine/numbers.ts'
import type { Channel } from '../../engine/run/channels.ts'
import { isObject } from '../../json-object.ts'
import { RAW_MEMBERS, type RawData } from '../../library/files/raw-data.ts'
import { isTimeZone, metaObject, readClimbLimit, readMeta, readSession, type SamplesMeta } from './recorded.ts'
import { isWithin, LATEST_START_MS, numberOf, oneOf, type Row, textOf, timeOf, uuidOf, wholeOf } from './row-fields.ts'
import { readSplit } from './splits.ts'
import { fileType, objectOf, readBounds, readRunType, weatherText, wordsAmong, zoneSeconds } from './workouts.ts'

/** The members of a recording that are read. */
export const RECORDING_FIELDS = [
  ...(['id', 'workoutId', 'seq', 'position', 'origin', 'kind', 'externalId', 'fileSession', 'fileName'] as const),
  ...(['fileType', 'hasOriginal', 'startedAt', 'utcOffsetMinutes', 'totals', 'words', 'weather', 'channels'] as const),
  ...(['hasEstimatedTimes', 'addedAt', 'rawMembers', 'rawData', 'samples'] as const),
] as const
/** The members of a repair that are read. */
export const REPAIR_FIELDS = ['id', 'workoutId', 'recordingId', 'seq', 'kind', 'data', 'madeAt', 'undoneAt'] as const

const ORIGINS = ['upload', 'strava_archive', 'archive'] as const
const KINDS = ['file', 'row', 'archive'] as const
const CHANNELS: readonly Channel[] = ['position', 'elevation', 'heartRate', 'cadence', 'power', 'temperature']
const WORDS = ['name', 'notes', 'source', 'device', 'gear'] as const

type StoredRecording = typeof recordings.$inferSelect
type StoredRepair = typeof repairs.$inferSelect

/** The samples of a recording. */
export interface RecordedSamples {
  readonly meta: SamplesMeta
  /** Those that do not stand in `time-series.json`; null when all do. */
  readonly columns: Record<string, (number | null)[]> | null
}

/** What of a recording stands elsewhere, and what here because it does not. */
export interface RecordingExtras {
  /** Its original is in the archive. */
  readonly hasOriginal: boolean
  /** Which raw data of the workout's row are its own. */
  readonly rawMembers: readonly (keyof RawData)[]
  /** Raw data of which the workout's row has that of another recording. */
  readonly rawData: Partial<RawData> | null
  readonly samples: RecordedSamples | null
}

/** One row of `recordings.json`. */
export function recordingObject(row: StoredRecording, { hasOriginal, rawMembers, rawData, samples }: RecordingExtras) {
  return {
    id: row.id,
    workoutId: row.workoutId,
    seq: row.seq,
    position: row.position,
    origin: row.origin,
    kind: row.kind,
    externalId: row.externalId,
    fileSession: hasOriginal ? row.fileSession : null,
    fileName: hasOriginal ? row.fileName : null,
    fileType: hasOriginal ? row.fileType : null,
    hasOriginal,
    startedAt: isoTime(row.startedAt),
    utcOffsetMinutes: row.utcOffsetMinutes,
    totals: readSaid(row.totals),
    words: readWords(row.words),
    weather: row.weather,
    channels: row.channels,
    hasEstimatedTimes: row.hasEstimatedTimes,
    addedAt: isoTime(row.addedAt),
    rawMembers,
    rawData,
    samples: samples && { ...metaObject(samples.meta), columns: samples.columns },
  }
}

/** A recording as an archive has it. */
export interface ReadRecording
  extends Pick<StoredRecording, 'id' | 'seq' | 'position' | 'origin' | 'kind' | 'externalId' | 'fileName' | 'fileType'>,
    Pick<StoredRecording, 'fileSession' | 'utcOffsetMinutes' | 'weather' | 'words' | 'channels'> {
  readonly hasOriginal: boolean
  readonly startedAtMs: number
  readonly said: Said
  readonly addedAtMs: number
  readonly rawMembers: readonly (keyof RawData)[]
  readonly rawData: Partial<RawData> | null
  readonly meta: SamplesMeta | null
  /** Of its samples; see `tableOfColumns`. */
  readonly columns: unknown
}

/** @returns null for a row without id, place, origin, kind or start */
export function readRecording(row: Row): ReadRecording | null {
  const id = uuidOf(row.id)
  const [seq, position] = [wholeOf(row.seq, 0), wholeOf(row.position, 0)]
  const [origin, kind] = [oneOf(row.origin, ORIGINS), oneOf(row.kind, KINDS)]
  const startedAtMs = timeOf(row.startedAt)
  if (id === null || seq === null || position === null || origin === null || kind === null) return null
  if (startedAtMs === null || startedAtMs > LATEST_START_MS) return null
  const { channels, rawMembers } = row
  const rawData = objectOf(row.rawData)
  const samples = objectOf(row.samples)
  return {
    ...{ id, seq, position, origin, kind, startedAtMs },
    externalId: textOf(row.externalId, 200),
    fileSession: readSession(row.fileSession),
    fileName: textOf(row.fileName),
    fileType: fileType(row.fileType),
    hasOriginal: row.hasOriginal === true,
    utcOffsetMinutes: wholeOf(row.utcOffsetMinutes, -1440, 1440),
    said: readSaid(row.totals),
    words: readWords(row.words),
    weather: weatherText(row.weather),
    channels: Array.isArray(channels) ? wordsAmong(channels, CHANNELS) : null,
    addedAtMs: timeOf(row.addedAt) ?? startedAtMs,
    rawMembers: wordsAmong(rawMembers, RAW_MEMBERS),
    rawData:
      rawData && Object.fromEntries(RAW_MEMBERS.flatMap((name) => (name in rawData ? [[name, rawData[name]]] : []))),
    meta: readMeta(samples),
    columns: samples?.columns ?? null,
  }
}

/** Numbers by their names, in the order of the table; what is none is left out. */
function readSaid(value: unknown): Said {
  const said: { [K in NumberName]?: number } = {}
  if (!isObject(value)) return said
  for (const name of NUMBER_NAMES) {
    const told = value[name]
    if (isWithin(told, -1e9, 1e9)) said[name] = told
  }
  const zones = zoneSeconds(value.hrZoneSeconds)
  return zones === null ? said : { ...said, hrZoneSeconds: zones }
}

function readWords(value: unknown): RecordingWords {
  const words = isObject(value) ? value : {}
  const [name = null, notes = null, source = null, device = null, gear = null] = WORDS.map((word) =>
    textOf(words[word]),
  )
  return { name, notes, runType: readRunType(words.runType), rpe: wholeOf(words.rpe, 1, 10), source, device, gear }
}

/** One row of `repairs.json`. */
export function repairObject(row: StoredRepair) {
  return {
    id: row.id,
    workoutId: row.workoutId,
    recordingId: row.recordingId,
    seq: row.seq,
    kind: row.kind,
    data: readCrop(row.data),
    madeAt: isoTime(row.madeAt),
    undoneAt: row.undoneAt === null ? null : isoTime(row.undoneAt),
  }
}

/** @returns null for a row without id, place or time, or of a kind that is not known */
export function readRepair(row: Row): Omit<StoredRepair, 'workoutId'> | null {
  const id = uuidOf(row.id)
  const seq = wholeOf(row.seq, 0)
  const kind = oneOf(row.kind, ['crop'])
  const data = readCrop(row.data)
  const madeAt = timeOf(row.madeAt)
  const undoneAt = timeOf(row.undoneAt)
  if (id === null || seq === null || kind === null || data === null || madeAt === null) return null
  if (undoneAt === null && row.undoneAt !== null && row.undoneAt !== undefined) return null
  return { id, recordingId: uuidOf(row.recordingId), seq, kind, data, madeAt, undoneAt }
}

function readCrop(value: unknown): CropData | null {
  if (!isObject(value)) return null
  const [fromMs, toMs] = [numberOf(value.fromMs, 0), numberOf(value.toMs, 0)]
  if (fromMs === null || toMs === null) return null
  const before = isObject(value.before) ? value.before : {}
  const listed = (list: unknown) => (Array.isArray(list) ? list : []).filter(isObject)
  return {
    fromMs,
    toMs,
    climbLimit: readClimbLimit(value.climbLimit),
    caloriesKcal: numberOf(value.caloriesKcal),
    zonesBefore: readBounds(value.zonesBefore),
    before: {
      timeZone: isTimeZone(before.timeZone) ? before.timeZone : null,
      utcOffsetMinutes: wholeOf(before.utcOffsetMinutes, -1440, 1440),
      splits: listed(before.splits).flatMap((split) => readSplit({ ...split, exactPaceS: split.paceS }) ?? []),
      efforts: listed(before.efforts).flatMap((effort) => readStashed(effort) ?? []),
    },
  }
}

function readStashed(effort: Row): StashedEffort | null {
  const id = uuidOf(effort.id)
  const [distanceIndex, timeMs] = [wholeOf(effort.distanceIndex, 0, 100), wholeOf(effort.timeMs, 1)]
  const calculatedAt = wholeOf(effort.calculatedAt)
  if (id === null || distanceIndex === null || timeMs === null || calculatedAt === null) return null
  return { id, distanceIndex, timeMs, calculatedAt, isArchived: effort.isArchived === true }
}
