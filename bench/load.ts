// Many large answers at once, read and not read: the peak of the server's memory, and how long /health waits meanwhile.
//
//   bun run bench load
//   bun bench/load.ts <folder of another checkout, or .> [places of loads]     both, one after the other in each load
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { benchRun } from './library.ts'
import { type BenchServer, startCommand, startServer } from './server.ts'
import { percentile } from './waits.ts'

interface Load {
  readonly name: string
  readonly path: (ids: Ids) => string
  readonly clients: number
  /** false: no byte of an answer is read. */
  readonly reads: boolean
  readonly encoding: 'gzip' | 'identity'
}

/** Seconds of the runs that are asked for; a watch would write the longest in nine days. */
const RUNS = { hour: 3600, fiveHours: 18_000, nineDays: 800_000 } as const
type Ids = Readonly<Record<keyof typeof RUNS, string>>

const samples = ({ hour }: Ids) => `/workouts/${hour}/samples`
const detail = ({ fiveHours }: Ids) => `/workouts/${fiveHours}`
const LOADS: readonly Load[] = [
  { name: '1,000 samples', path: samples, clients: 1000, reads: true, encoding: 'identity' },
  { name: '1,000 samples', path: samples, clients: 1000, reads: true, encoding: 'gzip' },
  { name: '1,000 samples', path: samples, clients: 1000, reads: false, encoding: 'identity' },
  { name: '1,000 samples', path: samples, clients: 1000, reads: false, encoding: 'gzip' },
  { name: '200 details', path: detail, clients: 200, reads: true, encoding: 'identity' },
  { name: '200 details', path: detail, clients: 200, reads: true, encoding: 'gzip' },
  { name: '200 details', path: detail, clients: 200, reads: false, encoding: 'identity' },
  {
    name: 'one of 800,000 points',
    path: ({ nineDays }) => `/workouts/${nineDays}/samples`,
    ...{ clients: 1, reads: true, encoding: 'gzip' },
  },
]
const BUDGETS = { peakMiB: 256, waitMs: 1000 }
/** Loads that nobody reads never end. */
const UNREAD_S = 45
const STATUS_LENGTH = 'HTTP/1.1 200'.length
const PROBE_EVERY_MS = 10

/**
 * @param other folder of a second checkout, measured in turn
 * @param only places of loads in `LOADS`, from 1; none: all
 */
export async function benchLoad(other?: string, only: readonly number[] = []): Promise<void> {
  const checkouts = [...(other === undefined ? [] : [resolve(other)]), resolve(import.meta.dir, '..')]
  const libraries = []
  for (const checkout of checkouts) libraries.push({ checkout, ...(await library(checkout)) })
  console.log(`load: budgets ${BUDGETS.peakMiB} MiB peak RSS, /health p99 ${BUDGETS.waitMs} ms`)
  const chosen = only.length === 0 ? LOADS : only.flatMap((at) => LOADS[at - 1] ?? [])
  for (const load of chosen) {
    for (const { checkout, dataDir, ids } of libraries) {
      const server = await startServer(dataDir, await startCommand(checkout))
      await server.login()
      await measure(server, load, load.path(ids))
      await server.stop()
    }
  }
  for (const { dataDir } of libraries) await rm(dataDir, { recursive: true, force: true })
}

async function library(checkout: string): Promise<{ readonly dataDir: string; readonly ids: Ids }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'harrier-load-'))
  const server = await startServer(dataDir, await startCommand(checkout))
  await server.login()
  const ids: Partial<Record<keyof Ids, string>> = {}
  for (const [seed, [name, seconds]] of Object.entries(RUNS).entries()) {
    const form = new FormData()
    form.append('file', new Blob([benchRun(seed + 1, seconds) as Uint8Array<ArrayBuffer>]), 'run.fit')
    const answer = await server.call('/workouts/import', { method: 'POST', body: form })
    if (!answer.ok) throw new Error(`Import answered ${answer.status}: ${await answer.text()}`)
    ids[name as keyof Ids] = ((await answer.json()) as { id: string }).id
  }
  await server.stop()
  return { dataDir, ids: ids as Ids }
}

async function measure(server: BenchServer, load: Load, path: string): Promise<void> {
  const { name, clients, reads, encoding } = load
  const before = await server.memory()
  const started = performance.now()
  const asking = Bun.spawn([process.execPath, import.meta.path, 'clients', server.url, path, JSON.stringify(load)], {
    env: { ...process.env, COOKIE: server.cookie() },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const waits: number[] = []
  let isOver = false
  const probing = (async () => {
    while (!isOver) {
      const sent = performance.now()
      await (await fetch(`${server.url}/health`)).arrayBuffer()
      waits.push(performance.now() - sent)
      await Bun.sleep(PROBE_EVERY_MS)
    }
  })()
  const stated = (await new Response(asking.stdout).text()).trim()
  const seconds = (performance.now() - started) / 1000
  isOver = true
  await probing
  const { peakRssMiB } = await server.memory()
  console.log(
    `  ${name}, ${encoding}, ${reads ? 'read' : 'not read'} (${clients}): peak ${peakRssMiB.toFixed(0)} MiB (${before.peakRssMiB.toFixed(0)} before), /health p50 ${percentile(waits, 0.5)}, p99 ${percentile(waits, 0.99)}, worst ${percentile(waits, 1)} ms, ${seconds.toFixed(1)} s; ${stated}`,
  )
}

/** Sends all requests at once over sockets of their own, from a process of its own. */
async function askAll(url: string, path: string, { clients, reads, encoding }: Load): Promise<void> {
  const { hostname, port } = new URL(url)
  const request = `GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nCookie: ${process.env.COOKIE}\r\nAccept-Encoding: ${encoding}\r\nConnection: close\r\n\r\n`
  let [bytes, ended, ok] = [0, 0, 0]
  const { promise: done, resolve: finish } = Promise.withResolvers<void>()
  const sockets = []
  for (let at = 0; at < clients; at += 1) {
    let head = ''
    sockets.push(
      Bun.connect({
        hostname,
        port: Number(port),
        socket: {
          open: (socket) => {
            if (!reads) socket.pause()
            socket.write(request)
          },
          data: (_socket, piece) => {
            bytes += piece.length
            if (head.length >= STATUS_LENGTH) return
            head += piece.subarray(0, STATUS_LENGTH).toString()
            if (head.startsWith('HTTP/1.1 200')) ok += 1
          },
          close: () => {
            ended += 1
            if (ended === clients) finish()
          },
          error: () => {},
        },
      }),
    )
  }
  await Promise.all(sockets)
  await Promise.race([done, ...(reads ? [] : [Bun.sleep(1000 * UNREAD_S)])])
  console.log(`${ok} answers of ${(bytes / Math.max(1, ok) / 1000).toFixed(0)} KB`)
  process.exit(0)
}

if (import.meta.main) {
  const [what, ...others] = process.argv.slice(2)
  const [url, path, load] = others
  if (what === 'clients') await askAll(url!, path!, JSON.parse(load!))
  else await benchLoad(what === '.' ? undefined : what, others.map(Number))
}
