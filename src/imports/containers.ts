import { RestoreReport, type RestoreSummary } from '../archive/restore/report.ts'
import { AppError, invalid, notFound, refusedFile } from '../base/errors.ts'
import type { ImportKind } from '../base/events.ts'
import type { Turns } from '../base/turns.ts'
import { reasonOf } from '../db/disk-full.ts'
import { FormatError } from '../formats/format.ts'
import { byOf } from '../http/author.ts'
import type { Upload, UploadedFile } from '../http/multipart.ts'
import { slowJson } from '../http/slow-json.ts'
import type { Deps, DepsBy } from '../library/deps.ts'
import { announceDone } from '../library/progress.ts'
import { leaveRefusal } from '../library/receipts/record.ts'
import { splitUnitM, unitPreference } from '../library/settings.ts'
import { ZipError } from '../zip/zip-error.ts'
import { sentUnits } from './files/upload.ts'
import {
  type Container,
  type ContainerWork,
  emptySummary,
  importContainer,
  type Only,
  openContainer,
  previewContainer,
  Refused,
} from './kinds/container.ts'
import type { TakeoutSummary } from './kinds/schemas.ts'
import { bulkSummary } from './kinds/tally.ts'
import { disposed, type Held, type HeldUpload, isContainer, onDisk, received, refusing } from './receive.ts'

// The calls that take one container: any, only Strava's, only an archive.

/** Reason given to listeners, since the client no longer receives the answer. */
const STOPPED = 'The client disconnected; the rest of the export was not imported'
const ENDED_EARLY = 'The import ended early because of an unexpected error'

/**
 * Imports a Strava export when its turn comes; when the client disconnects, it ends before the next row.
 * @throws AppError 400 when it is not a Strava export, before anything is stored; 413
 */
export async function importBulk(base: Deps, turns: Turns, request: Request): Promise<Response> {
  const deps = { ...base, ...byOf(request) }
  const { maxUploadBytes: maxBytes } = deps.config
  const { container, upload, unitM } = await entered(deps, { kind: 'bulk', only: 'strava_archive' }, () =>
    received(deps, request, { maxBytes }, async (form) => {
      const file = await firstContainer(form)
      return { unitM: unitOf(deps, form), upload: await onDisk(deps, form, file) }
    }),
  )
  const { signal } = request
  const how = { unitM, signal, title: upload.filename, createShoes: false, includeDeleted: true }
  const work = turns
    .take(() => importContainer(deps, container, how))
    .finally(() => disposed(deps, { dispose: container.close }, upload))
    .then(
      (summary) => {
        const runs = container.kind === 'archive' ? 0 : (container.counted?.runs ?? 0)
        const isStopped = signal.aborted && summary.totalProcessed < runs
        announceDone(deps.events, 'bulk', { ...summary, ...(isStopped ? { stopped: STOPPED } : {}) })
        return bulkSummary(summary)
      },
      refusing(deps, 'bulk'),
    )
  return await slowJson(work, { whenFailed: (error) => bulkSummary(failedSummary(deps, { container, upload }, error)) })
}

/**
 * Restores an archive of Harrier or Tempo when its turn comes, whether or not the client is still connected.
 * @throws AppError 400 when it is no such archive, before anything is written; 413
 */
export async function importExport(base: Deps, turns: Turns, request: Request): Promise<Response> {
  const deps = { ...base, ...byOf(request) }
  const { config, log, damage, events, now } = deps
  const { container, upload } = await entered(deps, { kind: 'restore', only: 'archive' }, () =>
    received(deps, request, { maxBytes: config.maxArchiveBytes }, async (form) => ({
      upload: await onDisk(deps, form, await firstContainer(form)),
    })),
  )
  const whenFailed = (error: unknown): RestoreSummary => {
    const isRefused = error instanceof AppError
    if (!isRefused) log.error('A restore failed', error)
    const report = new RestoreReport()
    report.broken(reasonOf(error, 'The restore failed because of an unexpected error; it can be repeated', damage))
    return { ...report.summary(now()), ...(isRefused ? { stopped: error.message } : {}) }
  }
  const how = { unitM: 0, signal: events.closed, title: upload.filename, createShoes: false, includeDeleted: true }
  const work = turns
    .take(() => importContainer(deps, container, how))
    .finally(() => disposed(deps, { dispose: container.close }, upload))
    .then(({ restore }) => restore!)
    .catch(whenFailed)
    .then((summary) => {
      const { imported, skipped, errors } = summary.statistics.workouts
      const cut = summary.stopped === undefined ? {} : { stopped: summary.stopped }
      announceDone(events, 'restore', { successful: imported, skipped, updated: 0, errors, ...cut })
      return summary
    })
  return await slowJson(work, { whenFailed })
}

interface Asked extends Omit<ContainerWork, 'title'>, Pick<Entered, 'upload'> {
  readonly isDryRun: boolean
}

/**
 * Imports a container of any kind, or the one of an earlier dry run, when its turn comes, whether or not the client is
 * still connected.
 * @throws AppError 400 without a file, for a field that is invalid, and for an upload of no known kind; 404 when the
 * upload of the dry run is gone; 413
 */
export async function importArchive(base: Deps, turns: Turns, held: Held, request: Request): Promise<Response> {
  const deps = { ...base, ...byOf(request) }
  const { maxArchiveBytes: maxBytes } = deps.config
  const asked = await entered(deps, { kind: 'bulk' }, () =>
    // two containers may be more than the disk holds
    received(deps, request, { maxBytes, begun: () => held.drop() }, (form) => askedFor(deps, held, form)),
  )
  const kind = asked.container.kind === 'archive' ? 'restore' : 'bulk'
  const work = importAsked(deps, { turns, held, ...asked }).then(
    (summary) => {
      if (!asked.isDryRun) announceDone(deps.events, kind, summary)
      return summary
    },
    refusing(deps, kind),
  )
  return await slowJson(work, { whenFailed: (error) => failedSummary(deps, asked, error) })
}

async function askedFor(deps: Deps, held: Held, form: Upload): Promise<Asked> {
  const flag = (name: string, otherwise: boolean) => sentFlag(form.fields.get(name), name, otherwise)
  const manner = {
    unitM: unitOf(deps, form),
    createShoes: flag('createShoes', true),
    includeDeleted: flag('includeDeleted', false),
    isDryRun: flag('dryRun', false),
    signal: deps.events.closed,
  }
  const [file] = form.files
  if (file !== undefined) return { ...manner, upload: await onDisk(deps, form, file) }
  const uploadId = form.fields.get('uploadId')?.trim() ?? ''
  if (uploadId === '') throw invalid('The upload has no file')
  const upload = held.take(uploadId)
  if (upload === null) throw notFound('Upload', 'uploadId')
  await form.dispose()
  return { ...manner, upload }
}

async function importAsked(
  deps: DepsBy,
  { turns, held, container, upload, isDryRun, ...manner }: Asked & Entered & { turns: Turns; held: Held },
): Promise<TakeoutSummary> {
  const work = { ...manner, title: upload.filename }
  let kept: HeldUpload | null = null
  try {
    const summary = await turns.take(() => (isDryRun ? previewContainer : importContainer)(deps, container, work))
    if (!isDryRun) return summary
    // it may have ended early
    deps.events.closed.throwIfAborted()
    const uploadId = await held.keep(upload)
    kept = upload
    return { ...summary, receiptId: null, uploadId }
  } catch (error) {
    if (error instanceof FormatError) throw refusedFile(error.message, error.problem)
    throw error instanceof ZipError ? refusedFile(error.message) : error
  } finally {
    await container.close()
    if (kept === null) await disposed(deps, upload)
  }
}

interface Entered {
  readonly upload: HeldUpload
  readonly container: Container
}

/**
 * Receives an upload and opens its container. One that is refused is told to listeners and, once it has arrived, leaves
 * a receipt.
 * @throws AppError 400 when it cannot be read, and what `receive` throws; no files remain then
 */
async function entered<T extends Pick<Entered, 'upload'>>(
  deps: DepsBy,
  { kind, only = null }: { readonly kind: ImportKind; readonly only?: Only | null },
  receive: () => Promise<T>,
): Promise<T & Entered> {
  const sent = await receive().catch(refusing(deps, kind))
  const { path, filename } = sent.upload
  try {
    return { ...sent, container: await openContainer(deps, path, { filename, only }) }
  } catch (error) {
    await disposed(deps, sent.upload)
    if (!(error instanceof Refused)) return refusing(deps, kind)(error)
    const { origin, message: reason, problem } = error
    leaveRefusal(deps, { origin, filename, reason })
    return refusing(deps, origin === 'archive' ? 'restore' : kind)(refusedFile(reason, problem))
  }
}

/** The first part that is a ZIP by content, else the first. @throws AppError 400 when there is none */
async function firstContainer({ files }: Upload): Promise<UploadedFile> {
  for (const file of files) if (await isContainer(file)) return file
  if (files[0] === undefined) throw invalid('The upload has no file')
  return files[0]
}

function unitOf({ db }: Pick<Deps, 'db'>, { fields }: Upload): number {
  return splitUnitM(sentUnits(fields.get('unitPreference')) ?? unitPreference(db))
}

function sentFlag(sent: string | undefined, name: string, otherwise: boolean): boolean {
  const word = sent?.trim() ?? ''
  if (word === '') return otherwise
  if (word !== 'true' && word !== 'false') throw invalid(`${name} must be true or false`, { field: name })
  return word === 'true'
}

function failedSummary({ log, damage }: Deps, { container }: Entered, error: unknown): TakeoutSummary {
  if (!(error instanceof AppError)) log.error('The import of an export ended early', error)
  const filename = container.kind === 'archive' ? '' : (container.kind.table?.name ?? '')
  const errorDetails = [{ filename, error: reasonOf(error, ENDED_EARLY, damage) }]
  return { ...emptySummary(container), totalProcessed: 1, errors: 1, errorDetails }
}
