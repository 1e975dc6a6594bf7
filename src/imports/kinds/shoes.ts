import type { Tx } from '../../db/open.ts'
import { gearKey } from '../../library/gear.ts'

/** The ids of all shoes; there are few. */
export function shoeIds({ $client: client }: Tx): ReadonlySet<string> {
  return new Set(
    client
      .query<{ id: string }, []>('SELECT id FROM shoe')
      .all()
      .map(({ id }) => id),
  )
}

export function newShoes(tx: Tx, before: ReadonlySet<string>): readonly string[] {
  return [...shoeIds(tx)].filter((id) => !before.has(id))
}

/** When the shoes of a name were retired, as an export says: the latest day, null while one of them is worn. */
export function retiredShoes() {
  const known = new Map<string, number | null>()
  return {
    note: (name: string, retiredAtMs: number | null): void => {
      const before = known.get(gearKey(name))
      const isWorn = before === null || retiredAtMs === null
      known.set(gearKey(name), isWorn ? null : Math.max(before ?? retiredAtMs, retiredAtMs))
    },
    at: (name: string): number | null => known.get(gearKey(name)) ?? null,
  }
}
