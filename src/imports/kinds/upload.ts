import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { receiveZip } from '../../archive/received-zip.ts'
import { openedArchive, restoreArchive } from '../../archive/restore/restore.ts'
import { AppError, invalid, notFound } from '../../base/errors.ts'
import type { ImportKind } from '../../base/events.ts'
import type { Turns } from '../../base/turns.ts'
import type { ReceiptOrigin } from '../../db/schema-receipts.ts'
import { FormatError } from '../../formats/format.ts'
import { byOf } from '../../http/author.ts'
import { readUpload } from '../../http/multipart.ts'
import { slowJson } from '../../http/slow-json.ts'
import type { Deps, DepsBy } from '../../library/deps.ts'
import { temporaryFile } from '../../library/files/paths.ts'
import { announceDone, announceRefused } from '../../library/progress.ts'
import { leaveRefusal } from '../../library/receipts/record.ts'
import { splitUnitM, unitPreference } from '../../library/settings.ts'
import { ZipError } from '../../zip/zip-error.ts'
import { sentUnits } from '../files/upload.ts'
import type { Held, HeldUpload } from './held.ts'
import { importTakeout, type TakeoutWork } from './import.ts'
import { previewTakeout } from './preview.ts'
import { type Recognised, recognised } from './recognise.ts'
import type { TakeoutSummary } from './schemas.ts'
import { type OpenSource, openSource } from './source.ts'
import { strava } from './strava.ts'
import { bulkSummary, tallyOf } from './tally.ts'

interface Sent extends Omit<TakeoutWork, 'title'> {
  readonly upload: HeldUpload
  readonly isDryRun: boolean
}

/**
 * Receives an export of any service, or takes the one of an earlier dry run, and imports it when its turn comes,
 * whether or not the client is still connected.
 * @throws AppError 400 without a file, for a field that is invalid, and for an upload of no known kind; 404 when the
 * upload of the dry run is gone; 413
 */
export async function importArchive(deps: Deps, turns: Turns, held: Held, request: Request): Promise<Response> {
  const { events } = deps
  const authored = { ...deps, ...byOf(request) }
  const refusedAs = (kind: ImportKind) => (error: unknown) => {
    announceRefused(events, kind, error)
    throw error
  }
  const sent = await received(deps, held, request).catch(refusedAs('bulk'))
  const { source, what } = await opened(authored, sent.upload).catch(refusedAs('bulk'))
  const kind = what === 'archive' ? 'restore' : 'bulk'
  const work = imported(authored, { turns, held, source, what, sent }).then((summary) => {
    if (!sent.isDryRun) announceDone(events, kind, summary)
    return summary
  }, refusedAs(kind))
  return await slowJson(work, { whenFailed: (error) => failedSummary(deps, what, error) })
}

/** Reason given to listeners, since the client no longer receives the answer. */
const STOPPED = 'The client disconnected; the rest of the export was not imported'

/**
 * Receives a Strava export, which is validated before anything is stored, and imports it when its turn comes; when the
 * client disconnects, it ends before the next row.
 * @throws AppError 400 when it is not a Strava export, 413
 */
export async function importBulk(deps: Deps, turns: Turns, request: Request): Promise<Response> {
  const { events, config, log, db } = deps
  const refusedNow = (error: unknown) => {
    announceRefused(events, 'bulk', error)
    throw error
  }
  const authored = { ...deps, ...byOf(request) }
  const needs = {
    ...{ config, log, events, maxBytes: config.maxUploadBytes },
    refused: (filename: string, reason: string) =>
      leaveRefusal(authored, { origin: 'strava_archive', filename, reason }),
  }
  const open = async (path: string, fields: ReadonlyMap<string, string>) => {
    const unitM = splitUnitM(sentUnits(fields.get('unitPreference')) ?? unitPreference(db))
    const source = await openSource(path, { filename: '', tmpDir: join(config.dataDir, 'tmp'), isZip: true })
    const close = () => source.close()
    try {
      return { source, unitM, counted: await strava.table?.counted(source), close }
    } catch (error) {
      await close()
      throw error
    }
  }
  const received = await receiveZip(request, needs, open).catch(refusedNow)
  const { source, unitM, counted } = received.opened
  const { signal } = request
  const how = { unitM, signal, title: received.filename, counted, createShoes: false, includeDeleted: true }
  const work = turns
    .take(() => importTakeout(authored, source, strava, how))
    .finally(received.dispose)
    .then((summary) => {
      const isStopped = signal.aborted && summary.totalProcessed < (counted?.runs ?? 0)
      announceDone(events, 'bulk', { ...summary, ...(isStopped ? { stopped: STOPPED } : {}) })
      return bulkSummary(summary)
    }, refusedNow)
  return await slowJson(work, { whenFailed: (error) => bulkSummary(failedSummary(deps, strava, error)) })
}

interface Working {
  readonly source: OpenSource
  readonly what: Recognised
  readonly sent: Sent
}

async function imported(
  deps: DepsBy,
  { turns, held, ...working }: Working & { readonly turns: Turns; readonly held: Held },
): Promise<TakeoutSummary> {
  const { source, sent } = working
  let isKept = false
  try {
    const summary = await turns.take(() => worked(deps, working))
    if (!sent.isDryRun) return summary
    // it may have ended early
    deps.events.closed.throwIfAborted()
    const uploadId = await held.keep(sent.upload)
    isKept = true
    return { ...summary, receiptId: null, uploadId }
  } catch (error) {
    throw error instanceof FormatError || error instanceof ZipError ? invalid(error.message) : error
  } finally {
    await source.close()
    if (!isKept) await disposed(deps, sent.upload)
  }
}

/** The upload and fields of a request. */
async function received(deps: Deps, held: Held, request: Request): Promise<Sent> {
  const { db, config } = deps
  const form = await readUpload(request, {
    ...{ maxBytes: config.maxArchiveBytes, tmpDir: join(config.dataDir, 'tmp'), signal: deps.events.closed },
    // two exports may be more than the disk holds
    begun: () => held.drop(),
  })
  try {
    const { fields } = form
    const flag = (name: string, otherwise: boolean) => sentFlag(fields.get(name), name, otherwise)
    const units = sentUnits(fields.get('unitPreference'))
    const manner = {
      unitM: splitUnitM(units ?? unitPreference(db)),
      createShoes: flag('createShoes', true),
      includeDeleted: flag('includeDeleted', false),
      isDryRun: flag('dryRun', false),
      signal: deps.events.closed,
    }
    const [file] = form.files
    const uploadId = fields.get('uploadId')?.trim() ?? ''
    if (file === undefined && uploadId !== '') {
      const upload = held.take(uploadId)
      if (upload === null) throw notFound('Upload')
      await form.dispose()
      return { ...manner, upload }
    }
    if (file === undefined) throw invalid('The upload has no file')
    const path = file.path ?? (await temporaryFile(config.dataDir, await file.bytes()))
    const dispose = async () => {
      await form.dispose()
      await rm(path, { force: true })
    }
    return { ...manner, upload: { path, filename: file.filename, dispose } }
  } catch (error) {
    await form.dispose()
    throw error
  }
}

function sentFlag(sent: string | undefined, name: string, otherwise: boolean): boolean {
  const word = sent?.trim() ?? ''
  if (word === '') return otherwise
  if (word !== 'true' && word !== 'false') throw invalid(`${name} must be true or false`)
  return word === 'true'
}

/** Opens and recognises an upload; one that is refused leaves a receipt and is removed. @throws AppError 400 */
async function opened(
  deps: DepsBy,
  upload: HeldUpload,
): Promise<{ readonly source: OpenSource; readonly what: Recognised }> {
  const { filename } = upload
  let source: OpenSource | null = null
  try {
    source = await openSource(upload.path, { filename, tmpDir: join(deps.config.dataDir, 'tmp') })
    return { source, what: await recognised(source) }
  } catch (error) {
    await source?.close()
    await disposed(deps, upload)
    if (!(error instanceof ZipError || error instanceof FormatError)) throw error
    leaveRefusal(deps, { origin: 'upload', filename, reason: error.message })
    throw invalid(error.message)
  }
}

async function worked(deps: DepsBy, { source, what, sent }: Working): Promise<TakeoutSummary> {
  const { upload, isDryRun, ...manner } = sent
  if (what === 'archive') return await restored(deps, upload, isDryRun)
  const counted = await what.table?.counted(source).catch(refused(deps, what.origin, upload.filename))
  if (isDryRun && counted !== undefined) {
    return { ...tallyOf(what, null, counted).summary(0), preview: { ...NO_PREVIEW, runs: counted.runs } }
  }
  const work = { ...manner, title: upload.filename, counted }
  return isDryRun ? await previewTakeout(deps, source, what, work) : await importTakeout(deps, source, what, work)
}

async function restored(deps: DepsBy, { path, filename }: HeldUpload, isDryRun: boolean): Promise<TakeoutSummary> {
  const none = emptySummary('archive')
  const archive = await openedArchive(path).catch(refused(deps, 'archive', filename))
  try {
    const runs = archive.manifest.workoutsCount ?? 0
    if (isDryRun) return { ...none, preview: { ...NO_PREVIEW, runs } }
    const restore = await restoreArchive(deps, archive, filename)
    const { imported: successful, skipped, errors } = restore.statistics.workouts
    const totalProcessed = successful + skipped + errors
    const { receiptId, stopped } = restore
    const cut = stopped === undefined ? {} : { stopped }
    return { ...none, totalProcessed, successful, skipped, errors, receiptId, restore, ...cut }
  } finally {
    await archive.close()
  }
}

/** Notes that an archive was refused, and passes the refusal on. */
function refused(deps: DepsBy, origin: ReceiptOrigin, filename: string) {
  return (error: unknown): never => {
    const isRefusal = error instanceof FormatError || error instanceof ZipError || error instanceof AppError
    if (isRefusal) leaveRefusal(deps, { origin, filename, reason: error.message })
    throw error
  }
}

const NO_PREVIEW = { firstRunAt: null, lastRunAt: null, distanceM: null, shoes: [] }

function emptySummary(kind: TakeoutSummary['kind']): TakeoutSummary {
  return { ...tallyOf({ origin: 'zip' }, null).summary(0), kind }
}

/** The summary when the work failed after the answer had begun. */
function failedSummary({ log }: Deps, what: Recognised, error: unknown): TakeoutSummary {
  if (!(error instanceof AppError)) log.error('The import of an export ended early', error)
  const message = error instanceof AppError ? error.message : 'The import ended early because of an unexpected error'
  const kind = what === 'archive' ? 'archive' : what.origin
  return { ...emptySummary(kind), totalProcessed: 1, errors: 1, errorDetails: [{ filename: '', error: message }] }
}

async function disposed({ log }: Pick<Deps, 'log'>, upload: HeldUpload): Promise<void> {
  await upload.dispose().catch((error: unknown) => log.error('An upload could not be removed', error))
}
