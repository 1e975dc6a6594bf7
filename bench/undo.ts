import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDb } from '../src/db/open.ts'
import { openReceipt } from '../src/library/receipts/record.ts'
import { testApp } from '../test/app.ts'
import { BY } from '../test/fixtures/by.ts'
import { multipartOf, startServer } from './server.ts'
import { makeStravaExport } from './strava-export.ts'

const ITEMS = 10_000

/**
 * What receipts cost: an item in the transaction of its run, and the undo, the redo and the undo once more of a Strava
 * export of synth.py on the real server, against its import.
 */
export async function benchUndo(runs = 1000): Promise<void> {
  console.log(`undo: an item of a receipt ${(await itemMs()).toFixed(4)} ms (budget 0.1)`)
  const corpusDir = process.env.CORPUS_DIR
  if (corpusDir === undefined) return console.log('  skipped, synth.py stands beside the folder CORPUS_DIR names')
  const folder = await mkdtemp(join(tmpdir(), 'harrier-undo-'))
  const zip = join(folder, 'export.zip')
  makeStravaExport(zip, { corpusDir, runs })
  const server = await startServer()
  await server.login()
  const timed = async (what: string, work: () => Promise<Response>) => {
    const startedMs = performance.now()
    const cpuBeforeMs = await cpuMs(server.pid)
    const answer = (await (await work()).json()) as { receiptId: string; successful?: number; undone?: number }
    const seconds = (performance.now() - startedMs) / 1000
    const { successful, undone = successful } = answer
    const cpu = ((await cpuMs(server.pid)) - cpuBeforeMs) / runs
    console.log(`  ${what}: ${undone} runs in ${seconds.toFixed(2)} s, ${cpu.toFixed(2)} ms of CPU a run`)
    return answer.receiptId
  }
  let last = await timed('import', () => server.call('/workouts/import/bulk', multipartOf(zip)))
  for (const what of ['undo', 'redo', 'undo once more']) {
    last = await timed(what, () => server.call(`/receipts/${last}/undo`, { method: 'POST' }))
  }
  console.log('  (budget of an undo: a tenth of the import)')
  await server.stop()
  const db = openDb(join(server.dataDir, 'harrier.sqlite'))
  const kept = db.$client.query<{ n: number; bytes: number }, []>(
    "SELECT count(*) AS n, sum(bytes) AS bytes FROM former WHERE kind = 'run'",
  )
  const { n, bytes } = kept.get()!
  console.log(
    `  ${n} documents with their samples of ${(bytes / n / 1000).toFixed(1)} KB, runs of about an hour (budget 20)`,
  )
  db.$client.close()
  await server.remove()
  await rm(folder, { recursive: true, force: true })
}

/** Processor time of a process and its threads, milliseconds. */
async function cpuMs(pid: number): Promise<number> {
  const stat = await Bun.file(`/proc/${pid}/stat`).text()
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return (user + system) * 10
}

/** CPU of one item, milliseconds, in one transaction as in a group of runs. */
async function itemMs(): Promise<number> {
  await using app = await testApp()
  const deps = { ...app.deps, by: BY }
  const receipt = openReceipt(deps, { kind: 'import', origin: 'upload', title: 'bench' })
  if (receipt === null) throw new Error('No receipt was opened')
  const { user: before } = process.cpuUsage()
  deps.db.transaction((tx) => {
    for (let place = 0; place < ITEMS; place += 1) {
      receipt.write(tx, {
        outcome: 'created',
        workoutId: Bun.randomUUIDv7(),
        filename: `${place}.fit`,
        afterRevision: 0,
      })
    }
  })
  return (process.cpuUsage().user - before) / 1000 / ITEMS
}
