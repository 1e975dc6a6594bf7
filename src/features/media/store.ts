import { notFound } from '../../base/errors.ts'
import { printableName } from '../../base/texts.ts'
import type { UploadedFile } from '../../http/multipart.ts'
import { removeFiles } from '../../library/collect.ts'
import { commit, commitItem, discardMedia, filesOfMedia } from '../../library/commit.ts'
import type { Deps, DepsBy } from '../../library/deps.ts'
import { bodyOf } from '../../library/documents/rows.ts'
import {
  makeMediaFolder,
  mediaFilePath,
  mediaFolder,
  placeBytes,
  placeLink,
  syncFile,
} from '../../library/files/paths.ts'
import { workoutExists } from '../../library/ids.ts'
import { announceReceipt, beginReceipt, type OpenReceipt } from '../../library/receipts/record.ts'
import { type MediaRow, mediaRow } from './queries.ts'
import { HEAD_BYTES, kindOf, MEDIA_EXTENSIONS, typeOfContent, typeOfName } from './sniff.ts'

/** Metadata of a file; an archive keeps id and time, an upload gets new ones. */
interface NewMedia {
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
 * @param receipt of the work that this is a part of; absent: it leaves none
 * @returns the row, or why the file is refused
 * @throws AppError 404 for an unknown workout, also one deleted meanwhile
 */
export async function storeMedia(
  deps: StoreDeps,
  file: UploadedFile,
  about: NewMedia,
  receipt: OpenReceipt | null = null,
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
      const { workoutId, filename } = row
      const item = { outcome: 'changed', workoutId, filename } as const
      commitItem(tx, deps, { changes: [{ kind: 'media', id, to: row }], item }, receipt)
      return true
    })
  } finally {
    if (!isStored) await removeFiles(deps, filesOfMedia([id]))
  }
  if (!isStored) throw notFound('Workout')
  return row
}

/** Validates a file: name, size and content must agree; the type that the client declares is ignored. */
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
  const known = about.id === undefined ? null : bodyOf(db, 'media', about.id)
  // an archive may bring a run back that is in the trash with its photos
  if (known !== null && known.workoutId !== about.workoutId) return { error: 'Its id belongs to another media file' }
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
 * Deletes the row first, then the file, which stays when the deletion can be undone.
 * @param which.isForever nothing of it is kept
 * @throws AppError 404
 */
export async function deleteMedia(
  deps: DepsBy,
  { id: workoutId, mediaId, isForever }: { readonly id: string; readonly mediaId: string; readonly isForever: boolean },
): Promise<void> {
  const isKept = !isForever && deps.config.undoDays > 0
  announceReceipt(deps, removed(deps, { workoutId, mediaId, isKept }))
  await removeFiles(deps, filesOfMedia([mediaId]))
}

/** @returns id of the receipt */
function removed(
  deps: DepsBy,
  { workoutId, mediaId, isKept }: { readonly workoutId: string; readonly mediaId: string; readonly isKept: boolean },
): string {
  const { db, by } = deps
  const about = ({ filename }: MediaRow) => ({ kind: 'delete', title: `Deleted ${filename}`, workoutId }) as const
  const itemOf = ({ filename }: MediaRow) => ({ outcome: 'deleted', workoutId, filename }) as const
  return db.transaction((tx) => {
    const row = mediaRow(tx, workoutId, mediaId)
    if (isKept) {
      const changes = [{ kind: 'media', id: mediaId, to: null }] as const
      return commit(tx, deps, by, { receipt: about(row), groups: [{ changes, item: itemOf(row) }] })
    }
    const left = beginReceipt(tx, deps, about(row))
    discardMedia(tx, mediaId)
    left.write(tx, itemOf(row))
    left.end(tx)
    return left.id
  })
}

/** A readable base name: no path, no control characters, and shortened before its extension when too long. */
export function mediaFilename(name: string, most = FILENAME_LENGTH): string {
  const base = name.split(/[\\/]/).at(-1) ?? ''
  const characters = [...printableName(base.toWellFormed())]
  if (characters.length <= most) return characters.join('')
  const dot = characters.lastIndexOf('.')
  const extension = dot === -1 || characters.length - dot > 10 ? [] : characters.slice(dot)
  return [...characters.slice(0, most - extension.length), ...extension].join('')
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
