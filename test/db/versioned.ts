import { Database } from 'bun:sqlite'

/** A database that says it has this schema. */
export function versionedDatabase(path: string, version: number): void {
  const client = new Database(path)
  client.run('CREATE TABLE workout (id TEXT PRIMARY KEY)')
  client.run(`PRAGMA user_version = ${version}`)
  client.close()
}
