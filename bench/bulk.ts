import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { askMeanwhile, peakMemory, waitsText } from './meanwhile.ts'
import { memoryText, multipartOf, startServer } from './server.ts'
import { makeStravaExport, withLargePhotos } from './strava-export.ts'

type Server = Awaited<ReturnType<typeof startServer>>

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
  for (const line of waitsText(await latencies)) console.log(line)
}

if (import.meta.main) await benchBulk()
