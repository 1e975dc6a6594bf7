import type { Tx } from '../db/open.ts'

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
