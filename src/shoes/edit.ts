import type { Static } from '@sinclair/typebox'
import { count } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { shoes } from '../db/schema-account.ts'
import type { Deps, DepsBy } from '../deps.ts'
import { invalid, notFound } from '../errors.ts'
import { type Change, commit, commitGroup } from '../library/commit.ts'
import { bodyOf, type ShoeDocument } from '../library/documents/rows.ts'
import { tellReceipt } from '../library/receipts/record.ts'
import { changeSettings, defaultShoeId } from '../library/settings.ts'
import { shoeById } from './queries.ts'
import { type ChosenShoe, MOST_SHOES, type NewShoe, type Shoe, type ShoeEdit } from './schemas.ts'

type ShoeDeps = Pick<Deps, 'db' | 'config' | 'now' | 'events'>

/** @throws AppError 400 when the most shoes exist already */
export function addShoe(deps: ShoeDeps, shoe: Static<typeof NewShoe>): Static<typeof Shoe> {
  const { db, now, events } = deps
  const id = Bun.randomUUIDv7()
  const nowMs = now()
  const added = db.transaction((tx) => {
    const kept = tx.select({ n: count() }).from(shoes).get()?.n ?? 0
    if (kept >= MOST_SHOES) throw invalid(`There are ${MOST_SHOES} shoes already, the most that are kept`)
    commitShoe(tx, deps, { initialMileageM: null, ...shoe, id, createdAt: nowMs, updatedAt: nowMs })
    return shoeById(tx, id)!
  })
  events.emit({ event: 'shoe.created', data: { id } })
  return added
}

/** Adds or changes a shoe, which leaves no receipt. */
function commitShoe(tx: Tx, deps: ShoeDeps, to: ShoeDocument): void {
  commitGroup(tx, deps, { changes: [{ kind: 'shoe', id: to.id, to }], item: { outcome: 'changed' } }, null)
}

/**
 * Changes only the members that were sent.
 * @throws AppError 404
 */
export function editShoe(deps: ShoeDeps, id: string, edit: Static<typeof ShoeEdit>): Static<typeof Shoe> {
  const { db, now, events } = deps
  const isEdited = Object.keys(edit).length > 0
  const edited = db.transaction((tx) => {
    const shoe = bodyOf(tx, 'shoe', id)
    if (shoe === null) throw notFound('Shoe')
    if (isEdited) commitShoe(tx, deps, { ...shoe, ...edit, updatedAt: now() })
    return shoeById(tx, id)!
  })
  if (isEdited) events.emit({ event: 'shoe.updated', data: { id } })
  return edited
}

/**
 * Deletes a shoe, which takes it off its runs and out of the settings.
 * @throws AppError 404
 */
export function deleteShoe(deps: DepsBy, id: string): void {
  const { db, events, by } = deps
  const { wasDefault, receiptId } = db.transaction((tx) => {
    const shoe = bodyOf(tx, 'shoe', id)
    if (shoe === null) throw notFound('Shoe')
    const wasDefault = defaultShoeId(tx) === id
    const changes: Change[] = [
      ...(wasDefault ? [{ kind: 'settings', id: 'settings', to: { defaultShoeId: null } } as const] : []),
      { kind: 'shoe', id, to: null },
    ]
    const receipt = { kind: 'delete', title: `Deleted the shoe ${shoe.brand} ${shoe.model}` } as const
    return {
      wasDefault,
      receiptId: commit(tx, deps, by, { receipt, groups: [{ changes, item: { outcome: 'deleted' } }] }),
    }
  })
  events.emit({ event: 'shoe.deleted', data: { id } })
  tellReceipt(deps, receiptId)
  if (wasDefault) events.emit({ event: 'settings.updated', data: {} })
}

/**
 * Sets the shoe of runs imported from now on; null: none.
 * @throws AppError 404 for an unknown shoe
 */
export function chooseDefaultShoe(deps: ShoeDeps, id: string | null): Static<typeof ChosenShoe> {
  const { db, events } = deps
  const chosen = db.transaction((tx) => {
    const shoe = id === null ? null : shoeById(tx, id)
    if (id !== null && shoe === null) throw notFound('Shoe')
    changeSettings(tx, deps, { defaultShoeId: id })
    return { defaultShoeId: id, brand: shoe?.brand ?? null, model: shoe?.model ?? null }
  })
  events.emit({ event: 'settings.updated', data: {} })
  return chosen
}
