import { hasFitHeader } from '../formats/fit/decode.ts'
import { FormatError, type ParsedFile, type RawObject } from '../formats/format.ts'
import { unpackedFile, unpackedWithin } from '../formats/gzip.ts'
import { parseFile } from '../formats/registry.ts'
import { fileBytes } from './analyze-file.ts'
import { relieve } from './derive.ts'
import { type RawView, rawObject } from './raw-data.ts'

/** The raw object of one run of an original. */
export interface RawJob extends Pick<RawView, 'importedAtMs' | 'anySport'> {
  /** Path of the bytes as uploaded. */
  readonly path: string
  readonly filename: string
  /** Index of the run in the file. */
  readonly session: number
  /** false: without its trackPoints. */
  readonly points: boolean
}

/** The JSON text of a raw object, in UTF-8. @throws FormatError when the file can no longer be parsed */
export async function readRaw(job: RawJob): Promise<Uint8Array<ArrayBuffer>> {
  const text = await (async () => {
    const { raw, rows } = await readObject(job)
    relieve(rows)
    return JSON.stringify(raw)
  })()
  return new TextEncoder().encode(text)
}

/** Creates the object after releasing the bytes of the file. */
async function readObject(job: RawJob) {
  const { parsed, uploadedBytes } = await (async () => {
    const uploaded = await fileBytes(job.path)
    const bytes = await unpackedFile(uploaded, job.filename)
    return { parsed: parse(bytes, job), uploadedBytes: uploaded.length }
  })()
  const rows = { n: parsed.activities[job.session]?.recording?.n ?? 0 }
  relieve(rows)
  return { raw: objectOf(parsed, job, uploadedBytes), rows }
}

/**
 * Up to this size reading takes some 20 ms. FIT records have a quarter of the bytes of other points for the same data.
 */
const SMALL_BYTES = 1_048_576
const SMALL_FIT_BYTES = SMALL_BYTES / 2

/**
 * As `readRaw` for a small file, on the calling thread.
 * @returns null for a file that would block it for too long; use `readRaw` then
 * @throws FormatError when the file can no longer be parsed
 */
export async function readSmallRaw(job: RawJob): Promise<string | null> {
  const file = Bun.file(job.path)
  if (file.size > SMALL_BYTES) return null
  const bytes = unpackedWithin(await file.bytes(), SMALL_BYTES)
  if (bytes === null || (bytes.length > SMALL_FIT_BYTES && hasFitHeader(bytes))) return null
  return JSON.stringify(objectOf(parse(bytes, job), job, file.size))
}

/** Parses without checking the date, which was plausible at the import. */
function parse(bytes: Uint8Array, { filename, anySport }: RawJob): ParsedFile {
  return parseFile(bytes, { filename, anySport, nowMs: Number.POSITIVE_INFINITY })
}

function objectOf(
  { activities }: ParsedFile,
  { session, importedAtMs, points }: RawJob,
  uploadedBytes: number,
): RawObject {
  const activity = activities[session]
  const raw = activity === undefined ? null : rawObject(activity, { importedAtMs, uploadedBytes })
  if (raw === null) throw new FormatError('The file has no such run')
  return points ? raw : { ...raw, trackPoints: undefined }
}
