import { join } from 'node:path'
import { invalid } from '../base/errors.ts'
import { FormatError } from '../formats/format.ts'
import { readUpload, type UploadedFile } from '../http/multipart.ts'
import type { Deps } from '../library/deps.ts'
import { temporaryFile } from '../library/files/paths.ts'
import { ZipError } from '../zip/zip-error.ts'

/** An uploaded ZIP, on disk and open. */
interface ReceivedZip<T> {
  readonly opened: T
  /** Name as sent. */
  readonly filename: string
  /** Closes it and removes all files of the upload; failures are only logged, since the import is not affected. */
  dispose(): Promise<void>
}

interface Needs extends Pick<Deps, 'config' | 'log' | 'events'> {
  /** Limit for all file parts, bytes. */
  readonly maxBytes: number
  /** Called for a file that is not a valid archive. */
  readonly refused: (filename: string, reason: string) => void
}

/**
 * Receives an archive completely and opens it, so that it can be refused before anything is stored.
 * @param open called with the path of the file and the other fields of the upload
 * @throws AppError 400 for an invalid archive, 413; no files remain then
 */
export async function receiveZip<T extends { close(): Promise<void> }>(
  request: Request,
  { config, log, events, maxBytes, refused }: Needs,
  open: (path: string, fields: ReadonlyMap<string, string>) => Promise<T>,
): Promise<ReceivedZip<T>> {
  const upload = await readUpload(request, { maxBytes, tmpDir: join(config.dataDir, 'tmp'), signal: events.closed })
  let spooled: string | null = null
  let file: UploadedFile | undefined
  const remove = async () => {
    if (spooled !== null) await Bun.file(spooled).delete()
    await upload.dispose()
  }
  try {
    file = (await firstZip(upload.files)) ?? upload.files[0]
    if (file === undefined) throw invalid('The upload has no file')
    // a small upload is in memory, but archives are read from disk
    if (file.path === null) spooled = await temporaryFile(config.dataDir, await file.bytes())
    const opened = await open(file.path ?? spooled ?? '', upload.fields)
    const dispose = async () => {
      try {
        await opened.close().finally(remove)
      } catch (error) {
        log.error('An upload could not be removed', error)
      }
    }
    return { opened, filename: file.filename, dispose }
  } catch (error) {
    await remove()
    if (!(error instanceof ZipError || error instanceof FormatError)) throw error
    refused(file?.filename ?? '', error.message)
    throw invalid(error.message)
  }
}

/** The first part that is a ZIP by content; null: none. */
async function firstZip(files: readonly UploadedFile[]): Promise<UploadedFile | null> {
  for (const file of files) if (await isZip(file)) return file
  return null
}

/** Whether a file begins like a ZIP; its name is ignored. */
export async function isZip(file: UploadedFile): Promise<boolean> {
  const head = file.path === null ? await file.bytes() : await Bun.file(file.path).slice(0, 2).bytes()
  return head[0] === 0x50 && head[1] === 0x4b
}
