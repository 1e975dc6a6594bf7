import { readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jpeg } from '../test/fixtures/media.ts'
import { benchRun } from './library.ts'
import { type BenchServer, memoryText, multipartOf, startServer } from './server.ts'

/** Largest photo that a server takes by default. */
const PHOTO_BYTES = 50 * 1_048_576

/**
 * A library out of one server and into another, both real processes, then the command that verifies an archive.
 * @param photosMiB of photos beside the runs
 */
export async function benchArchive({ runs = 200, photosMiB = 100 } = {}): Promise<void> {
  const path = join(tmpdir(), `harrier-bench-${crypto.randomUUID()}.zip`)
  const source = await startServer()
  await source.login()
  await fill(source, runs, photosMiB)
  await source.stop()
  const fresh = await startServer(source.dataDir)
  const target = await startServer()
  try {
    await fresh.login()
    const exported = await watched(fresh, async () => {
      const answer = await fresh.call('/workouts/export', { method: 'POST' })
      await Bun.write(path, answer)
    })
    const { size } = await stat(path)
    const mb = (size / 1e6).toFixed(0)
    console.log(`archive: ${runs} runs of one hour and ${photosMiB} MiB of photos, ${mb} MB`)
    tell('export', exported)
    await target.login()
    tell('restore', await watched(target, () => upload(target, path)))
    tell('restore once more', await watched(target, () => upload(target, path)))
    await verify(path)
  } finally {
    await Promise.all([fresh.stop(), target.stop()])
    await Promise.all([fresh.remove(), target.remove(), rm(path, { force: true })])
  }
}

/** `bun run verify`: a restore into a scratch library and every value compared, in a process of its own. */
async function verify(path: string): Promise<void> {
  const started = performance.now()
  const process_ = Bun.spawn([process.execPath, 'src/main.ts', 'verify', path], { stdout: 'pipe', stderr: 'inherit' })
  let [isOver, peakRssMiB] = [false, 0]
  const watching = (async () => {
    // what the system says of a process that ended counts the one that started it as well
    while (!isOver) {
      const status = await readFile(`/proc/${process_.pid}/status`, 'utf8').catch(() => '')
      peakRssMiB = Math.max(peakRssMiB, Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024)
      await Bun.sleep(20)
    }
  })()
  const report = await new Response(process_.stdout).text()
  if ((await process_.exited) !== 0) throw new Error(report)
  const ms = performance.now() - started
  isOver = true
  await watching
  console.log(`  ${'verify'.padEnd(20)} ${(ms / 1000).toFixed(1).padStart(6)} s, peak ${peakRssMiB.toFixed(0)} MiB RSS`)
}

async function fill(server: BenchServer, runs: number, photosMiB: number): Promise<void> {
  let workoutId = ''
  for (let seed = 1; seed <= runs; seed += 1) {
    const form = new FormData()
    form.append('file', new Blob([benchRun(seed) as Uint8Array<ArrayBuffer>]), `run-${seed}.fit`)
    const answer = await server.call('/workouts/import', { method: 'POST', body: form })
    workoutId = ((await answer.json()) as { id: string }).id
  }
  for (let left = photosMiB * 1_048_576; left > 0; left -= PHOTO_BYTES) {
    const form = new FormData()
    form.append('file', new Blob([jpeg(Math.min(left, PHOTO_BYTES))]), `photo-${left}.jpg`)
    const answer = await server.call(`/workouts/${workoutId}/media`, { method: 'POST', body: form })
    if (!answer.ok) throw new Error(`The photo was refused: ${await answer.text()}`)
  }
}

async function upload(server: BenchServer, path: string): Promise<void> {
  const answer = await server.call('/workouts/import/export', multipartOf(path))
  const summary = (await answer.json()) as { success?: boolean; errors?: string[] }
  if (summary.success !== true) throw new Error(`The restore answered ${answer.status}: ${summary.errors?.join('; ')}`)
}

interface Watched {
  readonly ms: number
  /** The longest that another request had to wait. */
  readonly slowestMs: number
  readonly anonMiB: number
  readonly pssMiB: number
  readonly peakRssMiB: number
}

/** Does the work while a page asks for a short answer over and over. */
async function watched(server: BenchServer, work: () => Promise<unknown>): Promise<Watched> {
  let isOver = false
  let [slowestMs, anonMiB, pssMiB] = [0, 0, 0]
  const watching = (async () => {
    while (!isOver) {
      const asked = performance.now()
      await (await server.call('/workouts?pageSize=1')).arrayBuffer()
      slowestMs = Math.max(slowestMs, performance.now() - asked)
      const now = await server.memory()
      anonMiB = Math.max(anonMiB, now.anonMiB)
      pssMiB = Math.max(pssMiB, now.pssMiB)
      await Bun.sleep(20)
    }
  })()
  const started = performance.now()
  await work()
  const ms = performance.now() - started
  isOver = true
  await watching
  const { peakRssMiB } = await server.memory()
  return { ms, slowestMs, anonMiB, pssMiB, peakRssMiB }
}

function tell(what: string, { ms, slowestMs, peakRssMiB, ...peak }: Watched): void {
  const memory = `peak ${memoryText(peak, 120)}, ${peakRssMiB.toFixed(0)} MiB RSS`
  console.log(`  ${what.padEnd(20)} ${(ms / 1000).toFixed(1).padStart(6)} s, ${memory}`)
  console.log(`  ${'other requests'.padEnd(20)} ${slowestMs.toFixed(0).padStart(6)} ms at worst`)
}

if (import.meta.main) await benchArchive()
