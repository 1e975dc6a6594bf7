/** What the caller of a request, or the reader of a summary, is told. */
export const DISK_FULL = 'The disk of the server is full'

/** Of the file system, of a user's share of it, and of SQLite. */
const CODES: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE']
/** Causes of causes that are looked at: a chain may be a ring. */
const MOST_CAUSES = 8

/** True when this, or what caused it, is that no space is left: nothing is wrong with the request or with this program. */
export function isDiskFull(error: unknown): boolean {
  let cause = error
  for (let depth = 0; depth < MOST_CAUSES && cause instanceof Error; depth += 1) {
    if ('code' in cause && CODES.includes(cause.code)) return true
    cause = cause.cause
  }
  return false
}

/** The sentence for one of several files or records that could not be stored. */
export function reasonOf(error: unknown, otherwise: string): string {
  return isDiskFull(error) ? DISK_FULL : otherwise
}
