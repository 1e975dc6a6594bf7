import type { Static } from '@sinclair/typebox'
import { and, count, eq, isNull } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { workouts } from '../db/schema.ts'
import { shoes } from '../db/schema-account.ts'
import type { Deps } from '../deps.ts'
import { invalid } from '../errors.ts'
import { gearKey, gearOfRuns, namedShoes, shoeNamed } from '../library/gear.ts'
import { MOST_SHOES, type ShoesFromImport } from './schemas.ts'

type Answer = Static<typeof ShoesFromImport>

/**
 * Makes shoes of names that recordings give, where there are none of that name, and puts them on the runs that have
 * none; all of it or, when the shoes would be too many, nothing. Doing it again changes nothing.
 * @param names in any case; one that no recording gives makes no shoe
 * @throws AppError 400 when there would be more shoes than are kept
 */
export function addShoesFromImport({ db, now, events }: Pick<Deps, 'db' | 'now' | 'events'>, names: string[]): Answer {
  const nowMs = now()
  const answer = db.transaction(
    (tx): Answer => {
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
      return {
        shoes: done.map(({ shoelessIds, ...shoe }) => ({ ...shoe, runs: assigned(tx, shoe.shoeId, shoelessIds) })),
      }
    },
    { behavior: 'immediate' },
  )
  for (const { shoeId, created } of answer.shoes) {
    if (created && shoeId !== null) events.emit({ event: 'shoe.created', data: { id: shoeId } })
  }
  if (answer.shoes.some(({ runs }) => runs > 0)) events.emit({ event: 'workout.updated', data: { id: null } })
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

/** @returns how many runs got it; one that an earlier name took keeps that */
function assigned(tx: Tx, shoeId: string | null, runIds: ReadonlySet<string>): number {
  if (shoeId === null) return 0
  let runs = 0
  for (const id of runIds) {
    const isFree = and(eq(workouts.id, id), isNull(workouts.shoeId))
    runs += tx.update(workouts).set({ shoeId }).where(isFree).returning({ id: workouts.id }).all().length
  }
  return runs
}
