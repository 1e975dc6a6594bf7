import { Database } from 'bun:sqlite'
import { rmSync } from 'node:fs'

/** A database of one piece of work, for what does not fit into memory. Nothing of it survives. */
export interface Scratch {
  readonly client: Database
  /** Closes it and removes the file. */
  close(): void
}

/**
 * A new, empty scratch file without journal: a crash loses it, which is what it is for.
 * @param path of a file that does not exist
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
