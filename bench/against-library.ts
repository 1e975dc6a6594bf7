import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BenchServer, startCommand, startServer } from './server.ts'

/** Name and unit of each figure; of a rate more is better, of all others less. */
export type Figures = Record<string, number>

const WORKOUTS = 10_000
const WRITES = 110
/** The first answers compile what all later ones use. */
const WARM = 10
/** A process that used less of a processor than this over a second has come to rest. */
const REST_SHARE = 0.03
const JSON_TYPE = { 'content-type': 'application/json' }
const WATCH_FILES = 'fit'
const ASKED_EACH = 5

/**
 * A folder with 10,000 one-hour runs as this checkout stores them, once started, so that the work of a first start is
 * done. @param folder of a checkout
 */
export async function filledLibrary(folder: string): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'harrier-against-'))
  const fill = `
    const { fillLibrary } = await import('${join(folder, 'bench/stats.ts')}')
    fillLibrary('${join(dataDir, 'harrier.sqlite')}', ${WORKOUTS})
    const more = await import('${join(folder, 'bench/training.ts')}').catch(() => ({}))
    more.addTraining?.('${join(dataDir, 'harrier.sqlite')}')`
  const filling = Bun.spawn([process.execPath, '-e', fill], { cwd: folder, stdout: 'ignore', stderr: 'inherit' })
  if ((await filling.exited) !== 0) throw new Error(`${folder} could not fill a library`)
  const server = await startServer(dataDir, await startCommand(folder))
  await server.login()
  await server.call('/workouts')
  await atRest(server)
  await server.stop()
  return dataDir
}

/** What a runner with many runs waits for, on a folder of `filledLibrary`. */
export async function onLibrary(command: readonly string[], dataDir: string): Promise<Figures> {
  const server = await startServer(dataDir, command)
  try {
    const figures: Figures = { '10,000 runs, first answer, ms': server.firstAnswerMs }
    await server.login()
    await atRest(server)
    figures['10,000 runs, insights after a write, p99 ms'] = await insightsAfterWrites(server)
    figures['10,000 runs, longest wait during new zones, ms'] = await longestWaitOfZones(server)
    return figures
  } finally {
    await server.stop()
  }
}

async function insightsAfterWrites(server: BenchServer): Promise<number> {
  const latencies: number[] = []
  for (let i = 0; i < WRITES; i += 1) {
    const body = JSON.stringify({ unitPreference: i % 2 === 0 ? 'imperial' : 'metric' })
    await answered(server, '/settings/unit-preference', { method: 'PUT', headers: JSON_TYPE, body })
    const sent = performance.now()
    await answered(server, '/stats/insights')
    if (i >= WARM) latencies.push(performance.now() - sent)
  }
  return percentile(latencies, 0.99)
}

/** New zones and the effort of every run, while a page asks for a short answer over and over. */
async function longestWaitOfZones(server: BenchServer): Promise<number> {
  const body = JSON.stringify({ calculationMethod: 'AgeBased', age: 40, recalculateExisting: true })
  let [isOver, longest] = [false, 0]
  const path = '/settings/heart-rate-zones/update-with-recalc'
  const long = answered(server, path, { method: 'POST', headers: JSON_TYPE, body }).finally(() => {
    isOver = true
  })
  while (!isOver) {
    const sent = performance.now()
    await answered(server, '/health')
    longest = Math.max(longest, performance.now() - sent)
    await Bun.sleep(2)
  }
  await long
  return longest
}

/** The answer for one run with its raw data, over the watch files of the corpus. */
export async function detailWithRaw(server: BenchServer, corpusDir: string): Promise<Figures> {
  const ids: string[] = []
  for (const name of (await readdir(join(corpusDir, WATCH_FILES))).filter((file) => file.endsWith('.fit')).sort()) {
    const form = new FormData()
    form.append('file', new Blob([await readFile(join(corpusDir, WATCH_FILES, name))]), name)
    const answer = await server.call('/workouts/import', { method: 'POST', body: form })
    const { id } = (await answer.json()) as { id?: string }
    if (answer.ok && id !== undefined) ids.push(id)
  }
  const latencies: number[] = []
  for (let round = 0; round < 2 * ASKED_EACH; round += 1) {
    for (const id of ids) {
      const sent = performance.now()
      await answered(server, `/workouts/${id}`)
      if (round >= ASKED_EACH) latencies.push(performance.now() - sent)
    }
  }
  return { 'detail with raw data, corpus FIT, p50 ms': percentile(latencies, 0.5) }
}

async function answered(server: BenchServer, path: string, init?: RequestInit): Promise<void> {
  const answer = await server.call(path, init)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`)
}

export async function atRest(server: BenchServer): Promise<void> {
  for (let before = await cpuMsOf(server.pid); ; ) {
    await Bun.sleep(1000)
    const now = await cpuMsOf(server.pid)
    if (now - before < 1000 * REST_SHARE) return
    before = now
  }
}

/** Processor time of all threads of a process so far, in ticks of 10 ms. */
export async function cpuMsOf(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

/** Removes what `filledLibrary` made. */
export function removed(dataDir: string): Promise<void> {
  return rm(dataDir, { recursive: true, force: true })
}
