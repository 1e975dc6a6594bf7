import { LENGTHS } from '../../base/texts.ts'
import type { settings, shoes } from '../../db/schema-account.ts'
import type { Zone } from '../../engine/analysis.ts'
import { isoTime, isoTimeOrNull } from '../../engine/calendar/timestamp.ts'
import { MOST_WORN_M, RETIRE_AT_M } from '../../engine/limits.ts'
import { DEFAULT_ZONES, zonesProblem } from '../../engine/run/zones.ts'
import type { SettingsDocument } from '../../library/documents/rows.ts'
import { derivedIds, numberOf, type Row, textOf, timeOf, uuidOf, wholeOf } from './fields.ts'

/** Zone methods in the order of Tempo's enumeration, which archives write as numbers. */
const ZONE_METHODS = ['AgeBased', 'Karvonen', 'Custom'] as const

const BOUNDS = [1, 2, 3, 4, 5].map((k) => [`zone${k}MinBpm`, `zone${k}MaxBpm`] as const)
/** The members of the settings that a restore reads. */
export const SETTINGS_FIELDS: readonly string[] = [
  'id',
  'calculationMethod',
  'age',
  'restingHeartRateBpm',
  'maxHeartRateBpm',
  ...BOUNDS.flat(),
  'unitPreference',
  'defaultShoeId',
  'createdAt',
  'updatedAt',
  'zonesConfigured',
]

const DEFAULT_AGE = 30
const DEFAULT_MAX_BPM = 190

/**
 * The settings record; what was never stored is written as the default that applies.
 * @param sinceMs its timestamps while nothing is stored
 */
export function settingsObject(row: typeof settings.$inferSelect | undefined, sinceMs: number) {
  const bounds = row?.zoneBounds ?? null
  const isConfigured = bounds !== null && row?.zoneMethod !== null
  const zones: readonly Zone[] =
    bounds === null ? DEFAULT_ZONES : bounds.map(([minBpm, maxBpm]) => ({ minBpm, maxBpm }))
  const zoneFields = zones.flatMap(({ minBpm, maxBpm }, k) => [
    [`zone${k + 1}MinBpm`, minBpm],
    [`zone${k + 1}MaxBpm`, maxBpm],
  ])
  return {
    id: row?.archiveId ?? derivedIds('', 'settings')(0),
    calculationMethod: ZONE_METHODS.indexOf(row?.zoneMethod ?? 'AgeBased'),
    age: isConfigured ? (row?.zoneAge ?? null) : DEFAULT_AGE,
    restingHeartRateBpm: row?.zoneRestingBpm ?? null,
    maxHeartRateBpm: isConfigured ? (row?.zoneMaxBpm ?? null) : DEFAULT_MAX_BPM,
    ...Object.fromEntries(zoneFields),
    unitPreference: row?.unitPreference ?? 'metric',
    defaultShoeId: row?.defaultShoeId ?? null,
    createdAt: isoTime(row?.createdAt ?? sinceMs),
    updatedAt: isoTime(row?.updatedAt ?? sinceMs),
    defaultShoe: null,
    zonesConfigured: isConfigured,
  }
}

/**
 * Columns for the zones of a settings row; empty unless zones were chosen: defaults, and zeros in Tempo's archives, do
 * not count.
 */
export function zoneValues(row: Row): SettingsDocument {
  if (row.zonesConfigured === false) return {}
  const zones: Zone[] = BOUNDS.map(([min, max]) => ({
    minBpm: numberOf(row[min]) ?? Number.NaN,
    maxBpm: numberOf(row[max]) ?? Number.NaN,
  }))
  if (zonesProblem({ calculationMethod: 'Custom', zones }) !== null) return {}
  return {
    zoneMethod: methodOf(row.calculationMethod),
    zoneAge: wholeOf(row.age, 1, 120),
    zoneRestingBpm: wholeOf(row.restingHeartRateBpm, 1, 250),
    zoneMaxBpm: wholeOf(row.maxHeartRateBpm, 1, 250),
    zoneBounds: zones.map(({ minBpm, maxBpm }): [number, number] => [minBpm, maxBpm]),
  }
}

/** The method by number or name; zones of an unknown method are kept as Custom. */
function methodOf(value: unknown): (typeof ZONE_METHODS)[number] {
  if (typeof value === 'number') return ZONE_METHODS[value] ?? 'Custom'
  const name = textOf(value)?.toLowerCase()
  return ZONE_METHODS.find((method) => method.toLowerCase() === name) ?? 'Custom'
}

/** The members of a shoe that a restore reads. */
export const SHOE_FIELDS = [
  ...['id', 'brand', 'model', 'initialMileageM', 'createdAt', 'updatedAt', 'retiredAt', 'retireAtM'],
] as const

type ShoeRow = typeof shoes.$inferSelect

/** One row of `shoes.json`. */
export function shoeObject(row: ShoeRow) {
  const { createdAt, updatedAt, retiredAt } = row
  const times = { createdAt: isoTime(createdAt), updatedAt: isoTime(updatedAt), retiredAt: isoTimeOrNull(retiredAt) }
  return { ...row, ...times, workouts: [] }
}

/** @returns the shoe, or a sentence that says why the row is not valid */
export function readShoe(row: Row | null, nowMs: number): ShoeRow | { error: string; id: string | null } {
  const id = uuidOf(row?.id)
  if (row === null || id === null) return { error: 'Shoes without an id', id }
  const brand = textOf(row.brand, LENGTHS.shoe)?.trim() ?? ''
  const model = textOf(row.model, LENGTHS.shoe)?.trim() ?? ''
  if (brand === '' || model === '') return { error: 'Shoes without brand or model', id }
  const createdAt = timeOf(row.createdAt) ?? nowMs
  return {
    id,
    brand,
    model,
    initialMileageM: numberOf(row.initialMileageM, 0, MOST_WORN_M),
    createdAt,
    updatedAt: timeOf(row.updatedAt) ?? createdAt,
    retiredAt: timeOf(row.retiredAt),
    retireAtM: numberOf(row.retireAtM, ...RETIRE_AT_M),
  }
}
