// The real Worker: what comes out of it, what it leaves of its input, and what happens when it dies.
import { afterEach, expect, test } from 'bun:test'
import { DEFAULT_ZONES } from '../../src/engine/zones.ts'
import { analyzeFile, type FileJob } from '../../src/workers/analyze-file.ts'
import { type Analyzer, workerAnalyzer } from '../../src/workers/analyzer.ts'
import { fitRun, gpxRun } from '../fixtures/runs.ts'

const logged: string[] = []
const log = { error: (line: string) => void logged.push(line), warn: () => {}, info: () => {}, debug: () => {} }
let analyzer: Analyzer | null = null

afterEach(() => {
  analyzer?.close()
  logged.length = 0
})

function job(file: Uint8Array, filename = 'a.fit'): FileJob {
  const elevation = { thresholdM: 2, minDistanceM: 10 }
  return { file, filename, nowMs: Date.UTC(2025, 11, 1), splitLengthM: 1000, zones: DEFAULT_ZONES, elevation }
}

test('the Worker gives what the same function gives here', async () => {
  analyzer = workerAnalyzer(log)
  for (const bytes of [fitRun(), gpxRun()]) {
    const here = await analyzeFile(job(bytes.slice()))
    const there = await analyzer.analyze(job(bytes.slice()))
    expect(Bun.deepEquals(there, here)).toBe(true)
  }
})

test('files are analysed in the order they were asked, and a refusal keeps its sentence', async () => {
  analyzer = workerAnalyzer(log)
  const done: string[] = []
  const jobs = [job(fitRun()), job(new TextEncoder().encode('nothing'), 'b.gpx'), job(gpxRun(), 'c.gpx')]
  const outcomes = await Promise.allSettled(
    jobs.map((one) => analyzer!.analyze(one).finally(() => void done.push(one.filename))),
  )
  expect(done).toEqual(['a.fit', 'b.gpx', 'c.gpx'])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(outcomes[1]).toMatchObject({ reason: { name: 'FormatError', message: expect.stringContaining('no GPX') } })
})

test('a file that takes too long is an error of its own; the next one gets a new Worker', async () => {
  analyzer = workerAnalyzer(log, { fileMs: 1, idleMs: 60_000 })
  await expect(analyzer.analyze(job(fitRun({ seconds: 20_000 })))).rejects.toThrow('could not be analysed')
  await Bun.sleep(50)
  expect(logged).toHaveLength(1)
  analyzer.close()
  analyzer = workerAnalyzer(log)
  expect((await analyzer.analyze(job(fitRun()))).runs).toHaveLength(1)
})

test('a Worker that was idle is ended and starts again when it is needed', async () => {
  analyzer = workerAnalyzer(log, { fileMs: 10_000, idleMs: 20 })
  await analyzer.analyze(job(fitRun()))
  await Bun.sleep(100)
  expect((await analyzer.analyze(job(fitRun()))).runs).toHaveLength(1)
})
