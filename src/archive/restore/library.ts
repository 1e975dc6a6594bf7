import { isObject } from '../../base/json-object.ts'
import type { Tx } from '../../db/open.ts'
import type { RunDocument } from '../../library/documents/run.ts'
import { externalsOf } from '../../library/forgotten.ts'
import { freeId, isTaken, otherId } from '../../library/ids.ts'
import type { Progress } from '../../library/progress.ts'
import { BadDataFile, eachRow } from '../format/data-rows.ts'
import { checkedRow, LIBRARY_FORMAT, type LibraryRow, packedBytes, type RunRow } from '../format/library-rows.ts'
import { restoreOther, restoreSettings, restoreShoes } from './account.ts'
import { hashOf, unpackOriginal } from './files.ts'
import type { RestoreWork } from './parts.ts'
import { type FoundRun, type RestoredRecording, restoreRun } from './run.ts'

type Shoe = Extract<LibraryRow, { kind: 'shoe' }>['to']

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
  let [isBegun, runs] = [false, 0]
  const shoesDone = async () => {
    if (shoes.length > 0) await restoreShoes(work, shoes.splice(0))
  }
  for await (const value of eachRow(archive, 'library', report.warn)) {
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
        const run = foundRun(work, row)
        await restoreRun(work, run)
        progress(run.filename ?? '')
      } else if (row.kind === 'settings') {
        if (!deps.by.isAutomatic) restoreSettings(work, row.to)
      } else if (row.kind !== 'mark' || !deps.by.isAutomatic)
        restoreOther(work, { kind: row.kind, id: row.to.id, to: row.to } as Parameters<typeof restoreOther>[1])
    }
  }
  await shoesDone()
  return runs
}

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

/** A run by its row, which is counted with all its parts. */
function foundRun(work: LibraryWork, row: RunRow): FoundRun {
  const { report, parts } = work
  const { id, to, extent, recordings, media, rows } = row
  const rawFiles = recordings.filter(({ file }) => file !== null).length
  report.read('workouts')
  report.readParts({ ...rows, media: media.length, rawFiles })
  const named = recordings.map(({ fileName, words }) => fileName ?? words.name).find((name) => name !== null)
  const read: FoundRun['read'] = async () => {
    // later parts of a split have the file of the first one
    const isPart = to.track.repairs.some(({ number, undoneAt }) => number !== undefined && undoneAt === undefined)
    const files = recordings.flatMap(({ fileSha256: sha256, fileSession, isShared }) =>
      sha256 === null || isPart || isShared ? [] : [{ sha256, session: fileSession ?? 0 }],
    )
    return {
      ...{ extent, files, externals: recordings.flatMap(externalsOf) },
      // a library may have two recordings of one run, apart
      isOther: (other) => parts.storedId(other) === other,
      content: async () => {
        const ids = new Map(work.standIns)
        const restored: RestoredRecording[] = []
        let lost = 0
        for (const recording of recordings) {
          const { db } = work.deps
          const known = work.otherIds.get(recording.id) ?? knownId(db, recording.id)
          const isHere = recording.isShared && isTaken(db, 'recording', known)
          const storedId = isHere ? known : freeId(db, 'recording', recording.id)
          if (storedId !== recording.id) {
            ids.set(recording.id, storedId)
            work.otherIds.set(recording.id, storedId)
          }
          if (isHere) continue
          const one = await restoredRecording(work, recording, { id: storedId, runId: id })
          restored.push(one)
          if (recording.file !== null && one.original === null) lost += 1
        }
        return {
          to: ids.size === 0 ? to : (renamed(to, ids) as RunDocument),
          ...{ asked: row.asked, recordings: restored, weather: row.weather },
          media: media.map((one) => ({ ...one, entry: work.archive.zip.find(one.file) })),
          counts: { ...rows, rawFiles: rawFiles - lost },
        }
      },
    }
  }
  return { id, filename: named ?? to.words?.name ?? null, read }
}

/** Under which id a restore that was killed may have stored a recording whose own was taken. */
function knownId(tx: Tx, id: string): string {
  return isTaken(tx, 'recording', otherId(id)) ? otherId(id) : id
}

async function restoredRecording(
  work: LibraryWork,
  { file, isShared: _, rawData, samples, ...facts }: RunRow['recordings'][number],
  { id, runId }: { readonly id: string; readonly runId: string },
): Promise<RestoredRecording> {
  const entry = file === null ? null : work.archive.zip.find(file)
  const original = file === null ? null : await unpackOriginal(work, entry, { which: runId })
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

/** The same with other ids, wherever they stand. */
function renamed(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return ids.get(value) ?? value
  if (Array.isArray(value)) return value.map((one) => renamed(one, ids))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [ids.get(name) ?? name, renamed(one, ids)]))
}
