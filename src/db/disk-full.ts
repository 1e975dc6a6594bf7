import { Database } from 'bun:sqlite'
import { AppError } from '../base/errors.ts'

/** What is known of the state of the database file. */
export interface Damage {
  /** Set once damage was found; from then on nothing is written. */
  isFound: boolean
}

/** The sentence in answers, for a person who sees nothing else. */
export const DAMAGED = 'The database is damaged and is only read; save what an export gives, then restore a backup'

/** The command that looks at a database in a process of its own. */
export const LOOK = 'check-database'
/** What it exits with when that is damaged; with 1 it failed for another reason. */
export const FOUND_CODE = 3

/** Whether a code of an error of SQLite says that the file is damaged. */
function isDamageCode(code: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(String(code))
}

/**
 * Whether pages and rows of a database are where they belong; 0.2 to 0.5 s for 10,000 runs.
 * @param look `integrity_check` compares indexes with their rows, too
 */
export function isSound(path: string, look: 'quick_check' | 'integrity_check' = 'quick_check'): boolean {
  const client = new Database(path, { readonly: true })
  try {
    client.run('PRAGMA busy_timeout = 5000')
    return client.query(`PRAGMA ${look}(1)`).values()[0]?.[0] === 'ok'
  } catch (error) {
    if (error instanceof Error && 'code' in error && isDamageCode(error.code)) return false
    throw error
  } finally {
    client.close()
  }
}

/** The sentence in error answers and summaries. */
export const DISK_FULL = 'The disk of the server is full'

/** Error codes of a full file system, an exhausted quota, and SQLite. */
const CODES: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE']
/** Most causes followed in a chain of errors, since it may be circular. */
const MOST_CAUSES = 8

/**
 * Whether an error, or a cause of it, is a lack of disk space, in which case neither request nor program is at fault.
 */
export function isDiskFull(error: unknown): boolean {
  return hasCode(error, (code) => CODES.includes(code))
}

/** The sentence when an error, or a cause of it, tells of a damaged database, which is then noted; null: it does not. */
export function damageIn(error: unknown, damage: Damage): string | null {
  if (!hasCode(error, isDamageCode)) return null
  damage.isFound = true
  return DAMAGED
}

function hasCode(error: unknown, fits: (code: unknown) => boolean): boolean {
  let cause = error
  for (let depth = 0; depth < MOST_CAUSES && cause instanceof Error; depth += 1) {
    if ('code' in cause && fits(cause.code)) return true
    cause = cause.cause
  }
  return false
}

/** Does what may stay undone when the disk is full. */
export function unlessDiskFull(write: () => void): void {
  try {
    write()
  } catch (error) {
    if (!isDiskFull(error)) throw error
  }
}

/** The reason noted for one of several files or records that could not be stored; damage of the database is noted, too. */
export function reasonOf(error: unknown, otherwise: string, damage: Damage): string {
  if (error instanceof AppError) return error.message
  return damageIn(error, damage) ?? (isDiskFull(error) ? DISK_FULL : otherwise)
}
