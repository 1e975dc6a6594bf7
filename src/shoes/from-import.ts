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
 * Makes shoes of names that recordings give, where there are none of that name, and puts them on the runs that have
 * none; all of it or, when the shoes would be too many, nothing. Doing it again changes nothing.
 * @param names in any case; one that no recording gives makes no shoe
 * @throws AppError 400 when there would be more shoes than are kept
 */
export function addShoesFromImport(deps: Noting & Pick<Deps, 'db' | 'events'>, names: string[]): Answer {
  const { db, now, events } = deps
  const nowMs = now()
  const { answer, receiptId } = db.transaction(
    (tx): { answer: Answer; receiptId: string | null } => {
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
    },
    { behavior: 'immediate' },
  )
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

/** @returns the runs that got it; one that an earlier name took keeps that */
function assigned(tx: Tx, shoeId: string | null, runIds: ReadonlySet<string>): NewItem[] {
  if (shoeId === null) return []
  const items: NewItem[] = []
  for (const id of runIds) {
    const isFree = and(eq(workouts.id, id), isNull(workouts.shoeId))
    if (tx.update(workouts).set({ shoeId }).where(isFree).returning({ id: workouts.id }).get() === undefined) continue
    // no change of the run itself: an import can be undone after its shoes were made
    items.push({ outcome: 'changed', workoutId: id, before: { what: 'shoe put', shoeId } })
  }
  return items
}
