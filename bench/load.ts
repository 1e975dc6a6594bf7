// Large answers at once: the peak of the server's memory, and how long /health waits meanwhile.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { benchRun } from './library.ts'
import { type BenchServer, imported, startServer, tell, timesText, waitsDuring } from './server.ts'

/** Seconds of the runs that are asked for. */
const RUNS = { hour: 3600, fiveHours: 18_000, longest: 390_000 } as const
type Ids = Readonly<Record<keyof typeof RUNS, string>>

interface Load {
  readonly name: string
  readonly path: (ids: Ids) => string
  readonly clients: number
  readonly encoding: 'gzip' | 'identity'
}

const samples = ({ hour }: Ids) => `/workouts/${hour}/samples`
const detail = ({ fiveHours }: Ids) => `/workouts/${fiveHours}`
const longest = ({ longest }: Ids) => `/workouts/${longest}/samples`
/** As many as may be made and wait at once. */
const clients = 16
const LOADS: readonly Load[] = [
  { name: '16 samples', path: samples, clients, encoding: 'identity' },
  { name: '16 samples', path: samples, clients, encoding: 'gzip' },
  { name: '16 details', path: detail, clients, encoding: 'gzip' },
  { name: 'one of 390,000 points', path: longest, clients: 1, encoding: 'gzip' },
]

export async function bench(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'harrier-load-'))
  const first = await startServer(dataDir)
  await first.login()
  const ids: Record<string, string> = {}
  for (const [seed, [name, seconds]] of Object.entries(RUNS).entries()) {
    ids[name] = await imported(first, benchRun(seed + 1, seconds))
  }
  await first.stop()
  console.log('load: budget 300 MiB peak RSS')
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
  tell(`${load.name}, ${load.encoding}`, `${peak}, ${timesText(waits)}; ${stated}`)
}

const STATUS = 'HTTP/1.1 200'

/** Sends all requests at once over sockets of their own, from a process of its own. */
async function askAll(url: string, path: string, { clients, encoding }: Load): Promise<void> {
  const { hostname, port } = new URL(url)
  const head = [`GET ${path} HTTP/1.1`, `Host: ${hostname}`, `Cookie: ${process.env.COOKIE}`]
  const request = `${[...head, `Accept-Encoding: ${encoding}`, 'Connection: close'].join('\r\n')}\r\n\r\n`
  let [bytes, ended, ok] = [0, 0, 0]
  const { promise: done, resolve: finish } = Promise.withResolvers<void>()
  const ask = () => {
    let head = ''
    return Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        open: (socket) => {
          socket.write(request)
        },
        data: (_socket, piece) => {
          bytes += piece.length
          if (head.length >= STATUS.length) return
          head += piece.toString('latin1', 0, STATUS.length)
          if (head.startsWith(STATUS)) ok += 1
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
  await done
  console.log(`${ok} answers of ${(bytes / Math.max(1, ok) / 1000).toFixed(0)} KB`)
  process.exit(0)
}

if (import.meta.main) {
  const [url, path, load] = process.argv.slice(2)
  await askAll(url!, path!, JSON.parse(load!))
}
