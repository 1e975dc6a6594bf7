// kill -9 of the real server at random moments of its rounds over a folder: started again it ends where an undisturbed
// round does.
import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chainedFit } from '../fixtures/fit-writer.ts'
import { seededRandom } from '../fixtures/knots.ts'
import { fitRun, gpxRun, START_MS } from '../fixtures/runs.ts'
import { type RealServer, startServer } from '../process/real-server.ts'
import { tempFolder } from '../temp-folder.ts'

const FILES = 16
/** Runs of the file that has several. */
const WEEK = 3
/** KILLS=50 survived as well (22 November 2026, 187 s). */
const KILLS = Number(process.env.KILLS ?? 4)
/** About what a round over the folder takes. */
const ROUND_MS = 400

const folder = tempFolder()
const random = seededRandom(20_261_122)
const runOf = (day: number) => ({ startMs: START_MS - day * 864e5, seconds: 120 })

async function asked<T>(server: RealServer, path: string, cookie: string): Promise<T> {
  return (await (await server.call(path, {}, cookie)).json()) as T
}

type Counts = Record<'created' | 'skipped' | 'ignored' | 'errors' | 'waiting', number>

async function completed(server: RealServer, cookie: string): Promise<Counts> {
  for (let attempt = 0; attempt < 2000; attempt += 1) {
    const { counts } = await asked<{ counts: Counts }>(server, '/watch-folder', cookie)
    if (counts.created + counts.skipped + counts.errors === FILES + 3 && counts.waiting === 0) return counts
    await Bun.sleep(10)
  }
  throw new Error(`The round did not end: ${server.log()}`)
}

test.each(Array.from({ length: KILLS }, (_, kill) => kill))(
  'killed at a random moment, %d',
  async (kill) => {
    const [watched, dataDir] = [join(folder, `watched ${kill}`), join(folder, `data ${kill}`)]
    mkdirSync(join(watched, '2025'), { recursive: true })
    for (let day = 0; day < FILES; day += 1) {
      const bytes = day % 3 === 0 ? gpxRun(runOf(day)) : fitRun(runOf(day))
      writeFileSync(join(watched, '2025', `${day}.${day % 3 === 0 ? 'gpx' : 'fit'}`), bytes)
    }
    const week = Array.from({ length: WEEK }, (_, day) => fitRun(runOf(1000 + day)))
    writeFileSync(join(watched, 'week.fit'), chainedFit(...week))
    writeFileSync(join(watched, 'copy.fit'), fitRun(runOf(1)))
    writeFileSync(join(watched, 'broken.fit'), 'no run')
    // who is registered before there is anything to look at
    const first = await startServer({ dataDir })
    const cookie = await first.login()
    await first.end('SIGTERM')

    const env = { WATCH_DIR: watched, WATCH_SETTLE_S: '0', WATCH_INTERVAL_S: '5' }
    const killed = await startServer({ dataDir, env })
    await Bun.sleep(random() * ROUND_MS)
    await killed.end('SIGKILL')
    const again = await startServer({ dataDir, env })
    const counts = await completed(again, cookie)
    // what was stored before the kill, and not yet noted, is a duplicate
    expect(counts).toMatchObject({ ignored: 0, errors: 1, waiting: 0, created: FILES + 2 - counts.skipped })
    const days = [...Array.from({ length: FILES }, (_, day) => day), 1000, 1001, 1002]
    const { items } = await asked<{ items: { startedAt: string }[] }>(again, '/workouts?pageSize=100', cookie)
    expect(items.map(({ startedAt }) => Date.parse(startedAt))).toEqual(days.map((day) => runOf(day).startMs))
    const files = await asked<{ items: { nextAt: string | null }[] }>(again, '/watch-folder/files?pageSize=100', cookie)
    expect(files.items.filter(({ nextAt }) => nextAt !== null)).toEqual([])
    type Receipts = { items: { finishedAt: string | null; counts: { created: number } }[] }
    const receipts = await asked<Receipts>(again, '/receipts?pageSize=100', cookie)
    expect(receipts.items.filter(({ finishedAt }) => finishedAt === null)).toEqual([])
    expect(receipts.items.reduce((sum, receipt) => sum + receipt.counts.created, 0)).toBe(FILES + WEEK)
    expect(await asked<object>(again, '/settings/files', cookie)).toMatchObject({ missing: { count: 0 } })
    await again.end('SIGTERM')
    const originals = readdirSync(join(dataDir, 'files/raw')).filter((name) => !name.includes('.'))
    expect(originals.length).toBeWithin(FILES + 1, FILES + WEEK + 1)
  },
  120_000,
)
