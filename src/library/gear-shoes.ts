import type { Tx } from '../db/open.ts'
import type { DepsBy } from '../deps.ts'
import { MOST_SHOES } from '../engine/limits.ts'
import { commitItem } from './commit.ts'
import { namedShoes, shoeNamed } from './gear.ts'
import type { OpenReceipt } from './receipts/record.ts'

// The shoes that an export names.

/** The shoe that a recording names; null: there is none, and none is to be created. */
export function gearShoe(
  tx: Tx,
  deps: DepsBy,
  gear: string | null,
  { receipt, createShoes }: { readonly receipt: OpenReceipt | null; readonly createShoes: boolean },
): string | null {
  if (gear === null || gear.trim() === '') return null
  const known = namedShoes(tx).find(gear)
  if (known !== null || !createShoes || countShoes(tx) >= MOST_SHOES) return known
  const id = Bun.randomUUIDv7()
  createShoe(tx, deps, { id, name: gear }, receipt)
  return id
}

/** Stores a new shoe with the name that recordings give it. */
export function createShoe(
  tx: Tx,
  deps: DepsBy,
  { id, name }: { readonly id: string; readonly name: string },
  receipt: OpenReceipt | null,
): void {
  const nowMs = deps.now()
  const none = { initialMileageM: null, retiredAt: null, retireAtM: null }
  const to = { ...shoeNamed(name), id, ...none, createdAt: nowMs, updatedAt: nowMs }
  const item = { outcome: 'created', filename: name } as const
  commitItem(tx, deps, { changes: [{ kind: 'shoe', id, to }], item }, receipt)
}

function countShoes(tx: Tx): number {
  return tx.$client.query<{ n: number }, []>('SELECT count(*) AS n FROM shoe').get()?.n ?? 0
}
