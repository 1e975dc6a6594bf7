import type { Tx } from '../db/open.ts'
import { shoes } from '../db/schema-account.ts'
import { folded } from './search-text.ts'

/** The shoe whose `brand model` equals a gear name, ignoring case and outer blanks; the oldest of several, else null. */
export function shoeIdByGearName(tx: Tx, gearName: string): string | null {
  const wanted = folded(gearName.trim())
  const rows = tx
    .select({ id: shoes.id, brand: shoes.brand, model: shoes.model })
    .from(shoes)
    .orderBy(shoes.createdAt, shoes.id)
    .all()
  return rows.find(({ brand, model }) => folded(`${brand} ${model}`) === wanted)?.id ?? null
}
