import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Decoder, Stream } from '@garmin/fitsdk'
import { decodeFit } from '../src/formats/fit/decode.ts'

/** Runs of each decoder over all files; the best one counts. */
const RUNS = 10

export interface FitBench {
  readonly files: number
  readonly bytes: number
  /** Best total time over all files. */
  readonly oursMs: number
  readonly sdkMs: number
  /** sdkMs / oursMs */
  readonly ratio: number
}

/**
 * Total decoding time over corpus/fit and fit-gz, unpacked before, best of ten in this process: our decoder against
 * @garmin/fitsdk with its default options. Left out is the file of which the SDK reads no record.
 */
export async function benchFit(corpusDir: string): Promise<FitBench> {
  const files = corpusFiles(corpusDir).filter(isReadBySdk)
  const oursMs = bestMs(files, (bytes) => void decodeFit(bytes))
  const sdkMs = bestMs(files, (bytes) => void readWithSdk(bytes))
  const bytes = files.reduce((sum, file) => sum + file.length, 0)
  return { files: files.length, bytes, oursMs, sdkMs, ratio: sdkMs / oursMs }
}

function corpusFiles(corpusDir: string): Uint8Array[] {
  return ['fit', 'fit-gz'].flatMap((folder) =>
    readdirSync(resolve(corpusDir, folder))
      .filter((name) => /\.fit(\.gz)?$/.test(name))
      .sort()
      .map((name) => {
        const bytes = new Uint8Array(readFileSync(resolve(corpusDir, folder, name)))
        return name.endsWith('.gz') ? Bun.gunzipSync(bytes) : bytes
      }),
  )
}

function isReadBySdk(bytes: Uint8Array): boolean {
  return (readWithSdk(bytes).messages.recordMesgs?.length ?? 0) > 0
}

function readWithSdk(bytes: Uint8Array) {
  // A copy of the bytes is what every way into the SDK's Stream makes; this one is the fastest.
  return new Decoder(Stream.fromArrayBuffer(bytes.slice().buffer)).read()
}

function bestMs(files: readonly Uint8Array[], decode: (bytes: Uint8Array) => void): number {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < RUNS; run += 1) {
    const start = performance.now()
    for (const file of files) decode(file)
    best = Math.min(best, performance.now() - start)
  }
  return best
}

if (import.meta.main) {
  const corpusDir = process.env.CORPUS_DIR
  if (!corpusDir) throw new Error('CORPUS_DIR names no corpus')
  const { files, bytes, oursMs, sdkMs, ratio } = await benchFit(corpusDir)
  console.log(`FIT decode, ${files} files, ${(bytes / 1e6).toFixed(2)} MB, best of ${RUNS}`)
  console.log(`ours ${oursMs.toFixed(2)} ms, @garmin/fitsdk ${sdkMs.toFixed(1)} ms: ${ratio.toFixed(1)} times as fast`)
}
