import { rm } from 'node:fs/promises'
import { AppError } from '../../base/errors.ts'
import { damageIn, isDiskFull } from '../../db/disk-full.ts'
import type { Tx } from '../../db/open.ts'
import { pretended } from '../../db/transactions.ts'
import { MAX_ROWS } from '../../engine/limits.ts'
import { removeFiles } from '../../library/collect.ts'
import {
  commitGroup,
  commitItem,
  filesOfMedia,
  insertRecording,
  type NewRecording,
  type OtherChange,
  putAsideMedia,
  writeObservation,
} from '../../library/commit.ts'
import {
  type Asked,
  documentRow,
  type RunDocument,
  recordingIds,
  withEffortTimes,
} from '../../library/documents/run.ts'
import { twinOf } from '../../library/duplicates.ts'
import type { RunFiles } from '../../library/files/paths.ts'
import type { RawData } from '../../library/files/raw-data.ts'
import { type externalsOf, firstDeleted } from '../../library/forgotten.ts'
import { workoutExists } from '../../library/ids.ts'
import { deriveJob } from '../../library/inputs.ts'
import { knownReason } from '../../library/receipts/known-reason.ts'
import { recordingsByIds } from '../../library/recordings.ts'
import { recordedWeather, weatherHour } from '../../library/run-rows.ts'
import { storeWithFiles } from '../../library/store.ts'
import { STORED_AGAIN } from '../../library/stretches.ts'
import { observedWeather } from '../../library/weather.ts'
import { ZipError } from '../../zip/zip-error.ts'
import type { RunRow } from '../format/library-rows.ts'
import { type ArchivedMedia, unpackMedia } from './files.ts'
import type { RestoreWork } from './parts.ts'

export interface FoundRun {
  readonly id: string
  /** Its name in messages. */
  readonly filename: string | null
  /** @returns null, with a report, for one that cannot be restored */
  readonly read: () => Promise<Keys | null>
}

/** By what it is known before its numbers are derived. */
interface Keys {
  readonly extent: RunRow['extent']
  readonly files: readonly { readonly sha256: string; readonly session: number }[]
  readonly externals: ReturnType<typeof externalsOf>
  /** Whether a stored run with the same extent is known to be another one. */
  readonly isOther: (id: string) => boolean
  readonly content: () => Promise<RunContent>
}

interface RunContent {
  readonly to: RunDocument
  readonly asked: Asked
  /** When its efforts are computed, Unix milliseconds; absent: the archive says all of them. */
  readonly timedAt?: number
  readonly recordings: readonly RestoredRecording[]
  readonly media: readonly ArchivedMedia[]
  readonly weather: RunRow['weather']
  /** Rows in other data files and originals, as far as they are restored. */
  readonly counts: RunRow['rows'] & { readonly rawFiles: number }
}

export interface RestoredRecording {
  readonly recording: NewRecording
  readonly original: string | null
  /** What no original gives. */
  readonly rawData: RawData | null
}

/**
 * Restores a run that is not stored yet, with all its parts: files first, then rows in one transaction. A problem with it is
 * reported and does not affect the next one.
 * @throws what concerns all runs: a full disk, damage, a ZIP that cannot be read
 */
export async function restoreRun(work: RestoreWork, run: FoundRun): Promise<void> {
  const { deps, report, receipt } = work
  const { id, filename } = run
  try {
    await restoreSound(work, run)
  } catch (error) {
    if (error instanceof AppError && error.message === STORED_AGAIN)
      return skip(work, run, { known: id, reason: STORED_AGAIN })
    // the run itself is intact: what finds no space now is restored when the restore is repeated
    const isOurs = isDiskFull(error) || damageIn(error, deps.damage) !== null || error === deps.events.closed.reason
    if (isOurs || (error instanceof ZipError && error.scope === 'archive')) throw error
    deps.log.error(`Restoring the workout ${id} failed`, error)
    report.failed('workouts', 'Workouts that could not be stored', { which: id })
    receipt?.note({ outcome: 'error', filename, reason: 'It could not be stored' })
  } finally {
    for (const path of work.originals.splice(0)) await rm(path, { force: true })
  }
}

function skip(
  { deps, receipt }: RestoreWork,
  { filename }: FoundRun,
  { known, reason }: { known: string; reason?: string },
): void {
  const said = reason ?? knownReason(deps.db, known, null)
  receipt?.note({ outcome: 'skipped', workoutId: known, filename, reason: said })
}

async function restoreSound(work: RestoreWork, run: FoundRun): Promise<void> {
  const { deps, parts, report, receipt } = work
  const { db } = deps
  const { id, filename } = run
  if (work.stored.has(id) || workoutExists(db, id)) {
    parts.addWorkout(id, id)
    return skip(work, run, { known: id })
  }
  const found = await run.read()
  if (found === null) return
  const { extent, files, externals, isOther } = found
  const twinIn = (tx: Tx) => (workoutExists(tx, id) ? id : twinOf(tx, extent, { files, isOther }))
  const twin = twinIn(db)
  parts.addWorkout(id, twin ?? id)
  if (twin !== null) return skip(work, run, { known: twin })
  const gone = deps.by.isAutomatic ? firstDeleted(db, { files, externals }) : null
  if (gone !== null) return skip(work, run, { known: id, reason: gone.reason })

  const { to, recordings, weather, counts, timedAt, media, ...content } = await found.content()
  const job = pretended(db, (tx) => {
    // its recordings are stored for as long as what the Worker needs is read
    for (const { recording } of recordings) insertRecording(tx, recording)
    return deriveJob(tx, { body: to, asked: content.asked, durationS: extent.durationS }, deps)
  })
  const derived = await deps.worker.ask('everything', job)
  const { preview, bestEfforts } = derived.analysis
  const asked = timedAt === undefined ? content.asked : withEffortTimes(content.asked, bestEfforts, timedAt)
  const photos = new Map<string, OtherChange & { kind: 'media' }>()
  let isOurs = false
  try {
    for await (const to of unpackMedia(work, id, media)) photos.set(to.id, { kind: 'media', id: to.id, to })
    isOurs = await storeWithFiles(deps, recordings.map(filesOf), (tx) => {
      // checked again within the transaction, when no other request can write
      if (twinIn(tx) !== null) return false
      for (const { recording } of recordings) insertRecording(tx, { ...recording, receiptId: receipt?.id ?? null })
      putAsideMedia(tx, deps, id, [...photos.keys()])
      for (const hour of weather) writeObservation(tx, id, hour)
      const stated = recordedWeather(recordingsByIds(tx, recordingIds(to.track)))
      const asksWeather = stated === null && observedWeather(tx, id, weatherHour(tx, to)) === null
      const from = documentRow(tx, id)?.seq ?? null
      const change = { kind: 'run' as const, id, from, to, asked, derived, asksWeather }
      commitItem(tx, deps, { changes: [change], item: { outcome: 'created', workoutId: id, filename } }, receipt)
      commitGroup(tx, deps, { changes: [...photos.values()] }, null)
      return true
    })
  } finally {
    await removeFiles(deps, filesOfMedia(isOurs ? [] : [...photos.keys()]))
  }
  if (!isOurs) return skip(work, run, { known: twinIn(db) ?? id, reason: 'It was stored in the meantime' })
  if (timedAt === undefined) work.whole.add(id)
  report.imported('workouts')
  report.imported('splits', counts.splits)
  report.imported('media', photos.size)
  report.imported('rawFiles', counts.rawFiles)
  report.imported('routes', preview === null ? 0 : Math.min(1, counts.routes))
  if (counts.timeSeries <= MAX_ROWS) report.imported('timeSeries', counts.timeSeries)
}

/** The files of a recording as they are stored: the original unchanged, raw data packed. */
function filesOf({ recording: { id, hasRaw }, original, rawData }: RestoredRecording): RunFiles {
  const bytes = new TextEncoder().encode(JSON.stringify(rawData))
  return {
    id,
    original: original === null ? null : { path: original },
    rawData: hasRaw ? Bun.zstdCompressSync(bytes, { level: 3 }) : null,
  }
}
