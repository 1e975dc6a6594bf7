import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openZip } from '../../src/zip/reader.ts'
import { zipStream } from '../../src/zip/writer.ts'
import { ZipError } from '../../src/zip/zip-error.ts'
import { buildZip } from '../fixtures/zip-builder.ts'

const folder = mkdtempSync(join(tmpdir(), 'harrier-damage-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

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
async function ownArchive(): Promise<Uint8Array> {
  async function* items() {
    for (const [name, data] of TRUTH) {
      yield { name, source: pieceOf(data), compress: name.startsWith('activities'), modifiedMs: 0 }
    }
  }
  return new Response(zipStream(items())).bytes()
}

async function* pieceOf(data: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(data)
}

/**
 * Reads all there is. Whatever fails must do so as a ZipError; whatever is read whole under a true name must be the truth,
 * which its checksum vouches for.
 */
async function outcome(bytes: Uint8Array): Promise<'refused' | 'damaged entry' | 'whole'> {
  const path = join(folder, 'damaged')
  writeFileSync(path, bytes)
  let worst: 'damaged entry' | 'whole' = 'whole'
  try {
    const zip = await openZip(path, { maxUnpackedBytes: 100 * KIBI })
    try {
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
    } finally {
      await zip.close()
    }
  } catch (error) {
    if (!(error instanceof ZipError)) throw error
    expect(error.message).toMatch(/^(The|Files) [^/\\]+[^.]$/)
    return 'refused'
  }
  return worst
}

describe('damage gives files or a ZipError', () => {
  for (const [name, archive] of [
    ['a plain archive', async () => PLAIN],
    ['an archive of ours', ownArchive],
  ] as const) {
    test(`${name}, cut at each 64th`, async () => {
      const bytes = await archive()
      expect(await outcome(bytes)).toBe('whole')
      for (let part = 0; part < 64; part += 1) {
        // the end is lost in all of them
        expect(await outcome(bytes.subarray(0, Math.floor((bytes.length * part) / 64)))).toBe('refused')
      }
    })

    test(`${name}, with a bit flipped, 1,000 times`, async () => {
      const bytes = await archive()
      const seen = { refused: 0, 'damaged entry': 0, whole: 0 }
      let state = 2463534242
      for (let i = 0; i < 1000; i += 1) {
        // xorshift (Marsaglia 2003): the same flips in every run
        state ^= state << 13
        state ^= state >>> 17
        state ^= state << 5
        const flipped = Uint8Array.from(bytes)
        const at = (state >>> 3) % bytes.length
        flipped[at] = (flipped[at] ?? 0) ^ (1 << (state & 7))
        seen[await outcome(flipped)] += 1
      }
      // the flips reach all parts: tables, data, and fields that decide nothing such as times
      expect(Math.min(...Object.values(seen))).toBeGreaterThan(30)
    }, 90_000)
  }
})
