// Questions about whole runs among 820 routes on the real server: one after another, sixty at once, and one whose client
// leaves.
//
//   bun run bench passes-load
//   bun bench/passes-load.ts <folder of another checkout>     both, one after the other
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { openDb } from '../src/db/open.ts'
import { cpuMsOf } from './against-library.ts'
import { seeded } from './library.ts'
import { fillRoutes } from './passes.ts'
import { type BenchServer, startCommand, startServer } from './server.ts'
import { percentile } from './waits.ts'

const ROUTES = 820
const QUESTIONS = 60
const LEAVES_AFTER_MS = 100
/** Until the server has noticed that the client left. */
const NOTICED_MS = 20
const REST_MS = 1500

/** @param other folder of a second checkout */
export async function benchPassesLoad(other?: string): Promise<void> {
  for (const checkout of [...(other === undefined ? [] : [resolve(other)]), resolve(import.meta.dir, '..')]) {
    const dataDir = await mkdtemp(join(tmpdir(), 'harrier-passes-'))
    const db = openDb(join(dataDir, 'harrier.sqlite'))
    const ids = fillRoutes(db, ROUTES)
    db.$client.close()
    const server = await startServer(dataDir, await startCommand(checkout))
    await server.login()
    // the derived data that the first start makes
    await Bun.sleep(15_000)
    await measure(server, ids)
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function measure(server: BenchServer, ids: readonly string[]): Promise<void> {
  const random = seeded(7)
  const chosen = Array.from({ length: QUESTIONS }, () => ids[Math.floor(random() * ids.length)]!)
  const ask = async (id: string, signal?: AbortSignal) => {
    const answer = await server.call(`/workouts/${id}/passes`, signal === undefined ? {} : { signal })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`passes answered ${answer.status}`)
  }
  await ask(chosen[0]!)
  const before = await cpuMsOf(server.pid)
  const alone = await whileAsking(server, async () => {
    for (const id of chosen) await ask(id)
  })
  const cpuMs = (await cpuMsOf(server.pid)) - before
  console.log(`  one after another: ${shown(alone)} (budget p99 50), ${(cpuMs / QUESTIONS).toFixed(0)} ms of CPU each`)
  const together = await whileAsking(server, async () => void (await Promise.all(chosen.map((id) => ask(id)))))
  console.log(`  ${QUESTIONS} at once: ${shown(together)} (budget p99 250)`)
  await Bun.sleep(REST_MS)
  const idle = await cpuDuring(server, REST_MS)
  const afterwards = []
  for (const id of chosen.slice(0, 10)) {
    const leaving = new AbortController()
    const asked = ask(id, leaving.signal).catch(() => {})
    await Bun.sleep(LEAVES_AFTER_MS)
    leaving.abort()
    await asked
    await Bun.sleep(NOTICED_MS)
    afterwards.push((await cpuDuring(server, REST_MS)) - idle)
  }
  console.log(
    `  after a client left: ${percentile(afterwards, 0.5)}, at most ${percentile(afterwards, 1)} ms of CPU (budget 50)`,
  )
}

async function cpuDuring(server: BenchServer, ms: number): Promise<number> {
  const before = await cpuMsOf(server.pid)
  await Bun.sleep(ms)
  return (await cpuMsOf(server.pid)) - before
}

/** How long `/health` waits while others work, milliseconds. */
async function whileAsking(server: BenchServer, work: () => Promise<void>): Promise<number[]> {
  const waits: number[] = []
  let isOver = false
  const asking = work().finally(() => {
    isOver = true
  })
  while (!isOver) {
    const sent = performance.now()
    await (await fetch(`${server.url}/health`)).arrayBuffer()
    waits.push(performance.now() - sent)
    await Bun.sleep(2)
  }
  await asking
  return waits
}

function shown(waits: readonly number[]): string {
  return `/health p50 ${percentile(waits, 0.5)}, p99 ${percentile(waits, 0.99)}, worst ${percentile(waits, 1)} ms`
}

if (import.meta.main) await benchPassesLoad(process.argv[2])
