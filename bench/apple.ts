import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spoolRuns, workoutsIn } from '../src/takeouts/apple/passes.ts'
import { RunSpool } from '../src/takeouts/run-spool.ts'
import { openSource } from '../src/takeouts/source.ts'
import { type ZipItem, zipStream } from '../src/zip/writer.ts'
import { appleRecord, appleRoute, appleRuns, appleXml, routeName } from '../test/fixtures/apple-export.ts'
import { askMeanwhile, peakMemory, waitsText } from './meanwhile.ts'
import { memoryText, multipartOf, startServer } from './server.ts'

const MB = 1e6
/** A run for each ten megabytes, as of somebody who runs three times a week and wears a watch all day. */
const BYTES_A_RUN = 10 * MB
const PIECE_BYTES = 262_144

/** An Apple Health export: both passes over its text alone, then its import by the real server while others ask. */
export async function benchApple(megabytes = Number(process.env.APPLE_MB ?? 1000)): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'harrier-apple-'))
  const path = join(folder, 'export.zip')
  await makeExport(path, megabytes * MB)
  const source = await openSource(path, { filename: 'export.zip', tmpDir: folder })
  const entry = (await source.find('export.xml'))!
  const textMb = entry.size / MB
  console.log(`apple: an export of ${textMb.toFixed(0)} MB of text, ${(source.size / MB).toFixed(1)} MB packed`)
  const { signal } = new AbortController()
  const [started, cpu] = [performance.now(), process.cpuUsage()]
  const { runs } = await workoutsIn(source, entry, { signal })
  const firstMs = performance.now() - started
  const spool = await RunSpool.open(folder)
  await spoolRuns(source, entry, { runs, spool, signal })
  const wallMs = performance.now() - started
  const { user, system } = process.cpuUsage(cpu)
  console.log(
    `  both passes ${(textMb / (wallMs / 1000)).toFixed(0)} MB/s (budget 80 on an idle machine), the first ${(textMb / (firstMs / 1000)).toFixed(0)} MB/s; ` +
      `${((user + system) / 1e6).toFixed(1)} s of processor time, ${runs.length} runs`,
  )
  await spool.close()
  await source.close()
  await importIt(path, textMb)
  await rm(folder, { recursive: true, force: true })
}

async function importIt(path: string, textMb: number): Promise<void> {
  const server = await startServer()
  await server.login()
  const isDone = { value: false }
  const peak = peakMemory(server, isDone)
  const waits = askMeanwhile(server, isDone)
  const cpuBefore = await processorS(server.pid)
  const started = performance.now()
  const answer = await server.call('/workouts/import/archive', multipartOf(path))
  const { successful, skipped, errors, warnings } = (await answer.json()) as Record<string, unknown>
  const seconds = (performance.now() - started) / 1000
  isDone.value = true
  const cpuS = (await processorS(server.pid)) - cpuBefore
  console.log(
    `  import ${seconds.toFixed(1)} s, ${(textMb / seconds).toFixed(0)} MB/s, upload and runs included; ${cpuS.toFixed(1)} s of processor time`,
  )
  console.log(`    ${JSON.stringify({ status: answer.status, successful, skipped, errors, warnings })}`)
  console.log(`    peak ${memoryText(await peak, 120)}`)
  for (const line of waitsText(await waits)) console.log(line)
  await server.stop()
  await server.remove()
}

/** Processor time of a process so far, seconds. */
async function processorS(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Records between the runs are of a watch that measures all day. */
async function makeExport(path: string, bytes: number): Promise<void> {
  const runs = appleRuns(Math.max(2, Math.round(bytes / BYTES_A_RUN)))
  const others = otherRecords(runs.length)
  async function* items(): AsyncGenerator<ZipItem> {
    const xml = filled(appleXml(runs, { records: others(bytes - runs.length * 400_000) }))
    yield { name: 'apple_health_export/export.xml', source: xml, compress: true, modifiedMs: 0 }
    for (const run of runs) {
      if (!run.hasRoute) continue
      const source = filled([appleRoute(run)])
      yield { name: `apple_health_export/workout-routes/${routeName(run)}`, source, compress: true, modifiedMs: 0 }
    }
  }
  await Bun.write(path, new Response(zipStream(items())))
}

function otherRecords(days: number) {
  const { startMs } = appleRuns(1)[0]!
  return function* (bytes: number): Generator<string> {
    for (let size = 0, k = 0; size < bytes; k += 1) {
      // never within a run, which begins at six
      const fromMs = startMs + (k % days) * 86_400_000 + 3_600_000 + ((k * 7_919) % 80_000) * 1000
      const toMs = fromMs + 5000
      const record =
        k % 3 === 0
          ? appleRecord({ type: 'HeartRate', unit: 'count/min', value: 60 + (k % 40), fromMs })
          : appleRecord({
              type: k % 3 === 1 ? 'ActiveEnergyBurned' : 'StepCount',
              unit: k % 3 === 1 ? 'Cal' : 'count',
              value: k % 97,
              fromMs,
              toMs,
            })
      size += record.length
      yield record
    }
  }
}

async function* filled(texts: Iterable<string>): AsyncGenerator<Uint8Array> {
  let text = ''
  for (const next of texts) {
    text += next
    if (text.length < PIECE_BYTES) continue
    yield new TextEncoder().encode(text)
    text = ''
  }
  if (text !== '') yield new TextEncoder().encode(text)
}
