import { expect, test } from 'bun:test'
import { ftruncateSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEFAULT_ZONES } from '../../src/engine/run/zones.ts'
import { FormatError } from '../../src/formats/format.ts'
import { analyzeFile, type FileJob } from '../../src/workers/analyze-file.ts'

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
  await expect(analyzeFile(job(path, 'large.gpx'))).rejects.toThrow(
    new FormatError('The file is larger than 100 MiB unpacked'),
  )
  expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 * 1024)
  rmSync(folder, { recursive: true })
})

test('a table of more rows than can be stored is refused with a sentence', async () => {
  const table = new TextEncoder().encode(`time,distance\n${'1761984000,1\n'.repeat(1_000_000)}`)
  await expect(analyzeFile(job(table, 'a.csv'))).rejects.toThrow(
    new FormatError('The file has 1,000,000 points or more'),
  )
})

test('a time that is years away is told as such, not stored as a run of years', async () => {
  const point = (time: string, lat: number) => `<trkpt lat="${lat}" lon="8"><time>${time}</time></trkpt>`
  for (const [last, days] of [
    ['2025-11-01T07:00:00Z', 7093],
    ['9999-01-01T00:00:00Z', 2919232],
  ] as const) {
    const points = point('2006-06-01T00:00:00Z', 47) + point('2006-06-01T00:00:10Z', 47.0003) + point(last, 47.0006)
    const gpx = new TextEncoder().encode(`<gpx><trk><trkseg>${points}</trkseg></trk></gpx>`)
    expect((await analyzeFile(job(gpx, 'a.gpx'))).runs).toEqual([
      { error: `The run would last ${days} days: one of its times is wrong` },
    ])
  }
})
