import { count } from 'drizzle-orm'
import { shoes } from '../../db/schema-account.ts'
import type { DepsBy } from '../../deps.ts'
import { commitItem } from '../../library/commit.ts'
import { shoeExists } from '../../library/ids.ts'
import type { OpenReceipt } from '../../library/receipts/record.ts'
import { zonesVersion } from '../../library/settings.ts'
import { MOST_SHOES } from '../../shoes/schemas.ts'
import { folded } from '../../texts.ts'
import { readShoe, SETTINGS_FIELDS, SHOE_FIELDS, zoneValues } from '../format/account-rows.ts'
import { dataRows, type OpenArchive, settingsValue } from '../format/data-rows.ts'
import { oneOf, rowReader, timeOf, uuidOf } from '../format/fields.ts'
import { readTraining } from '../format/training-rows.ts'
import type { Parts } from './parts.ts'
import type { RestoreReport } from './report.ts'

interface AccountWork {
  readonly archive: OpenArchive
  readonly report: RestoreReport
  readonly receipt: OpenReceipt | null
}

/**
 * Restores shoes with new ids. When a shoe of the same brand and model exists whose id is not in the archive, it is
 * used for the archive's shoe instead.
 * @returns archive shoes that an existing one replaces, by id
 * @throws BadDataFile
 */
export async function restoreShoes(
  deps: DepsBy,
  { archive, parts, report, receipt }: AccountWork & { readonly parts: Parts },
): Promise<ReadonlyMap<string, string>> {
  const { db, now } = deps
  const read = rowReader(SHOE_FIELDS)
  // rows that are left out are told of by the second reading
  for await (const rows of dataRows(archive, 'shoes', () => {})) {
    for (const value of rows) {
      const id = uuidOf(read(value)?.id)
      if (id !== null) parts.addShoe(id)
    }
  }
  const free = db
    .select({ id: shoes.id, brand: shoes.brand, model: shoes.model })
    .from(shoes)
    .orderBy(shoes.createdAt, shoes.id)
    .all()
    .filter(({ id }) => !parts.hasShoe(id))
  let kept = db.select({ n: count() }).from(shoes).get()?.n ?? 0
  const standIns = new Map<string, string>()
  for await (const rows of dataRows(archive, 'shoes', report.leftOut)) {
    for (const value of rows) {
      const shoe = readShoe(read(value), now())
      if ('error' in shoe) {
        report.failed('shoes', shoe.error, shoe.id === null ? {} : { which: shoe.id })
        continue
      }
      if (standIns.has(shoe.id) || shoeExists(db, shoe.id)) {
        report.skipped('shoes')
        continue
      }
      const twin = free.findIndex((stored) => nameOf(stored) === nameOf(shoe))
      if (twin === -1 && kept >= MOST_SHOES) {
        report.failed('shoes', `Shoes beyond the ${MOST_SHOES} that a library may have`, { which: shoe.id })
      } else if (twin === -1) {
        kept += 1
        const changes = [{ kind: 'shoe' as const, id: shoe.id, to: shoe }]
        const item = { outcome: 'created' as const, filename: `${shoe.brand} ${shoe.model}` }
        db.transaction((tx) => commitItem(tx, deps, { changes, item }, receipt))
        report.imported('shoes')
      } else {
        for (const { id } of free.splice(twin, 1)) standIns.set(shoe.id, id)
        report.skipped('shoes')
      }
    }
  }
  return standIns
}

/** Compares without case. */
function nameOf({ brand, model }: { readonly brand: string; readonly model: string }): string {
  return folded(`${brand}\n${model}`)
}

/**
 * Restores the settings of the archive over the stored ones; missing and null values leave the stored ones.
 * @param standIns archive shoes that an existing one replaces
 * @returns false: nothing was stored
 * @throws BadDataFile
 */
export async function restoreSettings(
  deps: DepsBy,
  { archive, report, receipt, standIns }: AccountWork & { readonly standIns: ReadonlyMap<string, string> },
): Promise<boolean> {
  const { db } = deps
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
  const zones = zoneValues(row)
  const values = {
    archiveId: uuidOf(row.id),
    createdAt: timeOf(row.createdAt),
    updatedAt: timeOf(row.updatedAt),
    ...zones,
    unitPreference: oneOf(row.unitPreference, ['metric', 'imperial']),
  }
  db.transaction((tx) => {
    const isShoe = defaultShoeId !== null && shoeExists(tx, defaultShoeId)
    const all = {
      ...values,
      defaultShoeId: isShoe ? defaultShoeId : null,
      zonesVersion: zones.zoneBounds === undefined ? null : zonesVersion(tx) + 1,
    }
    const given = Object.fromEntries(Object.entries(all).filter(([name, value]) => value !== null || name in zones))
    const training = readTraining(row.training)
    const to = { ...given, ...(training === null ? {} : { training }) }
    const changes = [{ kind: 'settings' as const, id: 'settings', to }]
    commitItem(tx, deps, { changes, item: { outcome: 'changed', filename: 'Settings' } }, receipt)
  })
  report.imported('settings')
  return true
}
