import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RealServer, startServer as startProcess } from '../test/process/real-server.ts'

/** A real server process on its own data folder. */
export interface BenchServer extends RealServer {
  readonly dataDir: string
  /** Milliseconds from the start of the process to its first answer. */
  readonly firstAnswerMs: number
  memory(): Promise<Memory>
  /** Ends the process; the data folder stays for another start until `remove`. */
  stop(): Promise<void>
  remove(): Promise<void>
}

/** Of the process, MiB. */
interface Memory {
  /** Its share of all pages now, those of the program included. */
  readonly pssMiB: number
  /** Pages of its own now, which no file holds. */
  readonly anonMiB: number
  /** Largest resident size so far. */
  readonly peakRssMiB: number
}

/** A process that used less of a processor than this over a second has come to rest. */
const REST_SHARE = 0.03

/** What `bun run start` starts once the packages are there. */
export async function startCommand(): Promise<readonly string[]> {
  const checkout = join(import.meta.dir, '..')
  const { scripts } = await Bun.file(join(checkout, 'package.json')).json()
  return ['sh', '-c', `cd "$0" && ${scripts.start.split('&&').at(-1)}`, checkout]
}

/**
 * Starts the service as README does.
 * @param dataDir an existing folder to start on; absent: a new, empty one
 * @param command what is started instead
 */
export async function startServer(dataDir?: string, command?: readonly string[]): Promise<BenchServer> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'harrier-bench-')))
  const started = command ?? (await startCommand())
  const fromMs = performance.now()
  const server = await startProcess({ dataDir: folder, command: started })
  await (await fetch(`${server.address}/health`)).text()
  return {
    ...server,
    dataDir: folder,
    firstAnswerMs: performance.now() - fromMs,
    memory: () => memoryOf(server.pid),
    stop: async () => void (await server.end('SIGTERM')),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

async function memoryOf(pid: number): Promise<Memory> {
  const [rollup, status] = await Promise.all(
    ['smaps_rollup', 'status'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8')),
  )
  const mib = (text: string | undefined, key: string) =>
    Number(new RegExp(`^${key}:\\s+(\\d+) kB`, 'm').exec(text ?? '')?.[1] ?? Number.NaN) / 1024
  return { pssMiB: mib(rollup, 'Pss'), anonMiB: mib(rollup, 'Pss_Anon'), peakRssMiB: mib(status, 'VmHWM') }
}

/** `35.0 MiB of its own (budget 40), 84.1 MiB PSS`: pages of the program are counted in PSS only, shared with every other Bun. */
export function memoryText({ anonMiB, pssMiB }: Memory, budgetMiB: number): string {
  return `${anonMiB.toFixed(1)} MiB of its own (budget ${budgetMiB}), ${pssMiB.toFixed(1)} MiB PSS`
}

/** Waits until the work of a start, or of a change, is done. */
export async function atRest({ pid }: RealServer): Promise<void> {
  for (let before = await cpuMsOf(pid); ; ) {
    await Bun.sleep(1000)
    const now = await cpuMsOf(pid)
    if (now - before < 1000 * REST_SHARE) return
    before = now
  }
}

/** Processor time of all threads of a process so far, in ticks of 10 ms. */
export async function cpuMsOf(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** The text of an answer. @throws Error when it is none of success */
export async function asked(server: RealServer, path: string, init?: RequestInit): Promise<string> {
  const answer = await server.call(path, init)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`)
  return text
}

export function json(method: 'POST' | 'PUT' | 'PATCH', body: unknown): RequestInit {
  return { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

/** Imports one file. @returns the id of its run */
export async function imported(server: RealServer, bytes: Uint8Array): Promise<string> {
  const body = new FormData()
  body.append('file', new Blob([bytes.slice()]), 'run.fit')
  return JSON.parse(await asked(server, '/workouts/import', { method: 'POST', body })).id
}

/** How long each of so many answers took, ms; the first ones compile what all later ones use. */
export async function latenciesOf(server: RealServer, path: string, { times = 250, warm = 50 } = {}) {
  const latencies: number[] = []
  for (let i = 0; i < times + warm; i += 1) {
    const sent = performance.now()
    await asked(server, path)
    if (i >= warm) latencies.push(performance.now() - sent)
  }
  return latencies
}

/** How long others wait for a short answer until some work is done, ms. */
export async function waitsDuring(server: RealServer, work: Promise<unknown>, everyMs = 2): Promise<number[]> {
  const waits: number[] = []
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  while (!isDone) {
    const sent = performance.now()
    await asked(server, '/health')
    waits.push(performance.now() - sent)
    await Bun.sleep(everyMs)
  }
  await done
  return waits
}

/** `p50 1.2 ms, p99 3.4 ms, worst 5.6 ms` */
export function timesText(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]!.toFixed(1)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${at(1)} ms`
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

export function tell(what: string, figure: string): void {
  console.log(`  ${what.padEnd(46)} ${figure}`)
}
