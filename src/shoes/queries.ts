import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { shoes } from '../db/schema-account.ts'
import { isoTime } from '../engine/calendar/timestamp.ts'
import { splitUnitM, type UnitPreference, unitPreference } from '../library/settings.ts'
import { folded } from '../texts.ts'

/** A shoe as it is served. */
export interface ShoeObject {
  readonly id: string
  readonly brand: string
  readonly model: string
  readonly initialMileageM: number | null
  /** In `unit`: all assigned runs and the initial mileage, unrounded. */
  readonly totalMileage: number
  readonly unit: 'km' | 'miles'
  readonly createdAt: string
  readonly updatedAt: string
}

const SHOE_COLUMNS = {
  id: shoes.id,
  brand: shoes.brand,
  model: shoes.model,
  initialMileageM: shoes.initialMileageM,
  createdAt: shoes.createdAt,
  updatedAt: shoes.updatedAt,
  // Names written out: drizzle leaves the table off in a select from one table, and both tables have an id.
  totalM: sql<number>`coalesce(shoe.initial_mileage_m, 0) +
    (SELECT coalesce(sum(workout.distance_m), 0) FROM workout WHERE workout.shoe_id = shoe.id)`,
}

interface ShoeRow {
  readonly id: string
  readonly brand: string
  readonly model: string
  readonly initialMileageM: number | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly totalM: number
}

/** All shoes by brand, model and age; upper and lower case are the same letter. A runner has few: no limit. */
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
  const row = tx.select(SHOE_COLUMNS).from(shoes).where(eq(shoes.id, id)).get()
  return row === undefined ? null : shoeObject(row, unitPreference(tx))
}

/** Total mileage in the unit asked for, `km` or `miles`; null: unknown shoe. */
export function shoeMileage(
  tx: Tx,
  id: string,
  unit: UnitPreference | undefined,
): Pick<ShoeObject, 'totalMileage' | 'unit'> | null {
  const row = tx.select({ totalM: SHOE_COLUMNS.totalM }).from(shoes).where(eq(shoes.id, id)).get()
  return row === undefined ? null : mileage(row.totalM, unit ?? unitPreference(tx))
}

function shoeObject({ totalM, createdAt, updatedAt, ...row }: ShoeRow, unit: UnitPreference): ShoeObject {
  return { ...row, ...mileage(totalM, unit), createdAt: isoTime(createdAt), updatedAt: isoTime(updatedAt) }
}

function mileage(totalM: number, unit: UnitPreference): Pick<ShoeObject, 'totalMileage' | 'unit'> {
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
