import { rm } from 'node:fs/promises'
import { AppError } from '../../base/errors.ts'
import { isObject } from '../../base/json-object.ts'
import { gently } from '../../base/pace.ts'
import { damageIn, isDiskFull } from '../../db/disk-full.ts'
import type { Tx } from '../../db/open.ts'
import { pretended } from '../../db/transactions.ts'
import { insertRecording, writeObservation } from '../../library/commit.ts'
import { documentRow, type RunDocument, recordingIds } from '../../library/documents/run.ts'
import { twinOf } from '../../library/duplicates.ts'
import { externalsOf, firstDeleted } from '../../library/forgotten.ts'
import { freeId, isTaken, workoutExists } from '../../library/ids.ts'
import { deriveJob } from '../../library/inputs.ts'
import type { Progress } from '../../library/progress.ts'
import { knownReason } from '../../library/receipts/known-reason.ts'
import { recordingsByIds } from '../../library/recordings.ts'
import { recordedWeather, weatherHour } from '../../library/run-rows.ts'
import { STORED_AGAIN } from '../../library/stretches.ts'
import { observedWeather } from '../../library/weather.ts'
import type { DeriveJob } from '../../workers/derive.ts'
import { ZipError } from '../../zip/zip-error.ts'
import { BadDataFile, dataRows } from '../format/data-rows.ts'
import { checkedRow, LIBRARY_FORMAT, type LibraryRow, packedBytes, type RunRow } from '../format/library-rows.ts'
import { restoreOther, restoreSettings, restoreShoes } from './account.ts'
import { hashOf, unpackFile, unpackMedia } from './files.ts'
import { type RestoredRecording, storeRun } from './store-run.ts'
import type { RestoreWork } from './work.ts'

type Shoe = Extract<LibraryRow, { kind: 'shoe' }>['to']

/** A restore from `library.json`. */
interface LibraryWork extends RestoreWork {
  /** Ids under which recordings of the archive are stored, where these are other ones. */
  readonly otherIds: Map<string, string>
}

/**
 * Restores an archive as the library was that wrote it: its documents and recordings are committed, and the numbers
 * derived of them. A row that is not sound is refused alone.
 * @returns number of runs in it
 * @throws BadDataFile
 */
export async function restoreLibrary(restore: RestoreWork, progress: Progress): Promise<number> {
  const { deps, archive, report } = restore
  const work: LibraryWork = { ...restore, otherIds: new Map() }
  const shoes: Shoe[] = []
  let [isBegun, areShoesDone, runs] = [false, false, 0]
  const shoesDone = async () => {
    if (areShoesDone) return
    areShoesDone = true
    for (const { id } of shoes) work.parts.mark('shoe', id)
    await restoreShoes(work, shoes)
  }
  for await (const rows of dataRows(archive, 'library', report.leftOut)) {
    for (const value of rows) {
      deps.events.closed.throwIfAborted()
      if (!isBegun) {
        isBegun = true
        if (isObject(value) && value.kind === 'library' && value.format === LIBRARY_FORMAT) continue
        throw new BadDataFile(`data/library.json is not of format ${LIBRARY_FORMAT}`)
      }
      if (isObject(value) && value.kind === 'run') runs += 1
      const row = checkedRow(value)
      if ('error' in row) refuse(work, value, row)
      else if (row.kind === 'shoe') shoes.push(row.to)
      else {
        await shoesDone()
        if (row.kind === 'run') {
          await restoreRun(work, row)
          progress(calledRun(row) ?? '')
        } else if (row.kind === 'settings') {
          if (!deps.by.isAutomatic) restoreSettings(work, row.to)
        } else if (row.kind !== 'mark' || !deps.by.isAutomatic)
          restoreOther(work, { kind: row.kind, id: row.to.id, to: row.to } as Parameters<typeof restoreOther>[1])
      }
      await gently()
    }
  }
  await shoesDone()
  return runs
}

/** Names a document that is not sound. */
function refuse(
  { report, receipt, parts }: LibraryWork,
  value: unknown,
  { error, id }: { error: string; id: string | null },
) {
  const isRun = isObject(value) && value.kind === 'run'
  const which = `${id ?? 'without an id'} (${error})`
  if (!isRun) return report.warn('Documents that are not sound, skipped', { which })
  report.read('workouts')
  report.failed('workouts', 'Workouts whose document is not sound', { which })
  receipt?.note({ outcome: 'error', reason: 'Its document is not sound' })
  if (id !== null) parts.addWorkout(id, null)
}

const filesCount = ({ recordings }: RunRow) => recordings.filter(({ file }) => file !== null).length

/** Its name in messages. */
function calledRun({ to, recordings }: RunRow): string | null {
  const named = recordings.map(({ fileName, words }) => fileName ?? words.name).find((name) => name !== null)
  return named ?? to.words?.name ?? null
}

async function restoreRun(work: LibraryWork, row: RunRow): Promise<void> {
  const { deps, report, receipt } = work
  const { id, rows, media } = row
  report.read('workouts')
  report.readParts({ ...rows, media: media.length, rawFiles: filesCount(row) })
  try {
    await restoreSound(work, row)
  } catch (error) {
    if (error instanceof AppError && error.message === STORED_AGAIN)
      return skip(work, row, { known: id, reason: STORED_AGAIN })
    // the run itself is intact: what finds no space now is restored when the restore is repeated
    const isOurs = isDiskFull(error) || damageIn(error, deps.damage) !== null || error === deps.events.closed.reason
    if (isOurs || (error instanceof ZipError && error.scope === 'archive')) throw error
    deps.log.error(`Restoring the workout ${id} failed`, error)
    report.failed('workouts', 'Workouts that could not be stored', { which: id })
    receipt?.note({ outcome: 'error', filename: calledRun(row), reason: 'It could not be stored' })
  }
}

function skip(
  { deps, receipt }: LibraryWork,
  row: RunRow,
  { known, reason }: { known: string; reason?: string },
): void {
  const said = reason ?? knownReason(deps.db, known, null)
  receipt?.note({ outcome: 'skipped', workoutId: known, filename: calledRun(row), reason: said })
}

async function restoreSound(work: LibraryWork, row: RunRow): Promise<void> {
  const { deps, parts, standIns, otherIds } = work
  const { db } = deps
  const { id, asked, extent } = row
  if (workoutExists(db, id)) {
    parts.addWorkout(id, id)
    return skip(work, row, { known: id })
  }
  // later parts of a split have the file of the first one
  const isPart = row.to.track.repairs.some(({ number, undoneAt }) => number !== undefined && undoneAt === undefined)
  const files = row.recordings.flatMap(({ fileSha256: sha256, fileSession, isShared }) =>
    sha256 === null || isPart || isShared ? [] : [{ sha256, session: fileSession ?? 0 }],
  )
  // a library may have two recordings of one run, apart
  const isOther = (other: string) => parts.storedId(other) === other
  const twinIn = (tx: Tx) => (workoutExists(tx, id) ? id : twinOf(tx, extent, { files, isOther }))
  const twin = twinIn(db)
  parts.addWorkout(id, twin ?? id)
  if (twin !== null) return skip(work, row, { known: twin })
  const gone = deps.by.isAutomatic ? firstDeleted(db, { files, externals: row.recordings.flatMap(externalsOf) }) : null
  if (gone !== null) return skip(work, row, { known: id, reason: gone.reason })

  const ids = new Map(standIns)
  const fresh: RunRow['recordings'][number][] = []
  for (const recording of row.recordings) {
    const known = otherIds.get(recording.id) ?? recording.id
    if (recording.isShared && isTaken(db, 'recording', known)) ids.set(recording.id, known)
    else {
      ids.set(recording.id, freeId(db, 'recording', recording.id))
      fresh.push(recording)
    }
  }
  const to = ids.size === 0 ? row.to : (renamed(row.to, ids) as RunDocument)
  const recordings: RestoredRecording[] = []
  try {
    for (const recording of fresh)
      recordings.push(await restoredRecording(work, recording, { id: ids.get(recording.id)!, runId: id }))
    const lost = recordings.filter(({ original }, place) => fresh[place]!.file !== null && original === null).length
    const derived = await deps.worker.ask(
      'everything',
      jobOf(work, recordings, { body: to, asked, durationS: extent.durationS }),
    )
    const photos = row.media.map((one) => ({ ...one, entry: work.archive.zip.find(one.file) }))
    const isStored = await storeRun(work, {
      ...{ id, recordings, filename: calledRun(row), counts: { ...row.rows, rawFiles: filesCount(row) - lost } },
      media: await unpackMedia(work, id, photos),
      isStored: (tx) => twinIn(tx) !== null,
      change: (tx) => {
        for (const hour of row.weather) writeObservation(tx, id, hour)
        const stated = recordedWeather(recordingsByIds(tx, recordingIds(to.track)))
        const asksWeather = stated === null && observedWeather(tx, id, weatherHour(tx, to)) === null
        return { kind: 'run', id, from: documentRow(tx, id)?.seq ?? null, to, asked, derived, asksWeather }
      },
    })
    if (!isStored) return
    parts.mark('created', id)
    for (const [archived, stored] of ids) if (archived !== stored) otherIds.set(archived, stored)
  } finally {
    for (const { original } of recordings) if (original !== null) await rm(original, { force: true })
  }
}

async function restoredRecording(
  work: LibraryWork,
  { file, isShared: _, rawData, samples, ...facts }: RunRow['recordings'][number],
  { id, runId }: { readonly id: string; readonly runId: string },
): Promise<RestoredRecording> {
  const original = file === null ? null : await unpackFile(work, file, runId)
  const storedAs = original === null ? null : id
  const packed = samples && { ...packedBytes(samples), recordingId: id }
  const recording = { ...facts, id, storedAs, hasRaw: rawData !== null, samples: packed }
  if (file === null || facts.fileSha256 === null) return { recording, original, rawData }
  // no sum covers an original: of another one the raw data is not what its recording says
  const fileSha256 = original === null ? null : await hashOf(original, facts.fileName ?? '')
  const isOther = fileSha256 !== facts.fileSha256
  if (isOther) work.report.warn('Originals that are not as they were written', { which: runId })
  const ofRow = facts.rawView?.strava ? { ...facts.rawView, ofOriginal: null } : null
  return { recording: isOther ? { ...recording, fileSha256, rawView: ofRow } : recording, original, rawData }
}

/** What the Worker needs to derive a run whose recordings are not stored yet: they are for as long as it is read. */
function jobOf(
  { deps }: LibraryWork,
  recordings: readonly RestoredRecording[],
  run: Parameters<typeof deriveJob>[1],
): DeriveJob {
  return pretended(deps.db, (tx) => {
    for (const { recording } of recordings) insertRecording(tx, recording)
    return deriveJob(tx, run, deps)
  })
}

/** The same with other ids, wherever they stand. */
function renamed(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return ids.get(value) ?? value
  if (Array.isArray(value)) return value.map((one) => renamed(one, ids))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [ids.get(name) ?? name, renamed(one, ids)]))
}
