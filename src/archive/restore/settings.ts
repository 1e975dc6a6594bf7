import type { Db } from '../../db/open.ts'
import type { Zone } from '../../engine/analysis.ts'
import { zonesProblem } from '../../engine/run/zones.ts'
import { type SettingsValues, writeSettings, zonesVersion } from '../../library/settings.ts'
import { type OpenArchive, settingsValue } from '../format/data-rows.ts'
import { numberOf, type Row, rowReader, textOf, timeOf, uuidOf, wholeOf } from '../format/row-fields.ts'
import { ZONE_METHODS } from '../format/rows.ts'
import type { RestoreReport } from './report.ts'
import { isStored } from './shoes.ts'

const BOUNDS = [1, 2, 3, 4, 5].map((k) => [`zone${k}MinBpm`, `zone${k}MaxBpm`] as const)
const FIELDS: readonly string[] = [
  ...['id', 'calculationMethod', 'age', 'restingHeartRateBpm', 'maxHeartRateBpm', ...BOUNDS.flat()],
  ...['unitPreference', 'defaultShoeId', 'createdAt', 'updatedAt', 'zonesConfigured'],
]

/**
 * The settings of the archive over the stored ones; what it lacks or has as null stays.
 * @param standIns archive shoes that another stands for
 * @returns false: nothing was stored
 * @throws BadDataFile
 */
export async function restoreSettings(
  { db, nowMs }: { readonly db: Db; readonly nowMs: number },
  {
    archive,
    report,
    standIns,
  }: { readonly archive: OpenArchive; readonly report: RestoreReport; readonly standIns: ReadonlyMap<string, string> },
): Promise<boolean> {
  const value = await settingsValue(archive)
  const row = rowReader(FIELDS)(Array.isArray(value) ? value[0] : value)
  if (row === null) {
    if (value !== null && !(Array.isArray(value) && value.length === 0))
      report.failed('settings', 'The settings are not an object')
    return false
  }
  const shoeId = uuidOf(row.defaultShoeId)
  const defaultShoeId = shoeId === null ? null : (standIns.get(shoeId) ?? shoeId)
  if (defaultShoeId !== null && !isStored(db, defaultShoeId)) {
    report.warn('The default shoe of the archive does not exist and is left out')
  }
  db.transaction(
    (tx) => {
      const id = uuidOf(row.id)
      const createdAt = timeOf(row.createdAt)
      const updatedAt = timeOf(row.updatedAt)
      const values: SettingsValues = {
        ...(id === null ? {} : { archiveId: id }),
        ...(createdAt === null ? {} : { createdAt }),
        ...(updatedAt === null ? {} : { updatedAt }),
        ...zoneValues(row, zonesVersion(tx) + 1),
        ...(row.unitPreference === 'metric' || row.unitPreference === 'imperial'
          ? { unitPreference: row.unitPreference }
          : {}),
        ...(defaultShoeId !== null && isStored(db, defaultShoeId) ? { defaultShoeId } : {}),
      }
      writeSettings(tx, values, nowMs)
    },
    { behavior: 'immediate' },
  )
  report.imported('settings')
  return true
}

/** Nothing unless zones were really chosen: defaults and Tempo's zeros are none. */
function zoneValues(row: Row, version: number): SettingsValues {
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
    zonesVersion: version,
  }
}

/** By number or name; zones of a method that nobody knows are as they are given. */
function methodOf(value: unknown): (typeof ZONE_METHODS)[number] {
  if (typeof value === 'number') return ZONE_METHODS[value] ?? 'Custom'
  const name = textOf(value)?.toLowerCase()
  return ZONE_METHODS.find((method) => method.toLowerCase() === name) ?? 'Custom'
}
