import { collectGarbage } from '../base/garbage.ts'
import { hasFitHeader } from '../formats/fit/decode.ts'
import { FormatError, type ParsedFile, type RawObject } from '../formats/format.ts'
import { unpackedFile, unpackedWithin } from '../formats/gzip.ts'
import { parseFile } from '../formats/registry.ts'
import { encodedPieces } from '../formats/write/xml.ts'
import { fileBytes, LARGE_BYTES } from './analyze-file.ts'
import { jsonPieces, type RawView, rawObject } from './raw-data.ts'

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

/** The JSON text of a raw object. @throws FormatError when the file can no longer be parsed */
export async function readRaw(job: RawJob): Promise<readonly Uint8Array<ArrayBuffer>[]> {
  const { raw, isLarge } = await readObject(job)
  const pieces: Uint8Array<ArrayBuffer>[] = []
  for (const piece of encodedPieces(jsonPieces(raw))) {
    pieces.push(piece)
    if (isLarge && pieces.length % PIECES_A_COLLECTION === 0) collectGarbage()
  }
  return pieces
}

/** Pieces between two garbage collections; each leaves a megabyte of text and more. */
const PIECES_A_COLLECTION = 6

/** Creates the object after releasing the bytes of the file; its columns are released before its text is made. */
async function readObject(job: RawJob): Promise<{ readonly raw: RawObject; readonly isLarge: boolean }> {
  const read = await (async () => {
    const uploaded = await fileBytes(job.path)
    const bytes = await unpackedFile(uploaded, job.filename)
    return { parsed: parse(bytes, job), uploadedBytes: uploaded.length, isLarge: bytes.length >= LARGE_BYTES }
  })()
  if (read.isLarge) collectGarbage()
  const raw = objectOf(read.parsed, job, read.uploadedBytes)
  if (read.isLarge) collectGarbage()
  return { raw, isLarge: read.isLarge }
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
