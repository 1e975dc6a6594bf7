import { eq } from 'drizzle-orm'
import { clientOf, type Db, type Tx } from '../db/open.ts'
import { recordings } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { placeRunFiles, type RunFiles, removeRawFiles } from './files/paths.ts'

/** What is stored together or not at all: files, and rows that name them. */
export interface Storing<T extends Inserted> {
  /** Of new recordings. */
  readonly files: readonly RunFiles[]
  /** Part of a transaction; what it throws takes only its own rows back. */
  readonly insert: (tx: Tx) => T
}

export interface Inserted {
  /** false: no row was written, the files are of no use. */
  readonly isStored: boolean
}

export type Stored<T> = { readonly value: T } | { readonly error: unknown }

/** How long a transaction of several may hold up other requests: another one goes on with the rest. */
const TRANSACTION_MS = 20

/**
 * Stores one after the other, with one look at the disk for all names and one for all rows. Files first, rows after them:
 * a crash leaves an unused file, never a row without its file. Whatever happens, files stay only beside rows that name
 * them, and one that cannot be stored takes nothing away from the others.
 * @returns what became of each
 */
export async function storeGroup<T extends Inserted>(
  { db, config: { dataDir } }: Pick<Deps, 'db' | 'config'>,
  group: readonly Storing<T>[],
): Promise<Stored<T>[]> {
  const failures = await placeRunFiles(
    dataDir,
    group.map(({ files }) => files),
  )
  const outcomes: Stored<T>[] = failures.map((error) => ({ error }))
  let waiting = [...group.keys()].filter((place) => failures[place] === undefined)
  while (waiting.length > 0) {
    const stored = insertFirst(
      db,
      waiting.map((place) => group[place]!),
    )
    for (const [index, outcome] of stored.entries()) outcomes[waiting[index]!] = outcome
    waiting = waiting.slice(stored.length)
    if (waiting.length > 0) await new Promise((resolve) => setImmediate(resolve))
  }
  for (const [place, { files }] of group.entries()) {
    if (isKept(outcomes[place])) continue
    const unused = files.filter(({ id }) => !isNamed(db, id))
    // what cannot be removed is found by the sweep, and is nobody else's failure
    await Promise.allSettled(unused.map(({ id }) => removeRawFiles(dataDir, id)))
  }
  return outcomes
}

/** As many as fit into one transaction, at least one. */
function insertFirst<T extends Inserted>(db: Db, group: readonly Storing<T>[]): Stored<T>[] {
  const [first] = group
  if (first === undefined) return []
  const outcomes: Stored<T>[] = []
  if (group.length > 1) {
    try {
      const endMs = performance.now() + TRANSACTION_MS
      db.transaction(
        (tx) => {
          for (const { insert } of group) {
            outcomes.push(insertApart(tx, insert))
            if (performance.now() >= endMs) break
          }
        },
        { behavior: 'immediate' },
      )
      return outcomes
    } catch {
      // none of them is stored: the first shows by itself what is wrong, and whether with all
    }
  }
  try {
    return [{ value: db.transaction(first.insert, { behavior: 'immediate' }) }]
  } catch (error) {
    return [{ error }]
  }
}

/** @throws what ended the whole transaction, as a full disk does */
function insertApart<T>(tx: Tx, insert: (tx: Tx) => T): Stored<T> {
  const client = clientOf(tx)
  client.run('SAVEPOINT apart')
  try {
    const value = insert(tx)
    client.run('RELEASE apart')
    return { value }
  } catch (error) {
    if (!client.inTransaction) throw error
    client.run('ROLLBACK TO apart')
    client.run('RELEASE apart')
    return { error }
  }
}

function isKept(outcome: Stored<Inserted> | undefined): boolean {
  return outcome !== undefined && 'value' in outcome && outcome.value.isStored
}

/** A commit that failed may have come through all the same. */
function isNamed(db: Db, id: string): boolean {
  return db.select({ id: recordings.id }).from(recordings).where(eq(recordings.id, id)).get() !== undefined
}
