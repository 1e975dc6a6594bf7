import type { repairs } from '../../db/schema.ts'
import type { Before, RepairData } from '../../db/stored.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { eachNumber, NUMBER_NAMES, type NumberName, type Numbers, type Said } from '../../engine/numbers.ts'
import { MENDED_CHANNELS } from '../../engine/repair/mend.ts'
import type { Repair } from '../../engine/repair/repairs.ts'
import { isObject } from '../../json-object.ts'
import type { NewRepair } from '../../library/add-workout.ts'
import { numberOf, oneOf, type Row, readEach, timeOf, uuidOf, wholeOf } from './fields.ts'
import { readClimbLimit } from './sample-rows.ts'
import { readSplit } from './split-rows.ts'
import { readBounds, readOffset, readTimeZone, weatherText, zoneSeconds } from './workout-rows.ts'

const KINDS: readonly Repair['kind'][] = ['crop', 'cut', 'split', 'join', 'mend', 'distance', 'shift', 'numbers']
/** Longest shift of a run in time; a longer one is not a valid repair. */
const MOST_MOVED_MS = 2 ** 45

const REPAIR = {
  id: uuidOf,
  recordingId: uuidOf,
  seq: (value: unknown) => wholeOf(value, 0),
  kind: (value: unknown) => oneOf(value, KINDS),
  data: (value: unknown) => (isObject(value) ? value : null),
  madeAt: timeOf,
  undoneAt: timeOf,
}
/** The members of a repair that a restore reads. */
export const REPAIR_FIELDS = ['workoutId', ...Object.keys(REPAIR)]

/** One row of `repairs.json`. */
export function repairObject(row: typeof repairs.$inferSelect) {
  const { id, workoutId, recordingId, seq, kind, data, madeAt, undoneAt } = row
  return {
    id,
    workoutId,
    recordingId,
    seq,
    kind,
    data: readData(kind, { ...data }),
    madeAt: isoTime(madeAt),
    undoneAt: undoneAt === null ? null : isoTime(undoneAt),
  }
}

/** @returns null for a row without id, place or time, or of an unknown kind */
export function readRepair(row: Row): NewRepair | null {
  const { id, seq, kind, data: given, madeAt, ...about } = readEach(row, REPAIR)
  if (id === null || seq === null || kind === null || given === null || madeAt === null) return null
  const data = readData(kind, given)
  if (data === null || (about.undoneAt === null && row.undoneAt !== null && row.undoneAt !== undefined)) return null
  return { ...about, id, seq, kind, data, madeAt }
}

function readData(kind: Repair['kind'], value: Row): RepairData | null {
  const change = readChange(kind, value)
  if (change === null) return null
  const { kind: _, ...data } = change
  const before = readBefore(isObject(value.before) ? value.before : {})
  return { ...data, zonesBefore: readBounds(value.zonesBefore), before }
}

function readChange(kind: Repair['kind'], value: Row): Repair | null {
  switch (kind) {
    case 'crop':
    case 'cut': {
      const stretch = readStretch(value)
      const { climbLimit, caloriesKcal } = value
      const left = { climbLimit: readClimbLimit(climbLimit), caloriesKcal: numberOf(caloriesKcal) }
      if (stretch === null) return null
      return kind === 'crop'
        ? { kind, ...stretch, ...left }
        : { kind, ...stretch, ...left, closesGap: value.closesGap === true }
    }
    case 'split': {
      const stretch = readStretch(value)
      const { climb, caloriesKcal } = value
      return stretch && { kind, ...stretch, climb: readClimbLimit(climb), caloriesKcal: numberOf(caloriesKcal) }
    }
    case 'join':
      return { kind, caloriesKcal: numberOf(value.caloriesKcal) }
    case 'mend': {
      const stretch = readStretch(value)
      const channel = oneOf(value.channel, MENDED_CHANNELS)
      const fill = oneOf(value.fill, ['gap', 'interpolate'] as const)
      return stretch === null || channel === null || fill === null ? null : { kind, ...stretch, channel, fill }
    }
    case 'distance': {
      const distanceM = numberOf(value.distanceM, 0, 1e9)
      return distanceM === null ? null : { kind, distanceM, factor: numberOf(value.factor, 0, 1e6) }
    }
    case 'shift': {
      const offsetMs = readMoved(value.offsetMs)
      return offsetMs === null ? null : { kind, offsetMs, timeZone: readTimeZone(value.timeZone) }
    }
    case 'numbers': {
      const offsetMs = readMoved(value.offsetMs)
      return offsetMs === null || !isObject(value.values) ? null : { kind, offsetMs, values: readValues(value.values) }
    }
  }
}

function readStretch(value: Row): { fromMs: number; toMs: number } | null {
  const [fromMs, toMs] = [numberOf(value.fromMs, 0), numberOf(value.toMs, 0)]
  return fromMs === null || toMs === null ? null : { fromMs, toMs }
}

function readMoved(value: unknown): number | null {
  return wholeOf(value, -MOST_MOVED_MS, MOST_MOVED_MS)
}

/** Numbers by name; null: the runner marked the number as unknown. */
function readValues(value: Row): Said {
  const said: { [K in NumberName]?: number | null } = {}
  for (const name of NUMBER_NAMES) {
    const told = numberOf(value[name], -1e9, 1e9)
    if (told !== null || value[name] === null) said[name] = told
  }
  return said
}

const BEFORE = {
  timeZone: readTimeZone,
  utcOffsetMinutes: readOffset,
  splits: (value: unknown) => listed(value).flatMap((split) => readSplit({ ...split, exactPaceS: split.paceS }) ?? []),
  efforts: (value: unknown) => listed(value).flatMap((effort) => readStashed(effort) ?? []),
}

function readBefore(value: Row): Before['before'] {
  return {
    ...readEach(value, BEFORE),
    ...(value.weather === undefined ? {} : { weather: weatherText(value.weather) }),
    ...(isObject(value.numbers) ? { numbers: readNumbers(value.numbers) } : {}),
  }
}

function readNumbers(value: Row): Numbers {
  const numbers = eachNumber((name) => numberOf(value[name], -1e9, 1e9) as number)
  return { ...numbers, hrZoneSeconds: zoneSeconds(value.hrZoneSeconds) }
}

function listed(value: unknown): Row[] {
  return (Array.isArray(value) ? value : []).filter(isObject)
}

const EFFORT = {
  id: uuidOf,
  distanceIndex: (value: unknown) => wholeOf(value, 0, 100),
  timeMs: (value: unknown) => wholeOf(value, 1),
  calculatedAt: (value: unknown) => wholeOf(value),
}

function readStashed(effort: Row): Before['before']['efforts'][number] | null {
  const { id, distanceIndex, timeMs, calculatedAt } = readEach(effort, EFFORT)
  if (id === null || distanceIndex === null || timeMs === null || calculatedAt === null) return null
  return { id, distanceIndex, timeMs, calculatedAt, isArchived: effort.isArchived === true }
}
