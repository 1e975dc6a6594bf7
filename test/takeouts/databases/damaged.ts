import { expect } from 'bun:test'
import { testApp } from '../../app.ts'
import { pagesOf } from '../../db/databases.ts'
import { PATH } from '../services/expect-export.ts'

/** Without its first page it is no database. */
const DAMAGED = /^The SQLite database is damaged$|^This is not an export/

interface Damaged {
  readonly database: { readonly client: Parameters<typeof pagesOf>[0]; bytes(): Uint8Array }
  /** Of the database. */
  readonly runs: number
  /** The table of which runs are rows, and all tables that are read. */
  readonly table: string
  readonly read: readonly string[]
  /** Where damage may cost the file of one run, and be taken for its content. */
  readonly files?: string
}

/** Cut at each 64th a database is refused; with a damaged page, what is whole is kept and the rest reported. */
export async function expectDamageReported({ database, runs, table, read, files }: Damaged): Promise<void> {
  const whole = database.bytes()
  await using app = await testApp()
  for (let part = 0; part < 64; part += 1) {
    const bytes = whole.slice(0, Math.floor((whole.length * part) / 64))
    const { status, json } = await app.upload(PATH, [{ name: 'a.db', bytes }])
    expect(status).toBe(400)
    if (part > 0) expect(json.error).toMatch(/^The SQLite database is cut off: it has \d+ of \d+ KB$/)
  }
  for (const { name, rowsBefore, damage } of pagesOf(database.client)) {
    const sent = [{ name: 'a.db', bytes: damage(whole.slice()) }]
    const { status, json } = await app.upload(PATH, sent, { dryRun: 'true' })
    const kept = name === table ? rowsBefore : name === 'sqlite_schema' ? 0 : runs
    if (kept === 0) expect([status, json.error]).toEqual([400, expect.stringMatching(DAMAGED)])
    else {
      expect(json.errors).toBeLessThanOrEqual(name === files ? 1 : 0)
      expect(json.successful + json.errors).toBe(kept)
      if (name !== files) expect([name, json.warnings.length > 0]).toEqual([name, read.includes(name)])
    }
  }
  expect(app.logged).toEqual([])
}
