import type { Static } from '@sinclair/typebox'
import { and, count, eq, isNull } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { workouts } from '../db/schema.ts'
import { shoes } from '../db/schema-account.ts'
import type { Deps } from '../deps.ts'
import { invalid } from '../errors.ts'
import { gearKey, gearOfRuns, namedShoes, shoeNamed } from '../library/gear.ts'
import { leaveReceipt, type NewItem, type Noting, tellReceipt } from '../library/receipts/record.ts'
import { MOST_SHOES, type ShoesFromImport } from './schemas.ts'

type Answer = Static<typeof ShoesFromImport>

/**
 * Creates shoes for gear names of recordings, unless they exist, and assigns them to the runs with that gear and no
 * shoe; all or, when there would be too many shoes, nothing. Repeating it changes nothing.
 * @param names in any case; a name that no recording has creates no shoe
 * @throws AppError 400 when there would be too many shoes
 */
export function addShoesFromImport(deps: Noting & Pick<Deps, 'db' | 'events'>, names: string[]): Answer {
  const { db, now, events } = deps
  const nowMs = now()
  const { answer, receiptId } = db.transaction((tx): { answer: Answer; receiptId: string | null } => {
    const gear = gearOfRuns(tx)
    const known = namedShoes(tx)
    const keys = new Map(names.map((name) => [gearKey(name), name]))
    const done = [...keys].map(([key, sent]) => {
      const { name = sent, shoelessIds = new Set<string>() } = gear.get(key) ?? {}
      const shoeId = known.find(name)
      const isNew = shoeId === null && gear.has(key)
      return { name, shoeId: isNew ? addNamed(tx, name, nowMs) : shoeId, created: isNew, shoelessIds }
    })
    if (done.some(({ created }) => created)) refuseTooMany(tx)
    const items: NewItem[] = done.flatMap(({ shoeId, created, name }) => {
      const isNew = created && shoeId !== null
      return isNew ? [{ outcome: 'created', filename: name, before: { what: 'shoe added', shoeId } }] : []
    })
    const answer = {
      shoes: done.map(({ shoelessIds, ...shoe }) => {
        const worn = assigned(tx, shoe.shoeId, shoelessIds)
        items.push(...worn)
        return { ...shoe, runs: worn.length }
      }),
    }
    const about = { kind: 'bulk_edit', title: 'Put shoes of an import on their runs' } as const
    return { answer, receiptId: items.length === 0 ? null : leaveReceipt(tx, deps, about, items) }
  })
  for (const { shoeId, created } of answer.shoes) {
    if (created && shoeId !== null) events.emit({ event: 'shoe.created', data: { id: shoeId } })
  }
  if (answer.shoes.some(({ runs }) => runs > 0)) events.emit({ event: 'workout.updated', data: { id: null } })
  tellReceipt(deps, receiptId)
  return answer
}

function addNamed(tx: Tx, name: string, nowMs: number): string {
  const id = Bun.randomUUIDv7()
  tx.insert(shoes)
    .values({ ...shoeNamed(name), id, createdAt: nowMs, updatedAt: nowMs })
    .run()
  return id
}

function refuseTooMany(tx: Tx): void {
  const all = tx.select({ n: count() }).from(shoes).get()?.n ?? 0
  if (all > MOST_SHOES) throw invalid(`That would be ${all} shoes; ${MOST_SHOES} are the most that are kept`)
}

/** @returns items for the runs that got the shoe; a run that an earlier name assigned keeps that shoe */
function assigned(tx: Tx, shoeId: string | null, runIds: ReadonlySet<string>): NewItem[] {
  if (shoeId === null) return []
  const items: NewItem[] = []
  for (const id of runIds) {
    const isFree = and(eq(workouts.id, id), isNull(workouts.shoeId))
    if (tx.update(workouts).set({ shoeId }).where(isFree).returning({ id: workouts.id }).get() === undefined) continue
    // without revisions, so that the import can still be undone after shoes were assigned
    items.push({ outcome: 'changed', workoutId: id, before: { what: 'shoe put', shoeId } })
  }
  return items
}
