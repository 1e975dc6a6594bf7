import { eq } from 'drizzle-orm'
import { media } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { notFound } from '../errors.ts'
import type { UploadedFile } from '../http/multipart.ts'
import { workoutExists } from '../library/add-workout.ts'
import {
  makeMediaFolder,
  mediaFilePath,
  mediaFolder,
  placeBytes,
  placeLink,
  removeMediaFiles,
  syncFile,
} from '../library/files/paths.ts'
import { makeRoom } from '../library/files/room.ts'
import { printableName } from '../texts.ts'
import { type MediaRow, mediaExists, mediaRow } from './queries.ts'
import { HEAD_BYTES, kindOf, MEDIA_EXTENSIONS, typeOfContent, typeOfName } from './sniff.ts'

/** What is known of a file besides its bytes; an archive keeps id and time, an upload gets new ones. */
export interface NewMedia {
  readonly workoutId: string
  readonly caption: string | null
  readonly id?: string
  readonly createdAtMs?: number
}

/** Code points, the extension included. */
export const FILENAME_LENGTH = 255

type StoreDeps = Pick<Deps, 'db' | 'config' | 'log' | 'now'>

/**
 * One photo or video: file first, row after it, so that a crash leaves at most an unused file.
 * @returns the row, or why the file is refused
 * @throws AppError 404 for an unknown workout, also one that is deleted meanwhile
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
    isStored = db.transaction(
      (tx) => {
        if (!workoutExists(tx, about.workoutId)) return false
        tx.insert(media).values(row).run()
        return true
      },
      { behavior: 'immediate' },
    )
  } finally {
    if (!isStored) await removeMediaFiles(deps, [id])
  }
  if (!isStored) throw notFound('Workout')
  return row
}

/**
 * Name, size and content have to agree; the type is that of the content, the one the client declares counts nothing.
 * @returns the row that a file would get, or why it is refused
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

/**
 * Row first, then the file, which may fail alone.
 * @throws AppError 404
 */
export async function deleteMedia(deps: StoreDeps, workoutId: string, mediaId: string): Promise<void> {
  makeRoom(deps, (tx) => {
    mediaRow(tx, workoutId, mediaId)
    tx.delete(media).where(eq(media.id, mediaId)).run()
  })
  await removeMediaFiles(deps, [mediaId])
}

/** A base name that people read: no path, no control characters, and cut before its extension when it is too long. */
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

/** Bytes and name are on the disk before a row speaks of them. */
export async function placeMedia(dataDir: string, id: string, file: UploadedFile): Promise<void> {
  await makeMediaFolder(dataDir)
  const path = mediaFilePath(dataDir, id)
  if (file.path === null) return await placeBytes(dataDir, path, await file.bytes())
  await placeLink(file.path, path)
  await syncFile(path)
  await syncFile(mediaFolder(dataDir))
}
