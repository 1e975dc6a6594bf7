import { rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import { Answered } from '../base/errors.ts'
import type { ImportKind } from '../base/events.ts'
import { HOUR_MS } from '../engine/units.ts'
import { FormatError } from '../formats/format.ts'
import { isGzip, MAX_UNPACKED_BYTES } from '../formats/gzip.ts'
import { detectFormat, unknownContent } from '../formats/registry.ts'
import { readUpload, type Upload, type UploadedFile } from '../http/multipart.ts'
import { choice, meaning } from '../http/schemas.ts'
import { isZip, type UploadOptions } from '../http/spool.ts'
import type { Deps } from '../library/deps.ts'
import { temporaryFile } from '../library/files/paths.ts'
import { announceRefused } from '../library/progress.ts'

// Everything that arrives, by whichever way, is a file of runs (files/import.ts) or a container: the export of a service,
// a ZIP of files, or an archive (kinds/container.ts, which is loaded when the first arrives). Its content decides, never
// its name.

export const UnitsOfSplits = meaning(
  'Decides the length of the splits of this call only; blank or absent: the stored preference',
  choice('metric', 'imperial'),
)
/** The fields beside files. */
export const FieldsOfFiles = Type.Object({ unitPreference: UnitsOfSplits }, { title: 'ImportWorkoutsRequest' })

/** Size of the largest workout file as gzip that compresses nothing. */
const MOST_FILE_BYTES = MAX_UNPACKED_BYTES + 65_536

/** Whether a file is one of runs or a container; a FormatError: it is neither, or too large. */
export function contentOf(
  { name, size, head }: { readonly name: string; readonly size: number; readonly head: Uint8Array },
  maxArchiveBytes: number,
): 'runs' | 'container' | FormatError {
  if (isZip(head)) {
    return size > maxArchiveBytes ? new FormatError(`The archive is larger than ${maxArchiveBytes} bytes`) : 'container'
  }
  if (size > MOST_FILE_BYTES) return new FormatError('The file is larger than 100 MiB unpacked')
  return isGzip(head) || detectFormat(head, name) !== null ? 'runs' : unknownContent(head)
}

/** Whether an uploaded file begins like a ZIP. */
export async function isContainer(file: UploadedFile): Promise<boolean> {
  return isZip(file.path === null ? await file.bytes() : await Bun.file(file.path).slice(0, 2).bytes())
}

/** Receives the body of a request completely. Throws an AppError for a body of another kind. */
export type Receive = (options: UploadOptions) => Promise<Upload>

/**
 * Receives a body, a form unless said otherwise, and takes what is needed of it.
 * @throws AppError 413, 400, and what `take` throws; no files remain then
 */
export async function received<T>(
  { config, events }: Pick<Deps, 'config' | 'events'>,
  body: Request | Receive,
  limits: Pick<UploadOptions, 'maxBytes' | 'maxZipBytes'> & { readonly begun?: () => Promise<void> },
  take: (upload: Upload) => Promise<T> | T,
): Promise<T> {
  const options = { ...limits, tmpDir: join(config.dataDir, 'tmp'), signal: events.closed }
  const upload = await (body instanceof Request ? readUpload(body, options) : body(options))
  try {
    return await take(upload)
  } catch (error) {
    await upload.dispose()
    throw error
  }
}

/** An uploaded file on disk, since containers are read from there; a small one is in memory until then. */
export async function onDisk(
  { config }: Pick<Deps, 'config'>,
  upload: Upload,
  file: UploadedFile,
): Promise<HeldUpload> {
  const spooled = file.path === null ? await temporaryFile(config.dataDir, await file.bytes()) : null
  const dispose = async () => {
    if (spooled !== null) await rm(spooled, { force: true })
    await upload.dispose()
  }
  return { path: spooled ?? file.path ?? '', filename: file.filename, dispose }
}

/** Tells listeners that an import was refused, and passes the error on. */
export function refusing({ events }: Pick<Deps, 'events'>, kind: ImportKind) {
  return (error: unknown): never => {
    if (!(error instanceof Answered)) announceRefused(events, kind, error)
    throw error
  }
}

export async function disposed(
  { log }: Pick<Deps, 'log'>,
  ...held: readonly Pick<HeldUpload, 'dispose'>[]
): Promise<void> {
  for (const { dispose } of held) {
    await dispose().catch((error: unknown) => log.error('An upload could not be removed', error))
  }
}

export interface HeldUpload {
  readonly path: string
  readonly filename: string
  dispose(): Promise<void>
}

const KEPT_MS = HOUR_MS
const LOOK_MS = 60_000
/** With less room on the disk the upload goes. */
const LEAST_FREE_BYTES = 256 * 1_048_576

export type Held = ReturnType<typeof createHeld>

/** The upload of the last dry run, kept for an hour so that the import need not send it again. */
export function createHeld({ after, config, log, now }: Pick<Deps, 'after' | 'config' | 'log' | 'now'>) {
  let held: { readonly id: string; readonly untilMs: number; readonly upload: HeldUpload; cancel(): void } | null = null
  const taken = () => {
    held?.cancel()
    const upload = held?.upload ?? null
    held = null
    return upload
  }
  /** Removes it, as when room is needed. */
  const drop = async () => {
    await taken()
      ?.dispose()
      .catch((error: unknown) => log.error('An upload that was kept for its import could not be removed', error))
  }
  const look = async () => {
    const { bavail, bsize } = await statfs(config.dataDir).catch(() => ({ bavail: Number.POSITIVE_INFINITY, bsize: 1 }))
    if (held === null) return
    if (now() >= held.untilMs || bavail * bsize < LEAST_FREE_BYTES) await drop()
    else held.cancel = after(LOOK_MS, () => void look())
  }
  return {
    /** Keeps an upload in place of an earlier one. @returns its id */
    keep: async (upload: HeldUpload): Promise<string> => {
      const dropped = drop()
      const id = crypto.randomUUID()
      held = { id, untilMs: now() + KEPT_MS, upload, cancel: after(LOOK_MS, () => void look()) }
      await dropped
      return id
    },
    /** The upload, which the caller disposes of; null: it is gone, or was never kept. */
    take: (id: string): HeldUpload | null => (held?.id === id.toLowerCase() && now() < held.untilMs ? taken() : null),
    drop,
  }
}
