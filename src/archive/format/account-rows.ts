import { LENGTHS } from '../../base/texts.ts'
import type { settings, shoes } from '../../db/schema-account.ts'
import type { Zone } from '../../engine/analysis.ts'
import { isoTime, isoTimeOrNull } from '../../engine/calendar/timestamp.ts'
import { MOST_WORN_M, RETIRE_AT_M } from '../../engine/limits.ts'
import { DEFAULT_ZONES, zonesProblem } from '../../engine/run/zones.ts'
import type { SettingsDocument } from '../../library/documents/rows.ts'
import { anyNumber, asItIs, derivedIds, numberOf, oneOf, rowReader, textOf, timeOf, uuidOf, wholeOf } from './fields.ts'

/** Zone methods in the order of Tempo's enumeration, which archives write as numbers. */
const ZONE_METHODS = ['AgeBased', 'Karvonen', 'Custom'] as const

const ZONES = [1, 2, 3, 4, 5] as const

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

const bpm = (value: unknown) => wholeOf(value, 1, 250)
const BOUNDS = ZONES.flatMap((k) => [`zone${k}MinBpm`, `zone${k}MaxBpm`] as const)

const readSettings = rowReader({
  ...{ id: uuidOf, calculationMethod: methodOf, age: (value: unknown) => wholeOf(value, 1, 120) },
  ...{ restingHeartRateBpm: bpm, maxHeartRateBpm: bpm, zonesConfigured: asItIs },
  ...(Object.fromEntries(BOUNDS.map((name) => [name, anyNumber])) as Record<(typeof BOUNDS)[number], typeof anyNumber>),
  unitPreference: (value: unknown) => oneOf(value, ['metric', 'imperial'] as const),
  ...{ defaultShoeId: uuidOf, createdAt: timeOf, updatedAt: timeOf },
})

/** The settings that `settings.json` says; null: it is no object. */
export function settingsOf(value: unknown): SettingsDocument | null {
  const row = readSettings(value)
  if (row === null) return null
  const { id: archiveId, createdAt, updatedAt, unitPreference, defaultShoeId } = row
  return { ...known({ archiveId, createdAt, updatedAt, unitPreference, defaultShoeId }), ...zoneValues(row) }
}

export function known<T extends object>(members: T) {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)) as {
    [K in keyof T]?: NonNullable<T[K]>
  }
}

/**
 * Columns for the zones of a settings row; empty unless zones were chosen: defaults, and zeros in Tempo's archives, do
 * not count.
 */
function zoneValues(row: NonNullable<ReturnType<typeof readSettings>>): SettingsDocument {
  const zones: Zone[] = ZONES.map((k) => ({
    minBpm: row[`zone${k}MinBpm`] ?? Number.NaN,
    maxBpm: row[`zone${k}MaxBpm`] ?? Number.NaN,
  }))
  if (row.zonesConfigured === false || zonesProblem({ calculationMethod: 'Custom', zones }) !== null) return {}
  return {
    ...{ zoneMethod: row.calculationMethod, zoneAge: row.age },
    ...{ zoneRestingBpm: row.restingHeartRateBpm, zoneMaxBpm: row.maxHeartRateBpm },
    zoneBounds: zones.map(({ minBpm, maxBpm }): [number, number] => [minBpm, maxBpm]),
  }
}

/** The method by number or name; zones of an unknown method are kept as Custom. */
function methodOf(value: unknown): (typeof ZONE_METHODS)[number] {
  if (typeof value === 'number') return ZONE_METHODS[value] ?? 'Custom'
  const name = textOf(value)?.toLowerCase()
  return ZONE_METHODS.find((method) => method.toLowerCase() === name) ?? 'Custom'
}

type ShoeRow = typeof shoes.$inferSelect

/** One row of `shoes.json`. */
export function shoeObject(row: ShoeRow) {
  const { createdAt, updatedAt, retiredAt } = row
  const times = { createdAt: isoTime(createdAt), updatedAt: isoTime(updatedAt), retiredAt: isoTimeOrNull(retiredAt) }
  return { ...row, ...times, workouts: [] }
}

const nameOfShoe = (value: unknown) => textOf(value, LENGTHS.shoe)?.trim() ?? ''
const readShoe = rowReader({
  ...{ id: uuidOf, brand: nameOfShoe, model: nameOfShoe },
  initialMileageM: (value: unknown) => numberOf(value, 0, MOST_WORN_M),
  ...{ createdAt: timeOf, updatedAt: timeOf, retiredAt: timeOf },
  retireAtM: (value: unknown) => numberOf(value, ...RETIRE_AT_M),
})

/** @returns the shoe, or a sentence that says why the row is not valid */
export function shoeOfRow(value: unknown, nowMs: number): ShoeRow | { error: string; id: string | null } {
  const row = readShoe(value)
  const id = row?.id ?? null
  if (row === null || id === null) return { error: 'Shoes without an id', id }
  if (row.brand === '' || row.model === '') return { error: 'Shoes without brand or model', id }
  const createdAt = row.createdAt ?? nowMs
  return { ...row, id, createdAt, updatedAt: row.updatedAt ?? createdAt }
}
