import { afterAll, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readlinkSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openZip } from '../../src/zip/reader.ts'
import { type ZipItem, zipStream } from '../../src/zip/writer.ts'
import { hasPython, hasUnzip, python } from './python.ts'

const folder = mkdtempSync(join(tmpdir(), 'harrier-zip-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** 12:34:56 UTC; the format keeps even seconds. */
const MODIFIED_MS = Date.UTC(2026, 4, 17, 12, 34, 56)

async function* given(...pieces: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece)
}

async function* listed(...items: readonly ZipItem[]): AsyncGenerator<ZipItem> {
  yield* items
}

function item(name: string, source: ZipItem['source'], compress = false): ZipItem {
  return { name, source, compress, modifiedMs: MODIFIED_MS }
}

async function written(name: string, items: AsyncIterable<ZipItem>): Promise<string> {
  const path = join(folder, name)
  await Bun.write(path, new Response(zipStream(items)))
  return path
}

function fileOf(name: string, bytes: Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

const LISTING = `
import hashlib, json, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
print(json.dumps({'bad': z.testzip(), 'entries': [
  [i.filename, hashlib.sha256(z.read(i)).hexdigest(), i.file_size, i.compress_type, list(i.date_time), i.flag_bits & 0x800]
  for i in z.infolist()]}))`

/** Four random bits in each byte, the same in every run (xorshift, Marsaglia 2003). */
function noise(length = 3_000_000): Uint8Array {
  const bytes = new Uint8Array(length)
  let state = 1
  for (let i = 0; i < length; i += 1) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    bytes[i] = state & 0x0f
  }
  return bytes
}

const sha256 = (bytes: Uint8Array | string) => new Bun.CryptoHasher('sha256').update(bytes).digest('hex')

describe('an archive of ours', () => {
  const photo = noise()
  const other = Buffer.concat([photo, Buffer.from('x'), photo.subarray(0, 70_000), Buffer.from('y')])
  const time = [2026, 5, 17, 12, 34, 56]
  /** Each with what is in it, how, and when: the format has even seconds of the years 1980 to 2107. */
  const made: readonly (readonly [ZipItem, Uint8Array | string, method: number, shown: readonly number[]])[] = [
    [item('data/workouts.json', given('[{"id":1', '},', '{"id":2}]'), true), '[{"id":1},{"id":2}]', 8, time],
    [item('data/empty.json', given(), true), '', 8, time],
    [item('workouts/7/media/Läufer im Schnee ❄.jpg', fileOf('photo', photo)), photo, 0, time],
    [item('workouts/7/raw/morning.fit', fileOf('photo', photo), true), photo, 8, time],
    [item('workouts/8/raw/none.gpx', fileOf('none', new Uint8Array(0))), '', 0, time],
    [item('pieces.bin', given(photo, 'x', photo.subarray(0, 70_000), '', 'y'), true), other, 8, time],
    [{ ...item('before', given('a')), modifiedMs: 0 }, 'a', 0, [1980, 1, 1, 0, 0, 0]],
    [{ ...item('after', given('a')), modifiedMs: Date.UTC(2300, 0, 1) }, 'a', 0, [2107, 12, 31, 23, 59, 58]],
    [{ ...item('odd', given('a')), modifiedMs: Date.UTC(2024, 1, 29, 23, 59, 59) }, 'a', 0, [2024, 2, 29, 23, 59, 58]],
  ]

  test('is read by Python, unzip and our reader, byte for byte, with UTF-8 names and UTC times', async () => {
    const path = await written('own.zip', listed(...made.map(([one]) => one)))
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
})

describe('the stream', () => {
  test('asks its sources for no more than its reader takes', async () => {
    let given_ = 0
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        given_ += 100_000
        yield new Uint8Array(100_000)
      }
    }
    const reader = zipStream(listed(item('endless', endless()))).getReader()
    let taken = 0
    for (let i = 0; i < 20; i += 1) taken += (await reader.read()).value?.length ?? 0
    await Bun.sleep(20)
    expect(taken).toBeGreaterThan(1_000_000)
    expect(given_ - taken).toBeLessThan(1_000_000)
    await reader.cancel()
  })

  test('comes in pieces of 64 to 256 KiB from many tiny and one huge one', async () => {
    async function* mixed(): AsyncGenerator<Uint8Array> {
      for (let i = 0; i < 20_000; i += 1) yield Buffer.from(`{"row":${i}}`)
      yield new Uint8Array(5_000_000)
    }
    const sizes: number[] = []
    for await (const piece of zipStream(listed(item('rows', mixed())))) sizes.push(piece.length)
    expect(sizes.length).toBeLessThan(5_300_000 / 65_536 + 3)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(262_144)
  })

  test('lets timers run while sources that never wait are packed', async () => {
    async function* greedy(): AsyncGenerator<Uint8Array> {
      const piece = new Uint8Array(20_000)
      for (let i = 0; i < 20_000; i += 1) yield piece
    }
    let ticks = 0
    const timer = setInterval(() => {
      ticks += 1
    }, 1)
    const before = process.threadCpuUsage()
    for await (const _ of zipStream(listed(item('greedy', greedy()))));
    const { user, system } = process.threadCpuUsage(before)
    clearInterval(timer)
    // one look at the others in 8 ms; what other processes take of that time is not work of this thread
    expect(ticks).toBeGreaterThan((user + system) / 1000 / 16)
  })

  for (const compress of [true, false]) {
    test(`breaks when a source fails, and leaves no archive (packed: ${compress})`, async () => {
      async function* failing(): AsyncGenerator<Uint8Array> {
        yield noise(500_000)
        throw new Error('the row is gone')
      }
      const taken: Uint8Array[] = []
      const reading = (async () => {
        const items = listed(item('whole', given('x')), item('failing', failing(), compress))
        for await (const piece of zipStream(items)) taken.push(piece)
      })()
      await expect(reading).rejects.toThrow('the row is gone')
      const opening = openZip(fileOf('broken', Buffer.concat(taken)), { maxUnpackedBytes: 1e9 })
      await expect(opening).rejects.toMatchObject({ name: 'ZipError', kind: 'damaged' })
    })
  }

  test('breaks when a file is lost or becomes shorter while it is read', async () => {
    const read = async (items: AsyncIterable<ZipItem>) => {
      for await (const _ of zipStream(items));
    }
    await expect(read(listed(item('lost', join(folder, 'lost'))))).rejects.toThrow()
    const path = fileOf('shrinking', new Uint8Array(5_000_000))
    const reader = zipStream(listed(item('shrinking', path))).getReader()
    await reader.read()
    truncateSync(path, 1_000_000)
    const rest = async () => {
      while (!(await reader.read()).done);
    }
    await expect(rest()).rejects.toThrow('5000000')
  })

  for (const name of ['', '/etc/passwd', '../up', 'a/../../b', 'C:\\x', 'a\\b', 'a//b', 'nul\0']) {
    test(`refuses the name ${JSON.stringify(name)}`, async () => {
      const reader = zipStream(listed(item(name, given('x')))).getReader()
      await expect(reader.read()).rejects.toThrow(RangeError)
    })
  }

  for (const compress of [true, false]) {
    test.skipIf(process.platform !== 'linux')(
      `closes files and sources when cancelled (packed: ${compress})`,
      async () => {
        const path = fileOf(`cancelled-${compress}`, noise(5_000_000))
        let ended = 0
        async function* source(): AsyncGenerator<Uint8Array> {
          try {
            for (;;) yield noise(100_000)
          } finally {
            ended += 1
          }
        }
        async function* items(first: ZipItem): AsyncGenerator<ZipItem> {
          try {
            yield first
          } finally {
            ended += 1
          }
        }
        const ofFile = zipStream(items(item('file', path, compress))).getReader()
        await ofFile.read()
        expect(openFiles()).toContain(path)
        await ofFile.cancel()
        expect(openFiles()).not.toContain(path)
        expect(ended).toBe(1)
        const ofSource = zipStream(items(item('source', source(), compress))).getReader()
        await ofSource.read()
        await ofSource.cancel()
        expect(ended).toBe(3)
      },
    )
  }
})

function openFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap((number) => {
    try {
      return [readlinkSync(`/proc/self/fd/${number}`)]
    } catch {
      // the folder's own descriptor is closed by now
      return []
    }
  })
}
