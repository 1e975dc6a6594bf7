import { benchRun } from './library.ts'
import { asked, imported, latenciesOf, memoryText, startServer, tell, timesText } from './server.ts'

/** The real process: start, single-file imports one after the other, questions, memory. */
export async function bench(runs = 200): Promise<void> {
  const files = Array.from({ length: runs }, (_, seed) => benchRun(seed + 1))
  const server = await startServer()
  console.log(`import: ${runs} files of one hour, one request each`)
  tell('first answer on an empty folder', `${server.firstAnswerMs.toFixed(0)} ms`)
  tell('memory at rest', memoryText(await server.memory(), 40))
  await server.login()
  const latencies: number[] = []
  const started = performance.now()
  for (const file of files) {
    const sent = performance.now()
    await imported(server, file)
    latencies.push(performance.now() - sent)
  }
  const seconds = (performance.now() - started) / 1000
  tell(`${(runs / seconds).toFixed(1)} runs/s`, timesText(latencies))
  const memory = await server.memory()
  const peak = `peak ${memory.peakRssMiB.toFixed(1)} MiB RSS (Worker included)`
  tell('memory after the imports', `${memoryText(memory, 190)}, ${peak}`)
  const { items } = JSON.parse(await asked(server, '/workouts?pageSize=1'))
  const run = `/workouts/${items[0].id}`
  for (const [what, path] of [
    ['list of 20', '/workouts'],
    ['detail without raw data', `${run}?includeRaw=false`],
    ['detail with raw data', run],
    ['time series, 1000 items', `${run}/time-series`],
  ] as const) {
    tell(what, timesText(await latenciesOf(server, path)))
  }
  await server.stop()
  const again = await startServer(server.dataDir)
  tell(`first answer on ${runs} workouts`, `${again.firstAnswerMs.toFixed(0)} ms (budget 300)`)
  tell('memory at rest', memoryText(await again.memory(), 40))
  await again.stop()
  await again.remove()
}
