import { expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { buildZip } from '../fixtures/zip-builder.ts'
import { MIB, withZip } from './archive-file.ts'

const noise = randomBytes(3 * MIB)
const ENTRIES = [
  { name: 'small', data: 'abcdef', method: 8 },
  { name: 'packed', data: noise.subarray(0, MIB), method: 8 },
  { name: 'long', data: noise, method: 8 },
  { name: 'stored', data: noise, method: 0 },
  { name: 'repeated', data: noise.subarray(0, 4096).toString('hex').repeat(400), method: 8 },
  { name: 'empty', data: '' },
]

test.each([0, 1, 6, 512, 65_536, 2 * MIB])('the first %p bytes of an entry are those of the whole', async (bytes) => {
  await withZip(buildZip(ENTRIES), async (zip) => {
    for (const { name, data } of ENTRIES) {
      const head = await zip.head(zip.find(name)!, bytes)
      expect(Buffer.from(head).equals(Buffer.from(data).subarray(0, bytes))).toBe(true)
    }
  })
})

test('damage after the head does not matter, damage in it is reported', async () => {
  const zipped = buildZip([{ name: 'a', data: noise.subarray(0, MIB), method: 8 }])
  const after = Buffer.from(zipped)
  after.fill(0xff, 700_000, 700_100)
  const within = Buffer.from(zipped)
  within.fill(0xff, 31, 200)
  const head = (bytes: Buffer) => withZip(bytes, (zip) => zip.head(zip.find('a')!, 4096))
  expect(Buffer.from(await head(after)).equals(noise.subarray(0, 4096))).toBe(true)
  expect(head(within)).rejects.toThrow('The file is damaged in the ZIP archive')
})

test('the heads of 400 entries of 800 KB take a twentieth of the CPU time of unpacking them', async () => {
  const data = Buffer.from(noise.subarray(0, 400_000).toString('hex'))
  const packed = buildZip([{ name: '0', data, method: 8 }])
  const measured = await withZip(packed, async (zip) => {
    const cpuMs = async (work: () => Promise<unknown>) => {
      const before = process.cpuUsage()
      for (let i = 0; i < 400; i += 1) await work()
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    }
    const entry = zip.find('0')!
    return { head: await cpuMs(() => zip.head(entry, 512)), whole: await cpuMs(() => zip.bytes(entry, MIB)) }
  })
  console.log(`400 heads ${measured.head.toFixed(0)} ms, unpacked ${measured.whole.toFixed(0)} ms of CPU`)
  expect(measured.head).toBeLessThan(measured.whole / 20)
})
