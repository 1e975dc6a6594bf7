import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { garminTakeout } from '../test/fixtures/garmin-takeout.ts'
import { buildZip } from '../test/fixtures/zip-builder.ts'
import { memoryText, multipartOf, startServer } from './server.ts'

/** A takeout of ten years: 7,800 files, of which 412 are runs of half an hour, and 100 MB of summaries. */
const LARGE = { runs: 412, others: 7178, otherBytes: 66_000, summaryBytes: 100e6, seconds: 1800 }

type Server = Awaited<ReturnType<typeof startServer>>

/** Garmin exports with known truth on the real server: seconds, CPU and memory of an import, and of the same again. */
export async function benchTakeouts(size: Parameters<typeof garminTakeout>[0] = LARGE): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'harrier-takeouts-'))
  try {
    const path = join(folder, 'garmin.zip')
    await makeInProcess(path, size)
    const server = await startServer()
    await server.login()
    const megabytes = (Bun.file(path).size / 1e6).toFixed(0)
    console.log(`takeouts: a Garmin export of ${size.runs} runs, ${size.others ?? 0} other files, ${megabytes} MB`)
    await call(server, path, 'import, sent (budget 20 s)')
    await call(server, path, 'the same again, sent')
    await server.stop()
    await server.remove()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** In a process of its own, so that its memory is not this one's. */
async function makeInProcess(path: string, size: object): Promise<void> {
  const child = Bun.spawn([process.execPath, import.meta.path, path, JSON.stringify(size)], { stderr: 'inherit' })
  if ((await child.exited) !== 0) throw new Error('The export could not be made')
}

async function call(server: Server, path: string, what: string): Promise<void> {
  const isDone = { value: false }
  const peak = peakMemory(server, isDone)
  const waits = healthWaits(server, isDone)
  const before = await cpuSeconds(server.pid)
  const fromMs = performance.now()
  const answer = await server.call('/workouts/import/archive', multipartOf(path))
  const summary = (await answer.json()) as Record<string, unknown>
  const seconds = (performance.now() - fromMs) / 1000
  isDone.value = true
  if (!answer.ok) throw new Error(`It answered ${answer.status}: ${JSON.stringify(summary)}`)
  const { successful, skipped, updated, errors, ignored, skippedSports } = summary
  const cpu = (await cpuSeconds(server.pid)) - before
  console.log(`  ${what}: ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of CPU, peak ${memoryText(await peak, 130)}`)
  console.log(`    ${JSON.stringify({ successful, skipped, updated, errors, ignored, skippedSports })}`)
  const sorted = (await waits).toSorted((a, b) => a - b)
  console.log(`    /health p99 ${sorted[Math.floor(sorted.length * 0.99)]?.toFixed(0)} ms of ${sorted.length}`)
}

async function peakMemory(server: Server, isDone: { readonly value: boolean }) {
  const peak = { anonMiB: 0, pssMiB: 0 }
  while (!isDone.value) {
    const { anonMiB, pssMiB } = await server.memory()
    peak.anonMiB = Math.max(peak.anonMiB, anonMiB)
    peak.pssMiB = Math.max(peak.pssMiB, pssMiB)
    await Bun.sleep(100)
  }
  return peak
}

async function healthWaits(server: Server, isDone: { readonly value: boolean }): Promise<number[]> {
  const waits: number[] = []
  while (!isDone.value) {
    const fromMs = performance.now()
    await (await server.call('/health')).arrayBuffer()
    waits.push(performance.now() - fromMs)
    await Bun.sleep(20)
  }
  return waits
}

/** Of user and system, by the process table. */
async function cpuSeconds(pid: number): Promise<number> {
  const fields = (await Bun.file(`/proc/${pid}/stat`).text()).split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

if (import.meta.main) {
  const [path = '', size = '{}'] = process.argv.slice(2)
  await Bun.write(path, buildZip(garminTakeout(JSON.parse(size)).entries))
}
