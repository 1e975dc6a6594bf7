import { expect, test } from 'bun:test'
import { ftruncateSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEFAULT_ZONES } from '../../src/engine/run/zones.ts'
import { FormatError } from '../../src/formats/format.ts'
import { analyzeFile, type FileJob } from '../../src/workers/analyze-file.ts'
import { createJobs, done } from '../../src/workers/jobs.ts'
import { analyzedParts, type WorkerLine } from '../../src/workers/worker-line.ts'
import { stravaCsv } from '../fixtures/csv.ts'

function job(file: Uint8Array | string, filename: string): FileJob {
  const elevation = { thresholdM: 2, minDistanceM: 10 }
  return { file, filename, nowMs: Date.UTC(2026, 0, 1), splitLengthM: 1000, zones: DEFAULT_ZONES, elevation }
}

test('a file far over the limit is refused without being read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'harrier-large-'))
  const path = join(folder, 'large')
  // sparse: takes no room on the disk, but would take 8 GiB of memory
  ftruncateSync(openSync(path, 'w'), 8 * 1024 ** 3)
  const before = process.memoryUsage.rss()
  const tooLarge = new FormatError('The file is larger than 100 MiB unpacked')
  await expect(analyzeFile(job(path, 'large.gpx'))).rejects.toThrow(tooLarge)
  expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 * 1024)
  rmSync(folder, { recursive: true })
})

test('a time that is years away is reported as such, not stored as a run of years', async () => {
  const point = (time: string, lat: number) => `<trkpt lat="${lat}" lon="8"><time>${time}</time></trkpt>`
  for (const [last, days] of [
    ['2025-11-01T07:00:00Z', 7093],
    ['9999-01-01T00:00:00Z', 2919232],
  ] as const) {
    const points = point('2006-06-01T00:00:00Z', 47) + point('2006-06-01T00:00:10Z', 47.0003) + point(last, 47.0006)
    const gpx = new TextEncoder().encode(`<gpx><trk><trkseg>${points}</trkseg></trk></gpx>`)
    expect((await analyzeFile(job(gpx, 'a.gpx'))).runs).toEqual([
      { error: `The run would last ${days} days: one of its times is wrong`, problem: 'unreadable' },
    ])
  }
})

test('a table of many runs is answered in parts, each run once, also by a Worker that has read another file since', async () => {
  const [rows, days] = [600, 86_400_000]
  const bytes = stravaCsv(
    Array.from({ length: rows }, (_, i) => ({
      ...{ 'Activity ID': i, 'Activity Date': stravaDay(Date.UTC(2010, 0, 1, 6) + i * days) },
      ...{ 'Activity Name': `Run ${i}`, 'Activity Type': 'Run', 'Elapsed Time': 1800, Distance: 5 },
    })),
  )
  const folder = mkdtempSync(join(tmpdir(), 'harrier-parts-'))
  const path = join(folder, 'activities.csv')
  writeFileSync(path, bytes)
  for (const jobs of [undefined, createJobs()]) {
    const ask: WorkerLine['ask'] = (name, part) => done(name, part, jobs)
    const parts = await Array.fromAsync(analyzedParts({ ask }, job(path, 'activities.csv')))
    // first run, how many of them, how many are left
    const expected = [
      [0, 256, 344],
      [256, 256, 88],
      [512, 88, 0],
    ]
    expect(parts.map(({ fromRun, runs, left }) => [fromRun, runs.length, left])).toEqual(expected)
    const names = parts.flatMap(({ runs }) => runs.map((run) => ('error' in run ? run.error : run.name)))
    expect(names).toEqual(Array.from({ length: rows }, (_, i) => `Run ${i}`))
  }
  rmSync(folder, { recursive: true })
})

/** As Strava writes a date. */
function stravaDay(ms: number): string {
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(ms)
  return `${day}, 6:00:00 AM`
}
