import type { Static } from '@sinclair/typebox'
import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { shoes } from '../db/schema-account.ts'
import { isoTime } from '../engine/calendar/timestamp.ts'
import { gearOfRuns, namedShoes } from '../library/gear.ts'
import { defaultShoeId, splitUnitM, type UnitPreference, unitPreference } from '../library/settings.ts'
import { folded } from '../texts.ts'
import type { DefaultShoe, Shoe, ShoeFound } from './schemas.ts'

type ShoeObject = Static<typeof Shoe>
type Mileage = Pick<ShoeObject, 'totalMileage' | 'unit'>

const SHOE_COLUMNS = {
  id: shoes.id,
  brand: shoes.brand,
  model: shoes.model,
  initialMileageM: shoes.initialMileageM,
  createdAt: shoes.createdAt,
  updatedAt: shoes.updatedAt,
  // table names are written out: drizzle omits them when it selects from one table, but both tables have an id
  totalM: sql<number>`coalesce(shoe.initial_mileage_m, 0) +
    (SELECT coalesce(sum(workout.distance_m), 0) FROM workout WHERE workout.shoe_id = shoe.id)`,
}

type ShoeRow = NonNullable<ReturnType<typeof shoeRow>>

/** All shoes by brand, model and age, ignoring case. There are few, so there is no limit. */
export function allShoes(tx: Tx): ShoeObject[] {
  const unit = unitPreference(tx)
  return tx
    .select(SHOE_COLUMNS)
    .from(shoes)
    .all()
    .sort(byName)
    .map((row) => shoeObject(row, unit))
}

/** null: unknown. */
export function shoeById(tx: Tx, id: string): ShoeObject | null {
  const row = shoeRow(tx, id)
  return row === undefined ? null : shoeObject(row, unitPreference(tx))
}

/** The shoe that new runs get; null: none was chosen. */
export function defaultShoe(tx: Tx): Static<typeof DefaultShoe> | null {
  const id = defaultShoeId(tx)
  const shoe = id === null ? null : shoeById(tx, id)
  if (shoe === null) return null
  const { createdAt: _createdAt, updatedAt: _updatedAt, ...rest } = shoe
  return { defaultShoeId: shoe.id, ...rest }
}

/** Total mileage in the requested unit, `km` or `miles`; null: unknown shoe. */
export function shoeMileage(tx: Tx, id: string, unit: UnitPreference | undefined): Mileage | null {
  const row = shoeRow(tx, id)
  return row === undefined ? null : mileage(row.totalM, unit ?? unitPreference(tx))
}

/** Gear names of recordings, and whether a shoe with that name exists. */
export function shoesFound(tx: Tx): Static<typeof ShoeFound>[] {
  const known = namedShoes(tx)
  return [...gearOfRuns(tx).entries()]
    .sort(([one], [other]) => ordered(one, other))
    .map(([, { name, runIds, shoelessIds }]) => {
      return { name, runs: runIds.size, runsWithoutShoe: shoelessIds.size, shoeId: known.find(name) }
    })
}

function shoeRow(tx: Tx, id: string) {
  return tx.select(SHOE_COLUMNS).from(shoes).where(eq(shoes.id, id)).get()
}

function shoeObject({ totalM, createdAt, updatedAt, ...row }: ShoeRow, unit: UnitPreference): ShoeObject {
  return { ...row, ...mileage(totalM, unit), createdAt: isoTime(createdAt), updatedAt: isoTime(updatedAt) }
}

function mileage(totalM: number, unit: UnitPreference): Mileage {
  return { totalMileage: totalM / splitUnitM(unit), unit: unit === 'imperial' ? 'miles' : 'km' }
}

function byName(one: ShoeRow, other: ShoeRow): number {
  return (
    ordered(folded(one.brand), folded(other.brand)) ||
    ordered(folded(one.model), folded(other.model)) ||
    one.createdAt - other.createdAt ||
    ordered(one.id, other.id)
  )
}

function ordered(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
