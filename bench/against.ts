// The same work by two checkouts, one after the other in each round, so that a busy machine is as busy for both:
//
//   bun run bench against <folder of another checkout> [runs]
//
// Of each figure the best of the rounds is printed for both, and how many times as good this checkout is. Syncs are
// counted of this checkout alone, where strace is installed.
import { Database } from 'bun:sqlite'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import {
  cpuMsOf,
  detailWithRaw,
  type Figures,
  filledLibrary,
  onLibrary,
  percentile,
  removed,
} from './against-library.ts'
import { benchRun } from './library.ts'
import { type BenchServer, multipartOf, startCommand, startServer } from './server.ts'
import { makeStravaExport, withLargePhotos } from './strava-export.ts'

type Server = BenchServer & { readonly dataDir: string }

const ROUNDS = 3
const LARGE_BYTES = 500e6
const REST_S = 60
const QUESTIONS = ['/workouts', '/stats/weekly-recap', '/stats/best-efforts', '/health'] as const

export async function benchAgainst(other: string, runs = 400): Promise<void> {
  const corpusDir = process.env.CORPUS_DIR
  if (corpusDir === undefined) throw new Error('synth.py stands beside the folder that CORPUS_DIR names')
  const folder = await mkdtemp(join(tmpdir(), 'harrier-against-'))
  const zip = join(folder, 'export.zip')
  const large = join(folder, 'large.zip')
  makeStravaExport(zip, { corpusDir, runs })
  await withLargePhotos(zip, large, LARGE_BYTES)
  const files = Array.from({ length: 100 }, (_, seed) => benchRun(seed + 1))
  const checkouts = [resolve(other), resolve(import.meta.dir, '..')]
  const best: Figures[] = [{}, {}]
  const take = async (measure: (command: readonly string[], at: number) => Promise<Figures>, rounds = ROUNDS) => {
    for (let round = 0; round < rounds; round += 1) {
      for (const [at, checkout] of checkouts.entries()) {
        const found = await measure(await startCommand(checkout), at)
        for (const [name, value] of Object.entries(found)) best[at]![name] = better(name, best[at]![name], value)
      }
    }
    for (const name of Object.keys(best[0]!)) tell(name, best)
    for (const found of best) for (const name of Object.keys(found)) delete found[name]
  }
  await take((command) => bulk(command, zip, runs))
  await take((command) => singles(command, files))
  const libraries = await Promise.all(checkouts.map(filledLibrary))
  await take((command, at) => onLibrary(command, libraries[at]!))
  await Promise.all(libraries.map(removed))
  await take((command) => onServer(command, (server) => detailWithRaw(server, corpusDir)))
  await take((command) => largeImport(command, large), 1)
  if (Bun.which('strace') !== null) {
    const [, here = ''] = checkouts
    console.log(`bulk import, syncs a run, here only: ${(await syncs(here, { zip, runs, folder })).toFixed(2)}`)
  }
  await rm(folder, { recursive: true, force: true })
}

function tell(
  name: string,
  [{ [name]: before = Number.NaN } = {}, { [name]: now = Number.NaN } = {}]: Figures[],
): void {
  const times = isRate(name) ? now / before : before / now
  console.log(`${name.padEnd(48)} ${shown(before)} ${shown(now)} ${times.toFixed(2).padStart(6)} times as good`)
}

const isRate = (name: string) => name.endsWith('runs/s')
const shown = (value: number) => value.toFixed(value < 10 ? 2 : 1).padStart(9)

function better(name: string, known: number | undefined, value: number): number {
  if (known === undefined) return value
  return isRate(name) ? Math.max(known, value) : Math.min(known, value)
}

async function onServer(command: readonly string[], measure: (server: Server) => Promise<Figures>): Promise<Figures> {
  const server = await startServer(undefined, command)
  await server.login()
  try {
    return await measure(server)
  } finally {
    await server.stop()
    await server.remove()
  }
}

async function bulk(command: readonly string[], zip: string, runs: number): Promise<Figures> {
  return await onServer(command, async (server) => {
    const watched = watch(server)
    const [cpuMs, started] = [await cpuMsOf(server.pid), performance.now()]
    await imported(server, zip, runs)
    const seconds = (performance.now() - started) / 1000
    const cpu = (await cpuMsOf(server.pid)) - cpuMs
    const { waits } = await watched.end()
    return {
      'bulk import, runs/s': runs / seconds,
      'bulk import, CPU ms a run (reads included)': cpu / runs,
      'reads during it, p99 ms': percentile(waits, 0.99),
      'stored a run-hour, KB (database, raw copies)': (await storedBytes(server.dataDir)) / runs / 1000,
    }
  })
}

async function singles(command: readonly string[], files: readonly Uint8Array[]): Promise<Figures> {
  return await onServer(command, async (server) => {
    const [cpuMs, started] = [await cpuMsOf(server.pid), performance.now()]
    for (const file of files) {
      const form = new FormData()
      form.append('file', new Blob([file as Uint8Array<ArrayBuffer>]), 'run.fit')
      const answer = await server.call('/workouts/import', { method: 'POST', body: form })
      if (!answer.ok) throw new Error(`Import answered ${answer.status}: ${await answer.text()}`)
    }
    const seconds = (performance.now() - started) / 1000
    return {
      'single files, one request each, runs/s': files.length / seconds,
      'single files, CPU ms a run': ((await cpuMsOf(server.pid)) - cpuMs) / files.length,
    }
  })
}

/** An import of 500 MB, the rest after it, and its archive restored by another process. */
async function largeImport(command: readonly string[], zip: string): Promise<Figures> {
  const archive = `${zip}-archive.zip`
  const figures = await onServer(command, async (server) => {
    const watched = watch(server, [])
    await imported(server, zip)
    const { peakMiB } = await watched.end()
    await Bun.sleep(REST_S * 1000)
    const { anonMiB } = await server.memory()
    await Bun.write(archive, await server.call('/workouts/export', { method: 'POST' }))
    return {
      'import of 500 MB, peak MiB Pss_Anon': peakMiB,
      [`rest ${REST_S} s after it, MiB Pss_Anon`]: anonMiB,
    }
  })
  const restored = await onServer(command, async (server) => {
    const watched = watch(server, [])
    const answer = await server.call('/workouts/import/export', multipartOf(archive))
    const { success } = (await answer.json()) as { success?: boolean }
    if (success !== true) throw new Error(`The restore answered ${answer.status}`)
    return { 'restore of it, peak MiB Pss_Anon': (await watched.end()).peakMiB }
  })
  await rm(archive)
  return { ...figures, ...restored }
}

/** Calls of fsync and fdatasync for each run of a bulk import. */
async function syncs(
  checkout: string,
  { zip, runs, folder }: { readonly zip: string; readonly runs: number; readonly folder: string },
): Promise<number> {
  const log = join(folder, 'strace.txt')
  const count = async () => (await readFile(log, 'utf8')).match(/f(?:data)?sync\(/g)?.length ?? 0
  // -D: the process is our child and not strace's, which lets no signal to stop through
  const traced = ['strace', '-D', '-f', '-o', log, '-e', 'trace=fsync,fdatasync', ...(await startCommand(checkout))]
  let calls = 0
  await onServer(traced, async (server) => {
    const before = await count()
    await imported(server, zip, runs)
    calls = (await count()) - before
    return {}
  })
  return calls / runs
}

async function imported(server: Server, zip: string, runs?: number): Promise<void> {
  const answer = await server.call('/workouts/import/bulk', multipartOf(zip))
  const summary = (await answer.json()) as { successful?: number }
  if (!answer.ok || (runs !== undefined && summary.successful !== runs)) {
    throw new Error(`Import answered ${answer.status}: ${JSON.stringify(summary)}`)
  }
}

/** Asks small questions and looks at the memory until `end`. */
function watch(server: Server, questions: readonly string[] = QUESTIONS) {
  const waits: number[] = []
  let [peakMiB, isOver] = [0, false]
  const asking = (async () => {
    while (!isOver) {
      for (const question of questions) {
        const sent = performance.now()
        await (await server.call(question)).arrayBuffer()
        waits.push(performance.now() - sent)
        await Bun.sleep(5)
      }
      peakMiB = Math.max(peakMiB, (await server.memory()).anonMiB)
      await Bun.sleep(50)
    }
  })()
  return {
    end: async () => {
      isOver = true
      await asking
      return { waits, peakMiB }
    },
  }
}

/** Database with its log folded in, and raw data that is a copy of what originals say. */
async function storedBytes(dataDir: string): Promise<number> {
  const path = join(dataDir, 'harrier.sqlite')
  using db = new Database(path)
  db.run('PRAGMA wal_checkpoint(TRUNCATE)')
  const raw = (await readdir(join(dataDir, 'files/raw'))).filter((name) => name.endsWith('.zst'))
  const paths = [path, ...raw.map((name) => join(dataDir, 'files/raw', name))]
  const sizes = await Promise.all(paths.map(async (each) => (await stat(each)).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}
