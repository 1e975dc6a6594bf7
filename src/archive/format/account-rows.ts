import { isObject } from '../../base/json-object.ts'
import { LENGTHS } from '../../base/texts.ts'
import type { settings, shoes } from '../../db/schema-account.ts'
import type { TrainingSettings } from '../../db/schema-training.ts'
import type { PageSettings } from '../../db/stored.ts'
import type { Zone } from '../../engine/analysis.ts'
import { isoTime, isoTimeOrNull } from '../../engine/calendar/timestamp.ts'
import { MOST_WORN_M, PAGE_CARDS, PLACE_NAME_LENGTH, RETIRE_AT_M } from '../../engine/limits.ts'
import { DEFAULT_ZONES, zonesProblem } from '../../engine/run/zones.ts'
import type { PlaceDocument } from '../../library/documents/rows.ts'
import { HIDE_M } from '../../library/places.ts'
import type { Mark } from '../../library/training/marks.ts'
import { derivedIds, numberOf, objectsOf, oneOf, type Row, textOf, timeOf, uuidOf, wholeOf } from './fields.ts'

/** Zone methods in the order of Tempo's enumeration, which archives write as numbers. */
export const ZONE_METHODS = ['AgeBased', 'Karvonen', 'Custom'] as const

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
  'training',
  'page',
  'marks',
  'secondRecording',
  'trimEndsM',
]

const DEFAULT_AGE = 30
const DEFAULT_MAX_BPM = 190

/**
 * The settings record; what was never stored is written as the default that applies.
 * @param more.sinceMs its timestamps while nothing is stored
 * @param more.training null: the runner set no training settings
 */
export function settingsObject(
  row: typeof settings.$inferSelect | undefined,
  more: { readonly sinceMs: number; readonly training: TrainingSettings | null; readonly marks: readonly Mark[] },
) {
  const { sinceMs, training, marks } = more
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
    ...(training === null ? {} : { training }),
    ...(row?.page == null ? {} : { page: row.page }),
    ...(marks.length === 0 ? {} : { marks }),
    ...(row?.secondRecording == null ? {} : { secondRecording: row.secondRecording }),
    ...(row?.trimEndsM == null ? {} : { trimEndsM: row.trimEndsM }),
  }
}

/**
 * Columns for the zones of a settings row; empty unless zones were chosen: defaults, and zeros in Tempo's archives, do
 * not count.
 */
export function zoneValues(row: Row): Partial<typeof settings.$inferInsert> {
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

/** Known cards, each once; null: the archive has none. */
export function readPage(value: unknown): PageSettings | null {
  if (!isObject(value) || !Array.isArray(value.cards)) return null
  const cards = objectsOf(value.cards).flatMap((card) => {
    const id = oneOf(card.id, PAGE_CARDS)
    return id === null ? [] : [{ id, shown: card.shown !== false }]
  })
  const first = cards.filter(({ id }, index) => cards.findIndex((card) => card.id === id) === index)
  return { cards: first, effort: oneOf(value.effort, ['load', 'relative'] as const) }
}

/** @returns null for a row that is not a valid place */
export function readPlace(value: unknown): PlaceDocument | null {
  if (!isObject(value)) return null
  const [id, lat, lon] = [uuidOf(value.id), numberOf(value.lat, -90, 90), numberOf(value.lon, -180, 180)]
  const name = textOf(value.name, PLACE_NAME_LENGTH)?.trim() ?? ''
  if (id === null || lat === null || lon === null || name === '') return null
  const hideM = numberOf(value.hideM, ...HIDE_M)
  return { id, name, lat, lon, isHome: value.isHome === true, hideM, createdAt: timeOf(value.createdAt) ?? 0 }
}
