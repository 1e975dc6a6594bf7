import { Database } from 'bun:sqlite'
import { expect } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { TestFile } from '../app.ts'
import { seededRandom } from '../fixtures/knots.ts'
import { oneFile, startServer } from '../process/real-server.ts'

interface Killed<T> {
  /** New. */
  readonly dataDir: string
  readonly kills: number
  /** Reads the stored runs by their starts. */
  readonly query: string
  readonly truth: readonly T[]
  /** Files that cannot be read. */
  readonly errors?: number
  /** Fewest runs stored before each kill but the first. */
  readonly runsAKill?: number
  /** Whether several recordings are of one file. */
  readonly sharesOriginals?: boolean
}

/**
 * Imports an export through the real server, which is killed again and again, first while the export is read. Repeated,
 * the import must end with every run once, and the original of each; a further one changes nothing.
 */
export async function expectSurvivesKills<T>(file: TestFile, killed: Killed<T>): Promise<void> {
  const { dataDir, kills, query, truth, errors = 0, runsAKill = 10, sharesOriginals = false } = killed
  const rowsOf = (sql: string) => {
    using db = new Database(join(dataDir, 'harrier.sqlite'))
    return db.query<Record<string, unknown>, []>(sql).all()
  }
  const stored = () => Number(rowsOf('SELECT count(*) AS runs FROM workout')[0]?.runs)
  const random = seededRandom(25)
  let server = await startServer({ dataDir })
  const cookie = await server.login()
  const sent = () => server.call('/workouts/import/archive', oneFile(file.name, Buffer.from(file.bytes)), cookie)
  const summary = async () => (await (await sent()).json()) as Record<string, number>
  for (let kill = 0; kill < kills; kill += 1) {
    const importing = sent().catch(() => null)
    const wanted = kill === 0 ? 0 : Math.min(stored() + runsAKill * (1 + 2 * random()), truth.length)
    if (kill === 0) await Bun.sleep(100)
    while (stored() < wanted) await Bun.sleep(5)
    await server.end('SIGKILL')
    await importing
    server = await startServer({ dataDir })
    expect(readdirSync(join(dataDir, 'tmp')).filter((name) => !name.startsWith('etilqs'))).toEqual([])
  }
  const atKills = stored()
  expect(atKills).toBeWithin((kills - 1) * runsAKill, truth.length)
  expect(await summary()).toMatchObject({ successful: truth.length - atKills, skipped: atKills, errors })
  expect(rowsOf(query)).toEqual(truth as Record<string, unknown>[])
  const again = { successful: 0, updated: 0, skipped: truth.length, shoesCreated: 0, errors }
  expect(await summary()).toMatchObject(again)
  await server.end('SIGTERM')
  const originals = rowsOf(
    `SELECT ${sharesOriginals ? 'DISTINCT' : ''} stored_as AS name FROM recording WHERE stored_as IS NOT NULL`,
  )
  const files = readdirSync(join(dataDir, 'files', 'raw')).filter((name) => !name.includes('.'))
  expect(files.toSorted()).toEqual(originals.map(({ name }) => String(name)).toSorted())
}
