import type { Static } from '@sinclair/typebox'
import { eq, isNull } from 'drizzle-orm'
import { folded } from '../../base/texts.ts'
import type { Tx } from '../../db/open.ts'
import { shoes } from '../../db/schema-account.ts'
import { isoTime, isoTimeOrNull } from '../../engine/calendar/timestamp.ts'
import { METRES_PER_KM } from '../../engine/units.ts'
import { gearOfRuns, namedShoes } from '../../library/gear.ts'
import { defaultShoeId, splitUnitM, type UnitPreference, unitPreference } from '../../library/settings.ts'
import type { DefaultShoe, Shoe, ShoeFound } from './schemas.ts'

type ShoeObject = Static<typeof Shoe>
type Mileage = Pick<ShoeObject, 'totalMileage' | 'unit'>

type ShoeRow = typeof shoes.$inferSelect

/** All shoes by brand, model and age, ignoring case. There are few, so there is no limit. */
export function allShoes(tx: Tx): ShoeObject[] {
  const unit = unitPreference(tx)
  const used = usedShoes(tx)
  return tx
    .select()
    .from(shoes)
    .all()
    .sort(byName)
    .map((row) => shoeObject(row, used.get(row.id), unit))
}

/** The distance of every pair, metres. */
export function wornShoes(tx: Tx): (Pick<ShoeRow, 'id' | 'retiredAt' | 'retireAtM'> & { readonly mileageM: number })[] {
  const used = usedShoes(tx)
  const rows = tx.select().from(shoes).all().sort(byName)
  return rows.map((row) => ({ ...row, mileageM: totalM(row, used.get(row.id)) }))
}

/** null: unknown. */
export function shoeById(tx: Tx, id: string): ShoeObject | null {
  const row = shoeRow(tx, id)
  return row === undefined ? null : shoeObject(row, usedShoes(tx).get(id), unitPreference(tx))
}

/** The shoe that new runs get; null: none was chosen. */
export function defaultShoe(tx: Tx): Static<typeof DefaultShoe> | null {
  const id = defaultShoeId(tx)
  const shoe = id === null ? null : shoeById(tx, id)
  if (shoe === null) return null
  const { brand, model, initialMileageM, totalMileage, unit } = shoe
  return { defaultShoeId: shoe.id, id: shoe.id, brand, model, initialMileageM, totalMileage, unit }
}

/** Total mileage in the requested unit, `km` or `miles`; null: unknown shoe. */
export function shoeMileage(tx: Tx, id: string, unit: UnitPreference | undefined): Mileage | null {
  const row = shoeRow(tx, id)
  return row === undefined ? null : mileage(totalM(row, usedShoes(tx).get(id)), unit ?? unitPreference(tx))
}

/** The shoe that becomes the default in place of one that is retired: that of the latest run; null: there is none. */
export function nextDefault(tx: Tx): string | null {
  const used = usedShoes(tx)
  const offered = tx.select({ id: shoes.id }).from(shoes).where(isNull(shoes.retiredAt)).all()
  const latest = offered
    .map(({ id }) => ({ id, lastMs: used.get(id)?.lastMs ?? Number.NEGATIVE_INFINITY }))
    .reduce((one, other) => (other.lastMs > one.lastMs ? other : one), { id: '', lastMs: Number.NEGATIVE_INFINITY })
  return latest.id === '' ? null : latest.id
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

/** What the runs of a shoe add up to. */
interface Use {
  readonly runs: number
  readonly distanceM: number
  readonly durationS: number
  readonly firstId: string
  readonly firstMs: number
  readonly firstOffset: number | null
  readonly lastId: string
  readonly lastMs: number
  readonly lastOffset: number | null
}

/** The index has all that is summed; by default SQLite would read the rows of all runs. */
const USED = `WITH used AS MATERIALIZED (
    SELECT shoe_id AS shoeId, count(*) AS runs, sum(distance_m) AS distanceM, sum(duration_s) AS durationS,
      min(started_at) AS firstMs, max(started_at) AS lastMs
    FROM workout INDEXED BY workout_started WHERE shoe_id IS NOT NULL GROUP BY shoe_id)
  SELECT used.*, first.id AS firstId, first.utc_offset_minutes AS firstOffset,
    last.id AS lastId, last.utc_offset_minutes AS lastOffset
  FROM used
  JOIN workout AS first ON first.started_at = firstMs AND first.shoe_id = shoeId
  JOIN workout AS last ON last.started_at = lastMs AND last.shoe_id = shoeId`

function usedShoes(tx: Tx): ReadonlyMap<string, Use> {
  const rows = tx.$client.query<Use & { readonly shoeId: string }, []>(USED).all()
  return new Map(rows.map((row) => [row.shoeId, row]))
}

function shoeRow(tx: Tx, id: string): ShoeRow | undefined {
  return tx.select().from(shoes).where(eq(shoes.id, id)).get()
}

function shoeObject(row: ShoeRow, use: Use | undefined, unit: UnitPreference): ShoeObject {
  const { createdAt, updatedAt, retiredAt, ...rest } = row
  return {
    ...rest,
    ...mileage(totalM(row, use), unit),
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
    retiredAt: isoTimeOrNull(retiredAt),
    runs: use?.runs ?? 0,
    avgPaceS: use === undefined || use.distanceM === 0 ? null : (use.durationS / use.distanceM) * METRES_PER_KM,
    firstRun: use === undefined ? null : shoeRun(use.firstId, use.firstMs, use.firstOffset),
    lastRun: use === undefined ? null : shoeRun(use.lastId, use.lastMs, use.lastOffset),
  }
}

function shoeRun(id: string, startedAtMs: number, utcOffsetMinutes: number | null): ShoeObject['firstRun'] {
  return { id, startedAt: isoTime(startedAtMs), utcOffsetMinutes }
}

function totalM({ initialMileageM }: ShoeRow, use: Use | undefined): number {
  return (initialMileageM ?? 0) + (use?.distanceM ?? 0)
}

function mileage(metres: number, unit: UnitPreference): Mileage {
  return { totalMileage: metres / splitUnitM(unit), unit: unit === 'imperial' ? 'miles' : 'km' }
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
