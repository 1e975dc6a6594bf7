import { benchRun } from './library.ts'
import { memoryText, startServer } from './server.ts'

/** The real process: start, single-file imports one after the other, questions, memory. */
export async function benchImport(runs = 200): Promise<void> {
  const files = Array.from({ length: runs }, (_, seed) => benchRun(seed + 1))
  const server = await startServer()
  console.log(`server: first answer ${server.firstAnswerMs.toFixed(0)} ms after the start on an empty folder`)
  console.log(`  memory at rest               ${memoryText(await server.memory(), 34)}`)
  await server.login()
  const latencies: number[] = []
  const started = performance.now()
  for (const file of files) {
    const form = new FormData()
    form.append('file', new Blob([file as Uint8Array<ArrayBuffer>]), 'run.fit')
    const sent = performance.now()
    const answer = await server.call('/workouts/import', { method: 'POST', body: form })
    latencies.push(performance.now() - sent)
    if (!answer.ok) throw new Error(`Import answered ${answer.status}: ${await answer.text()}`)
  }
  const seconds = (performance.now() - started) / 1000
  console.log(`import: ${runs} files of one hour, one request each`)
  console.log(
    `  ${(runs / seconds).toFixed(1)} runs/s, p50 ${percentile(latencies, 0.5)} ms, p99 ${percentile(latencies, 0.99)} ms`,
  )
  const memory = await server.memory()
  console.log(
    `  memory after the imports     ${memoryText(memory, 120)}, peak ${memory.peakRssMiB.toFixed(1)} MiB RSS (Worker included)`,
  )
  await question(server, 'list of 20', '/workouts')
  const page = (await (await server.call('/workouts?pageSize=1')).json()) as { items: { id: string }[] }
  const id = page.items[0]?.id ?? ''
  await question(server, 'detail without raw data', `/workouts/${id}?includeRaw=false`)
  await question(server, 'detail with raw data', `/workouts/${id}`)
  await question(server, 'time series, 1000 items', `/workouts/${id}/time-series`)
  await server.stop()
  const again = await startServer(server.dataDir)
  console.log(
    `server: first answer ${again.firstAnswerMs.toFixed(0)} ms after the start on ${runs} workouts (goal 110)`,
  )
  console.log(`  memory at rest               ${memoryText(await again.memory(), 34)}`)
  await again.stop()
  await again.remove()
}

async function question(server: Awaited<ReturnType<typeof startServer>>, what: string, path: string): Promise<void> {
  const latencies: number[] = []
  for (let i = 0; i < 200; i++) {
    const sent = performance.now()
    const answer = await server.call(path)
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
    latencies.push(performance.now() - sent)
  }
  console.log(`  ${what.padEnd(28)} p50 ${percentile(latencies, 0.5)} ms, p99 ${percentile(latencies, 0.99)} ms`)
}

function percentile(values: readonly number[], share: number): string {
  const sorted = [...values].sort((a, b) => a - b)
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(2)
}
