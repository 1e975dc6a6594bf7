import { cutText, folded, LENGTHS } from '../base/texts.ts'
import type { Tx } from '../db/open.ts'
import { shoes } from '../db/schema-account.ts'
import { MOST_SHOES } from '../engine/limits.ts'
import { commitItem } from './commit.ts'
import type { DepsBy } from './deps.ts'
import type { OpenReceipt } from './receipts/record.ts'

// Names that recordings give to shoes, and the shoes of the library that they refer to.

/** Brand of a shoe whose name is a single word, since a shoe needs a brand. */
const NO_BRAND = '–'

/** The form in which names of shoes are compared, ignoring case and the number of blanks. */
export function gearKey(name: string): string {
  return folded(name).trim().split(/\s+/).join(' ')
}

/**
 * Splits a gear name into brand and model: the first word, or as many as a known brand takes, is the brand. Text beyond
 * the length of the fields is cut.
 */
function shoeNamed(gear: string): { readonly brand: string; readonly model: string } {
  const words = gear.trim().split(/\s+/)
  if (words.length === 1) return { brand: NO_BRAND, model: cut(gear.trim()) }
  const parted = (at: number) => [words.slice(0, at).join(' '), words.slice(at).join(' ')] as const
  let at = 1
  while (at < words.length - 1 && parted(at)[1] !== cut(parted(at)[1])) at += 1
  const [brand, model] = parted(at)
  return { brand: cut(brand), model: cut(model) }
}

function cut(text: string): string {
  return cutText(text, LENGTHS.shoe).trim()
}

/** The shoes of the library by possible gear names. */
export function namedShoes(tx: Tx) {
  const { id, brand, model, createdAt } = shoes
  const rows = tx.select({ id, brand, model }).from(shoes).orderBy(createdAt, id).all()
  const ids = new Map<string, string>()
  for (const row of rows) {
    const key = keyOfShoe(row)
    if (!ids.has(key)) ids.set(key, row.id)
  }
  return {
    /** Id of the oldest shoe with that name; null: there is none. */
    find: (gear: string): string | null => ids.get(gearKey(gear)) ?? ids.get(keyOfShoe(shoeNamed(gear))) ?? null,
  }
}

function keyOfShoe({ brand, model }: { readonly brand: string; readonly model: string }): string {
  return gearKey(brand === NO_BRAND ? model : `${brand} ${model}`)
}

/** A gear name in recordings, and the runs that have it. */
export interface Gear {
  readonly name: string
  readonly runIds: ReadonlySet<string>
  /** Those of the runs that have no shoe, except where the runner removed it. */
  readonly shoelessIds: ReadonlySet<string>
}

/** All gear names of recordings, by `gearKey`; 10,000 recordings take about 20 ms. */
export function gearOfRuns(tx: Tx): ReadonlyMap<string, Gear> {
  const rows = tx.$client
    .query<{ runId: string; gear: string; shoeId: string | null; isSet: 0 | 1 }, []>(
      `SELECT run_recording.run_id AS runId, json_extract(recording.words, '$.gear') AS gear,
         (SELECT id FROM shoe WHERE id = workout.shoe_id) AS shoeId,
         json_type(document.body, '$.words.shoeId') IS NOT NULL AS isSet
       FROM recording JOIN run_recording ON run_recording.recording_id = recording.id AND live = 1
         JOIN workout ON workout.id = run_recording.run_id JOIN document ON document.id = run_recording.run_id
       WHERE json_extract(recording.words, '$.gear') IS NOT NULL
       ORDER BY workout.started_at, run_recording.run_id, run_recording.place`,
    )
    .all()
  const found = new Map<string, { name: string; runIds: Set<string>; shoelessIds: Set<string> }>()
  for (const { runId, gear, shoeId, isSet } of rows) {
    const key = gearKey(gear)
    if (key === '') continue
    const known = found.get(key) ?? { name: gear.trim(), runIds: new Set(), shoelessIds: new Set() }
    known.runIds.add(runId)
    if (shoeId === null && isSet === 0) known.shoelessIds.add(runId)
    found.set(key, known)
  }
  return found
}

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
