import { constants, gunzipSync } from 'node:zlib'
import { invalid } from '../../base/errors.ts'
import { cutText, LENGTHS } from '../../base/texts.ts'
import { isGzip } from '../../formats/gzip.ts'
import { detectFormat, HEAD_BYTES } from '../../formats/registry.ts'
import { nameInHeaders, utf8 } from '../../http/file-names.ts'
import { isForm, readRawUpload, type Upload, type UploadedFile } from '../../http/multipart.ts'
import type { Deps } from '../../library/deps.ts'
import type { Receive } from '../door.ts'
import { importBody, type NoteArrival } from '../files/upload.ts'

/**
 * Imports the body of a request as one file, for clients that cannot send a form; its name is in query or headers.
 * @throws AppError 400 for a form, or a file without a run; 413
 */
export async function importRaw(
  deps: Deps,
  request: Request,
  name: string | null,
  noteArrival: NoteArrival,
): Promise<Response> {
  if (isForm(request)) throw invalid('The body must be the file itself; a form is for POST /workouts/import')
  return await importBody(deps, request, receiveFile(request, nameOf(request, name)), { noteArrival })
}

/**
 * Imports what an automation of Health Auto Export sends: several runs, one or none.
 * @returns the summary of an import, also for a single run and for none
 * @throws AppError 400 for a form, or a file that cannot be read; 413
 */
export async function importHealth(deps: Deps, request: Request, noteArrival: NoteArrival): Promise<Response> {
  if (isForm(request)) throw invalid('The body must be the JSON itself; a form is for POST /workouts/import')
  const receive = receiveFile(request, nameInHeaders(request.headers) ?? 'health.json')
  return await importBody(deps, request, receive, { noteArrival, origin: 'health_auto_export', isSummary: true })
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

function nameOf(request: Request, name: string | null): string | null {
  return name === null || name.trim() === '' ? nameInHeaders(request.headers) : name
}

/** The comment that FitoTrack sends in a header, since its files do not contain it. */
function commentIn(headers: Headers): string | null {
  const comment = utf8(headers.get('fitotrack-comment') ?? '').trim()
  return comment === '' ? null : cutText(comment, LENGTHS.notes)
}

/** Receives a body that is a single file; without a name it is named by its content: `upload.fit`. */
function receiveFile(request: Request, name: string | null): Receive {
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
