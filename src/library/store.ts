import type { Db, Tx } from '../db/open.ts'
import { apart, commitUnsynced, syncLog } from '../db/transactions.ts'
import { removeFiles } from './collect.ts'
import { filesOfRecording } from './commit.ts'
import type { Deps } from './deps.ts'
import { placeRunFiles, type RunFiles } from './files/paths.ts'

// Stores the files and rows of new recordings: of imports and restores.

/** Files and the rows that name them, stored together or not at all. */
export interface Storing<T extends Inserted> {
  readonly files: readonly RunFiles[]
  /** Inserts the rows within a transaction; when it throws, only its own rows are rolled back. */
  readonly insert: (tx: Tx) => T
}

export interface Inserted {
  /** false: no row was written, so the files are not needed. */
  readonly isStored: boolean
}

export type Stored<T> = { readonly value: T } | { readonly error: unknown }

/**
 * Stores several runs in order, syncing all file names together and all rows together. Files are written first, so that
 * a crash leaves an unused file and never a row without its file. In any case only files named by a row remain, and a
 * run that cannot be stored does not affect the others.
 * @returns the outcome of each
 */
export async function storeGroup<T extends Inserted>(
  deps: Pick<Deps, 'db' | 'config' | 'log'>,
  group: readonly Storing<T>[],
): Promise<Stored<T>[]> {
  const { db, config } = deps
  const failures = await placeRunFiles(
    config.dataDir,
    group.map(({ files }) => files),
  )
  const outcomes: Stored<T>[] = failures.map((error) => ({ error }))
  const placed = [...group.keys()].filter((place) => failures[place] === undefined)
  const stored = commitUnsynced(db, () =>
    inserted(
      db,
      placed.map((place) => group[place]!),
    ),
  )
  for (const [index, outcome] of stored.entries()) outcomes[placed[index]!] = outcome
  if (outcomes.some(isKept)) await syncLog(db)
  for (const [place, { files }] of group.entries()) {
    if (isKept(outcomes[place])) continue
    // but those that a commit that failed has written all the same, or that a run in the trash has
    await removeFiles(
      deps,
      files.flatMap(({ id }) => filesOfRecording(id)),
    )
  }
  return outcomes
}

function inserted<T extends Inserted>(db: Db, group: readonly Storing<T>[]): Stored<T>[] {
  try {
    return db.transaction((tx) => group.map(({ insert }) => apart(tx, insert)))
  } catch {
    // the transaction failed and nothing was stored: a transaction each shows which is at fault
    return group.map(({ insert }) => {
      try {
        return { value: db.transaction(insert) }
      } catch (error) {
        return { error }
      }
    })
  }
}

function isKept(outcome: Stored<Inserted> | undefined): boolean {
  return outcome !== undefined && 'value' in outcome && outcome.value.isStored
}

/**
 * Stores files first, then rows in one transaction, as `storeGroup`.
 * @param files of new recordings
 * @param insert returns false when nothing is to be stored after all
 */
export async function storeWithFiles(
  deps: Pick<Deps, 'db' | 'config' | 'log'>,
  files: readonly RunFiles[],
  insert: (tx: Tx) => boolean,
): Promise<boolean> {
  const [stored] = await storeGroup(deps, [{ files, insert: (tx) => ({ isStored: insert(tx) }) }])
  if (stored === undefined || 'error' in stored) throw stored?.error
  return stored.value.isStored
}
