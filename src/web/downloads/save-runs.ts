import type { Static } from '@sinclair/typebox'
import type { FilesRequest } from '../../features/downloads/schemas.ts'
import { ApiError, api } from '../api.ts'
import { saveBytes } from './save-file.ts'
import { zipFileCounter } from './zip-files.ts'

/** Bytes per Blob, which the browser may store on disk. */
const PIECE_BYTES = 16_777_216

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
    if (!answer.ok || answer.body === null) {
      const { error } = (await answer.json().catch(() => ({}))) as { error?: string }
      throw new ApiError(answer.status, error ?? `Harrier returned error ${answer.status}`)
    }
    const bytes = await received(answer.body, onProgress)
    saveBytes(bytes, answer.headers.get('content-disposition'))
    return true
  } catch (error) {
    if (signal?.aborted === true) return false
    if (error instanceof ApiError) throw error
    throw new ApiError(0, 'The download was interrupted. Try again.')
  }
}

async function received(body: ReadableStream<Uint8Array>, onProgress: Saving['onProgress']): Promise<Blob> {
  const countOf = zipFileCounter()
  const pieces: Blob[] = []
  let open: Uint8Array<ArrayBuffer>[] = []
  let openBytes = 0
  let bytes = 0
  const reader = body.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const chunk = next.value as Uint8Array<ArrayBuffer>
    open.push(chunk)
    openBytes += chunk.byteLength
    bytes += chunk.byteLength
    onProgress({ runs: countOf(chunk), bytes })
    if (openBytes < PIECE_BYTES) continue
    pieces.push(new Blob(open))
    open = []
    openBytes = 0
  }
  return new Blob([...pieces, ...open], { type: 'application/zip' })
}
