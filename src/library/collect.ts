import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { and, eq, inArray, isNotNull, lt } from 'drizzle-orm'
import { gently, paced } from '../base/pace.ts'
import type { Db } from '../db/open.ts'
import { ANSWERS_KEPT_MS, keptAnswers, receiptItems, receipts } from '../db/schema-receipts.ts'
import { isoTime } from '../engine/calendar/timestamp.ts'
import { DAY_MS } from '../engine/units.ts'
import { forgetChanges } from './changes.ts'
import { discardEarlier, type NamedFile } from './commit.ts'
import type { Deps } from './deps.ts'
import { mediaFilePath, mediaFolder, rawFilePath, rawFolder } from './files/paths.ts'

// The collector of rows and files. Earlier documents go once their time is over, and with the last of a deleted run the run
// itself: rows first, then the files that nothing names any more. What a crash leaves in between, and files that no row
// names since the database was replaced by an older one, are not deleted but moved to DATA_DIR/found/<day>/<name>.

/** Days for which such a file is kept. */
export const FOUND_DAYS = 30
const DAY = /^\d{4}-\d{2}-\d{2}$/
/** How long the items of a receipt are kept. */
const ITEMS_KEPT_MS = 365 * DAY_MS
/** Receipts and earlier documents removed per transaction. */
const SLICE = 50

type Needs = Pick<Deps, 'db' | 'config' | 'log' | 'now'>

/** Whether a row or an earlier document names a file. */
const IS_NAMED: Readonly<Record<NamedFile['folder'], string>> = {
  raw: `SELECT 1 FROM recording WHERE stored_as = ?1
    UNION ALL SELECT 1 FROM recording WHERE id = substr(?1, 1, 36) AND id || '.json.zst' = ?1 AND has_raw LIMIT 1`,
  media: `SELECT 1 FROM media WHERE id = ?1
    UNION ALL SELECT 1 FROM earlier_version WHERE document_id = ?1 AND kind = 'media' AND body IS NOT NULL LIMIT 1`,
}

/** Removes those of the files that nothing names any more; one that cannot be removed is logged and left to the collector. */
export async function removeFiles(
  { db, config, log }: Pick<Deps, 'db' | 'config' | 'log'>,
  files: readonly NamedFile[],
): Promise<void> {
  for (const { folder, name } of files) {
    if (db.$client.query(IS_NAMED[folder]).get(name) !== null) continue
    const path = folder === 'raw' ? rawFilePath(config.dataDir, name) : mediaFilePath(config.dataDir, name)
    try {
      await rm(path, { force: true })
    } catch (error) {
      log.error(`The deleted file ${name} could not be removed`, error)
    }
  }
}

/** Removes what is past its time: earlier documents with what only they needed, items of receipts, kept answers, found files. */
export async function collectOld(deps: Needs): Promise<void> {
  const { db, config, now } = deps
  const oldest = db.$client.query<{ seq: number }, [number, number]>(
    'SELECT seq FROM earlier_version WHERE until < ? ORDER BY until LIMIT ?',
  )
  for (;;) {
    const old = oldest.all(now(), SLICE).map(({ seq }) => seq)
    if (old.length === 0) break
    await removeFiles(
      deps,
      db.transaction((tx) => discardEarlier(tx, old, now())),
    )
    await gently()
  }
  forgetChanges(deps)
  forgetOldItems(db, now() - ITEMS_KEPT_MS)
  db.delete(keptAnswers)
    .where(lt(keptAnswers.at, now() - ANSWERS_KEPT_MS))
    .run()
  for (const day of await foundDays(config.dataDir)) {
    // the day of moving is not counted
    if (Date.parse(day) + (FOUND_DAYS + 1) * DAY_MS > Date.now()) continue
    await rm(join(config.dataDir, 'found', day), { recursive: true, force: true })
  }
}

/** Removes the items of old receipts; the receipts stay, with their counts. */
function forgetOldItems(db: Db, beforeMs: number): void {
  const old = db
    .selectDistinct({ id: receipts.id })
    .from(receipts)
    .innerJoin(receiptItems, eq(receiptItems.receiptId, receipts.id))
    .where(and(lt(receipts.madeAt, beforeMs), isNotNull(receipts.finishedAt)))
    .limit(SLICE)
    .all()
    .map(({ id }) => id)
  if (old.length > 0) db.delete(receiptItems).where(inArray(receiptItems.receiptId, old)).run()
}

/**
 * Moves files there that nothing names. Uses the system clock, on which the times of files are, not `deps.now`.
 * @param olderThanMs files changed since then may belong to a request in progress and stay
 * @returns number of moved files
 */
export async function collectStrays({ db, config, log }: Pick<Needs, 'db' | 'config' | 'log'>, olderThanMs: number) {
  const { dataDir } = config
  const to = join(dataDir, 'found', isoTime(Date.now()).slice(0, 10))
  let count = 0
  for (const [folder, from] of [
    ['raw', rawFolder(dataDir)],
    ['media', mediaFolder(dataDir)],
  ] as const) {
    const isNamed = db.$client.query(IS_NAMED[folder])
    const unnamed: string[] = []
    // the folder does not exist before the first file
    for await (const name of paced(await readdir(from).catch(() => []))) {
      if (isNamed.get(name) === null) unnamed.push(name)
    }
    for (const name of await olderThan(from, unnamed, olderThanMs)) {
      // a request may have named it meanwhile
      if (isNamed.get(name) !== null) continue
      putAside(join(from, name), name, to)
      count += 1
    }
  }
  if (count > 0) log.warn(`Files without a run in the library: ${count}, kept for ${FOUND_DAYS} days in ${to}`)
  return count
}

/** All times are read first: moving one of several hard links renews the time of the others. */
async function olderThan(folder: string, names: readonly string[], atMs: number): Promise<string[]> {
  const old: string[] = []
  for (const name of names) {
    const { ctimeMs } = await stat(join(folder, name)).catch(() => ({ ctimeMs: Number.POSITIVE_INFINITY }))
    if (ctimeMs < atMs) old.push(name)
  }
  return old
}

/** Moves a file synchronously, so that no other request can run in between. @throws Error of the system */
function putAside(path: string, name: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  let place = join(folder, name)
  for (let count = 2; existsSync(place); count += 1) place = join(folder, `${name}.${count}`)
  renameSync(path, place)
}

export async function countFound(dataDir: string): Promise<number> {
  let count = 0
  for (const day of await foundDays(dataDir)) {
    count += (await readdir(join(dataDir, 'found', day)).catch(() => [])).length
  }
  return count
}

async function foundDays(dataDir: string): Promise<string[]> {
  const names = await readdir(join(dataDir, 'found')).catch(() => [])
  return names.filter((name) => DAY.test(name))
}
