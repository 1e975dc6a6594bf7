import { resolve } from 'node:path'
import { openZip, type ZipEntry } from '../src/zip/reader.ts'
import { type ZipItem, zipStream } from '../src/zip/writer.ts'
import { seeded } from './library.ts'

/** Largest photo that a server takes by default. */
const PHOTO_BYTES = 50 * 1_048_576
const PIECE_BYTES = 262_144

/** A Strava export of synth.py in a new file: runs of about an hour, photos of a few hundred bytes. */
export function makeStravaExport(path: string, { corpusDir, runs }: { corpusDir: string; runs: number }): void {
  const script = resolve(corpusDir, '..', 'synth.py')
  const made = Bun.spawnSync(['python3', script, 'strava-zip', path, '--runs', String(runs)])
  if (made.exitCode !== 0) throw new Error(made.stderr.toString())
}

/** The same export with photos as large as it takes to have about that many bytes. */
export async function withLargePhotos(from: string, to: string, bytes: number): Promise<void> {
  const zip = await openZip(from, { maxUnpackedBytes: 2e9 })
  const photos = [...zip.entries()].filter(isPhoto)
  const missing = bytes - Bun.file(from).size
  const size = Math.min(PHOTO_BYTES, Math.ceil(missing / photos.length))
  async function* items(): AsyncGenerator<ZipItem> {
    for (const entry of zip.entries()) {
      const content = zip.read(entry, { maxBytes: PHOTO_BYTES })
      const source = isPhoto(entry) ? grown(content, size) : content
      yield { name: entry.name, source, compress: !/\.(?:gz|jpg)$/.test(entry.name), modifiedMs: 0 }
    }
  }
  await Bun.write(to, new Response(zipStream(items())))
  await zip.close()
}

function isPhoto({ name }: ZipEntry): boolean {
  return name.endsWith('.jpg')
}

/** What is after the end of a picture is not looked at. */
async function* grown(content: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const piece of content) {
    size += piece.length
    yield piece
  }
  const random = seeded(size)
  while (size < bytes) {
    const words = Uint32Array.from({ length: PIECE_BYTES / 4 }, () => random() * 2 ** 32)
    yield new Uint8Array(words.buffer)
    size += PIECE_BYTES
  }
}
