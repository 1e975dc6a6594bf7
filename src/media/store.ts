import { eq } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { media } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { isDiskFull } from '../disk-full.ts'
import { notFound } from '../errors.ts'
import type { UploadedFile } from '../http/multipart.ts'
import { workoutExists } from '../library/add-workout.ts'
import { makeMediaFolder, mediaFilePath, mediaFolder, placeBytes, placeLink, syncFile } from '../library/files/paths.ts'
import { makeRoom } from '../library/files/room.ts'
import { packMedia } from '../library/receipts/capsule.ts'
import { unnamedFiles } from '../library/receipts/kept.ts'
import { removeFiles } from '../library/receipts/purge.ts'
import { leaveReceipt, tellReceipt, touchRevision } from '../library/receipts/record.ts'
import { printableName } from '../texts.ts'
import { type MediaRow, mediaExists, mediaRow } from './queries.ts'
import { HEAD_BYTES, kindOf, MEDIA_EXTENSIONS, typeOfContent, typeOfName } from './sniff.ts'

/** Metadata of a file; an archive keeps id and time, an upload gets new ones. */
export interface NewMedia {
  readonly workoutId: string
  readonly caption: string | null
  readonly id?: string
  readonly createdAtMs?: number
}

/** Code points, including the extension. */
export const FILENAME_LENGTH = 255

type StoreDeps = Pick<Deps, 'db' | 'config' | 'log' | 'now'>

/**
 * Stores one photo or video: file first, row after it, so that a crash leaves at most an unused file.
 * @returns the row, or why the file is refused
 * @throws AppError 404 for an unknown workout, also one deleted meanwhile
 */
export async function storeMedia(
  deps: StoreDeps,
  file: UploadedFile,
  about: NewMedia,
): Promise<MediaRow | { readonly error: string }> {
  const { db, config } = deps
  const row = await checkedMedia(deps, file, about)
  if ('error' in row) return row

  const { id } = row
  let isStored = false
  try {
    await placeMedia(config.dataDir, id, file)
    isStored = db.transaction((tx) => {
      if (!workoutExists(tx, about.workoutId)) return false
      tx.insert(media).values(row).run()
      return true
    })
  } finally {
    if (!isStored) await removeUnnamedMedia(deps, [id])
  }
  if (!isStored) throw notFound('Workout')
  return row
}

/**
 * Validates a file: name, size and content must agree; the type is that of the content, and the one declared by the
 * client is ignored.
 * @returns the row for the file, or why it is refused
 */
export async function checkedMedia(
  { db, config, now }: Pick<Deps, 'db' | 'config' | 'now'>,
  file: UploadedFile,
  about: NewMedia,
): Promise<MediaRow | { readonly error: string }> {
  const filename = mediaFilename(file.filename)
  const named = typeOfName(filename)
  if (named === null) return { error: `The name must end in one of ${MEDIA_EXTENSIONS.join(', ')}` }
  if (file.size === 0) return { error: 'The file is empty' }
  const maxBytes = config.mediaMaxFileBytes
  if (file.size > maxBytes) return { error: `The file exceeds the limit of ${maxBytes} bytes` }
  const mimeType = typeOfContent(await headOf(file), file.size)
  if (mimeType === null || kindOf(mimeType) !== kindOf(named)) {
    return { error: `The content is not ${kindOf(named) === 'image' ? 'an image' : 'a video'} of a supported type` }
  }
  if (about.id !== undefined && mediaExists(db, about.id)) return { error: 'Its id belongs to another media file' }
  return {
    id: about.id ?? Bun.randomUUIDv7(),
    workoutId: about.workoutId,
    filename,
    mimeType,
    fileSizeBytes: file.size,
    caption: about.caption,
    createdAt: about.createdAtMs ?? now(),
  }
}

/** Removes files of media that were not stored, unless something in the trash needs them. */
export async function removeUnnamedMedia(deps: Pick<Deps, 'db' | 'config' | 'log'>, ids: readonly string[]) {
  const files = ids.map((name) => ({ folder: 'media', name }) as const)
  await removeFiles(deps, unnamedFiles(deps.db, files))
}

/**
 * Deletes the row first, then the file, whose removal may fail alone; the file stays when the deletion can be undone.
 * On a full disk it is deleted for good, without a receipt.
 * @param which.isForever nothing of it is kept
 * @throws AppError 404
 */
export async function deleteMedia(
  deps: Deps,
  { id: workoutId, mediaId, isForever }: { readonly id: string; readonly mediaId: string; readonly isForever: boolean },
): Promise<void> {
  const isKept = !isForever && deps.config.undoDays > 0 && deps.author !== undefined
  const removed = (tx: Tx, by: Deps, keeps: boolean): string | null => {
    const { filename } = mediaRow(tx, workoutId, mediaId)
    const capsule = keeps ? packMedia(tx, workoutId, mediaId) : null
    tx.delete(media).where(eq(media.id, mediaId)).run()
    const revision = touchRevision(tx, workoutId)
    const revisions = { beforeRevision: revision?.before ?? null, afterRevision: revision?.after ?? null }
    return leaveReceipt(tx, by, { kind: 'delete', title: `Deleted ${filename}`, workoutId }, [
      { outcome: 'deleted', workoutId, filename, capsule, ...revisions },
    ])
  }
  tellReceipt(deps, removedOrForced(deps, removed, isKept))
  await removeUnnamedMedia(deps, [mediaId])
}

function removedOrForced(
  deps: Deps,
  removed: (tx: Tx, by: Deps, keeps: boolean) => string | null,
  isKept: boolean,
): string | null {
  try {
    return deps.db.transaction((tx) => removed(tx, deps, isKept))
  } catch (error) {
    if (!isDiskFull(error)) throw error
    const { author: _, ...silent } = deps
    return makeRoom(deps, (tx) => removed(tx, silent, false))
  }
}

/** A readable base name: no path, no control characters, and shortened before its extension when too long. */
export function mediaFilename(name: string): string {
  const base = name.split(/[\\/]/).at(-1) ?? ''
  const characters = [...printableName(base.toWellFormed())]
  if (characters.length <= FILENAME_LENGTH) return characters.join('')
  const dot = characters.lastIndexOf('.')
  const extension = dot === -1 || characters.length - dot > 10 ? [] : characters.slice(dot)
  return [...characters.slice(0, FILENAME_LENGTH - extension.length), ...extension].join('')
}

async function headOf(file: UploadedFile): Promise<Uint8Array> {
  if (file.path !== null) return await Bun.file(file.path).slice(0, HEAD_BYTES).bytes()
  return (await file.bytes()).subarray(0, HEAD_BYTES)
}

/** Writes and syncs the file before a row refers to it. */
export async function placeMedia(dataDir: string, id: string, file: UploadedFile): Promise<void> {
  await makeMediaFolder(dataDir)
  const path = mediaFilePath(dataDir, id)
  if (file.path === null) return await placeBytes(dataDir, path, await file.bytes())
  await placeLink(file.path, path)
  await syncFile(path)
  await syncFile(mediaFolder(dataDir))
}
