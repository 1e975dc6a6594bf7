import { expect, test } from 'bun:test'
import { zipStream } from '../../src/zip/writer.ts'
import { ZipError } from '../../src/zip/zip-error.ts'
import { buildZip } from '../fixtures/zip-builder.ts'
import { listed, pieces, withZip } from './archive-file.ts'

const KIBI = 1024
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

/**
 * Reads all there is. Whatever fails must do so as a ZipError; whatever is read whole under a true name must be the truth,
 * which its checksum vouches for.
 */
async function outcome(bytes: Uint8Array): Promise<'refused' | 'damaged entry' | 'whole'> {
  let worst: 'damaged entry' | 'whole' = 'whole'
  try {
    await withZip(
      bytes,
      async (zip) => {
        for (const entry of zip.entries()) {
          try {
            const content = new TextDecoder().decode(await zip.bytes(entry, 64 * KIBI))
            expect(content.length).toBe(entry.size)
            // names carry no checksum: a flipped one is another file
            if (TRUTH.has(entry.name)) expect(content).toBe(TRUTH.get(entry.name) ?? '')
          } catch (error) {
            if (!(error instanceof ZipError)) throw error
            expect(error.message).not.toMatch(/[/\\]|Z_|zlib|invalid|unexpected/i)
            worst = 'damaged entry'
          }
        }
      },
      { maxUnpackedBytes: 100 * KIBI },
    )
  } catch (error) {
    if (!(error instanceof ZipError)) throw error
    expect(error.message).toMatch(/^(The|Files) [^/\\]+[^.]$/)
    return 'refused'
  }
  return worst
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
    const seen = { refused: 0, 'damaged entry': 0, whole: 0 }
    let state = 2463534242
    for (let i = 0; i < 1000; i += 1) {
      // xorshift (Marsaglia 2003): the same flips in every run
      state ^= state << 13
      state ^= state >>> 17
      state ^= state << 5
      const flipped = Uint8Array.from(bytes)
      flipped[(state >>> 3) % bytes.length]! ^= 1 << (state & 7)
      seen[await outcome(flipped)] += 1
    }
    // the flips reach all parts: tables, data, and fields that decide nothing such as times
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(30)
  },
  90_000,
)
