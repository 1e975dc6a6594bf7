import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startServer } from './server.ts'

type Server = Awaited<ReturnType<typeof startServer>>

/** What is asked again and again while the import works. */
const QUESTIONS = [
  '/workouts',
  '/stats/weekly-recap',
  '/stats/best-efforts',
  '/stats/yearly-weekly',
  '/health',
] as const
const SAMPLE_EVERY_MS = 20

/**
 * A Strava export of synth.py on the real server, twice: runs per second, the largest proportional set size of the process
 * (its Worker included) and how long others wait meanwhile.
 */
export async function benchBulk(runs = 1000): Promise<void> {
  const corpusDir = process.env.CORPUS_DIR
  if (corpusDir === undefined) return console.log('bulk: skipped, synth.py stands beside the folder CORPUS_DIR names')
  const folder = await mkdtemp(join(tmpdir(), 'harrier-bulk-'))
  const zip = join(folder, 'export.zip')
  const made = Bun.spawnSync([
    ...['python3', resolve(corpusDir, '..', 'synth.py'), 'strava-zip', zip],
    ...['--runs', String(runs)],
  ])
  if (made.exitCode !== 0) throw new Error(made.stderr.toString())
  const server = await startServer()
  await server.login()
  const size = Bun.file(zip).size
  console.log(`bulk: a Strava export of ${runs} runs of about an hour, ${(size / 1e6).toFixed(1)} MB`)
  await importOnce(server, zip, { what: 'first import', isFirst: true })
  await importOnce(server, zip, { what: 'the same again', isFirst: false })
  await server.stop()
  await server.remove()
  await rm(folder, { recursive: true, force: true })
}

async function importOnce(
  server: Server,
  zip: string,
  { what, isFirst }: { readonly what: string; readonly isFirst: boolean },
): Promise<void> {
  const isDone = { value: false }
  const peak = peakPss(server, isDone)
  const latencies = askMeanwhile(server, isDone)
  const form = new FormData()
  form.append('file', Bun.file(zip), 'export.zip')
  const started = performance.now()
  const answer = await server.call('/workouts/import/bulk', { method: 'POST', body: form })
  const summary = (await answer.json()) as Record<string, unknown>
  const seconds = (performance.now() - started) / 1000
  isDone.value = true
  if (!answer.ok) throw new Error(`Import answered ${answer.status}: ${JSON.stringify(summary)}`)
  const { totalProcessed, successful, skipped, errors, mediaImported } = summary
  const budget = isFirst ? ' (budget 50)' : ''
  const rate = Number(totalProcessed) / seconds
  console.log(`  ${what}: ${seconds.toFixed(1)} s, ${rate.toFixed(1)} runs/s${budget}, upload included`)
  console.log(`    ${JSON.stringify({ totalProcessed, successful, skipped, errors, mediaImported })}`)
  console.log(`    peak ${(await peak).toFixed(1)} MiB PSS (budget 160)`)
  for (const [question, waits] of await latencies) {
    const [p50, p99, worst] = [0.5, 0.99, 1].map((part) => percentile(waits, part))
    console.log(
      `    ${question.padEnd(24)} p50 ${p50} ms, p99 ${p99} ms, worst ${worst} ms (budget p99 50), ${waits.length}`,
    )
  }
}

async function peakPss(server: Server, isDone: { readonly value: boolean }): Promise<number> {
  let peak = 0
  while (!isDone.value) {
    peak = Math.max(peak, (await server.memory()).pssMiB)
    await Bun.sleep(SAMPLE_EVERY_MS)
  }
  return peak
}

async function askMeanwhile(server: Server, isDone: { readonly value: boolean }): Promise<Map<string, number[]>> {
  const latencies = new Map<string, number[]>()
  while (!isDone.value) {
    for (const question of QUESTIONS) {
      const sent = performance.now()
      const answer = await server.call(question)
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(`${question} answered ${answer.status}`)
      latencies.set(question, [...(latencies.get(question) ?? []), performance.now() - sent])
      await Bun.sleep(5)
    }
  }
  return latencies
}

function percentile(values: readonly number[], part: number): string {
  const sorted = values.toSorted((a, b) => a - b)
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN).toFixed(1)
}

if (import.meta.main) await benchBulk()
