import { count } from 'drizzle-orm'
import { gently } from '../../base/pace.ts'
import { folded } from '../../base/texts.ts'
import { shoes } from '../../db/schema-account.ts'
import { MOST_SHOES } from '../../engine/limits.ts'
import { commitItem, type OtherChange } from '../../library/commit.ts'
import { bodyOf, changedSettings, OF_SERVICE, type SettingsDocument, TABLES } from '../../library/documents/rows.ts'
import { shoeExists } from '../../library/ids.ts'
import { MOST_PLACES } from '../../library/places.ts'
import { zonesVersion } from '../../library/settings.ts'
import { MOST_GOALS, MOST_MARKS, MOST_RACES } from '../../library/training/documents.ts'
import { known, settingsOf, shoeOfRow } from '../format/account-rows.ts'
import { BadDataFile, eachRow, settingsValue } from '../format/data-rows.ts'
import type { RestoreWork } from './parts.ts'

type ReadShoe = ReturnType<typeof shoeOfRow>

/** The shoes of `shoes.json`. @throws BadDataFile */
export async function shoesOfRows({ deps, archive, report }: RestoreWork): Promise<ReadShoe[]> {
  const shoes: ReadShoe[] = []
  for await (const value of eachRow(archive, 'shoes', report.warn)) {
    shoes.push(shoeOfRow(value, deps.now()))
    if (shoes.length > MOST_ROWS) throw new BadDataFile(`data/shoes.json has more than ${MOST_ROWS} rows`)
  }
  return shoes
}

/** All of them are in memory, ten times as many as a library may have. */
const MOST_ROWS = 10 * MOST_SHOES

/**
 * Restores shoes with new ids. When a shoe of the same brand and model exists whose id is not in the archive, it is
 * used for the archive's shoe instead, which `standIns` then says.
 */
export async function restoreShoes(work: RestoreWork, archived: readonly ReadShoe[]): Promise<void> {
  const { deps, report, receipt, standIns } = work
  const { db } = deps
  const ids = new Set(archived.map(({ id }) => id))
  const free = db
    .select({ id: shoes.id, brand: shoes.brand, model: shoes.model })
    .from(shoes)
    .orderBy(shoes.createdAt, shoes.id)
    .all()
    .filter(({ id }) => !ids.has(id))
  const twins = Map.groupBy(free, nameOf)
  let kept = db.select({ n: count() }).from(shoes).get()?.n ?? 0
  for (const shoe of archived) {
    await gently()
    report.read('shoes')
    if ('error' in shoe) {
      report.failed('shoes', shoe.error, shoe.id === null ? {} : { which: shoe.id })
      continue
    }
    if (standIns.has(shoe.id) || shoeExists(db, shoe.id)) continue
    const twin = twins.get(nameOf(shoe))?.shift()
    if (twin === undefined && kept >= MOST_SHOES) {
      report.failed('shoes', `Shoes beyond the ${MOST_SHOES} that a library may have`, { which: shoe.id })
    } else if (twin === undefined) {
      kept += 1
      const changes = [{ kind: 'shoe' as const, id: shoe.id, to: shoe }]
      const item = { outcome: 'created' as const, filename: `${shoe.brand} ${shoe.model}` }
      db.transaction((tx) => commitItem(tx, deps, { changes, item }, receipt))
      report.imported('shoes')
    } else standIns.set(shoe.id, twin.id)
  }
}

function nameOf({ brand, model }: { readonly brand: string; readonly model: string }): string {
  return folded(`${brand}\n${model}`)
}

/** The members of `settings.json`; null: there are none. @throws BadDataFile */
export async function settingsOfRows({ archive, report }: RestoreWork): Promise<SettingsDocument | null> {
  const value = await settingsValue(archive)
  if (value === null || (Array.isArray(value) && value.length === 0)) return null
  const settings = settingsOf(Array.isArray(value) ? value[0] : value)
  if (settings === null) report.failed('settings', 'The settings are not an object')
  return settings
}

/**
 * Stores the settings of an archive over the stored ones; missing and null values leave the stored ones, and so do those of
 * the service, which decide whom it asks.
 */
export function restoreSettings({ deps, report, receipt, standIns }: RestoreWork, given: SettingsDocument): void {
  const { db, events } = deps
  const { defaultShoeId: archived, ...all } = given
  const values = Object.fromEntries(Object.entries(all).filter(([name]) => !OF_SERVICE.includes(name))) as typeof all
  const shoeId = archived == null ? null : (standIns.get(archived) ?? archived)
  db.transaction((tx) => {
    const defaultShoeId = shoeId !== null && shoeExists(tx, shoeId) ? shoeId : null
    if (shoeId !== defaultShoeId) report.warn('The default shoe of the archive does not exist and was skipped')
    const hasZones = values.zoneBounds != null
    const to = {
      ...(hasZones ? { zoneAge: null, zoneRestingBpm: null, zoneMaxBpm: null } : {}),
      ...known({ ...values, defaultShoeId }),
      ...(hasZones ? { zonesVersion: zonesVersion(tx) + 1 } : {}),
    }
    const changes = [{ kind: 'settings' as const, id: 'settings', to }]
    // of an archive whose runner set nothing there is nothing to undo
    const isSaid = changedSettings({}, to).length > 0
    commitItem(tx, deps, { changes, item: { outcome: 'changed', filename: 'Settings' } }, isSaid ? receipt : null)
  })
  report.imported('settings')
  events.emit({ event: 'settings.updated', data: {} })
}

const OTHERS = {
  mark: { name: 'Mark', most: MOST_MARKS },
  goal: { name: 'Goal', most: MOST_GOALS },
  race: { name: 'Race', most: MOST_RACES },
  place: { name: 'Place', most: MOST_PLACES },
} as const

/** Stores a mark, goal, race or place, unless its id exists. A race follows a run that is stored under another id. */
export function restoreOther(
  { deps, parts, report, receipt }: RestoreWork,
  change: OtherChange & { kind: keyof typeof OTHERS },
): void {
  const { name, most } = OTHERS[change.kind]
  const table = TABLES[change.kind]
  if (bodyOf(deps.db, change.kind, change.id) !== null) return
  if ((deps.db.select({ n: count() }).from(table).get()?.n ?? 0) >= most) {
    report.warn(`${name}s beyond the ${most} that a library may have, skipped`)
    return
  }
  const runId = change.kind === 'race' && change.to?.workoutId
  const to = runId ? { ...change, to: { ...change.to, workoutId: parts.storedId(runId) ?? runId } } : change
  const item = { outcome: 'created' as const, filename: name }
  deps.db.transaction((tx) => commitItem(tx, deps, { changes: [to as OtherChange], item }, receipt))
}
