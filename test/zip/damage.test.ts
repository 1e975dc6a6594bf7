import { expect, test } from 'bun:test'
import { zipStream } from '../../src/zip/writer.ts'
import { ZipError } from '../../src/zip/zip-error.ts'
import { seededRandom } from '../fixtures/damage.ts'
import { buildZip } from '../fixtures/zip-builder.ts'
import { contents, listed, pieces, withZip } from './archive-file.ts'

/** Entry name to its true content. */
const TRUTH = new Map([
  ['activities.csv', 'Activity ID,Filename\n1,activities/1.gpx\n'],
  ['activities/1.gpx', '<trkpt lat="48.1" lon="11.5"/>'.repeat(100)],
  ['media/photo.jpg', 'no photo'],
  ['empty', ''],
])
const PLAIN = buildZip([...TRUTH].map(([name, data], i) => ({ name, data, method: i % 2 === 0 ? 0 : 8 })))

/** Zip64 entries with descriptors, from our own writer. */
const own = () => {
  const items = [...TRUTH].map(([name, data]) => {
    return { name, source: pieces(data), compress: name.startsWith('activities'), modifiedMs: 0 }
  })
  return new Response(zipStream(listed(...items))).bytes()
}

/** Reads all there is. What fails is a ZipError; what is read whole under a true name is the truth. */
async function outcome(bytes: Uint8Array): Promise<string> {
  const reading = withZip(bytes, async (zip) => {
    const found = await contents(zip, 64 * 1024)
    // names carry no checksum: a flipped one is another file
    const wrong = found.filter(([name, content]) => TRUTH.has(name) && content !== TRUTH.get(name))
    expect(wrong.filter(([, content]) => !content.startsWith('entry '))).toEqual([])
    return wrong.length === 0 ? 'whole' : 'damaged entry'
  })
  return await reading.catch((error) => {
    if (!(error instanceof ZipError)) throw error
    expect(error.message).toMatch(/^(The|Files) [^/\\]+[^.]$/)
    return 'refused'
  })
}

test.each([
  ['a plain archive', async () => PLAIN],
  ['an archive of ours', own],
])(
  '%s, cut at each 64th or with a bit flipped 1,000 times, gives files or a ZipError',
  async (_, archive) => {
    const bytes = await archive()
    expect(await outcome(bytes)).toBe('whole')
    for (let part = 0; part < 64; part += 1) {
      // the end is lost in all of them
      expect(await outcome(bytes.subarray(0, Math.floor((bytes.length * part) / 64)))).toBe('refused')
    }
    const seen: Record<string, number> = { refused: 0, 'damaged entry': 0, whole: 0 }
    const random = seededRandom(7)
    for (let i = 0; i < 1000; i += 1) {
      const flipped = Uint8Array.from(bytes)
      flipped[random() % bytes.length]! ^= 1 << ((random() >> 8) % 8)
      seen[await outcome(flipped)]! += 1
    }
    // the flips reach all parts: tables, data, and fields that decide nothing such as times
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(30)
  },
  90_000,
)
