import { Database } from 'bun:sqlite'

/**
 * Copies a database that a server may be using, as at one moment and without unused pages.
 * @param path of a file that does not exist yet
 */
export function copyDatabase(from: string, path: string): void {
  const client = new Database(from, { readonly: true, strict: true })
  try {
    client.run('PRAGMA busy_timeout = 5000')
    client.query('VACUUM INTO ?').run(path)
  } finally {
    client.close()
  }
}
