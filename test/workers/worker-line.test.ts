// The real Worker: what comes out of it, what it leaves of its input, and what happens when it dies.

import { afterEach, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEFAULT_ZONES } from '../../src/engine/run/zones.ts'
import type { StoredRun } from '../../src/engine/training/run-loads.ts'
import { analyzeFile, type FileJob } from '../../src/workers/analyze-file.ts'
import { type Asked, done } from '../../src/workers/jobs.ts'
import type { PackedSamples } from '../../src/workers/pack.ts'
import { readRaw } from '../../src/workers/read-raw.ts'
import { type WorkerLine, workerLine } from '../../src/workers/worker-line.ts'
import { fitRun, gpxRun } from '../fixtures/runs.ts'

const logged: string[] = []
const log = { error: (line: string) => void logged.push(line), warn: () => {}, info: () => {}, debug: () => {} }
let worker: WorkerLine | null = null

afterEach(() => {
  worker?.close()
  logged.length = 0
})

const OPTIONS = { splitLengthM: 1000, zones: DEFAULT_ZONES, elevation: { thresholdM: 2, minDistanceM: 10 } }
const job = (file: Uint8Array, filename = 'a.fit'): FileJob => {
  return { file, filename, nowMs: Date.UTC(2025, 11, 1), ...OPTIONS }
}

test('the Worker gives what the same function gives here', async () => {
  worker = workerLine(log)
  for (const bytes of [fitRun(), gpxRun()]) {
    const here = await analyzeFile(job(bytes.slice()))
    const there = await worker.ask('file', job(bytes.slice()))
    expect(Bun.deepEquals(there, here)).toBe(true)
  }
})

test('raw data is read by the Worker, and unreadable data is reported', async () => {
  worker = workerLine(log)
  const folder = await mkdtemp(join(tmpdir(), 'harrier-raw-'))
  const path = join(folder, 'a.fit')
  await Bun.write(path, fitRun({ seconds: 9000 }))
  const about = {
    ...{ path, filename: 'a.fit', session: 0, importedAtMs: Date.UTC(2025, 11, 1), anySport: false, points: true },
  }
  const there = await worker.ask('raw', about)
  expect(Buffer.from(there).toString()).toBe(Buffer.from(await readRaw(about)).toString())
  await expect(worker.ask('raw', { ...about, session: 3 })).rejects.toMatchObject({ name: 'FormatError' })
  await rm(folder, { recursive: true })
})

test('files are analysed in the order they were asked, and a refusal keeps its sentence', async () => {
  worker = workerLine(log)
  const done: string[] = []
  const jobs = [job(fitRun()), job(new TextEncoder().encode('nothing'), 'b.gpx'), job(gpxRun(), 'c.gpx')]
  const outcomes = await Promise.allSettled(
    jobs.map((one) => worker!.ask('file', one).finally(() => void done.push(one.filename))),
  )
  expect(done).toEqual(['a.fit', 'b.gpx', 'c.gpx'])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(outcomes[1]).toMatchObject({ reason: { name: 'FormatError', message: expect.stringContaining('not a GPX') } })
})

test('a library is fitted by the Worker as here', async () => {
  worker = workerLine(log)
  const fit = fitOf(500)
  const fitted = await worker.ask('fitness', fit)
  expect(fitted.fitted!.state.weights).toHaveLength(500)
  expect(JSON.parse(fitted.loads!)).toHaveLength(500)
  expect(Bun.deepEquals(fitted, await done('fitness', fit))).toBe(true)
})

/** Of so many easy runs. */
function fitOf(count: number): Asked<'fitness'> {
  const runs = JSON.stringify(Array.from({ length: count }, (_, i) => steadyRun(i)))
  const zones = { maxHeartRateBpm: 190, isMaxSet: true, restingHeartRateBpm: 50, lthrBpm: null }
  return {
    ...{ runs, histograms: { bytes: new Uint8Array(0), ends: new Uint32Array(2 * count) } },
    ...{ settings: { entries: [], zones, sex: null } },
    ...{ profile: { maxBpm: 190, restBpm: 50, referenceBpm: 140, isMaxSet: true }, last: count },
  }
}

/** One of many easy runs whose speed and pulse vary. */
function steadyRun(day: number): StoredRun {
  const mps = 2.8 + 0.2 * Math.sin(day / 90) + 0.05 * Math.sin(day * 12.9)
  return {
    ...{ day, isRace: false, isExcluded: false, isIndoor: false, isAltitudeUsable: true, gainPerKm: 4 },
    ...{ movingS: 3000, countedS: 2900, mps, bpm: 140 + 6 * Math.sin(day * 7.7), coverage: 1, speedCv: 0.02 },
    ...{ wbgtC: 12, best: null, distanceM: 3000 * mps, averageBpm: 141, rpe: null, manual: null, chosen: 'auto' },
  }
}

test('a file that takes too long is an error of its own; the next one gets a new Worker', async () => {
  worker = workerLine(log, { fileMs: 1, idleMs: 60_000 })
  await expect(worker.ask('file', job(fitRun({ seconds: 20_000 })))).rejects.toThrow('could not be analysed')
  await Bun.sleep(50)
  expect(logged).toHaveLength(1)
  worker.close()
  worker = workerLine(log)
  expect((await worker.ask('file', job(fitRun()))).runs).toHaveLength(1)
})

test('a job that cannot be handed to the Worker is refused, and neither the process nor the line ends', async () => {
  worker = workerLine(log)
  const moved = new Uint8Array(fitRun())
  structuredClone(moved, { transfer: [moved.buffer] })
  const outcomes = await Promise.allSettled([fitRun(), moved, gpxRun()].map((one) => worker!.ask('file', job(one))))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(outcomes[1]).toMatchObject({ reason: { message: 'The file could not be analysed' } })
  expect(logged).toHaveLength(1)
})

test('stored samples are cut as here, and those that cannot be read end neither the Worker nor the queue', async () => {
  worker = workerLine(log)
  const [run] = (await analyzeFile(job(fitRun({ seconds: 1200 })))).runs
  if (run === undefined || 'error' in run || run.samples === null) throw new Error('The made file has no samples')
  const samples = run.samples
  const splitsOf = (stored: PackedSamples) => {
    const recordings = [{ kind: 'file' as const, said: {}, samples: stored }]
    const rest = { repairs: [], primary: 0, ours: { effort: false }, durationS: 1200, ...OPTIONS }
    return worker!.ask('splits', { recordings, ...rest })
  }
  const [broken, cut, file] = await Promise.allSettled([
    splitsOf({ ...structuredClone(samples), track: new Uint8Array([1, 2, 3]) }),
    splitsOf(structuredClone(samples)),
    worker.ask('file', job(fitRun())),
  ])
  expect(broken.status).toBe('rejected')
  expect(cut).toMatchObject({ status: 'fulfilled', value: { splits: run.analysis.splits } })
  expect(run.analysis.splits.length).toBeGreaterThan(2)
  expect(file.status).toBe('fulfilled')
})

test('a job that was sent ahead to a Worker that was lost is done by the next one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'harrier-line-'))
  const [slow, quick] = [join(folder, 'slow'), join(folder, 'quick')]
  await Bun.write(slow, fitRun({ seconds: 20_000 }))
  await Bun.write(quick, fitRun())
  // only the first job has no time
  const times = [1]
  const limits = { idleMs: 60_000, fileMs: 0 }
  worker = workerLine(log, Object.defineProperty(limits, 'fileMs', { get: () => times.pop() ?? 60_000 }))
  const asked = [slow, quick, quick].map((file) => worker!.ask('file', { ...job(new Uint8Array()), file }))
  const [late, ...others] = await Promise.allSettled(asked)
  expect(late).toMatchObject({ status: 'rejected', reason: { message: 'The file could not be analysed' } })
  expect(others.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  expect(logged).toHaveLength(1)
  await rm(folder, { recursive: true })
})
