// Minutes and gigabytes: only with HARRIER_LARGE=1.
import { afterAll, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openZip } from '../../src/zip/reader.ts'
import { type ZipItem, zipStream } from '../../src/zip/writer.ts'
import { hasPython, hasUnzip, python } from './python.ts'

const isWanted = process.env.HARRIER_LARGE === '1'
const folder = mkdtempSync(join(tmpdir(), 'harrier-large-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const GIB = 2 ** 30
const HALF_HOUR_MS = 1_800_000
const LISTING = `
import json, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
infos = z.infolist()
print(json.dumps([z.testzip(), len(infos), [[i.filename, i.file_size, i.compress_size, i.header_offset] for i in infos[-2:]]]))`

async function written(name: string, items: AsyncIterable<ZipItem>): Promise<string> {
  const path = join(folder, name)
  const writer = Bun.file(path).writer({ highWaterMark: 1_048_576 })
  for await (const piece of zipStream(items)) {
    writer.write(piece)
    await writer.flush()
  }
  await writer.end()
  return path
}

async function* repeated(bytes: number): AsyncGenerator<Uint8Array> {
  const piece = new Uint8Array(1_048_576).map((_, i) => (i * 31) & 0xff)
  for (let done = 0; done < bytes; done += piece.length) yield piece
}

describe.skipIf(!isWanted)('an archive that needs Zip64', () => {
  test(
    'because a packed file, a stored file and a position exceed 4 GiB is right',
    async () => {
      const sparse = join(folder, 'sparse')
      const file = await open(sparse, 'w')
      await file.truncate(4.5 * GIB)
      await file.close()
      async function* items(): AsyncGenerator<ZipItem> {
        yield { name: 'data/time-series.json', source: repeated(4.25 * GIB), compress: true, modifiedMs: 0 }
        yield { name: 'media/sparse', source: sparse, compress: false, modifiedMs: 0 }
        yield { name: 'manifest.json', source: repeated(1_048_576), compress: true, modifiedMs: 0 }
      }
      const path = await written('large.zip', items())
      const zip = await openZip(path, { maxUnpackedBytes: 10 * GIB })
      const sizes = new Map<string, number>()
      for (const entry of zip.entries()) {
        let size = 0
        for await (const piece of zip.read(entry, { maxBytes: 5 * GIB })) size += piece.length
        sizes.set(entry.name, size)
      }
      await zip.close()
      expect([...sizes]).toEqual([
        ['data/time-series.json', 4.25 * GIB],
        ['media/sparse', 4.5 * GIB],
        ['manifest.json', 1_048_576],
      ])
      if (hasPython) {
        expect(python(LISTING, path)).toEqual([
          null,
          3,
          [
            ['media/sparse', 4.5 * GIB, 4.5 * GIB, expect.any(Number)],
            ['manifest.json', 1_048_576, expect.any(Number), expect.any(Number)],
          ],
        ])
      }
      if (hasUnzip) expect(spawnSync('unzip', ['-tq', path]).status).toBe(0)
    },
    HALF_HOUR_MS,
  )

  test(
    'because it holds 500,000 entries is right, and one more is refused',
    async () => {
      const one = Buffer.from('x')
      async function* source(): AsyncGenerator<Uint8Array> {
        yield one
      }
      async function* items(count: number): AsyncGenerator<ZipItem> {
        for (let i = 0; i < count; i += 1) {
          const name = `workouts/0193a5c2-7d1e-8c3a-9b1f-${String(i).padStart(12, '0')}/raw/activity-${i}.fit.gz`
          yield { name, source: source(), compress: false, modifiedMs: 0 }
        }
      }
      const path = await written('many.zip', items(500_000))
      const before = process.memoryUsage.rss()
      const started = performance.now()
      let [last, longestMs] = [started, 0]
      const timer = setInterval(() => {
        longestMs = Math.max(longestMs, performance.now() - last)
        last = performance.now()
      }, 5)
      const zip = await openZip(path, { maxUnpackedBytes: GIB })
      clearInterval(timer)
      const tookMs = performance.now() - started
      const grownMiB = (process.memoryUsage.rss() - before) / 2 ** 20
      console.log(
        `opened in ${tookMs.toFixed(0)} ms, grown ${grownMiB.toFixed(0)} MiB, longest pause ${longestMs.toFixed(0)} ms`,
      )
      expect(zip.entryCount).toBe(500_000)
      const found = zip.find('workouts/0193a5c2-7d1e-8c3a-9b1f-000000499999/raw/activity-499999.fit.gz')
      expect(found?.index).toBe(499_999)
      expect(found && (await zip.bytes(found, 10))).toEqual(new Uint8Array(one))
      await zip.close()
      if (hasPython) expect((python(LISTING, path) as unknown[]).slice(0, 2)).toEqual([null, 500_000])
      if (hasUnzip) expect(spawnSync('unzip', ['-tq', path]).status).toBe(0)
      const more = await written('more.zip', items(500_001))
      await expect(openZip(more, { maxUnpackedBytes: GIB })).rejects.toMatchObject({ kind: 'tooLarge' })
    },
    HALF_HOUR_MS,
  )
})
