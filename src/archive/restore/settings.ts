import type { Db } from '../../db/open.ts'
import { shoeExists } from '../../library/add-workout.ts'
import { type SettingsValues, writeSettings, zonesVersion } from '../../library/settings.ts'
import { SETTINGS_FIELDS, zoneValues } from '../format/account-rows.ts'
import { type OpenArchive, settingsValue } from '../format/data-rows.ts'
import { rowReader, timeOf, uuidOf } from '../format/fields.ts'
import type { RestoreReport } from './report.ts'

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
  const row = rowReader(SETTINGS_FIELDS)(Array.isArray(value) ? value[0] : value)
  if (row === null) {
    if (value !== null && !(Array.isArray(value) && value.length === 0))
      report.failed('settings', 'The settings are not an object')
    return false
  }
  const shoeId = uuidOf(row.defaultShoeId)
  const defaultShoeId = shoeId === null ? null : (standIns.get(shoeId) ?? shoeId)
  if (defaultShoeId !== null && !shoeExists(db, defaultShoeId)) {
    report.warn('The default shoe of the archive does not exist and is left out')
  }
  db.transaction(
    (tx) => {
      const id = uuidOf(row.id)
      const createdAt = timeOf(row.createdAt)
      const updatedAt = timeOf(row.updatedAt)
      const zones = zoneValues(row)
      const values: SettingsValues = {
        ...(id === null ? {} : { archiveId: id }),
        ...(createdAt === null ? {} : { createdAt }),
        ...(updatedAt === null ? {} : { updatedAt }),
        ...zones,
        ...(zones.zoneBounds === undefined ? {} : { zonesVersion: zonesVersion(tx) + 1 }),
        ...(row.unitPreference === 'metric' || row.unitPreference === 'imperial'
          ? { unitPreference: row.unitPreference }
          : {}),
        ...(defaultShoeId !== null && shoeExists(db, defaultShoeId) ? { defaultShoeId } : {}),
      }
      writeSettings(tx, values, nowMs)
    },
    { behavior: 'immediate' },
  )
  report.imported('settings')
  return true
}
