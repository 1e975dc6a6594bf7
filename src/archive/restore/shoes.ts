import { count, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../db/open.ts'
import { shoes } from '../../db/schema-account.ts'
import { folded } from '../../library/search-text.ts'
import { MOST_SHOES } from '../../shoes/schemas.ts'
import { dataRows, type OpenArchive } from '../format/data-rows.ts'
import { rowReader, uuidOf } from '../format/row-fields.ts'
import { readShoe, SHOE_FIELDS } from '../format/shoes.ts'
import type { Parts } from './parts.ts'
import type { RestoreReport } from './report.ts'

/**
 * Shoes whose id is new. A shoe that was here before, under an id that the archive does not have, stands for one shoe of
 * the same brand and model.
 * @returns archive shoes that another stands for, by id
 * @throws BadDataFile
 */
export async function restoreShoes(
  { db, nowMs }: { readonly db: Db; readonly nowMs: number },
  { archive, parts, report }: { readonly archive: OpenArchive; readonly parts: Parts; readonly report: RestoreReport },
): Promise<ReadonlyMap<string, string>> {
  const read = rowReader(SHOE_FIELDS)
  for await (const rows of dataRows(archive, 'shoes')) {
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
  const standIns = new Map<string, string>()
  let kept = db.select({ n: count() }).from(shoes).get()?.n ?? 0
  for await (const rows of dataRows(archive, 'shoes')) {
    for (const value of rows) {
      const shoe = readShoe(read(value), nowMs)
      if ('error' in shoe) {
        report.failed('shoes', shoe.error, shoe.id === null ? {} : { which: shoe.id })
        continue
      }
      if (standIns.has(shoe.id) || isStored(db, shoe.id)) {
        report.skipped('shoes')
        continue
      }
      const twin = free.findIndex((stored) => sameName(stored, shoe))
      if (twin === -1 && kept >= MOST_SHOES) {
        report.failed('shoes', `Shoes beyond the ${MOST_SHOES} that a library may have`, { which: shoe.id })
      } else if (twin === -1) {
        kept += 1
        db.insert(shoes).values(shoe).run()
        report.imported('shoes')
      } else {
        for (const { id } of free.splice(twin, 1)) standIns.set(shoe.id, id)
        report.skipped('shoes')
      }
    }
  }
  return standIns
}

/** True when a shoe of this id is stored. */
export function isStored(tx: Tx, id: string): boolean {
  return tx.select({ id: shoes.id }).from(shoes).where(eq(shoes.id, id)).get() !== undefined
}

interface Named {
  readonly brand: string
  readonly model: string
}

function sameName(one: Named, other: Named): boolean {
  const key = ({ brand, model }: Named) => folded(`${brand}\n${model}`)
  return key(one) === key(other)
}
