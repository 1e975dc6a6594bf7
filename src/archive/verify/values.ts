import { roundHalfUp } from '../../engine/units.ts'
import { isObject } from '../../json-object.ts'
import { printableName } from '../../texts.ts'
import { ZONE_METHODS } from '../format/account-rows.ts'
import { type Row, rowReader, textOf, timeOf, unpackedJson } from '../format/fields.ts'
import type { DataFile } from '../format/manifest.ts'
import { fileType } from '../format/workout-rows.ts'

/** One value that is not what the archive says. */
export interface Difference {
  /** Such as `rawFitData.laps[2].distanceM`. */
  readonly field: string
  readonly archived: unknown
  readonly restored: unknown
}

/**
 * The first value in which a restored row differs from the archived one, of whatever depth; what is missing counts as
 * null. Nothing is rounded and nothing left out: two archives with equal rows are equal.
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
 * A restored row as own archives had it before recordings had a file: without later members, and with the totals of the one
 * device as they were, of which a restore makes those of recordings.
 */
export function asInFirstDraft(kind: DataFile, archived: unknown, restored: Row): Row {
  const { exactPaceS: _, inputs: __, recording, ...row } = restored
  if (kind !== 'workouts') return row
  const before = isObject(archived) && isObject(archived.recording) ? archived.recording : {}
  return { ...row, recording: { ...(isObject(recording) ? recording : {}), deviceTotals: before.deviceTotals } }
}

/**
 * A restored row as an own archive had it that knows nothing yet of what the runner says of efforts and statistics: without
 * these members, where they say nothing.
 */
export function asBeforeWords(kind: DataFile, archived: unknown, restored: Row): Row {
  if (kind !== 'workouts' || !isObject(archived) || 'leftOut' in archived) return restored
  const { leftOut, inputs, ...row } = restored
  const { effortWords, ...made } = isObject(inputs) ? inputs : {}
  const saysNothing = leftOut === false && Array.isArray(effortWords) && effortWords.length === 0
  return saysNothing ? { ...row, inputs: made } : restored
}

/** Fields of another program's rows that no restore takes: computed anew, found out from the content, or parts beside. */
const NOT_TAKEN: Readonly<Partial<Record<DataFile, readonly string[]>>> = {
  workouts: ['rawFileData', 'shoe', 'route', 'splits', 'media', 'timeSeries', 'recording', 'inputs', 'leftOut'],
  mediaMetadata: ['mimeType'],
  bestEfforts: ['workoutDate'],
}
/** Of zones that were never chosen an archive holds zeros. */
const OF_ZONES = /^(zone|age$|calculationMethod$|restingHeartRateBpm$|maxHeartRateBpm$)/
/** Seconds per kilometre are whole numbers in archives, and programs differ in how they round. */
const PACES: readonly string[] = ['avgPaceS', 'paceS']

/**
 * The first value of another program's row that arrived as something else. Its keys may be in any case, JSON may stand in
 * texts, times have more digits, file names paths (docs/api.md 12.2); what it lacks or has as null, a restore may know.
 * @returns null when all that the archive says is there
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
