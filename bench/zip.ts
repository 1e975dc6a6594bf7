import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openZip } from '../src/zip/reader.ts'
import { type ZipItem, zipStream } from '../src/zip/writer.ts'

const JSON_BYTES = 200_000_000
const PHOTO_BYTES = 2_500_000
const PHOTOS = 200
const GPX_FILES = 300
const GPX_BYTES = 4_500_000
/** Of that size an import of the archive below has about 477 MB packed. */
const IMPORT_PHOTOS = 120
const PIECE_BYTES = 65_536

/**
 * Prints how fast an export is packed (200 MB of JSON, 500 MB of photos) and an import is unpacked (300 GPX, photos), what
 * it takes in memory, each in a process of its own, and how long a timer of 5 ms waits meanwhile.
 */
export async function benchZip(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-zip-'))
  try {
    console.log('ZIP')
    for (const task of ['write', 'make', 'read']) {
      const child = Bun.spawn([process.execPath, import.meta.path, task, join(folder, 'import.zip')], {
        stdout: 'pipe',
      })
      const printed = await new Response(child.stdout).text()
      if ((await child.exited) !== 0) throw new Error(`The bench of ZIP failed at ${task}`)
      process.stdout.write(printed)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function write(): Promise<void> {
  const [json, photo] = [rows('{"workoutId":"0193a5c2-7d1e-8c3a-9b1f-2f6a7c8d9e0f",', '}'), noise()]
  await measured('export, 200 MB JSON packed', async () => {
    const items = only({
      name: 'data/time-series.json',
      source: cycled(json, JSON_BYTES),
      compress: true,
      modifiedMs: 0,
    })
    return { unpacked: JSON_BYTES, packed: await drained(zipStream(items)) }
  })
  await measured('export, 200 MB JSON and 500 MB photos', async () => {
    return { unpacked: JSON_BYTES + PHOTOS * PHOTO_BYTES, packed: await drained(zipStream(exported(json, photo))) }
  })
}

async function* exported(json: Uint8Array, photo: Uint8Array): AsyncGenerator<ZipItem> {
  yield { name: 'data/time-series.json', source: cycled(json, JSON_BYTES), compress: true, modifiedMs: 0 }
  for (let i = 0; i < PHOTOS; i += 1) {
    const name = `workouts/${i}/media/photo.jpg`
    yield { name, source: cycled(photo, PHOTO_BYTES), compress: false, modifiedMs: 0 }
  }
}

async function* only(item: ZipItem): AsyncGenerator<ZipItem> {
  yield item
}

async function make(path: string): Promise<void> {
  const [gpx, photo] = [rows('<trkpt lon="11.5" ', '><ele>500</ele></trkpt>'), noise()]
  async function* items(): AsyncGenerator<ZipItem> {
    for (let i = 0; i < GPX_FILES; i += 1) {
      yield { name: `activities/${i}.gpx`, source: cycled(gpx, GPX_BYTES), compress: true, modifiedMs: 0 }
    }
    for (let i = 0; i < IMPORT_PHOTOS; i += 1) {
      yield { name: `media/${i}.jpg`, source: cycled(photo, PHOTO_BYTES), compress: false, modifiedMs: 0 }
    }
  }
  const file = Bun.file(path).writer()
  for await (const piece of zipStream(items())) {
    file.write(piece)
    await file.flush()
  }
  await file.end()
}

async function read(path: string): Promise<void> {
  await measured(`import, ${GPX_FILES} GPX and ${IMPORT_PHOTOS} photos`, async () => {
    const zip = await openZip(path, { maxUnpackedBytes: 20e9 })
    let unpacked = 0
    for (const entry of zip.entries()) {
      for await (const piece of zip.read(entry, { maxBytes: 1e9 })) unpacked += piece.length
    }
    await zip.close()
    return { unpacked, packed: Bun.file(path).size }
  })
}

async function measured(what: string, run: () => Promise<{ unpacked: number; packed: number }>): Promise<void> {
  const startMegabytes = peakMegabytes()
  let worstMs = 0
  let lastMs = performance.now()
  const look = () => {
    const nowMs = performance.now()
    worstMs = Math.max(worstMs, nowMs - lastMs - 5)
    lastMs = nowMs
  }
  const timer = setInterval(look, 5)
  const startedMs = performance.now()
  const { unpacked, packed } = await run()
  const tookMs = performance.now() - startedMs
  look()
  clearInterval(timer)
  const speed = `${(unpacked / 1e6).toFixed(0)} MB unpacked, ${(packed / 1e6).toFixed(0)} MB packed: ${(unpacked / tookMs / 1000).toFixed(0)} MB/s`
  const memory = `peak RSS ${peakMegabytes()} MB (${startMegabytes} before)`
  console.log(`  ${what}, ${speed}, ${memory}, longest delay of a 5 ms timer ${worstMs.toFixed(0)} ms`)
}

async function drained(stream: ReadableStream<Uint8Array>): Promise<number> {
  let bytes = 0
  for await (const piece of stream) bytes += piece.length
  return bytes
}

/** The sample again and again, in new pieces as a file or a query would give them. */
async function* cycled(sample: Uint8Array, bytes: number): AsyncGenerator<Uint8Array> {
  for (let done = 0; done < bytes; ) {
    const at = done % sample.length
    const piece = sample.slice(at, at + Math.min(PIECE_BYTES, bytes - done))
    done += piece.length
    yield piece
  }
}

/** 4 MB of rows with changing numbers in them. */
function rows(head: string, tail: string): Uint8Array {
  const random = seeded()
  let text = ''
  for (let second = 0; text.length < 4_000_000; second += 1) {
    const distanceM = (second * 2.8 + random() * 0.5).toFixed(2)
    text += `${head}"elapsedSeconds":${second},"distanceM":${distanceM},"heartRateBpm":${140 + Math.floor(random() * 20)},"lat":${(48 + random() * 0.01).toFixed(6)}${tail},\n`
  }
  return Buffer.from(text)
}

function noise(): Uint8Array {
  const random = seeded()
  return new Uint8Array(PHOTO_BYTES).map(() => random() * 256)
}

/** Xorshift (Marsaglia 2003): the same numbers on every machine, 0 to 1. */
function seeded(): () => number {
  let state = 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

/** Highest resident size of this process so far; 0 where /proc does not tell. */
function peakMegabytes(): number {
  try {
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024)
  } catch {
    return 0
  }
}

if (import.meta.main) {
  const [task, path = ''] = process.argv.slice(2)
  if (task === 'write') await write()
  else if (task === 'make') await make(path)
  else if (task === 'read') await read(path)
  else await benchZip()
}
