import { eq, isNull } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { preparedOnce } from '../db/prepared.ts'
import { settings, shoes } from '../db/schema-account.ts'
import type { PageSettings, SecondRecording } from '../db/stored.ts'
import type { Zones } from '../engine/analysis.ts'
import { PAGE_CARDS } from '../engine/limits.ts'
import { DEFAULT_ZONES } from '../engine/run/zones.ts'
import { METRES_PER_KM, METRES_PER_MILE } from '../engine/units.ts'
import { commitPlain } from './commit.ts'
import type { Deps } from './deps.ts'
import type { SettingsDocument } from './documents/rows.ts'

export type UnitPreference = 'metric' | 'imperial'

/** Zones and the values that they were made from; null where the method does not use one. */
export interface ZoneSettings {
  readonly calculationMethod: 'AgeBased' | 'Karvonen' | 'Custom'
  readonly age: number | null
  readonly restingHeartRateBpm: number | null
  readonly maxHeartRateBpm: number | null
  readonly zones: Zones
}

/** No record exists before the first PUT, and storing one setting stores no other. */
const record = preparedOnce((tx) => tx.select().from(settings).prepare())

function stored(tx: Tx): typeof settings.$inferSelect | undefined {
  return record(tx).get()
}

export function unitPreference(tx: Tx): UnitPreference {
  return stored(tx)?.unitPreference ?? 'metric'
}

/** Length of one split in metres: 1 km, or the international mile. */
export function splitUnitM(unit: UnitPreference): number {
  return unit === 'imperial' ? METRES_PER_MILE : METRES_PER_KM
}

/** null when no zones were ever stored. */
export function storedZones(tx: Tx): ZoneSettings | null {
  const row = stored(tx)
  if (row === undefined || row.zoneMethod === null || row.zoneBounds === null) return null
  return {
    calculationMethod: row.zoneMethod,
    age: row.zoneAge,
    restingHeartRateBpm: row.zoneRestingBpm,
    maxHeartRateBpm: row.zoneMaxBpm,
    zones: zonesOfBounds(row.zoneBounds),
  }
}

/** The zones that effort is scored with: those stored, else those of age 30. */
export function zonesOrDefault(tx: Tx): Zones {
  return storedZones(tx)?.zones ?? DEFAULT_ZONES
}

/** Incremented whenever zones are stored, so that a long computation can notice that its zones are outdated. */
export function zonesVersion(tx: Tx): number {
  return stored(tx)?.zonesVersion ?? 0
}

const offeredDefault = preparedOnce((tx) =>
  tx
    .select({ id: shoes.id })
    .from(settings)
    .innerJoin(shoes, eq(shoes.id, settings.defaultShoeId))
    .where(isNull(shoes.retiredAt))
    .prepare(),
)

/** The shoe of new runs. One that is retired is none, however it became the default. */
export function defaultShoeId(tx: Tx): string | null {
  return offeredDefault(tx).get()?.id ?? null
}

export function zoneMembers(tx: Tx, zoneSettings: ZoneSettings): SettingsDocument {
  return {
    zoneMethod: zoneSettings.calculationMethod,
    zoneAge: zoneSettings.age,
    zoneRestingBpm: zoneSettings.restingHeartRateBpm,
    zoneMaxBpm: zoneSettings.maxHeartRateBpm,
    zoneBounds: zoneSettings.zones.map(({ minBpm, maxBpm }): [number, number] => [minBpm, maxBpm]),
    zonesVersion: zonesVersion(tx) + 1,
  }
}

/** Whether the runner allows weather lookups; the operator's WEATHER_ENABLED must allow them as well. */
export function weatherLookups(tx: Tx): boolean {
  return stored(tx)?.weatherLookups ?? true
}

/** Whether maps may show tiles; off until the runner allows it, since the tile server sees the area that is viewed. */
export function mapTiles(tx: Tx): boolean {
  return stored(tx)?.mapTiles ?? false
}

export function secondRecording(tx: Tx): SecondRecording {
  return stored(tx)?.secondRecording ?? 'suggest'
}

/** Metres that are cut from either end of a run before others see it. */
export function trimEndsM(tx: Tx): number {
  return stored(tx)?.trimEndsM ?? 0
}

/** The cards that the runner put in order, then those that came later. */
export function pageSettings(tx: Tx): PageSettings {
  const { cards = [], effort = null } = stored(tx)?.page ?? {}
  const known = cards.filter(({ id }) => PAGE_CARDS.includes(id))
  const others = PAGE_CARDS.filter((id) => !known.some((card) => card.id === id))
  return { cards: [...known, ...others.map((id) => ({ id, shown: true }))], effort }
}

/** Stores members of the settings, which leaves no receipt. Runs inside the caller's transaction. */
export function changeSettings(tx: Tx, deps: Pick<Deps, 'config' | 'now'>, to: SettingsDocument): void {
  commitPlain(tx, deps, { kind: 'settings', id: 'settings', to })
}

/** @throws RangeError unless there are five */
export function zonesOfBounds(bounds: readonly (readonly [number, number])[]): Zones {
  if (bounds.length !== 5) throw new RangeError(`Stored zones are ${bounds.length}, not 5`)
  return bounds.map(([minBpm, maxBpm]) => ({ minBpm, maxBpm })) as unknown as Zones
}
