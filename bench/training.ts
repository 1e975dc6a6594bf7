import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDb } from '../src/db/open.ts'
import { trackEfforts } from '../src/engine/analyze.ts'
import { cleanRecording } from '../src/engine/run/samples.ts'
import { DEFAULT_ZONES } from '../src/engine/run/zones.ts'
import { fitFormat } from '../src/formats/fit/fit.ts'
import { writeTraining } from '../src/library/training/rows.ts'
import { packedTraining } from '../src/workers/training.ts'
import { settle } from '../test/fixtures/derived.ts'
import { atRest } from './against-library.ts'
import { benchBetter } from './better.ts'
import { benchCoverage } from './coverage.ts'
import { benchLatentFitness } from './latent-fitness.ts'
import { benchRun } from './library.ts'
import { type BenchServer, startServer } from './server.ts'
import { sizesOf } from './size.ts'
import { DISTINCT_RUNS, fillLibrary } from './stats.ts'
import { percentile } from './waits.ts'

const DAY_MS = 86_400_000
const YEARS = 15
/** Clock ticks of a process, as Linux counts its CPU time. */
const TICKS_PER_S = 100
const QUICK = ['today', 'load', 'load?from=DAY-1100&to=DAY', 'forecast?days=90&plan=usual']
const OTHERS = [
  ...['vo2max', 'vo2max?weeks=520', 'predictions', 'critical-speed', 'efficiency', 'efficiency?from=DAY-1100&to=DAY'],
  ...['intensity', 'intensity?weeks=104', 'zones', 'proposals', 'goals', 'calendar', 'calendar?from=DAY-1100&to=DAY'],
]
const [QUICK_MS, OTHERS_MS] = [10, 20]

type Server = BenchServer & { readonly dataDir: string }

/** The training views of 10,000 runs in 15 years: each answer, a new profile with its neighbours, an import, the bytes. */
export async function benchTraining(workouts = 10_000): Promise<void> {
  importCost()
  benchLatentFitness(workouts)
  benchCoverage()
  benchBetter(workouts)
  const dataDir = await mkdtemp(join(tmpdir(), 'harrier-bench-'))
  const file = join(dataDir, 'harrier.sqlite')
  fillLibrary(file, workouts)
  addTraining(file)
  const server = await startServer(dataDir)
  await server.login()
  await newProfile(server, 188)
  // a fresh library is still being indexed, and its ground read
  await atRest(server)
  console.log(`training: ${workouts} one-hour runs in ${YEARS} years, over HTTP`)
  const newest = (await (await server.call('/workouts?pageSize=1')).json()) as { items: { id: string }[] }
  const asked = [...QUICK, ...OTHERS].map((path) => `/training/${dated(path)}`)
  const beside = [
    `/workouts/${newest.items[0]?.id}/training`,
    '/settings/training',
    '/workouts?sortBy=load',
    '/stats/daily',
  ]
  for (const [at, path] of [...asked, ...beside].entries()) {
    await timeQuestion(server, path, at < QUICK.length ? QUICK_MS : OTHERS_MS)
  }
  for (const bpm of [189, 190, 191]) {
    // one that comes sooner has to rest
    await atRest(server)
    report('a new maximum', await newProfile(server, bpm))
  }
  for (const rpe of [5, 6, 7]) {
    await atRest(server)
    report(
      'an edited run',
      await refitted(server, `/workouts/${newest.items[0]?.id}`, { method: 'PATCH', body: { rpe } }),
    )
  }
  await server.stop()
  const { objects } = sizesOf(file)
  const bytes = objects.filter(({ name }) => name === 'workout_training' || name === 'workout_load')
  const total = bytes.reduce((sum, one) => sum + one.bytes, 0)
  console.log(`  in the database: ${(total / workouts).toFixed(0)} bytes a run (budget 700)`)
  await server.remove()
}

function dated(path: string): string {
  const day = (back: number) => new Date(Date.now() - back * DAY_MS).toISOString().slice(0, 10)
  return path.replaceAll(/DAY(-\d+)?/g, (_, back) => day(back === undefined ? 0 : -Number(back)))
}

/** As often as it is asked, and after something was written, when nothing that was made before is of use. */
async function timeQuestion(server: Server, path: string, budgetMs: number): Promise<void> {
  const ask = async () => {
    const sent = performance.now()
    const answer = await server.call(path)
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
    return performance.now() - sent
  }
  const latencies: number[] = []
  for (let i = 0; i < 230; i += 1) {
    const ms = await ask()
    if (i >= 30) latencies.push(ms)
  }
  const afterWrites: number[] = []
  const cpu = await cpuOf(server)
  for (let i = 0; i < 60; i += 1) {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ unitPreference: i % 2 === 0 ? 'imperial' : 'metric' })
    await (await server.call('/settings/unit-preference', { method: 'PUT', headers, body })).arrayBuffer()
    const ms = await ask()
    if (i >= 10) afterWrites.push(ms)
  }
  const cpuMs = (1000 * ((await cpuOf(server)).process - cpu.process)) / 60
  console.log(
    `  ${path.slice(0, 46).padEnd(46)} p50 ${percentile(latencies, 0.5)}, p99 ${percentile(latencies, 0.99)} ms (budget ${budgetMs}); after a write p50 ${percentile(afterWrites, 0.5)}, p99 ${percentile(afterWrites, 0.99)} ms, CPU with the write ${cpuMs.toFixed(1)} ms`,
  )
}

function report(what: string, { cpu, seconds, waits, firstMs }: Awaited<ReturnType<typeof refitted>>): void {
  console.log(
    `  ${what}: loads are there after ${seconds.toFixed(2)} s and ${cpu.worker.toFixed(2)} s of CPU of the Worker (budget 0.35), ${cpu.process.toFixed(2)} s of the process with these questions; others wait p99 ${percentile(waits, 0.99)} ms, at most ${percentile(waits, 1)} ms (budget 50), first answers after ${firstMs.map((ms) => ms.toFixed(0)).join(', ')} ms (budget 50 and the answer)`,
  )
}

function newProfile(server: Server, maxHeartRateBpm: number) {
  const body = { entries: [{ from: null, maxHeartRateBpm, restingHeartRateBpm: 55 }] }
  return refitted(server, '/settings/training', { method: 'PUT', body })
}

/** Makes a change, and asks until its loads are there. */
async function refitted(server: Server, path: string, sent: { readonly method: string; readonly body: object }) {
  const change = { ...sent, headers: { 'content-type': 'application/json' }, body: JSON.stringify(sent.body) }
  const before = await cpuOf(server)
  const started = performance.now()
  const waits: number[] = []
  await (await server.call(path, change)).arrayBuffer()
  const firstMs: number[] = []
  for (const path of ['/training/today', '/training/vo2max', '/truth/fitness']) {
    const sent = performance.now()
    await (await server.call(path)).arrayBuffer()
    firstMs.push(performance.now() - sent)
  }
  for (let isDone = false; !isDone; ) {
    for (let i = 0; i < 5; i += 1) {
      const sent = performance.now()
      await (await server.call('/health')).arrayBuffer()
      waits.push(performance.now() - sent)
      await Bun.sleep(10)
    }
    isDone = !((await (await server.call('/training/forecast?days=1')).json()) as { recomputing: boolean }).recomputing
  }
  const after = await cpuOf(server)
  const cpu = { worker: after.worker - before.worker, process: after.process - before.process }
  return { cpu, seconds: (performance.now() - started) / 1000, waits, firstMs }
}

/** Seconds of user CPU so far: of the Worker, and of all threads, compilers and collectors of garbage among them. */
async function cpuOf({ pid }: Server): Promise<{ readonly worker: number; readonly process: number }> {
  const seconds = async (folder: string) => {
    const text = await readFile(`${folder}/stat`, 'utf8')
    const user = Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[11])
    return { name: text.slice(text.indexOf('(') + 1, text.lastIndexOf(')')), s: user / TICKS_PER_S }
  }
  const tasks = `/proc/${pid}/task`
  const asked = await Promise.allSettled((await readdir(tasks)).map((id) => seconds(`${tasks}/${id}`)))
  // some end while they are read
  const threads = asked.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  const worker = threads.reduce((sum, { name, s }) => (name === 'Worker' ? sum + s : sum), 0)
  return { worker, process: (await seconds(`/proc/${pid}`)).s }
}

function madeRun(seed: number) {
  const recording = fitFormat.parse(benchRun(seed), { filename: 'hour.fit' }).activities[0]?.recording ?? null
  const track = recording === null ? null : cleanRecording(recording)
  if (track === null) throw new Error('The made file has no track')
  const elevation = { thresholdM: 2, minDistanceM: 10 }
  const options = { primary: 0, ours: { effort: false }, zones: DEFAULT_ZONES, elevation }
  const settled = settle([{ kind: 'file', said: {}, track }], [], options)
  const efforts = trackEfforts(track, settled.readings?.distanceM ?? null, () => track)
  return { settled, efforts }
}

/** What the data of the training views adds to an import, of runs of an hour. */
function importCost(): void {
  const runs = Array.from({ length: 8 }, (_, seed) => madeRun(seed + 1))
  const work = () => runs.map(({ settled, efforts }) => packedTraining(settled, { efforts, laps: [] }))
  for (let i = 0; i < 30; i += 1) work()
  const { user } = process.cpuUsage()
  for (let i = 0; i < 50; i += 1) work()
  const ms = (process.cpuUsage().user - user) / 1000 / 50 / runs.length
  console.log(
    `training: what an import does for it takes ${ms.toFixed(2)} ms of user CPU a run-hour, most for repetitions (budget 4)`,
  )
}

/** The rows of the training views, as imports write them, and the runs spread over the years. */
export function addTraining(file: string): void {
  const db = openDb(file)
  const made = Array.from({ length: DISTINCT_RUNS }, (_, seed) => {
    const { settled, efforts } = madeRun(seed + 1)
    return packedTraining(settled, { efforts, laps: [] })
  })
  const stored = db.$client.query<{ id: string; at: number }, []>(
    'SELECT id, started_at AS at FROM workout ORDER BY rowid',
  )
  const runs = stored.all()
  const nowMs = Date.now()
  const stretch = (YEARS * 365.25 * DAY_MS) / (nowMs - runs[0]!.at)
  const move = db.$client.query('UPDATE workout SET started_at = ?, moving_time_s = 3590 WHERE id = ?')
  db.transaction((tx) => {
    for (const [i, { id, at }] of runs.entries()) {
      move.run(Math.round(nowMs - (nowMs - at) * stretch), id)
      writeTraining(tx, id, made[i % DISTINCT_RUNS]!)
    }
  })
  db.$client.run("UPDATE workout SET run_type = 'Race' WHERE rowid % 97 = 0")
  db.$client.close()
}

if (import.meta.main) await benchTraining()
