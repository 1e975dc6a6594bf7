import { isObject } from '../../base/json-object.ts'
import { MOST_OF_NOTES } from '../../base/texts.ts'
import { RECORDING_ORIGINS, type StatedSplits } from '../../db/stored.ts'
import { CORRECTED, type Correction } from '../../engine/judge/correction.ts'
import {
  type DeviceLap,
  LAP_INTENSITIES,
  LAP_TRIGGERS,
  MOST_LAPS,
  orderedLaps,
  STATED_OF_LAPS,
  type StatedOfLap,
  type StoredLap,
  storedLaps,
} from '../../engine/laps.ts'
import type { Said } from '../../engine/numbers.ts'
import type { Channel } from '../../engine/run/channels.ts'
import { RAW_MEMBERS, type RawData } from '../../library/files/raw-data.ts'
import {
  numberOf,
  objectOf,
  objectsOf,
  oneOf,
  type Row,
  readEach,
  startTimeOf,
  textOf,
  timeOf,
  uuidOf,
  wholeOf,
  wordsAmong,
} from './fields.ts'
import { readMeta } from './sample-rows.ts'
import { MOST_SPLITS, readStatedSplits } from './split-rows.ts'
import {
  fileType,
  readNumbers,
  readOffset,
  readRpe,
  readRunType,
  readSession,
  readTimeZone,
  weatherText,
} from './workout-rows.ts'

const CHANNELS: readonly Channel[] = ['position', 'elevation', 'heartRate', 'cadence', 'power', 'temperature']
/** Names of files and rows; longer texts are cut. */
const readName = (value: unknown) => textOf(value, MOST_OF_NAME)
const MOST_OF_NAME = 500
const readPlace = (value: unknown) => wholeOf(value, 0)

const WORDS = {
  name: readName,
  notes: (value: unknown) => textOf(value, MOST_OF_NOTES),
  runType: readRunType,
  rpe: readRpe,
  source: readName,
  device: readName,
  gear: readName,
}

export const RECORDING = {
  id: uuidOf,
  seq: readPlace,
  position: readPlace,
  origin: (value: unknown) => oneOf(value, RECORDING_ORIGINS),
  kind: (value: unknown) => oneOf(value, ['file', 'row', 'manual', 'archive']),
  externalId: (value: unknown) => textOf(value, 200),
  fileSession: readSession,
  fileName: readName,
  fileType,
  partFromMs: readPlace,
  hasOriginal: (value: unknown) => value === true,
  startedAt: startTimeOf,
  utcOffsetMinutes: readOffset,
  timeZone: readTimeZone,
  totals: readSaid,
  words: (value: unknown) => readEach(isObject(value) ? value : {}, WORDS),
  weather: weatherText,
  channels: (value: unknown) => wordsAmong(value, CHANNELS),
  laps: readLaps,
  splits: readSplits,
  shares: uuidOf,
  hasEstimatedTimes: (value: unknown) => value === true,
  addedAt: timeOf,
  corrections: readCorrections,
  rawMembers: (value: unknown) => wordsAmong(value, RAW_MEMBERS),
  rawData: readRaw,
  samples: objectOf,
}
/** The members of a recording that a restore reads. */
export const RECORDING_FIELDS = ['workoutId', ...Object.keys(RECORDING)]

/** A recording as read from an archive. */
export type ReadRecording = NonNullable<ReturnType<typeof readRecording>>

/** @returns null for a row without id, place, origin, kind or start */
export function readRecording(row: Row) {
  const { id, seq, position, origin, kind, startedAt, addedAt, samples, ...about } = readEach(row, RECORDING)
  if (id === null || seq === null || position === null || origin === null || kind === null) return null
  if (startedAt === null) return null
  return {
    ...about,
    id,
    seq,
    position,
    origin,
    kind,
    startedAt,
    addedAt: addedAt ?? startedAt,
    meta: readMeta(samples),
    /** Columns of its samples; see `tableOfColumns`. */
    columns: samples?.columns,
  }
}

/** Whole splits, or ids of those that are computed; null for anything else. */
function readSplits(value: unknown): StatedSplits | null {
  if (!Array.isArray(value) || value.length > MOST_SPLITS) return null
  if (!value.some(isObject)) return value.map(uuidOf)
  return readStatedSplits(value)
}

/** Those that are valid. What an archive brings is not judged again. */
function readCorrections(value: unknown): Correction[] {
  return objectsOf(value)
    .slice(0, 100)
    .flatMap(({ what: named, stated, used, reason: given }): Correction[] => {
      const [what, reason] = [oneOf(named, CORRECTED), readName(given)]
      return what === null || reason === null
        ? []
        : [{ what, stated: readValue(stated), used: readValue(used), reason }]
    })
}

const readValue = (value: unknown) => numberOf(value) ?? readName(value)

/** Laps in stored form. */
function readLaps(value: unknown): StoredLap[] {
  const laps = (Array.isArray(value) ? value : []).slice(0, MOST_LAPS).flatMap((lap): DeviceLap[] => {
    if (!isObject(lap)) return []
    const [startMs, endMs] = [numberOf(lap.startMs), numberOf(lap.endMs)]
    if (startMs === null || endMs === null) return []
    const stated = Object.fromEntries(STATED_OF_LAPS.map((name) => [name, numberOf(lap[name])]))
    const words = { trigger: oneOf(lap.trigger, LAP_TRIGGERS), intensity: oneOf(lap.intensity, LAP_INTENSITIES) }
    return [{ startMs, endMs, ...(stated as Record<StatedOfLap, number | null>), ...words }]
  })
  return storedLaps(orderedLaps(laps))
}

/** The numbers that are known. */
function readSaid(value: unknown): Said {
  const numbers = readNumbers(isObject(value) ? value : {})
  return Object.fromEntries(Object.entries(numbers).filter(([, stated]) => stated !== null))
}

function readRaw(value: unknown): Partial<RawData> | null {
  const given = objectOf(value)
  return given && Object.fromEntries(RAW_MEMBERS.filter((name) => name in given).map((name) => [name, given[name]]))
}
