import { readdir, readFile } from 'node:fs/promises'
import { filledLibrary } from './library.ts'
import {
  asked,
  atRest,
  type BenchServer,
  cpuMsOf,
  json,
  latenciesOf,
  startServer,
  tell,
  timesText,
  waitsDuring,
} from './server.ts'
import { afterWrites } from './stats.ts'

const DAY_MS = 86_400_000
const YEARS = 15
const QUICK = ['today', 'load', 'load?from=DAY-1100&to=DAY', 'forecast?days=90&plan=usual']
const OTHERS = [
  ...['vo2max', 'vo2max?weeks=520', 'predictions', 'critical-speed', 'efficiency', 'efficiency?from=DAY-1100&to=DAY'],
  ...['intensity', 'intensity?weeks=104', 'zones', 'proposals', 'goals', 'calendar', 'calendar?from=DAY-1100&to=DAY'],
]

/** The training views of 10,000 runs in 15 years: each answer, and a new profile or an edited run with its neighbours. */
export async function bench(workouts = 10_000): Promise<void> {
  const server = await startServer(await filledLibrary(workouts, YEARS))
  await server.login()
  await asked(server, '/settings/training', profile(188))
  // a fresh library is still being indexed, and its ground read
  await atRest(server)
  console.log(`training: ${workouts} one-hour runs in ${YEARS} years, over HTTP`)
  const { items } = JSON.parse(await asked(server, '/workouts?pageSize=1'))
  const run = `/workouts/${items[0].id}`
  const views = [...QUICK, ...OTHERS].map((path) => `/training/${dated(path)}`)
  const beside = [`${run}/training`, '/settings/training', '/workouts?sortBy=load', '/stats/daily', '/truth/fitness']
  for (const [at, path] of [...views, ...beside].entries()) {
    const latencies = timesText(await latenciesOf(server, path, { times: 200 }))
    const written = timesText(await afterWrites(server, path, 36))
    tell(path.slice(0, 46), `${latencies} (budget ${at < QUICK.length ? 10 : 20}); after a write ${written}`)
  }
  for (const [what, path, body] of [
    ...[189, 190, 191].map((bpm) => ['a new maximum', '/settings/training', profile(bpm)] as const),
    ...[5, 6, 7].map((rpe) => ['an edited run', run, json('PATCH', { rpe })] as const),
  ]) {
    // one that comes sooner has to rest
    await atRest(server)
    await refitted(server, what, () => asked(server, path, body))
  }
  await server.stop()
  await server.remove()
}

function profile(maxHeartRateBpm: number): RequestInit {
  return json('PUT', { entries: [{ from: null, maxHeartRateBpm, restingHeartRateBpm: 55 }] })
}

function dated(path: string): string {
  const day = (back: number) => new Date(Date.now() - back * DAY_MS).toISOString().slice(0, 10)
  return path.replaceAll(/DAY(-\d+)?/g, (_, back) => day(back === undefined ? 0 : -Number(back)))
}

/** Makes a change, and asks until its loads are there. */
async function refitted(server: BenchServer, what: string, change: () => Promise<unknown>): Promise<void> {
  const before = { process: await cpuMsOf(server.pid), worker: await workerMsOf(server.pid) }
  const started = performance.now()
  const waits = await waitsDuring(
    server,
    change().then(() => isRefitted(server)),
    10,
  )
  const seconds = (performance.now() - started) / 1000
  const worker = ((await workerMsOf(server.pid)) - before.worker) / 1000
  const whole = ((await cpuMsOf(server.pid)) - before.process) / 1000
  const cpu = `${worker.toFixed(2)} s of CPU of the Worker (budget 0.35), ${whole.toFixed(2)} s of the process`
  tell(what, `loads are there after ${seconds.toFixed(2)} s, ${cpu}; others wait ${timesText(waits)} (budget 150)`)
}

async function isRefitted(server: BenchServer): Promise<void> {
  while (JSON.parse(await asked(server, '/training/forecast?days=1')).recomputing) await Bun.sleep(50)
}

/** Processor time of the Worker's threads so far, ms. */
async function workerMsOf(pid: number): Promise<number> {
  const tasks = `/proc/${pid}/task`
  const read = (await readdir(tasks)).map((id) => readFile(`${tasks}/${id}/stat`, 'utf8'))
  // some end while they are read
  const threads = (await Promise.allSettled(read)).flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  const ofWorker = threads.filter((text) => text.includes('(Worker)'))
  return ofWorker.reduce((sum, text) => sum + 10 * Number(text.split(') ')[1]!.split(' ')[11]), 0)
}
