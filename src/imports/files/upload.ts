import { constants, gunzipSync } from 'node:zlib'
import { invalid } from '../../base/errors.ts'
import { cutText, LENGTHS } from '../../base/texts.ts'
import type { Turns } from '../../base/turns.ts'
import { reasonOf } from '../../db/disk-full.ts'
import { isGzip } from '../../formats/gzip.ts'
import { detectFormat, HEAD_BYTES } from '../../formats/registry.ts'
import { byOf } from '../../http/author.ts'
import { nameInHeaders, utf8 } from '../../http/file-names.ts'
import { keepNoAnswer } from '../../http/idempotency.ts'
import type { Upload, UploadedFile } from '../../http/multipart.ts'
import { isForm, readRawUpload } from '../../http/multipart.ts'
import { slowJson, unlessStopped } from '../../http/slow-json.ts'
import type { Deps, DepsBy } from '../../library/deps.ts'
import { announceDone } from '../../library/progress.ts'
import type { UnitPreference } from '../../library/settings.ts'
import { type Receive, received, refusing } from '../receive.ts'
import { type ImportedFiles, importFiles, importSummary, type Manner } from './import.ts'
import { importResults } from './results.ts'

const ENDED_EARLY = 'The import ended early because of an unexpected error; it can be repeated'

/** Called after files of a request were imported, with the reason when none was. */
export type NoteArrival = (request: Request, refusal: string | null) => void

/** How files arrive, as far as their sender says, and the turns of those that join a receipt. */
interface Said extends Partial<Manner> {
  readonly turns?: Turns
}

/**
 * Receives workout files, then imports them one by one; a client that disconnects does not end it. A single file may be
 * answered with 400; several always end in a summary, which may be sent while the import runs.
 * @param body a form, or what receives the files
 * @throws AppError 400 without a file or with an unknown unit, 413; 404, 409 when the receipt cannot be joined
 */
export async function importBody(
  deps: Deps,
  request: Request,
  body: Request | Receive,
  {
    noteArrival,
    isSummary = false,
    ...said
  }: Said & {
    readonly noteArrival: NoteArrival
    /** Whether a single run is answered as one of several. */
    readonly isSummary?: boolean
  },
): Promise<Response> {
  const { filesCount, work } = await beginImport({ ...deps, ...byOf(request) }, body, said)
  const noted = work.then(({ summary, answer, hasFailed }) => {
    noteArrival(request, refusalIn(summary))
    if (summary.stopped !== undefined || hasFailed) keepNoAnswer(request)
    return isSummary ? summary : answer
  })
  if (filesCount === 1) return Response.json(unlessStopped(await noted))
  const whenFailed = (error: unknown) => {
    deps.log.error('An import of several files ended early', error)
    keepNoAnswer(request)
    const reason = reasonOf(error, ENDED_EARLY, deps.damage)
    noteArrival(request, reason)
    const outcomes = [{ filename: '', outcome: { error: reason } }]
    const summary = importSummary(outcomes, { skippedOther: 0, receiptId: null, warnings: [] })
    return said.as === 'summary' ? importResults(summary, outcomes) : summary
  }
  return await slowJson(noted, { whenFailed })
}

/**
 * Starts an import once all files have arrived; listeners are notified of its end, or of a refusal.
 * @returns `work`: rejects with an AppError 400 when the only file cannot be read; never with several files
 * @throws AppError 400 without a file or with an unknown unit, 413
 */
export async function beginImport(deps: DepsBy, body: Request | Receive, { turns, ...said }: Said = {}) {
  const refused = refusing(deps, 'files')
  const limits = { maxBytes: deps.config.maxUploadBytes }
  const { files, dispose, units } = await received(deps, body, limits, (sent) => {
    if (sent.files.length === 0) throw invalid('The upload has no file')
    return { ...sent, units: sentUnits(sent.fields.get('unitPreference')) }
  }).catch(refused)
  const manner = { origin: 'upload', notes: null, receiptId: null, ...said, units } as const
  const importing = () => importFiles(deps, files, manner)
  // a receipt is open for one import at a time
  const work = (manner.receiptId === null || turns === undefined ? importing() : turns.take(importing)).finally(dispose)
  const announced = work.then((imported) => {
    announceDone(deps.events, 'files', imported.summary)
    return imported
  }, refused)
  return { filesCount: files.length, work: announced }
}

/** Why nothing was imported; null: something was, or is stored already. */
export function refusalIn({ successful, updated, skipped, errorDetails }: ImportedFiles['summary']): string | null {
  return successful + updated + skipped > 0 ? null : (errorDetails[0]?.error ?? null)
}

export function sentUnits(sent: string | undefined): UnitPreference | null {
  const units = sent?.trim() ?? ''
  if (units === '') return null
  if (units !== 'metric' && units !== 'imperial')
    throw invalid('unitPreference must be metric or imperial', { field: 'unitPreference' })
  return units
}

/**
 * Imports what a phone sends to the address that contains its key: a form or the file itself, and FitoTrack's comment.
 * @returns the answer of an import, with status 201
 * @throws AppError as `importBody` does
 */
export async function importAddressed(
  deps: Deps,
  request: Request,
  name: string | null,
  noteArrival: NoteArrival,
): Promise<Response> {
  const body = isForm(request) ? request : receiveFile(request, nameOf(request, name))
  const answer = await importBody(deps, request, body, { noteArrival, notes: commentIn(request.headers) })
  return new Response(answer.body, { status: 201, headers: answer.headers })
}

/** As the address says, else as the headers do. */
export function nameOf(request: Request, name: string | null): string | null {
  return name === null || name.trim() === '' ? nameInHeaders(request.headers) : name
}

/** The comment that FitoTrack sends in a header, since its files do not contain it. */
function commentIn(headers: Headers): string | null {
  const comment = utf8(headers.get('fitotrack-comment') ?? '').trim()
  return comment === '' ? null : cutText(comment, LENGTHS.notes)
}

/**
 * Receives a body that is a single file; without a name it is named by its content: `upload.fit`.
 * @param only what the body has to be where a form is refused @throws AppError 400 for a form
 */
export function receiveFile(request: Request, name: string | null, only?: string): Receive {
  if (only !== undefined && isForm(request))
    throw invalid(`The body must be ${only} itself; a form is for POST /workouts/import`)
  return async (options) => {
    const upload = await readRawUpload(request, name, options)
    try {
      return await named(upload)
    } catch (error) {
      await upload.dispose()
      throw error
    }
  }
}

async function named(upload: Upload): Promise<Upload> {
  const files = await Promise.all(
    upload.files.map(async (file) => (file.filename === '' ? { ...file, filename: await nameByContent(file) } : file)),
  )
  return { ...upload, files }
}

async function nameByContent(file: UploadedFile): Promise<string> {
  const head = file.path === null ? await file.bytes() : await Bun.file(file.path).slice(0, HEAD_BYTES).bytes()
  const isPacked = isGzip(head)
  const unpacked = isPacked ? unpackedHead(head) : head.subarray(0, HEAD_BYTES)
  // with a .csv name every text, even JSON, would be recognised as a table
  const isTable = /^[^\r\n{[<]*[,;\t]/.test(new TextDecoder().decode(unpacked.subarray(0, 1024)))
  const type = detectFormat(unpacked, isTable ? 'upload.csv' : '')?.type
  return type === undefined ? 'upload' : `upload.${type}${isPacked ? '.gz' : ''}`
}

/** The first bytes; none when the file is damaged, which the import reports. */
function unpackedHead(packed: Uint8Array): Uint8Array {
  try {
    // so few bytes do not unpack to more than 4 MiB
    return gunzipSync(packed.subarray(0, 4096), { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, HEAD_BYTES)
  } catch {
    return new Uint8Array(0)
  }
}
