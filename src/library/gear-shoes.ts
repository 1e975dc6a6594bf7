import type { Tx } from '../db/open.ts'
import { MOST_SHOES } from '../engine/limits.ts'
import { commitItem } from './commit.ts'
import type { DepsBy } from './deps.ts'
import { namedShoes, shoeNamed } from './gear.ts'
import type { OpenReceipt } from './receipts/record.ts'

// The shoes that an export names.

/** How an export fills what stored runs lack. */
export interface Fills {
  readonly createShoes: boolean
  /** Of a new shoe. @returns null: it is worn; NaN: on an unknown day */
  retiredAtMs?(name: string): number | null
}

/** The shoe that a recording names; null: there is none, and none is to be created. */
export function gearShoe(
  tx: Tx,
  deps: DepsBy,
  gear: string | null,
  { receipt, createShoes, retiredAtMs }: Fills & { readonly receipt: OpenReceipt | null },
): string | null {
  if (gear === null || gear.trim() === '') return null
  const known = namedShoes(tx).find(gear)
  if (known !== null || !createShoes || countShoes(tx) >= MOST_SHOES) return known
  const id = Bun.randomUUIDv7()
  createShoe(tx, deps, { id, name: gear, retiredAtMs: retiredAtMs?.(gear) ?? null }, receipt)
  return id
}

/** Stores a new shoe with the name that recordings give it. @param retiredAtMs NaN: now */
export function createShoe(
  tx: Tx,
  deps: DepsBy,
  {
    id,
    name,
    retiredAtMs = null,
  }: { readonly id: string; readonly name: string; readonly retiredAtMs?: number | null },
  receipt: OpenReceipt | null,
): void {
  const nowMs = deps.now()
  const retiredAt = retiredAtMs !== null && !(retiredAtMs <= nowMs) ? nowMs : retiredAtMs
  const to = {
    ...shoeNamed(name),
    id,
    initialMileageM: null,
    retiredAt,
    retireAtM: null,
    createdAt: nowMs,
    updatedAt: nowMs,
  }
  const item = { outcome: 'created', filename: name } as const
  commitItem(tx, deps, { changes: [{ kind: 'shoe', id, to }], item }, receipt)
}

function countShoes(tx: Tx): number {
  return tx.$client.query<{ n: number }, []>('SELECT count(*) AS n FROM shoe').get()?.n ?? 0
}
