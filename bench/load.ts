// Many large answers at once, read and not read: the peak of the server's memory, and how long /health waits meanwhile.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { benchRun } from './library.ts'
import { type BenchServer, imported, startServer, tell, timesText, waitsDuring } from './server.ts'

/** Seconds of the runs that are asked for; a watch would write the longest in nine days. */
const RUNS = { hour: 3600, fiveHours: 18_000, nineDays: 800_000 } as const
type Ids = Readonly<Record<keyof typeof RUNS, string>>

interface Load {
  readonly name: string
  readonly path: (ids: Ids) => string
  readonly clients: number
  /** false: no byte of an answer is read. */
  readonly reads: boolean
  readonly encoding: 'gzip' | 'identity'
}

const samples = ({ hour }: Ids) => `/workouts/${hour}/samples`
const detail = ({ fiveHours }: Ids) => `/workouts/${fiveHours}`
const longest = ({ nineDays }: Ids) => `/workouts/${nineDays}/samples`
const [thousand, hundreds] = [{ clients: 1000 }, { clients: 200 }]
const LOADS: readonly Load[] = [
  { name: '1,000 samples', path: samples, ...thousand, reads: true, encoding: 'identity' },
  { name: '1,000 samples', path: samples, ...thousand, reads: true, encoding: 'gzip' },
  { name: '1,000 samples', path: samples, ...thousand, reads: false, encoding: 'gzip' },
  { name: '200 details', path: detail, ...hundreds, reads: true, encoding: 'gzip' },
  { name: '200 details', path: detail, ...hundreds, reads: false, encoding: 'identity' },
  { name: 'one of 800,000 points', path: longest, clients: 1, reads: true, encoding: 'gzip' },
]
/** Loads that nobody reads never end. */
const UNREAD_S = 45

export async function bench(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'harrier-load-'))
  const first = await startServer(dataDir)
  await first.login()
  const ids: Record<string, string> = {}
  for (const [seed, [name, seconds]] of Object.entries(RUNS).entries()) {
    ids[name] = await imported(first, benchRun(seed + 1, seconds))
  }
  await first.stop()
  console.log('load: budgets 256 MiB peak RSS, /health p99 1000 ms')
  for (const load of LOADS) {
    const server = await startServer(dataDir)
    const cookie = await server.login()
    await measure(server, load, { path: load.path(ids as Ids), cookie })
    await server.stop()
  }
  await rm(dataDir, { recursive: true, force: true })
}

async function measure(server: BenchServer, load: Load, { path, cookie }: { path: string; cookie: string }) {
  const before = await server.memory()
  const asking = Bun.spawn([process.execPath, import.meta.path, server.address, path, JSON.stringify(load)], {
    env: { ...process.env, COOKIE: cookie },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const waits = await waitsDuring(server, asking.exited, 10)
  const { peakRssMiB } = await server.memory()
  const peak = `peak ${peakRssMiB.toFixed(0)} MiB (${before.peakRssMiB.toFixed(0)} before)`
  const stated = (await new Response(asking.stdout).text()).trim()
  tell(`${load.name}, ${load.encoding}${load.reads ? '' : ', not read'}`, `${peak}, ${timesText(waits)}; ${stated}`)
}

/** Sends all requests at once over sockets of their own, from a process of its own. */
async function askAll(url: string, path: string, { clients, reads, encoding }: Load): Promise<void> {
  const { hostname, port } = new URL(url)
  const head = [`GET ${path} HTTP/1.1`, `Host: ${hostname}`, `Cookie: ${process.env.COOKIE}`]
  const request = `${[...head, `Accept-Encoding: ${encoding}`, 'Connection: close'].join('\r\n')}\r\n\r\n`
  let [bytes, ended, ok] = [0, 0, 0]
  const { promise: done, resolve: finish } = Promise.withResolvers<void>()
  const ask = () => {
    let isFirst = true
    return Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        open: (socket) => {
          if (!reads) socket.pause()
          socket.write(request)
        },
        data: (_socket, piece) => {
          bytes += piece.length
          if (isFirst && piece.toString().startsWith('HTTP/1.1 200')) ok += 1
          isFirst = false
        },
        close: () => {
          ended += 1
          if (ended === clients) finish()
        },
        error: () => {},
      },
    })
  }
  await Promise.all(Array.from({ length: clients }, ask))
  await Promise.race([done, ...(reads ? [] : [Bun.sleep(1000 * UNREAD_S)])])
  console.log(`${ok} answers of ${(bytes / Math.max(1, ok) / 1000).toFixed(0)} KB`)
  process.exit(0)
}

if (import.meta.main) {
  const [url, path, load] = process.argv.slice(2)
  await askAll(url!, path!, JSON.parse(load!))
}
