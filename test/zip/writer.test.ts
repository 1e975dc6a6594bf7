import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openZip } from '../../src/zip/reader.ts'
import { type ZipItem, zipStream } from '../../src/zip/writer.ts'
import { tempFolder } from '../temp-folder.ts'
import { contents, listed, pieces, withZip } from './archive-file.ts'
import { hasPython, hasUnzip, python } from './python.ts'

const folder = tempFolder()

/** 12:34:56 UTC; the format keeps even seconds. */
const MODIFIED_MS = Date.UTC(2026, 4, 17, 12, 34, 56)

function item(name: string, source: ZipItem['source'], compress = false): ZipItem {
  return { name, source, compress, modifiedMs: MODIFIED_MS }
}

function fileOf(name: string, bytes: Uint8Array | string): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

const drained = (items: AsyncIterable<ZipItem>) => new Response(zipStream(items)).bytes()

/** Four random bits in each byte. */
const noise = (length = 3_000_000) => randomBytes(length).map((byte) => byte & 0x0f)

const LISTING = `
import hashlib, json, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
print(json.dumps({'bad': z.testzip(), 'entries': [
  [i.filename, hashlib.sha256(z.read(i)).hexdigest(), i.file_size, i.compress_type, list(i.date_time), i.flag_bits & 0x800]
  for i in z.infolist()]}))`
const sha256 = (bytes: Uint8Array | string) => new Bun.CryptoHasher('sha256').update(bytes).digest('hex')

test('an archive of ours is read by Python, unzip and our reader, byte for byte, with UTF-8 names and UTC times', async () => {
  const photo = noise()
  const other = Buffer.concat([photo, Buffer.from('x'), photo.subarray(0, 70_000), Buffer.from('y')])
  const time = [2026, 5, 17, 12, 34, 56]
  const at = (name: string, modifiedMs: number) => ({ ...item(name, pieces('a')), modifiedMs })
  /** Each with what is in it, how, and when: the format has even seconds of the years 1980 to 2107. */
  const made: readonly (readonly [ZipItem, Uint8Array | string, method: number, shown: readonly number[]])[] = [
    [item('data/workouts.json', pieces('[{"id":1', '},', '{"id":2}]'), true), '[{"id":1},{"id":2}]', 8, time],
    [item('data/empty.json', pieces(), true), '', 8, time],
    [item('workouts/7/media/Läufer im Schnee ❄.jpg', fileOf('photo', photo)), photo, 0, time],
    [item('workouts/7/raw/morning.fit', fileOf('photo', photo), true), photo, 8, time],
    [item('pieces.bin', pieces(photo, 'x', photo.subarray(0, 70_000), '', 'y'), true), other, 8, time],
    [at('before', 0), 'a', 0, [1980, 1, 1, 0, 0, 0]],
    [at('after', Date.UTC(2300, 0, 1)), 'a', 0, [2107, 12, 31, 23, 59, 58]],
    [at('odd', Date.UTC(2024, 1, 29, 23, 59, 59)), 'a', 0, [2024, 2, 29, 23, 59, 58]],
  ]
  const path = fileOf('own.zip', await drained(listed(...made.map(([one]) => one))))
  const entries = made.map(([{ name }, data, method, shown]) => {
    return [name, sha256(data), Buffer.from(data).length, method, shown, 0x800]
  })
  if (hasPython) expect(python(LISTING, path)).toEqual({ bad: null, entries })
  if (hasUnzip) expect(spawnSync('unzip', ['-tq', path]).status).toBe(0)
  const zip = await openZip(path, { maxUnpackedBytes: 1e9 })
  for (const [{ name }, data] of made)
    expect(Buffer.from(data).equals(await zip.bytes(zip.find(name)!, 1e8))).toBe(true)
  // four random bits in eight
  expect(zip.find('workouts/7/raw/morning.fit')!.compressedSize / photo.length).toBeWithin(0.5, 0.65)
  await zip.close()
})

test.each([true, false])(
  'a stream breaks when a source fails, and leaves no archive (packed: %p)',
  async (compress) => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield noise(500_000)
      throw new Error('the row is gone')
    }
    const taken: Uint8Array[] = []
    const reading = (async () => {
      const items = listed(item('whole', pieces('x')), item('failing', failing(), compress))
      for await (const piece of zipStream(items)) taken.push(piece)
    })()
    await expect(reading).rejects.toThrow('the row is gone')
    const opening = openZip(fileOf('broken', Buffer.concat(taken)), { maxUnpackedBytes: 1e9 })
    await expect(opening).rejects.toMatchObject({ name: 'ZipError', kind: 'damaged' })
  },
)

test('a stream breaks when a file is lost, cannot be opened or becomes shorter while it is read', async () => {
  await expect(drained(listed(item('lost', join(folder, 'lost'))))).rejects.toThrow()
  const inFile = { ...item('x', join(fileOf('file', 'x'), 'in a file')), whenOpened: () => {} }
  await expect(drained(listed(inFile))).rejects.toThrow('ENOTDIR')
  const path = fileOf('shrinking', new Uint8Array(5_000_000))
  const reader = zipStream(listed(item('shrinking', path))).getReader()
  await reader.read()
  truncateSync(path, 1_000_000)
  const rest = async () => {
    while (!(await reader.read()).done);
  }
  await expect(rest()).rejects.toThrow('5000000')
})

test('a stream leaves out a file that disappears after it was named and before its turn, and says so', async () => {
  const paths = ['a', 'b', 'c'].map((name) => fileOf(name, name.repeat(9)))
  const stated: (number | null)[] = []
  async function* items(): AsyncGenerator<ZipItem> {
    for (const [place, path] of paths.entries()) {
      if (place === 1) rmSync(path)
      yield { ...item(`${place}`, path, true), whenOpened: (size) => stated.push(size) }
    }
  }
  const found = await withZip(await drained(items()), (zip) => contents(zip))
  expect(stated).toEqual([9, null, 9])
  expect(Object.fromEntries(found)).toEqual({ 0: 'a'.repeat(9), 2: 'c'.repeat(9) })
})

test('a stream refuses names that no archive should have', async () => {
  for (const name of ['', '/etc/passwd', '../up', 'a/../../b', 'C:\\x', 'a\\b', 'a//b', 'nul\0']) {
    await expect(drained(listed(item(name, pieces('x')))), name).rejects.toThrow(RangeError)
  }
})

const openFiles = () => spawnSync('ls', ['-l', `/proc/${process.pid}/fd`], { encoding: 'utf8' }).stdout
test.skipIf(process.platform !== 'linux')('a stream closes its file when it is cancelled', async () => {
  for (const compress of [true, false]) {
    const path = fileOf(`cancelled-${compress}`, noise(5_000_000))
    const reader = zipStream(listed(item('a', path, compress))).getReader()
    await reader.read()
    expect(openFiles()).toContain(path)
    await reader.cancel()
    expect(openFiles()).not.toContain(path)
  }
})
