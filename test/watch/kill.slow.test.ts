// kill -9 of the real server at random moments of its first rounds over a folder: whatever is stored is whole, and
// started again it ends where an undisturbed round does.
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectWhole, leftovers, madeLibrary } from '../archive/kill-library.ts'
import { chainedFit } from '../fixtures/fit-writer.ts'
import { seededRandom } from '../fixtures/knots.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { type RealServer, startServer } from '../process/real-server.ts'

const FILES = 16
/** Runs of the file that has several. */
const WEEK = 3
const RUNS = FILES + WEEK
/** KILLS=50 survived as well (22 November 2026, 187 s). */
const KILLS = Number(process.env.KILLS ?? 4)
const SEED = 20_261_122

const root = mkdtempSync(join(tmpdir(), 'harrier-watch-kill-'))
const folder = join(root, 'import')
const random = seededRandom(SEED)
const made = { cookie: '', empty: join(root, 'empty'), library: madeLibrary(FILES), roundMs: 0 }
const running = new Set<RealServer>()

async function start(dataDir: string): Promise<RealServer> {
  const env = { WATCH_DIR: folder, WATCH_SETTLE_S: '0', WATCH_INTERVAL_S: '5' }
  const server = await startServer({ dataDir, env })
  running.add(server)
  return server
}

async function end(server: RealServer, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  running.delete(server)
  await server.end(signal)
}

beforeAll(async () => {
  const files = new Map([...made.library.files].filter(([name]) => !name.endsWith('.jpg')))
  const runOf = (day: number) => fitRun({ startMs: START_MS - (1000 + day) * 864e5, seconds: 120 })
  files.set('week.fit', chainedFit(...Array.from({ length: WEEK }, (_, day) => runOf(day))))
  made.library = { ...made.library, files }
  mkdirSync(join(folder, '2025'), { recursive: true })
  for (const [name, bytes] of files) writeFileSync(join(folder, '2025', name), bytes)
  writeFileSync(join(folder, 'copy.fit'), files.get('1.fit')!)
  writeFileSync(join(folder, 'broken.fit'), 'no run')
  // who is registered before there is anything to look at
  const first = await startServer({ dataDir: made.empty })
  made.cookie = await first.login()
  await first.end('SIGTERM')
  const whole = copied()
  const server = await start(whole)
  const startedMs = performance.now()
  await completed(server)
  made.roundMs = performance.now() - startedMs
  await end(server, 'SIGTERM')
}, 120_000)

afterAll(async () => {
  for (const server of running) await end(server, 'SIGKILL')
  rmSync(root, { recursive: true, force: true })
})

for (let kill = 1; kill <= KILLS; kill += 1) {
  test(`killed at a random moment, ${kill}`, async () => {
    const dataDir = copied()
    const server = await start(dataDir)
    await Bun.sleep(random() * made.roundMs)
    await end(server, 'SIGKILL')
    const kept = expectWhole(dataDir, made.library)

    const again = await start(dataDir)
    const counts = await completed(again)
    // what the killed process left over is swept a moment after the start
    for (let attempt = 0; attempt < 6000 && leftovers(dataDir).length > 0; attempt += 1) await Bun.sleep(10)
    await end(again, 'SIGTERM')
    expect([kept.runs, expectWhole(dataDir, made.library).runs]).toEqual([kept.runs, RUNS])
    const left = leftovers(dataDir)
    // why they stay is in the log alone
    if (left.length > 0) throw new Error(`Left over: ${left.join(', ')}\n${again.log()}`)
    // what was stored before the kill, and not yet noted, is a duplicate
    expect(counts).toMatchObject({ ignored: 0, errors: 1, waiting: 0 })
    expect(counts.created + counts.skipped).toBe(FILES + 2)
    const db = new Database(join(dataDir, 'harrier.sqlite'), { readonly: true })
    const open = db.query('SELECT * FROM watch_file WHERE next_at IS NOT NULL OR sha256 IS NULL').all()
    const receipts = db.query<{ n: number }, []>('SELECT count(*) AS n FROM receipt WHERE finished_at IS NULL').get()
    const created = db
      .query<{ n: number }, []>("SELECT count(*) AS n FROM receipt_item WHERE outcome = 'created'")
      .get()
    db.close()
    expect([open, receipts, created]).toEqual([[], { n: 0 }, { n: RUNS }])
  }, 120_000)
}

function copied(): string {
  const copy = mkdtempSync(join(root, 'run-'))
  cpSync(made.empty, copy, { recursive: true })
  return copy
}

async function completed(server: RealServer) {
  for (let attempt = 0; attempt < 2000; attempt += 1) {
    const { counts } = (await (await server.call('/watch-folder', {}, made.cookie)).json()) as {
      counts: Record<'created' | 'skipped' | 'ignored' | 'errors' | 'waiting', number>
    }
    const decided = counts.created + counts.skipped + counts.errors
    if (decided === FILES + 3 && counts.waiting === 0) return counts
    await Bun.sleep(10)
  }
  throw new Error(`The round did not end: ${server.log()}`)
}
