// Minutes and gigabytes: only with HARRIER_LARGE=1.
import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openZip } from '../../src/zip/reader.ts'
import { zipStream } from '../../src/zip/writer.ts'
import { tempFolder } from '../temp-folder.ts'
import { listed } from './archive-file.ts'
import { hasPython, hasUnzip, python } from './python.ts'

const folder = tempFolder()
const GIB = 2 ** 30
const TESTED = `
import json, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
print(json.dumps([z.testzip(), len(z.infolist())]))`

async function* repeated(bytes: number): AsyncGenerator<Uint8Array> {
  const piece = new Uint8Array(1_048_576).map((_, i) => (i * 31) & 0xff)
  for (let done = 0; done < bytes; done += piece.length) yield piece
}

test.skipIf(process.env.HARRIER_LARGE !== '1')(
  'an archive whose packed file, stored file and a position exceed 4 GiB is right',
  async () => {
    const sparse = join(folder, 'sparse')
    writeFileSync(sparse, '')
    truncateSync(sparse, 4.5 * GIB)
    const items = listed(
      { name: 'data/time-series.json', source: repeated(4.25 * GIB), compress: true, modifiedMs: 0 },
      { name: 'media/sparse', source: sparse, compress: false, modifiedMs: 0 },
      { name: 'manifest.json', source: repeated(1_048_576), compress: true, modifiedMs: 0 },
    )
    const path = join(folder, 'large.zip')
    const writer = Bun.file(path).writer({ highWaterMark: 1_048_576 })
    for await (const piece of zipStream(items)) {
      writer.write(piece)
      await writer.flush()
    }
    await writer.end()
    const zip = await openZip(path, { maxUnpackedBytes: 10 * GIB })
    const sizes: Record<string, number> = {}
    for (const entry of zip.entries()) {
      let size = 0
      for await (const piece of zip.read(entry, { maxBytes: 5 * GIB })) size += piece.length
      sizes[entry.name] = size
    }
    await zip.close()
    expect(sizes).toEqual({
      ...{ 'data/time-series.json': 4.25 * GIB, 'media/sparse': 4.5 * GIB, 'manifest.json': 1_048_576 },
    })
    if (hasPython) expect(python(TESTED, path)).toEqual([null, 3])
    if (hasUnzip) expect(spawnSync('unzip', ['-tq', path]).status).toBe(0)
  },
  1_800_000,
)
