import { paced } from '../../../base/pace.ts'
import { type ForeignColumns, ForeignError, type ForeignRow, type ForeignTable } from '../../../db/foreign.ts'
import type { Item } from '../kind.ts'

// Databases that are exports: an upload of its own, or the only one in a ZIP.

/** The rows of a table in slices, others being served between them. @throws ForeignError when it is damaged */
export async function* slicesOf<const C extends ForeignColumns>(
  table: ForeignTable | null,
  columns: C,
): AsyncGenerator<readonly ForeignRow<C>[]> {
  if (table !== null) yield* paced(table.read(columns).slices())
}

/** The item of one run, which may be damaged while others are not. */
export async function itemOrError(filename: string, item: () => Promise<Item>): Promise<Item> {
  try {
    return await item()
  } catch (error) {
    if (error instanceof ForeignError) return { filename, error: error.message }
    throw error
  }
}
