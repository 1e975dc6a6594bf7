import { expect, test } from 'bun:test'
import { ftruncateSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEFAULT_ZONES } from '../../src/engine/zones.ts'
import { FormatError } from '../../src/formats/format.ts'
import { analyzeFile } from '../../src/workers/analyze-file.ts'

test('a file far over the limit is refused without being read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'harrier-large-'))
  const path = join(folder, 'large')
  // sparse: takes no room on the disk, but would take 8 GiB of memory
  ftruncateSync(openSync(path, 'w'), 8 * 1024 ** 3)
  const before = process.memoryUsage.rss()
  const job = {
    file: path,
    filename: 'large.gpx',
    nowMs: 0,
    splitLengthM: 1000,
    zones: DEFAULT_ZONES,
    elevation: { thresholdM: 2, minDistanceM: 10 },
  }
  await expect(analyzeFile(job)).rejects.toThrow(new FormatError('The file is larger than 100 MiB unpacked'))
  expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 * 1024)
  rmSync(folder, { recursive: true })
})
