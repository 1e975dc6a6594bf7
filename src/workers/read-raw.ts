import { FormatError, type ParsedFile, type RawObject } from '../formats/format.ts'
import { unpackedFile } from '../formats/gzip.ts'
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
