// kill -9 of the real server at random moments of undoing and redoing an import of many runs: at each of them every run is
// either in the library or in the trash, with all its files, and called again it ends complete.
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { libraryRows, madeLibrary } from '../archive/kill-library.ts'
import { seededRandom } from '../fixtures/knots.ts'
import { oneFile, type RealServer, startServer } from '../process/real-server.ts'

/** KILLS=50 for as many as once were survived, over 500 runs. */
const KILLS = Number(process.env.KILLS ?? 10)
const RUNS = KILLS < 50 ? 200 : 500
const SEED = 20_261_122
/** A kill comes after this part of the time of a whole undo at most, so that most come in the middle of one. */
const LATEST = 0.6

test(`killed at ${KILLS} moments of an undo of ${RUNS} runs, each is whole, and the last call ends it`, async () => {
  const root = mkdtempSync(join(tmpdir(), 'harrier-undo-kill-'))
  const dataDir = join(root, 'data')
  const library = madeLibrary(RUNS)
  const random = seededRandom(SEED)
  let server = await startServer({ dataDir })
  try {
    const cookie = await server.login()
    const bulk = await server.call('/workouts/import/bulk', oneFile('export.zip', library.zip))
    const { receiptId, successful } = (await bulk.json()) as { receiptId: string; successful: number }
    expect(successful).toBe(RUNS)
    const before = libraryOf(dataDir)
    // undone and redone once, which says how long an undo takes on this machine
    const fromMs = performance.now()
    const undoing = (await undone(server, receiptId, cookie))!
    const wholeMs = performance.now() - fromMs
    expect(libraryCount(root, dataDir)).toBe(0)
    let target = (await undone(server, undoing, cookie))!
    expect(libraryOf(dataDir)).toEqual(before)
    let inTheMiddle = 0
    let counted = RUNS
    for (let kill = 0; kill < KILLS; ) {
      const calling = undone(server, target, cookie)
      await Promise.race([calling, Bun.sleep(random() * LATEST * wholeMs)])
      await server.end('SIGKILL')
      kill += 1
      const answer = await calling
      expectWholeRuns(root, dataDir, library.photos)
      server = await startServer({ dataDir })
      const count = libraryCount(root, dataDir)
      const isEnded = count !== counted && (count === 0 || count === RUNS)
      if (count > 0 && count < RUNS) inTheMiddle += 1
      // what was ended is undone in turn: undone, redone, undone; it may have ended without an answer
      target = answer ?? (isEnded ? await latestUndo(server, cookie) : target)
      counted = count
    }
    // once more without a kill, then to where it began
    let last = target
    for (let call = 0; call < 3 && libraryCount(root, dataDir) < RUNS; call += 1) {
      last = (await undone(server, last, cookie)) ?? last
      expectWholeRuns(root, dataDir, library.photos)
    }
    expect(inTheMiddle).toBeGreaterThan(KILLS / 5)
    expect(libraryCount(root, dataDir)).toBe(RUNS)
    expect(libraryOf(dataDir)).toEqual(before)
    expect(existsSync(join(dataDir, 'found'))).toBe(false)
  } finally {
    await server.end('SIGKILL')
    rmSync(root, { recursive: true, force: true })
  }
}, 300_000)

/** @returns the receipt of the undoing; null when the process died over it, or nothing was left to be undone */
async function undone(server: RealServer, id: string, cookie: string): Promise<string | null> {
  try {
    const answer = await server.call(`/receipts/${id}/undo`, { method: 'POST' }, cookie)
    return ((await answer.json()) as { receiptId: string | null }).receiptId
  } catch {
    return null
  }
}

async function latestUndo(server: RealServer, cookie: string): Promise<string> {
  const answer = await server.call('/receipts?kind=undo&pageSize=1', {}, cookie)
  return ((await answer.json()) as { items: { id: string }[] }).items[0]!.id
}

/** All rows but how often inputs changed, which undoing counts as a change. */
function libraryOf(dataDir: string) {
  const { workout = [], ...rest } = libraryRows(dataDir, true)
  return { ...rest, workout: (workout as Record<string, unknown>[]).map(({ inputs_revision: _, ...row }) => row) }
}

/** The database as the dead process left it; opening the one in place would tidy up after it. */
function opened<T>(root: string, dataDir: string, look: (db: Database) => T): T {
  const copy = mkdtempSync(join(root, 'copy-'))
  for (const name of readdirSync(dataDir).filter((file) => file.startsWith('harrier.sqlite'))) {
    cpSync(join(dataDir, name), join(copy, name))
  }
  const db = new Database(join(copy, 'harrier.sqlite'))
  try {
    return look(db)
  } finally {
    db.close()
    rmSync(copy, { recursive: true, force: true })
  }
}

function libraryCount(root: string, dataDir: string): number {
  return opened(root, dataDir, (db) => db.query<{ n: number }, []>('SELECT count(*) AS n FROM workout').get()!.n)
}

function expectWholeRuns(root: string, dataDir: string, photos: number): void {
  opened(root, dataDir, (db) => {
    const names = (sql: string) =>
      db
        .query<{ name: string }, []>(sql)
        .all()
        .map(({ name }) => name)
    expect(db.query('PRAGMA integrity_check').values()).toEqual([['ok']])
    expect(db.query('PRAGMA foreign_key_check').all()).toEqual([])
    const stored = names('SELECT id AS name FROM workout')
    const trashed = names('SELECT id AS name FROM document WHERE body IS NULL')
    // each in one place, and in one only
    expect(new Set([...stored, ...trashed]).size).toBe(RUNS)
    expect(stored.length + trashed.length).toBe(RUNS)
    const halves = `SELECT id AS name FROM workout WHERE id NOT IN (
      SELECT run_id FROM naming JOIN samples USING (recording_id) WHERE live = 1)`
    expect(names(halves)).toEqual([])
    const raw = names('SELECT stored_as AS name FROM recording WHERE stored_as IS NOT NULL')
    const media = names('SELECT id AS name FROM media')
    expect([raw.length, media.length]).toEqual([RUNS, photos])
    const lost = [...raw.map((name) => join('raw', name)), ...media.map((name) => join('media', name))]
    expect(lost.filter((path) => !existsSync(join(dataDir, 'files', path)))).toEqual([])
  })
}
