import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openZip } from '../../src/zip/reader.ts'
import { type ZipItem, zipStream } from '../../src/zip/writer.ts'

const folder = mkdtempSync(join(tmpdir(), 'harrier-gone-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a file that disappears after it was named and before its turn is left out and reported to the caller', async () => {
  const paths = ['a', 'b', 'c'].map((name) => join(folder, name))
  for (const path of paths) writeFileSync(path, path)
  const stated: (number | null)[] = []
  async function* items(): AsyncGenerator<ZipItem> {
    for (const [at, path] of paths.entries()) {
      if (at === 1) rmSync(path)
      yield { name: `${at}`, source: path, compress: true, modifiedMs: 0, whenOpened: (size) => stated.push(size) }
    }
  }
  const target = join(folder, 'archive.zip')
  await Bun.write(target, new Response(zipStream(items())))
  expect(stated).toEqual([paths[0]!.length, null, paths[2]!.length])
  const zip = await openZip(target, { maxUnpackedBytes: 1000 })
  expect([...zip.entries()].map(({ name }) => name)).toEqual(['0', '2'])
  for (const entry of zip.entries()) {
    expect(new TextDecoder().decode(await zip.bytes(entry, 1000))).toBe(paths[Number(entry.name)]!)
  }
  await zip.close()
})

test('a file that cannot be opened for another reason breaks the archive', async () => {
  async function* items(): AsyncGenerator<ZipItem> {
    const source = join(folder, 'a', 'in a file')
    yield { name: 'x', source, compress: true, modifiedMs: 0, whenOpened: () => {} }
  }
  expect(new Response(zipStream(items())).bytes()).rejects.toThrow('ENOTDIR')
})
