import type { Static } from '@sinclair/typebox'
import { count } from 'drizzle-orm'
import { invalid } from '../../base/errors.ts'
import type { Tx } from '../../db/open.ts'
import { shoes } from '../../db/schema-account.ts'
import { inSlices } from '../../db/transactions.ts'
import { MOST_SHOES } from '../../engine/limits.ts'
import { commitItem } from '../../library/commit.ts'
import type { DepsBy } from '../../library/deps.ts'
import { runHead } from '../../library/documents/run.ts'
import { createShoe, gearKey, gearOfRuns, namedShoes } from '../../library/gear.ts'
import { shoeExists } from '../../library/ids.ts'
import { type OpenReceipt, openReceipt } from '../../library/receipts/record.ts'
import type { ShoesFromImport } from './schemas.ts'

type Answer = Static<typeof ShoesFromImport>

/**
 * Creates shoes for gear names of recordings, unless they exist, and assigns them to the runs with that gear and no
 * shoe; when there would be too many shoes, nothing. Repeating it changes nothing. Others are served in between.
 * @param names in any case; a name that no recording has creates no shoe
 * @throws AppError 400 when there would be too many shoes
 */
export async function addShoesFromImport(deps: DepsBy, names: string[]): Promise<Answer> {
  const { db, events } = deps
  const wanted = wantedShoes(db, names)
  const isAny = wanted.some(({ shoeId, isNew, runIds }) => isNew || (shoeId !== null && runIds.length > 0))
  if (!isAny) return { shoes: wanted.map(({ name, shoeId }) => ({ name, shoeId, created: false, runs: 0 })) }
  const receipt = openReceipt(deps, { kind: 'bulk_edit', title: 'Assigned shoes of an import to their runs' })
  const done: Answer['shoes'] = []
  try {
    db.transaction((tx) => {
      for (const shoe of wanted) if (shoe.isNew) createShoe(tx, deps, { id: shoe.shoeId!, name: shoe.name }, receipt)
    })
    for (const { name, shoeId, isNew, runIds } of wanted) {
      const runs = shoeId === null ? 0 : await assigned(deps, { shoeId, runIds, receipt })
      done.push({ name, shoeId, created: isNew, runs })
    }
  } finally {
    for (const { shoeId, isNew } of wanted) if (isNew) events.emit({ event: 'shoe.created', data: { id: shoeId! } })
    if (done.some(({ runs }) => runs > 0)) events.emit({ event: 'workout.updated', data: { id: null } })
    receipt?.finish()
  }
  return { shoes: done }
}

interface WantedShoe {
  readonly name: string
  /** null: there is none, and no recording names one. */
  readonly shoeId: string | null
  readonly isNew: boolean
  /** Runs with this gear and no shoe. */
  readonly runIds: readonly string[]
}

/** @throws AppError 400 when there would be too many shoes */
function wantedShoes(tx: Tx, names: readonly string[]): WantedShoe[] {
  const gear = gearOfRuns(tx)
  const known = namedShoes(tx)
  const wanted = [...new Map(names.map((name) => [gearKey(name), name]))].map(([key, sent]) => {
    const { name = sent, shoelessIds = [] } = gear.get(key) ?? {}
    const found = known.find(name)
    const isNew = found === null && gear.has(key)
    return { name, shoeId: isNew ? Bun.randomUUIDv7() : found, isNew, runIds: [...shoelessIds] }
  })
  const added = wanted.filter(({ isNew }) => isNew).length
  const all = (tx.select({ n: count() }).from(shoes).get()?.n ?? 0) + added
  if (added > 0 && all > MOST_SHOES) {
    throw invalid(`That would be ${all} shoes; ${MOST_SHOES} are the most allowed`, { code: 'limit_reached' })
  }
  return wanted
}

interface Assigning extends Pick<WantedShoe, 'runIds'> {
  readonly shoeId: string
  readonly receipt: OpenReceipt | null
}

/** @returns number of runs that got the shoe; a run that has one by now keeps it */
async function assigned(deps: DepsBy, { shoeId, runIds, receipt }: Assigning): Promise<number> {
  let runs = 0
  await inSlices(deps.db, runIds, (tx, id) => {
    if (assign(tx, deps, { id, shoeId, receipt })) runs += 1
  })
  return runs
}

function assign(
  tx: Tx,
  deps: DepsBy,
  { id, shoeId, receipt }: Omit<Assigning, 'runIds'> & { readonly id: string },
): boolean {
  const head = runHead(tx, id)
  if (head === null || head.body.words?.shoeId !== undefined) return false
  const { shoeId: worn } = head.body
  if (worn !== undefined && shoeExists(tx, worn)) return false
  const to = { ...head.body, shoeId }
  const change = { kind: 'run', id, from: head.seq, to } as const
  commitItem(tx, deps, { changes: [change], item: { outcome: 'changed', workoutId: id } }, receipt)
  return true
}
