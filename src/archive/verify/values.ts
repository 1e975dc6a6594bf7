import { roundHalfUp } from '../../engine/units.ts'
import { isObject } from '../../json-object.ts'
import { toldWeather } from '../../library/weather.ts'
import { printableName } from '../../texts.ts'
import { ZONE_METHODS } from '../format/account-rows.ts'
import { type Row, rowReader, textOf, timeOf, unpackedJson } from '../format/fields.ts'
import type { DataFile } from '../format/manifest.ts'
import { fileType } from '../format/workout-rows.ts'

/** A value that differs from that of the archive. */
export interface Difference {
  /** Path of the value, such as `rawFitData.laps[2].distanceM`. */
  readonly field: string
  readonly archived: unknown
  readonly restored: unknown
}

/**
 * The first value, at any depth, in which a restored row differs from the archived one; a missing value equals null.
 * Nothing is rounded or left out.
 * @returns null when they are equal
 */
export function firstDifference(archived: unknown, restored: unknown, field = ''): Difference | null {
  if (archived === restored) return null
  if (Array.isArray(archived) && Array.isArray(restored)) {
    for (let i = 0; i < Math.max(archived.length, restored.length); i += 1) {
      const found = firstDifference(archived[i], restored[i], `${field}[${i}]`)
      if (found !== null) return found
    }
    return null
  }
  if (isObject(archived) && isObject(restored)) {
    for (const key of new Set([...Object.keys(archived), ...Object.keys(restored)])) {
      const found = firstDifference(archived[key], restored[key], field === '' ? key : `${field}.${key}`)
      if (found !== null) return found
    }
    return null
  }
  return (archived ?? null) === (restored ?? null) ? null : { field, archived, restored }
}

/**
 * Converts a restored row to the form of own archives from before `recordings.json`: without later members, and with
 * the totals of the single device in place of those of the recordings.
 */
export function asInFirstDraft(kind: DataFile, archived: unknown, restored: Row): Row {
  const { exactPaceS: _, inputs: __, recording, ...row } = restored
  if (kind !== 'workouts') return row
  const before = isObject(archived) && isObject(archived.recording) ? archived.recording : {}
  return { ...row, recording: { ...(isObject(recording) ? recording : {}), deviceTotals: before.deviceTotals } }
}

/**
 * Converts a restored row to the form of own archives from before decisions on efforts and statistics existed: without
 * these members where they are empty.
 */
export function asBeforeWords(kind: DataFile, archived: unknown, restored: Row): Row {
  if (kind !== 'workouts' || !isObject(archived) || 'leftOut' in archived) return restored
  const { leftOut, inputs, ...row } = restored
  const { effortWords, ...made } = isObject(inputs) ? inputs : {}
  const saysNothing = leftOut === false && Array.isArray(effortWords) && effortWords.length === 0
  return saysNothing ? { ...row, inputs: made } : restored
}

/**
 * Converts a restored row to the form of own archives from before documents: what a repair replaced stood with the repair,
 * and weather that was looked up with the recording.
 */
export function asBeforeDocuments(kind: DataFile, archived: unknown, restored: Row): Row {
  const before = isObject(archived) ? archived : {}
  if (kind === 'workouts') {
    const { carried: _, ...inputs } = isObject(restored.inputs) ? restored.inputs : {}
    return { ...restored, inputs }
  }
  if (kind === 'repairs') {
    const { number: _, ...row } = restored
    const { effortTimesBefore: __, ...data } = isObject(row.data) ? row.data : {}
    return { ...row, data: { ...data, before: isObject(before.data) ? before.data.before : undefined } }
  }
  if (kind !== 'recordings') return restored
  const { splits: _, timeZone: __, shares: ___, ...row } = restored
  const weather =
    typeof before.weather === 'string' && toldWeather(before.weather) === null ? before.weather : row.weather
  return { ...row, weather }
}

/**
 * Members of other programs' rows that a restore does not take: computed again, found from the content, or parts of
 * their own.
 */
const NOT_TAKEN: Readonly<Partial<Record<DataFile, readonly string[]>>> = {
  workouts: ['rawFileData', 'shoe', 'route', 'splits', 'media', 'timeSeries', 'recording', 'inputs', 'leftOut'],
  mediaMetadata: ['mimeType'],
  bestEfforts: ['workoutDate'],
}
/** Members that are zeros in archives when zones were never chosen. */
const OF_ZONES = /^(zone|age$|calculationMethod$|restingHeartRateBpm$|maxHeartRateBpm$)/
/** Archives hold paces as whole seconds per kilometre, and programs round differently. */
const PACES: readonly string[] = ['avgPaceS', 'paceS']

/**
 * The first value of another program's row that was restored differently. Its keys may be in any case, JSON may be
 * given as text, times may have more digits, file names may be paths (docs/api.md 12.2); values that are missing or
 * null there are not compared.
 * @returns null when every value of the archive was restored
 */
export function firstForeignDifference(kind: DataFile, archived: unknown, restored: Row): Difference | null {
  const row = rowReader(Object.keys(restored))(archived)
  if (row === null) return { field: 'row', archived, restored }
  const skipped = NOT_TAKEN[kind] ?? []
  for (const [field, value] of Object.entries(row)) {
    if (value === null || value === undefined || value === '' || skipped.includes(field)) continue
    if (kind === 'settings' && restored.zonesConfigured === false && OF_ZONES.test(field)) continue
    if (!isAlike(field, value, restored[field])) return { field, archived: value, restored: restored[field] }
  }
  return null
}

function isAlike(field: string, archived: unknown, restored: unknown): boolean {
  if (field === 'calculationMethod' && typeof archived === 'string') {
    return ZONE_METHODS[Number(restored)]?.toLowerCase() === archived.toLowerCase()
  }
  if (typeof archived === 'number' && typeof restored === 'number') {
    if (PACES.includes(field)) return Math.abs(archived - restored) <= 1
    return archived === restored || (Number.isInteger(restored) && roundHalfUp(archived) === restored)
  }
  if (field === 'rawFileType') return fileType(archived) === restored
  if (/filename$/i.test(field)) return printableName(textOf(archived)?.split(/[\\/]/).at(-1) ?? '') === restored
  if (typeof archived === 'string' && typeof restored === 'string') {
    const timeMs = timeOf(archived)
    if (archived.trim() === restored.trim() || archived.toLowerCase() === restored) return true
    if (timeMs !== null) return timeMs === timeOf(restored)
  }
  return firstDifference(unpackedJson(archived) ?? archived, unpackedJson(restored) ?? restored) === null
}
