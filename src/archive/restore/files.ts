import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { media } from '../../db/schema.ts'
import type { Deps } from '../../deps.ts'
import { FormatError } from '../../formats/format.ts'
import { isGzip, unpackedFile } from '../../formats/gzip.ts'
import type { UploadedFile } from '../../http/multipart.ts'
import { makeRawFolder, rawFilePath, rawFolder, syncFile, temporaryFile } from '../../library/files.ts'
import { removeMediaFiles } from '../../library/media-files.ts'
import { CAPTION_LENGTH } from '../../media/schemas.ts'
import { checkedMedia, FILENAME_LENGTH, mediaFilename, placeMedia } from '../../media/store.ts'
import { cutText } from '../../texts.ts'
import type { ZipArchive, ZipEntry } from '../../zip/reader.ts'
import { unpacked } from '../../zip/unpack.ts'
import { ZipError } from '../../zip/zip-error.ts'
import { calledOf, type Row, textOf, timeOf, uuidOf } from '../format/row-fields.ts'
import type { Parts } from './parts.ts'
import type { RestoreReport } from './report.ts'
import { spooledRows } from './spool.ts'

export interface FileWork {
  readonly deps: Deps
  readonly zip: ZipArchive
  readonly parts: Parts
  readonly report: RestoreReport
}

/** The original of a workout, unpacked from the archive. */
export interface RawFile {
  /** A temporary file. */
  readonly path: string
  readonly name: string
  /** Of the unpacked bytes; null when these cannot be had. */
  readonly sha256: string | null
}

type MediaRow = typeof media.$inferInsert

/** An upload is within 500 MB by default, and the file that was uploaded is within its upload. */
const MAX_RAW_BYTES = 2 ** 30
/** What a gzip is unpacked from; a workout file is within 100 MiB. */
const MAX_GZIP_BYTES = 128 * 1_048_576

const RAW = /^workouts\/([^/]+)\/raw\/[^/]+$/i
const MEDIA = /^workouts\/([^/]+)\/media\/([^/]+)\/[^/]+$/i

/** Finds out which entries belong to which workout; names decide nothing else. */
export function indexEntries(zip: ZipArchive, parts: Parts): void {
  for (const entry of zip.entries()) {
    const owner = ownerOf(entry)
    if (owner !== null) parts.addEntry(owner.workoutId, owner.mediaId, entry.index)
  }
}

/** Which workout an entry belongs to, and which photo it is ('': the original); null: neither. */
export function ownerOf(entry: ZipEntry): { readonly workoutId: string; readonly mediaId: string } | null {
  const place = entry.isFolder ? null : (RAW.exec(entry.name) ?? MEDIA.exec(entry.name))
  const workoutId = uuidOf(place?.[1])
  const mediaId = place?.[2] === undefined ? '' : uuidOf(place[2])
  return workoutId === null || mediaId === null ? null : { workoutId, mediaId }
}

/**
 * The original out of `raw/`, else out of the row.
 * @returns null when there is none; one that cannot be read is an error of its own
 */
export async function unpackRaw(work: FileWork, id: string, row: Row): Promise<RawFile | null> {
  const { deps, zip, parts, report } = work
  const tmpDir = join(deps.config.dataDir, 'tmp')
  const named = textOf(row.rawFileName)
  let path: string | null = null
  try {
    const entry = rawEntry(zip, parts.entries(id, ''), named)
    if (entry !== null) path = await unpacked(zip, entry, { tmpDir, maxBytes: MAX_RAW_BYTES })
    else if (typeof row.rawFileData === 'string' && row.rawFileData !== '') {
      path = await temporaryFile(deps.config.dataDir, Buffer.from(row.rawFileData, 'base64'))
    }
    if (path === null) {
      if (named !== null && named !== '')
        report.warn('Originals that the archive names but does not have', { which: id })
      return null
    }
    const name = rawName(named ?? '') || rawName(entry?.name ?? '') || 'original'
    return { path, name, sha256: await hashOf(path, name) }
  } catch (error) {
    if (path !== null) await rm(path, { force: true })
    if (!isOfEntry(error)) throw error
    report.failed('rawFiles', 'Originals that cannot be unpacked', { which: id })
    return null
  }
}

/** To its final place, before the row that names it. */
export async function placeRaw(dataDir: string, id: string, { path }: RawFile): Promise<void> {
  await makeRawFolder(dataDir)
  await syncFile(path)
  await rename(path, rawFilePath(dataDir, id))
  await syncFile(rawFolder(dataDir))
}

/** Photos and videos of one workout, each in its final place; what is refused is an error of its own. */
export async function unpackMedia(work: FileWork, workoutId: string): Promise<MediaRow[]> {
  const placed: MediaRow[] = []
  try {
    for (const row of spooledRows(work.parts, 'media', workoutId)) {
      if (placed.some(({ id }) => id === uuidOf(row.id))) {
        work.report.skipped('media')
        continue
      }
      const about = await unpackOneMedia(work, workoutId, row)
      if ('error' in about) work.report.failed('media', about.error, { which: calledOf(row.filename, row.id) })
      else placed.push(about)
    }
  } catch (error) {
    await removeMediaFiles(
      work.deps,
      placed.map(({ id }) => id),
    )
    throw error
  }
  return placed
}

async function unpackOneMedia(
  { deps, zip, parts }: FileWork,
  workoutId: string,
  row: Row,
): Promise<MediaRow | { readonly error: string }> {
  const { config } = deps
  const id = uuidOf(row.id)
  if (id === null) return { error: 'Media without an id' }
  const [place] = parts.entries(workoutId, id)
  if (place === undefined) return { error: 'Media whose file is not in the archive' }
  const entry = zip.entryAt(place)
  if (entry.size > config.mediaMaxFileBytes) return { error: `Media larger than ${config.mediaMaxFileBytes} bytes` }
  let path: string
  try {
    const tmpDir = join(config.dataDir, 'tmp')
    path = await unpacked(zip, entry, { tmpDir, maxBytes: config.mediaMaxFileBytes })
  } catch (error) {
    if (!isOfEntry(error)) throw error
    return { error: 'Media that cannot be unpacked' }
  }
  try {
    const filename = mediaFilename(textOf(row.filename) ?? '') || mediaFilename(entry.name)
    const file: UploadedFile = { filename, size: entry.size, path, bytes: () => Bun.file(path).bytes() }
    const createdAtMs = timeOf(row.createdAt) ?? deps.now()
    const caption = textOf(row.caption, CAPTION_LENGTH)
    const media = await checkedMedia(deps, file, { workoutId, id, caption, createdAtMs })
    if ('error' in media) return { error: `Media refused: ${media.error}` }
    await placeMedia(config.dataDir, id, file)
    return media
  } finally {
    await rm(path, { force: true })
  }
}

/** The entry of the name that the row says; of other names the first. */
function rawEntry(zip: ZipArchive, places: readonly number[], named: string | null): ZipEntry | null {
  const entries = places.map((place) => zip.entryAt(place))
  const wanted = rawName(named ?? '')
  return entries.find(({ name }) => rawName(name) === wanted) ?? entries[0] ?? null
}

/** A base name without control characters, cut. */
function rawName(name: string): string {
  const base = name.toWellFormed().split(/[\\/]/).at(-1) ?? ''
  return cutText(base.replace(/\p{Cc}/gu, '').trim(), FILENAME_LENGTH)
}

/** What tells a file from others at the next import (CONTRACT 7.2): the hash of what it holds unpacked. */
async function hashOf(path: string, name: string): Promise<string | null> {
  const file = Bun.file(path)
  const hash = new Bun.CryptoHasher('sha256')
  const head = await file.slice(0, 2).bytes()
  if (!isGzip(head)) {
    for await (const piece of file.stream()) hash.update(piece)
    return hash.digest('hex')
  }
  if (file.size > MAX_GZIP_BYTES) return null
  try {
    return hash.update(await unpackedFile(await file.bytes(), name)).digest('hex')
  } catch (error) {
    if (error instanceof FormatError) return null
    throw error
  }
}

/** What is wrong with one entry alone; anything else ends the restore. */
function isOfEntry(error: unknown): boolean {
  return error instanceof ZipError && error.scope === 'entry'
}
