import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryText, multipartOf, startServer } from './server.ts'
import { makeStravaExport, withLargePhotos } from './strava-export.ts'

type Server = Awaited<ReturnType<typeof startServer>>

/** What is asked again and again while the import works. */
const QUESTIONS = [
  '/workouts',
  '/stats/weekly-recap',
  '/stats/best-efforts',
  '/stats/yearly-weekly',
  '/health',
] as const
const SAMPLE_EVERY_MS = 100

/** The size of an export that the memory is measured with. */
const LARGE_BYTES = 500e6

/**
 * Strava exports of synth.py on the real server: runs per second, the largest proportional set size of the process (its
 * Worker included) and how long others wait meanwhile. First as they are and once more, then with photos up to 500 MB.
 */
export async function benchBulk(runs = 1000): Promise<void> {
  const corpusDir = process.env.CORPUS_DIR
  if (corpusDir === undefined) return console.log('bulk: skipped, synth.py stands beside the folder CORPUS_DIR names')
  const folder = await mkdtemp(join(tmpdir(), 'harrier-bulk-'))
  const [small, large] = [join(folder, 'export.zip'), join(folder, 'large.zip')]
  makeStravaExport(small, { corpusDir, runs })
  await withLargePhotos(small, large, LARGE_BYTES)
  for (const [zip, times] of [
    [small, ['first import', 'the same again']],
    [large, ['large import']],
  ] as const) {
    const server = await startServer()
    await server.login()
    console.log(`bulk: a Strava export of ${runs} runs of about an hour, ${(Bun.file(zip).size / 1e6).toFixed(1)} MB`)
    for (const what of times) await importOnce(server, zip, what)
    await server.stop()
    await server.remove()
  }
  await rm(folder, { recursive: true, force: true })
}

async function importOnce(server: Server, zip: string, what: string): Promise<void> {
  const isDone = { value: false }
  const peak = peakMemory(server, isDone)
  const latencies = askMeanwhile(server, isDone)
  const started = performance.now()
  const answer = await server.call('/workouts/import/bulk', multipartOf(zip))
  const summary = (await answer.json()) as Record<string, unknown>
  const seconds = (performance.now() - started) / 1000
  isDone.value = true
  if (!answer.ok) throw new Error(`Import answered ${answer.status}: ${JSON.stringify(summary)}`)
  const { totalProcessed, successful, skipped, errors, mediaImported } = summary
  const rate = Number(totalProcessed) / seconds
  console.log(`  ${what}: ${seconds.toFixed(1)} s, ${rate.toFixed(1)} runs/s (budget 50), upload included`)
  console.log(`    ${JSON.stringify({ totalProcessed, successful, skipped, errors, mediaImported })}`)
  console.log(`    peak ${memoryText(await peak, 120)}`)
  for (const [question, waits] of await latencies) {
    const [p50, p99, worst] = [0.5, 0.99, 1].map((part) => percentile(waits, part))
    console.log(
      `    ${question.padEnd(24)} p50 ${p50} ms, p99 ${p99} ms, worst ${worst} ms (budget p99 50), ${waits.length}`,
    )
  }
}

async function peakMemory(server: Server, isDone: { readonly value: boolean }) {
  const peak = { anonMiB: 0, pssMiB: 0 }
  while (!isDone.value) {
    const { anonMiB, pssMiB } = await server.memory()
    peak.anonMiB = Math.max(peak.anonMiB, anonMiB)
    peak.pssMiB = Math.max(peak.pssMiB, pssMiB)
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
