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
const TESTED = `
import json, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
print(json.dumps([z.testzip(), len(z.infolist())]))`

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
      if (hasPython) expect(python(TESTED, path)).toEqual([null, 3])
      if (hasUnzip) expect(spawnSync('unzip', ['-tq', path]).status).toBe(0)
    },
    HALF_HOUR_MS,
  )
})
