import { Database } from 'bun:sqlite'
import { rmSync } from 'node:fs'

/** A temporary database for one piece of work that does not fit into memory. It is deleted afterwards. */
export interface Scratch {
  readonly client: Database
  /** Closes the database and removes its file. */
  close(): void
}

/**
 * Creates an empty temporary database without journal; it need not survive a crash.
 * @param path of a file that does not exist yet
 */
export function openScratch(path: string): Scratch {
  const client = new Database(path, { create: true, strict: true })
  const close = () => {
    client.close()
    rmSync(path, { force: true })
  }
  try {
    client.run('PRAGMA journal_mode = OFF')
    client.run('PRAGMA synchronous = OFF')
    client.run('PRAGMA locking_mode = EXCLUSIVE')
    client.run('PRAGMA cache_size = -8192')
  } catch (error) {
    close()
    throw error
  }
  return { client, close }
}
