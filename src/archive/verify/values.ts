import { isObject } from '../../base/json-object.ts'
import { printableName } from '../../base/texts.ts'
import { roundHalfUp } from '../../engine/units.ts'
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
 * The first value of an archived row, at any depth, that the restored row does not have; a missing value equals null.
 * Nothing is rounded or left out. Members that only the restored row has are later than the archive.
 * @returns null when every value was restored
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
    for (const key of Object.keys(archived)) {
      const found = firstDifference(archived[key], restored[key], field === '' ? key : `${field}.${key}`)
      if (found !== null) return found
    }
    return null
  }
  return (archived ?? null) === (restored ?? null) ? null : { field, archived, restored }
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
