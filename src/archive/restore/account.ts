import { count } from 'drizzle-orm'
import { folded } from '../../base/texts.ts'
import { shoes } from '../../db/schema-account.ts'
import { SECOND_RECORDING } from '../../db/stored.ts'
import { MOST_SHOES } from '../../engine/limits.ts'
import { commitItem, type OtherChange } from '../../library/commit.ts'
import { shoeExists } from '../../library/ids.ts'
import { MOST_PLACES, storedPlaces, TRIM_ENDS_M } from '../../library/places.ts'
import { zonesVersion } from '../../library/settings.ts'
import { goalDocument, storedGoals } from '../../library/training/goals.ts'
import { MOST_MARKS, markDocument, storedMarks } from '../../library/training/marks.ts'
import { MOST_RACES, raceDocument, storedRaces } from '../../library/training/races.ts'
import { readPage, readPlace, readShoe, SETTINGS_FIELDS, SHOE_FIELDS, zoneValues } from '../format/account-rows.ts'
import { dataRows, settingsValue } from '../format/data-rows.ts'
import { numberOf, oneOf, rowReader, timeOf, uuidOf } from '../format/fields.ts'
import { readGoal, readMark, readRace, readTraining } from '../format/training-rows.ts'
import type { RestoreWork } from './work.ts'

/**
 * Restores shoes with new ids. When a shoe of the same brand and model exists whose id is not in the archive, it is
 * used for the archive's shoe instead.
 * @returns archive shoes that an existing one replaces, by id
 * @throws BadDataFile
 */
export async function restoreShoes(work: RestoreWork): Promise<ReadonlyMap<string, string>> {
  const { deps, archive, parts, report, receipt } = work
  const { db, now } = deps
  const read = rowReader(SHOE_FIELDS)
  // rows that are left out are reported by the second reading
  for await (const rows of dataRows(archive, 'shoes', () => {})) {
    for (const value of rows) {
      const id = uuidOf(read(value)?.id)
      if (id !== null) parts.mark('shoe', id)
    }
  }
  const free = db
    .select({ id: shoes.id, brand: shoes.brand, model: shoes.model })
    .from(shoes)
    .orderBy(shoes.createdAt, shoes.id)
    .all()
    .filter(({ id }) => !parts.isMarked('shoe', id))
  let kept = db.select({ n: count() }).from(shoes).get()?.n ?? 0
  const standIns = new Map<string, string>()
  for await (const rows of dataRows(archive, 'shoes', report.leftOut)) {
    for (const value of rows) {
      report.read('shoes')
      const shoe = readShoe(read(value), now())
      if ('error' in shoe) {
        report.failed('shoes', shoe.error, shoe.id === null ? {} : { which: shoe.id })
        continue
      }
      if (standIns.has(shoe.id) || shoeExists(db, shoe.id)) continue
      const twin = free.findIndex((stored) => nameOf(stored) === nameOf(shoe))
      if (twin === -1 && kept >= MOST_SHOES) {
        report.failed('shoes', `Shoes beyond the ${MOST_SHOES} that a library may have`, { which: shoe.id })
      } else if (twin === -1) {
        kept += 1
        const changes = [{ kind: 'shoe' as const, id: shoe.id, to: shoe }]
        const item = { outcome: 'created' as const, filename: `${shoe.brand} ${shoe.model}` }
        db.transaction((tx) => commitItem(tx, deps, { changes, item }, receipt))
        report.imported('shoes')
      } else for (const { id } of free.splice(twin, 1)) standIns.set(shoe.id, id)
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
  { deps, archive, report, receipt }: RestoreWork,
  standIns: ReadonlyMap<string, string>,
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
    report.warn('The default shoe of the archive does not exist and was skipped')
  }
  const zones = zoneValues(row)
  const values = {
    archiveId: uuidOf(row.id),
    createdAt: timeOf(row.createdAt),
    updatedAt: timeOf(row.updatedAt),
    ...zones,
    unitPreference: oneOf(row.unitPreference, ['metric', 'imperial']),
    page: readPage(row.page),
    secondRecording: oneOf(row.secondRecording, SECOND_RECORDING),
    trimEndsM: numberOf(row.trimEndsM, ...TRIM_ENDS_M),
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
  restoreMarks({ deps, report, receipt }, row.marks)
  report.imported('settings')
  return true
}

function restoreMarks(
  { deps, report, receipt }: Pick<RestoreWork, 'deps' | 'report' | 'receipt'>,
  value: unknown,
): void {
  const ids = new Set(storedMarks(deps.db).map(({ id }) => id))
  for (const one of Array.isArray(value) ? value : []) {
    const mark = readMark(one)
    if (mark === null || ids.size >= MOST_MARKS) report.warn('Marks that cannot be read, skipped')
    else if (!ids.has(mark.id)) {
      const changes = [{ kind: 'mark' as const, id: mark.id, to: markDocument(mark) }]
      const item = { outcome: 'created' as const, filename: 'Mark' }
      deps.db.transaction((tx) => commitItem(tx, deps, { changes, item }, receipt))
      ids.add(mark.id)
    }
  }
}

const MOST_GOALS = 100

/** Restores goals with new ids; an archive need not have any. @throws BadDataFile */
export async function restoreGoals(work: RestoreWork): Promise<void> {
  const { db, now } = work.deps
  const rows = { file: 'goals', name: 'Goal', read: readGoal, known: storedGoals(db), most: MOST_GOALS } as const
  await restoreOthers(work, rows, (goal) => ({ kind: 'goal', id: goal.id, to: goalDocument(goal, now()) }))
}

/** The same for planned races, which follow a run that is stored under another id. @throws BadDataFile */
export async function restoreRaces(work: RestoreWork): Promise<void> {
  const { deps, parts } = work
  const rows = { file: 'races', name: 'Race', read: readRace, known: storedRaces(deps.db), most: MOST_RACES } as const
  await restoreOthers(work, rows, (race) => {
    const workoutId = race.workoutId && (parts.storedId(race.workoutId) ?? race.workoutId)
    return { kind: 'race', id: race.id, to: raceDocument({ ...race, workoutId }) }
  })
}

/** The same for named places; home stays where it is. @throws BadDataFile */
export async function restorePlaces(work: RestoreWork): Promise<void> {
  const known = storedPlaces(work.deps.db)
  const rows = { file: 'places', name: 'Place', read: readPlace, known, most: MOST_PLACES } as const
  await restoreOthers(work, rows, (place) => ({ kind: 'place', id: place.id, to: place }))
}

interface OtherRows<T> {
  readonly file: 'goals' | 'races' | 'places'
  readonly name: string
  readonly read: (row: unknown) => T | null
  readonly known: readonly { readonly id: string }[]
  readonly most: number
}

async function restoreOthers<T extends { readonly id: string }>(
  { deps, archive, report, receipt }: RestoreWork,
  { file, name, read, known, most }: OtherRows<T>,
  changeOf: (row: T) => OtherChange,
): Promise<void> {
  const ids = new Set(known.map(({ id }) => id))
  for await (const rows of dataRows(archive, file, report.leftOut)) {
    for (const value of rows) {
      const row = read(value)
      if (row === null || ids.size >= most) report.warn(`${name}s that cannot be read, skipped`)
      else if (!ids.has(row.id)) {
        const item = { outcome: 'created' as const, filename: name }
        deps.db.transaction((tx) => commitItem(tx, deps, { changes: [changeOf(row)], item }, receipt))
        ids.add(row.id)
      }
    }
  }
}
