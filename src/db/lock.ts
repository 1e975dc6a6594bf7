import { Database } from 'bun:sqlite'
import { closeSync, openSync, readSync, truncateSync } from 'node:fs'
import { join } from 'node:path'

const FILE = 'lock'
/** Position of user_version in an SQLite file: four bytes, big-endian. */
const PID_OFFSET = 60

/**
 * Takes the lock on `DATA_DIR/lock`, which only one process can hold, since a second one would delete the uploads in
 * progress of the first. The lock is the kernel's, taken through SQLite since Bun offers no flock: it ends with its
 * process, however that ends, requires no guess whether a process id is still alive, and also holds between containers
 * that share the folder. The file remains, since removing it would let two processes lock different files of one name.
 * It contains the owner's process id.
 * @throws Error when another process holds it
 */
export function lockFolder(dataDir: string) {
  const path = join(dataDir, FILE)
  const database = taken(path) ?? taken(emptied(path))
  if (database === null) throw new Error(`The file ${path} cannot be used as a lock`)
  return { release: () => database.close() }
}

/** null: the file is not a valid lock file, because a crash of the machine interrupted its writing. */
function taken(path: string): Database | null {
  const database = new Database(path, { create: true })
  try {
    database.run('PRAGMA busy_timeout = 0')
    database.run('PRAGMA journal_mode = MEMORY')
    database.run('PRAGMA locking_mode = EXCLUSIVE')
    // in exclusive mode the lock of the first write is kept until the file is closed
    database.run(`PRAGMA user_version = ${process.pid}`)
    return database
  } catch (error) {
    database.close()
    if (error instanceof Error && /locked|busy/i.test(error.message)) throw inUse(path)
    if (error instanceof Error && /not a database|malformed/i.test(error.message)) return null
    throw error
  }
}

/** Truncates the file instead of replacing it, since a new file would be another lock. */
function emptied(path: string): string {
  truncateSync(path, 0)
  return path
}

function inUse(path: string): Error {
  return new Error(`The data folder is in use by another Harrier process (pid ${ownerOf(path)}), ${path} is locked`)
}

/** Reads the file directly, which the lock does not prevent: it only binds SQLite. */
function ownerOf(path: string): string {
  const file = openSync(path, 'r')
  const bytes = Buffer.alloc(4)
  const length = readSync(file, bytes, 0, 4, PID_OFFSET)
  closeSync(file)
  return length === 4 ? String(bytes.readUInt32BE()) : 'unknown'
}
