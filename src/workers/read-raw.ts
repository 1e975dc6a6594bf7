import { hasFitHeader } from '../formats/fit/decode.ts'
import { FormatError, type ParsedFile, type RawObject } from '../formats/format.ts'
import { unpackedFile, unpackedWithin } from '../formats/gzip.ts'
import { parseFile } from '../formats/registry.ts'
import { collectGarbage } from '../garbage.ts'
import { fileBytes, LARGE_BYTES } from './analyze-file.ts'
import { jsonPieces, type RawView, rawObject } from './raw-data.ts'

/** The raw object of one run of an original. */
export interface RawJob extends Pick<RawView, 'importedAtMs' | 'anySport'> {
  /** Path of the bytes as uploaded. */
  readonly path: string
  readonly filename: string
  /** Place of the run in the file. */
  readonly session: number
  /** false: without its trackPoints. */
  readonly points: boolean
}

/**
 * Its JSON text.
 * @throws FormatError when the file is no longer what it was
 */
export async function readRaw(job: RawJob): Promise<readonly Uint8Array<ArrayBuffer>[]> {
  const { raw, isLarge } = await readObject(job)
  const encoder = new TextEncoder()
  const pieces: Uint8Array<ArrayBuffer>[] = []
  for (const text of jsonPieces(raw)) {
    pieces.push(encoder.encode(text))
    if (isLarge && pieces.length % PIECES_A_COLLECTION === 0) collectGarbage()
  }
  return pieces
}

/** Each leaves a megabyte and more of text behind. */
const PIECES_A_COLLECTION = 6

/** The bytes of the file are gone when its object is made, and its columns when the text of that is. */
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

/** Up to here it takes some 20 ms. Records of FIT have a fourth of the bytes of other points, and give as much. */
const SMALL_BYTES = 1_048_576
const SMALL_FIT_BYTES = SMALL_BYTES / 2

/**
 * The same for a small file, on the thread that asks.
 * @returns null for one that takes longer than others may wait, which is `readRaw`'s
 * @throws FormatError when the file is no longer what it was
 */
export async function readSmallRaw(job: RawJob): Promise<string | null> {
  const file = Bun.file(job.path)
  if (file.size > SMALL_BYTES) return null
  const bytes = unpackedWithin(await file.bytes(), SMALL_BYTES)
  if (bytes === null || (bytes.length > SMALL_FIT_BYTES && hasFitHeader(bytes))) return null
  return JSON.stringify(objectOf(parse(bytes, job), job, file.size))
}

/** When it was read first, its date was plausible. */
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
