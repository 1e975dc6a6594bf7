import type { Static } from '@sinclair/typebox'
import type { FilesRequest } from '../features/downloads/schemas.ts'
import { ApiError, api } from './api.ts'
import { toast } from './ui/toast.tsx'

/** Saves a file of the service under its own name. @param missing error message when it does not exist */
export async function saveFile(path: string, missing: string): Promise<void> {
  const answer = await fetch(path, { credentials: 'same-origin' }).catch(() => null)
  if (answer === null) return toast('Can’t reach Harrier')
  if (answer.status === 404) return toast(missing)
  if (!answer.ok) return toast(await reasonOf(answer))
  saveBytes(await answer.blob(), sentName(answer))
}

async function reasonOf(answer: Response): Promise<string> {
  const { error } = (await answer.json().catch(() => ({}))) as { error?: string }
  return error ?? `Couldn’t download the file (${answer.status})`
}

/** Saves bytes as a download of the browser. */
export function saveBytes(bytes: Blob, name: string): void {
  const address = URL.createObjectURL(bytes)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** The name in UTF-8 (RFC 8187), else the plain one. */
function sentName({ headers }: Response): string {
  const disposition = headers.get('content-disposition') ?? ''
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
  if (encoded !== undefined) return decodeURIComponent(encoded)
  return /filename="([^"]+)"/i.exec(disposition)?.[1] ?? 'run'
}

/** Progress of a ZIP. */
export interface ZipProgress {
  readonly runs: number
  readonly bytes: number
}

interface Saving {
  readonly onProgress: (progress: ZipProgress) => void
  /** Aborting ends the download without an error. */
  readonly signal?: AbortSignal
}

/**
 * Saves runs as files in one ZIP, which the service creates while sending it.
 * @returns whether it was saved; false: it was aborted
 * @throws ApiError
 */
export async function saveRuns(asked: Static<typeof FilesRequest>, { onProgress, signal }: Saving): Promise<boolean> {
  // opens the login when the session has expired, which the streamed call cannot do
  await api.get('/settings/unit-preference')
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(asked) }
  try {
    const answer = await fetch('/workouts/export/files', { ...init, ...(signal === undefined ? {} : { signal }) })
    if (!answer.ok || answer.body === null) throw new ApiError(answer.status, await reasonOf(answer))
    const bytes = await received(answer.body, onProgress)
    saveBytes(bytes, sentName(answer))
    return true
  } catch (error) {
    if (signal?.aborted === true) return false
    if (error instanceof ApiError) throw error
    throw new ApiError(0, 'The download was interrupted. Try again.')
  }
}

/** Its bytes as a Blob, which the browser may store on disk. */
async function received(body: ReadableStream<Uint8Array>, onProgress: Saving['onProgress']): Promise<Blob> {
  const countOf = zipFileCounter()
  let bytes = 0
  const counting = new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength
      onProgress({ runs: countOf(chunk), bytes })
      controller.enqueue(chunk as Uint8Array<ArrayBuffer>)
    },
  })
  return await new Response(body.pipeThrough(counting), { headers: { 'content-type': 'application/zip' } }).blob()
}

/** Signature before each file of a ZIP: `PK` 3 4 (APPNOTE 4.3.7). */
const SIGNATURE = [0x50, 0x4b, 3, 4] as const

/**
 * Counts the files of a ZIP while it arrives. Compressed bytes equal the signature about once in 4 GB, so the count is
 * not exact.
 * @returns a function that takes the next piece and returns the number of files begun so far
 */
function zipFileCounter(): (piece: Uint8Array) => number {
  let count = 0
  /** Length of the part of a signature that the bytes so far end with. */
  let matched = 0
  return (piece) => {
    for (let at = matched === 0 ? piece.indexOf(SIGNATURE[0]) : 0; at !== -1 && at < piece.length; at += 1) {
      if (piece[at] === SIGNATURE[matched]) matched += 1
      else matched = piece[at] === SIGNATURE[0] ? 1 : 0
      if (matched === SIGNATURE.length) {
        count += 1
        matched = 0
      }
      if (matched === 0) {
        const next = piece.indexOf(SIGNATURE[0], at + 1)
        if (next === -1) break
        at = next - 1
      }
    }
    return count
  }
}
