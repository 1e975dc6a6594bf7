import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { cutText, LENGTHS, printableName } from '../../base/texts.ts'
import type { media } from '../../db/schema.ts'
import type { FileType } from '../../db/stored.ts'
import { checkedMedia, FILENAME_LENGTH, mediaFilename, placeMedia } from '../../features/media/store.ts'
import { FormatError } from '../../formats/format.ts'
import { isGzip, unpackedFile } from '../../formats/gzip.ts'
import type { UploadedFile } from '../../http/multipart.ts'
import { removeFiles } from '../../library/collect.ts'
import { filesOfMedia } from '../../library/commit.ts'
import { temporaryFile } from '../../library/files/paths.ts'
import type { ZipArchive, ZipEntry } from '../../zip/reader.ts'
import { unpacked } from '../../zip/unpack.ts'
import { ZipError } from '../../zip/zip-error.ts'
import { sha256Of } from '../format/data-rows.ts'
import { calledOf, type Row, textOf, timeOf, uuidOf } from '../format/fields.ts'
import { fileType } from '../format/workout-rows.ts'
import type { Owner } from './parts.ts'
import type { RestoreWork } from './work.ts'

/** An original, unpacked from the archive. */
export interface RawFile {
  /** Path of a temporary file. */
  readonly path: string
  readonly name: string
  /** null: unknown. */
  readonly type: FileType | null
  /** Hash of the unpacked bytes; null when they cannot be unpacked. */
  readonly sha256: string | null
}

type MediaRow = typeof media.$inferSelect

/** Largest original: an upload has at most 500 MB by default, and the original was part of one. */
const MAX_RAW_BYTES = 2 ** 30
/** Largest gzip that is unpacked; a workout file has at most 100 MiB. */
const MAX_GZIP_BYTES = 128 * 1_048_576

const PLACES = {
  raw: /^workouts\/([^/]+)\/raw\/[^/]+$/i,
  media: /^workouts\/([^/]+)\/media\/([^/]+)\/[^/]+$/i,
} as const

/** Assigns the entries of an archive to workouts by their paths; nothing else follows from names. */
export function indexEntries({ archive, parts }: RestoreWork): void {
  for (const entry of archive.zip.entries()) {
    const owner = ownerOf(entry)
    if (owner !== null) parts.addEntry(owner, entry.index)
  }
}

/** null: the entry belongs to no workout. */
export function ownerOf(entry: ZipEntry): Owner | null {
  if (entry.isFolder) return null
  for (const kind of ['raw', 'media'] as const) {
    const place = PLACES[kind].exec(entry.name)
    const workoutId = uuidOf(place?.[1])
    const id = kind === 'raw' ? '' : uuidOf(place?.[2])
    if (workoutId !== null && id !== null) return { workoutId, kind, id }
  }
  return null
}

/** The original of a workout of another program's archive; null: there is none, or it cannot be unpacked. */
export async function unpackOriginal(work: RestoreWork, id: string, row: Row): Promise<RawFile | null> {
  const { rawFileName: name, rawFileType: type, rawFileData } = row
  const places = work.parts.entries({ workoutId: id, kind: 'raw', id: '' })
  const embedded = typeof rawFileData === 'string' && rawFileData !== '' ? rawFileData : null
  return await unpackRaw(work, id, { places, name, type, embedded })
}

interface Named {
  /** Indexes in the archive's table of contents. */
  readonly places: readonly number[]
  readonly name: unknown
  readonly type: unknown
  /** Content as base64. */
  readonly embedded: string | null
}

/** @returns null when there is none; an original that cannot be read is reported alone */
async function unpackRaw(
  work: RestoreWork,
  id: string,
  { places, name, type, embedded }: Named,
): Promise<RawFile | null> {
  const { deps, report } = work
  const { zip } = work.archive
  const tmpDir = join(deps.config.dataDir, 'tmp')
  const named = textOf(name)
  let path: string | null = null
  try {
    const entry = rawEntry(zip, places, named)
    if (entry !== null) path = await unpacked(zip, entry, { tmpDir, maxBytes: MAX_RAW_BYTES })
    else if (embedded !== null) {
      report.read('rawFiles')
      path = await temporaryFile(deps.config.dataDir, Buffer.from(embedded, 'base64'))
    }
    if (path === null) {
      if (named !== null && named !== '')
        report.warn('Originals that the archive names but does not have', { which: id })
      return null
    }
    const found = rawName(named ?? '') || rawName(entry?.name ?? '') || 'original'
    return { path, name: found, type: fileType(type), sha256: await hashOf(path, found) }
  } catch (error) {
    if (path !== null) await rm(path, { force: true })
    if (!isOfEntry(error)) throw error
    report.failed('rawFiles', 'Originals that cannot be unpacked', { which: id })
    return null
  }
}

/** A photo or video of an archive. */
interface ArchivedMedia extends Pick<MediaRow, 'id' | 'caption' | 'createdAt'> {
  /** null: that of its entry. */
  readonly filename: string | null
  /** null: its file is not in the archive. */
  readonly entry: ZipEntry | null
}

/** The photos and videos of a workout by the rows of `media-metadata.json`; those without an id are reported. */
export function mediaOfRows({ deps, archive, parts, report }: RestoreWork, workoutId: string): ArchivedMedia[] {
  const found = new Map<string, ArchivedMedia>()
  for (const row of parts.rows('media', workoutId)) {
    const id = uuidOf(row.id)
    if (id === null) report.failed('media', 'Media without an id', { which: calledOf(row.filename, row.id) })
    else if (!found.has(id)) {
      const [place] = parts.entries({ workoutId, kind: 'media', id })
      const entry = place === undefined ? null : archive.zip.entryAt(place)
      const about = { filename: textOf(row.filename), caption: textOf(row.caption, LENGTHS.caption) }
      found.set(id, { id, entry, ...about, createdAt: timeOf(row.createdAt) ?? deps.now() })
    }
  }
  return [...found.values()]
}

/** Unpacks photos and videos of one workout to their final places; each refused one is reported alone. */
export async function unpackMedia(
  work: RestoreWork,
  workoutId: string,
  archived: readonly ArchivedMedia[],
): Promise<MediaRow[]> {
  const placed: MediaRow[] = []
  try {
    for (const one of archived) {
      const about = await unpackOneMedia(work, workoutId, one)
      if ('error' in about) work.report.failed('media', about.error, { which: calledOf(one.filename, one.id) })
      else placed.push(about)
    }
  } catch (error) {
    await removeFiles(work.deps, filesOfMedia(placed.map(({ id }) => id)))
    throw error
  }
  return placed
}

async function unpackOneMedia(
  { deps, archive: { zip } }: RestoreWork,
  workoutId: string,
  { id, entry, filename: named, caption, createdAt: createdAtMs }: ArchivedMedia,
): Promise<MediaRow | { readonly error: string }> {
  const { config } = deps
  if (entry === null) return { error: 'Media whose file is not in the archive' }
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
    const filename = mediaFilename(named ?? '') || mediaFilename(entry.name)
    const file: UploadedFile = { filename, size: entry.size, path, bytes: () => Bun.file(path).bytes() }
    const media = await checkedMedia(deps, file, { workoutId, id, caption, createdAtMs })
    if ('error' in media) return { error: `Media refused: ${media.error}` }
    await placeMedia(config.dataDir, id, file)
    return media
  } finally {
    await rm(path, { force: true })
  }
}

/** Unpacks the original of a recording; null with a report: it cannot be. @param path in the archive */
export async function unpackFile(
  { deps, archive: { zip }, report }: RestoreWork,
  path: string,
  which: string,
): Promise<string | null> {
  const entry = zip.find(path)
  if (entry === null) {
    report.warn('Originals that the archive names but does not have', { which })
    return null
  }
  try {
    return await unpacked(zip, entry, { tmpDir: join(deps.config.dataDir, 'tmp'), maxBytes: MAX_RAW_BYTES })
  } catch (error) {
    if (!isOfEntry(error)) throw error
    report.failed('rawFiles', 'Originals that cannot be unpacked', { which })
    return null
  }
}

/** The entry with the name that the row states; else the first. */
function rawEntry(zip: ZipArchive, places: readonly number[], named: string | null): ZipEntry | null {
  const entries = places.map((place) => zip.entryAt(place))
  const wanted = rawName(named ?? '')
  return entries.find(({ name }) => rawName(name) === wanted) ?? entries[0] ?? null
}

/** A base name without control characters, cut to length. */
function rawName(name: string): string {
  const base = name.toWellFormed().split(/[\\/]/).at(-1) ?? ''
  return cutText(printableName(base), FILENAME_LENGTH)
}

/** Hash of the unpacked content, by which the next import recognises the file (docs/api.md 7.2). */
export async function hashOf(path: string, name: string): Promise<string | null> {
  const file = Bun.file(path)
  if (!isGzip(await file.slice(0, 2).bytes())) return await sha256Of(file.stream())
  if (file.size > MAX_GZIP_BYTES) return null
  try {
    return await sha256Of([await unpackedFile(await file.bytes(), name)])
  } catch (error) {
    if (error instanceof FormatError) return null
    throw error
  }
}

/** Whether an error concerns one entry alone; any other error ends the restore. */
function isOfEntry(error: unknown): boolean {
  return error instanceof ZipError && error.scope === 'entry'
}
