import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { openedArchive, restoreArchive } from '../../archive/restore/restore.ts'
import { AppError, STOPPING } from '../../base/errors.ts'
import type { ImportCounts } from '../../base/events.ts'
import { DISK_FULL } from '../../db/disk-full.ts'
import type { ReceiptOrigin } from '../../db/schema-receipts.ts'
import { FormatError } from '../../formats/format.ts'
import type { Deps, DepsBy } from '../../library/deps.ts'
import { announceDone } from '../../library/progress.ts'
import { splitUnitM, unitPreference } from '../../library/settings.ts'
import { ZipError } from '../../zip/zip-error.ts'
import { importTakeout, previewTakeout, type TakeoutWork } from './import.ts'
import type { Counted, TakeoutKind } from './kind.ts'
import { recognised } from './recognise.ts'
import type { TakeoutSummary } from './schemas.ts'
import { TakeoutSource } from './source.ts'
import { strava } from './strava.ts'
import { tallyOf } from './tally.ts'

// A container is opened as far as shows that it is whole, then imported, or looked at in a dry run.

/** The origin of the only kind that a call takes. */
export type Only = 'strava_archive' | 'archive'

export type Container = OpenExport | OpenedArchive

interface OpenExport {
  readonly kind: TakeoutKind
  readonly source: TakeoutSource
  readonly counted: Counted | undefined
  close(): Promise<void>
}

interface OpenedArchive {
  readonly kind: 'archive'
  readonly archive: Awaited<ReturnType<typeof openedArchive>>
  close(): Promise<void>
}

/** A container that cannot be read, with the origin that its receipt has. */
export class Refused extends FormatError {
  readonly origin: ReceiptOrigin

  constructor(origin: ReceiptOrigin, error: Error) {
    super(error.message, { cause: error, problem: error instanceof FormatError ? error.problem : 'unreadable' })
    this.origin = origin
  }
}

/**
 * Opens a container as far as shows that it is whole; nothing is stored yet.
 * @param from a path, or an open ZIP, which the caller closes
 * @throws Refused when it cannot be read; with problem `unknown` when it is of no known kind
 */
export async function openContainer(
  { config }: Pick<Deps, 'config'>,
  from: string | FileHandle,
  { filename, only = null }: { readonly filename: string; readonly only?: Only | null },
): Promise<Container> {
  let origin: ReceiptOrigin = only ?? 'upload'
  let source: TakeoutSource | null = null
  try {
    if (only !== 'archive') {
      source = await TakeoutSource.open(from, { filename, tmpDir: join(config.dataDir, 'tmp'), isZip: only !== null })
      const kind = only === null ? await recognised(source) : strava
      if (kind !== 'archive') {
        if (kind.table !== undefined) origin = kind.origin
        const opened = source
        const counted = await kind.table?.counted(source)
        return { kind, source, counted, close: () => opened.close() }
      }
      origin = kind
      await source.close()
      source = null
    }
    const archive = await openedArchive(from)
    return { kind: 'archive', archive, close: () => archive.close() }
  } catch (error) {
    await source?.close()
    throw isRefusal(error) ? new Refused(origin, error) : error
  }
}

function isRefusal(error: unknown): error is Error {
  if (error instanceof AppError) return error.kind !== 'unavailable'
  return error instanceof FormatError || error instanceof ZipError
}

export type ContainerWork = Omit<TakeoutWork, 'counted'>

/** Imports a container, which leaves its own receipt. @throws FormatError when an export has nothing to import */
export async function importContainer(
  deps: DepsBy,
  container: Container,
  work: ContainerWork,
): Promise<TakeoutSummary> {
  if (container.kind !== 'archive') {
    const { source, kind, counted } = container
    return await importTakeout(deps, source, kind, { ...work, counted })
  }
  const restore = await restoreArchive(deps, container.archive, work.title)
  const { imported: successful, skipped, errors } = restore.statistics.workouts
  const { receiptId, stopped } = restore
  return {
    ...emptySummary(container),
    ...{ totalProcessed: successful + skipped + errors, successful, skipped, errors, receiptId, restore },
    ...(stopped === undefined ? {} : { stopped }),
  }
}

/** What importing a container would do; of a table and an archive only what they say of themselves. */
export async function previewContainer(
  deps: DepsBy,
  container: Container,
  work: ContainerWork,
): Promise<TakeoutSummary> {
  const { kind } = container
  if (kind === 'archive') return previewOf(emptySummary(container), container.archive.manifest.workoutsCount ?? 0)
  const { source, counted } = container
  return counted === undefined
    ? await previewTakeout(deps, source, kind, work)
    : previewOf(emptySummary(container), counted.runs)
}

function previewOf(summary: TakeoutSummary, runs: number): TakeoutSummary {
  return { ...summary, preview: { firstRunAt: null, lastRunAt: null, distanceM: null, shoes: [], runs } }
}

export function emptySummary(container: Container): TakeoutSummary {
  if (container.kind === 'archive') return { ...tallyOf({ origin: 'zip' }, null).summary(0), kind: 'archive' }
  return tallyOf(container.kind, null, container.counted).summary(0)
}

export interface Arrived extends ImportCounts {
  readonly firstError: string | null
  /** Why the import ended before the last run, such as a full disk; repeated, it continues there. null: it did not. */
  readonly endedEarly: string | null
}

/**
 * Imports a container that arrives without a page to ask: shared, or in the watch folder.
 * @param from a path, or an open file, which the caller closes
 * @param work when `signal` is aborted, the import ends before its next run
 * @throws FormatError when it cannot be read; with problem `unknown` when it is of no known kind
 */
export async function takeContainer(
  deps: DepsBy,
  from: string | FileHandle,
  { title, signal = deps.events.closed }: { readonly title: string; readonly signal?: AbortSignal },
): Promise<Arrived> {
  const work = { createShoes: true, includeDeleted: false, signal, title, unitM: splitUnitM(unitPreference(deps.db)) }
  try {
    const container = await openContainer(deps, from, { filename: title })
    try {
      const summary = await importContainer(deps, container, work)
      const { restore, errorDetails } = summary
      const reasons = restore?.errors ?? errorDetails.map(({ error }) => error)
      const { successful, skipped, updated } = summary
      const errors = restore === undefined ? summary.errors : Math.max(summary.errors, reasons.length)
      announceDone(deps.events, restore === undefined ? 'bulk' : 'restore', { ...summary, errors })
      const isCut = restore === undefined && signal.aborted
      const endedEarly = isCut ? 'The service was stopped' : (reasons.find(isEnd) ?? null)
      return { successful, skipped, updated, errors, firstError: reasons[0] ?? null, endedEarly }
    } finally {
      await container.close()
    }
  } catch (error) {
    if (error instanceof FormatError && error.problem === 'unknown') {
      throw new FormatError('This ZIP is not an export that Harrier can read, and has no workout files', {
        problem: 'unknown',
      })
    }
    throw isRefusal(error) && !(error instanceof FormatError) ? new FormatError(error.message, { cause: error }) : error
  }
}

function isEnd(reason: string): boolean {
  return [DISK_FULL, STOPPING].some((start) => reason.startsWith(start)) || /ended early/.test(reason)
}
