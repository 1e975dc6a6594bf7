import { AppError } from '../base/errors.ts'
import { DAMAGED, type Damage, isDamageCode } from './damage.ts'

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
