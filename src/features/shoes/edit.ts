import type { Static } from '@sinclair/typebox'
import { count } from 'drizzle-orm'
import { invalid, notFound } from '../../base/errors.ts'
import type { Tx } from '../../db/open.ts'
import { shoes } from '../../db/schema-account.ts'
import { parseTimestamp } from '../../engine/calendar/timestamp.ts'
import { MOST_SHOES } from '../../engine/limits.ts'
import { DAY_MS } from '../../engine/units.ts'
import { commitPlain } from '../../library/commit.ts'
import { deleteDocument, neededBody } from '../../library/delete-document.ts'
import type { Deps, DepsBy } from '../../library/deps.ts'
import type { ShoeDocument } from '../../library/documents/rows.ts'
import { changeSettings, defaultShoeId } from '../../library/settings.ts'
import { nextDefault, shoeById } from './queries.ts'
import type { ChosenShoe, NewShoe, Shoe, ShoeEdit } from './schemas.ts'

type ShoeDeps = Pick<Deps, 'db' | 'config' | 'now' | 'events'>

/** @throws AppError 400 when the most shoes exist already */
export function addShoe(deps: ShoeDeps, shoe: Static<typeof NewShoe>): Static<typeof Shoe> {
  const { db, now, events } = deps
  const id = Bun.randomUUIDv7()
  const nowMs = now()
  const added = db.transaction((tx) => {
    const kept = tx.select({ n: count() }).from(shoes).get()?.n ?? 0
    if (kept >= MOST_SHOES)
      throw invalid(`There are already ${MOST_SHOES} shoes, the most allowed`, { code: 'limit_reached' })
    const fresh = { initialMileageM: null, retiredAt: null, retireAtM: null }
    const sent = stored(shoe, nowMs)
    commitShoe(tx, deps, { ...fresh, ...sent, id, createdAt: nowMs, updatedAt: nowMs })
    return shoeById(tx, id)!
  })
  events.emit({ event: 'shoe.created', data: { id } })
  return added
}

/** Adds or changes a shoe, which leaves no receipt. */
function commitShoe(tx: Tx, deps: ShoeDeps, to: ShoeDocument): void {
  commitPlain(tx, deps, { kind: 'shoe', id: to.id, to })
}

/** Changes only the members that were sent. A default shoe that is retired hands on to another one. @throws AppError 404, 400 */
export function editShoe(deps: ShoeDeps, id: string, edit: Static<typeof ShoeEdit>): Static<typeof Shoe> {
  const { db, now, events } = deps
  const isEdited = Object.keys(edit).length > 0
  const { edited, wasDefault } = db.transaction((tx) => {
    const to = { ...neededBody(tx, 'shoe', id), ...stored(edit, now()), updatedAt: now() }
    const wasDefault = to.retiredAt !== null && defaultShoeId(tx) === id
    if (isEdited) commitShoe(tx, deps, to)
    if (wasDefault) changeSettings(tx, deps, { defaultShoeId: nextDefault(tx) })
    return { edited: shoeById(tx, id)!, wasDefault }
  })
  if (isEdited) events.emit({ event: 'shoe.updated', data: { id } })
  if (wasDefault) events.emit({ event: 'settings.updated', data: {} })
  return edited
}

const EARLIEST_MS = Date.UTC(1990, 0, 1)

/** The members of a shoe as they are stored. @throws AppError 400 for a time that is not a day of running */
function stored<T extends { readonly retiredAt?: string | null }>({ retiredAt: sent, ...rest }: T, nowMs: number) {
  if (sent === undefined || sent === null) return { ...rest, ...(sent === null ? { retiredAt: null } : {}) }
  const retiredAt = parseTimestamp(sent)
  // the clock of a browser may be ahead
  if (retiredAt === null || retiredAt < EARLIEST_MS || retiredAt > nowMs + DAY_MS) {
    throw invalid(`retiredAt must be a date-time from 1990 to now, not ${sent}`, { field: 'retiredAt' })
  }
  return { ...rest, retiredAt }
}

/** Deletes a shoe, which takes it off its runs and out of the settings. @throws AppError 404 */
export function deleteShoe(deps: DepsBy, id: string): void {
  const { db, events } = deps
  const wasDefault = defaultShoeId(db) === id
  const noDefault = { kind: 'settings', id: 'settings', to: { defaultShoeId: null } } as const
  const titled = ({ brand, model }: ShoeDocument) => `Deleted the shoe ${brand} ${model}`
  deleteDocument(deps, ['shoe', id], titled, wasDefault ? [noDefault] : [])
  events.emit({ event: 'shoe.deleted', data: { id } })
  if (wasDefault) events.emit({ event: 'settings.updated', data: {} })
}

/** Sets the shoe of runs imported from now on; null: none. @throws AppError 404 for an unknown shoe, 400 for a retired one */
export function chooseDefaultShoe(deps: ShoeDeps, id: string | null): Static<typeof ChosenShoe> {
  const { db, events } = deps
  const chosen = db.transaction((tx) => {
    const shoe = id === null ? null : shoeById(tx, id)
    if (id !== null && shoe === null) throw notFound('Shoe', 'defaultShoeId')
    if (shoe !== null && shoe.retiredAt !== null)
      throw invalid(`${shoe.brand} ${shoe.model} is retired`, { code: 'not_applicable', field: 'defaultShoeId' })
    changeSettings(tx, deps, { defaultShoeId: id })
    return { defaultShoeId: id, brand: shoe?.brand ?? null, model: shoe?.model ?? null }
  })
  events.emit({ event: 'settings.updated', data: {} })
  return chosen
}
