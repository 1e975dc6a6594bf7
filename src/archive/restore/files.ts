import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { media } from '../../db/schema.ts'
import type { FileType } from '../../db/stored.ts'
import { checkedMedia, mediaFilename, placeMedia } from '../../features/media/store.ts'
import { FormatError } from '../../formats/format.ts'
import { isGzip, unpackedFile } from '../../formats/gzip.ts'
import type { UploadedFile } from '../../http/multipart.ts'
import { temporaryFile } from '../../library/files/paths.ts'
import type { ZipEntry } from '../../zip/reader.ts'
import { unpacked } from '../../zip/unpack.ts'
import { ZipError } from '../../zip/zip-error.ts'
import { sha256Of } from '../format/data-rows.ts'
import { calledOf } from '../format/fields.ts'
import type { WorkoutRow } from '../format/run-rows.ts'
import type { RestoreWork } from './parts.ts'

export interface RawFile {
  readonly path: string
  readonly name: string
  readonly type: FileType | null
  /** Hash of the unpacked bytes; null when they cannot be unpacked. */
  readonly sha256: string | null
}

type MediaRow = typeof media.$inferSelect

/** Largest original: an upload has at most 500 MB by default, and the original was part of one. */
const MAX_RAW_BYTES = 2 ** 30
/** Largest gzip that is unpacked; a workout file has at most 100 MiB. */
const MAX_GZIP_BYTES = 128 * 1_048_576

/** The original of a workout of another program's archive; null: there is none, or it cannot be unpacked. */
export async function originalOfRow(work: RestoreWork, id: string, row: WorkoutRow): Promise<RawFile | null> {
  const { rawFileName: named, rawFileType: type, rawFileData: embedded } = row
  const wanted = mediaFilename(named ?? '')
  // the entry with the name that the row states, else the first
  const entries = [...work.parts.rows('rawFiles', id)].map(({ place }) => work.archive.zip.entryAt(place))
  const entry = entries.find(({ name }) => mediaFilename(name) === wanted) ?? entries[0] ?? null
  if (entry === null && !embedded && !named) return null
  const path = await unpackOriginal(work, entry, { which: id, embedded })
  if (path === null) return null
  const name = wanted || mediaFilename(entry?.name ?? '') || 'original'
  return { path, name, type, sha256: await hashOf(path, name) }
}

/**
 * Unpacks an original, which is removed once its run is restored.
 * @param entry null: the archive does not have it
 * @param embedded its content as base64, when there is no entry
 * @returns null, with a report: it cannot be read
 */
export async function unpackOriginal(
  { deps, archive: { zip }, report, originals }: RestoreWork,
  entry: ZipEntry | null,
  { which, embedded = null }: { readonly which: string; readonly embedded?: string | null },
): Promise<string | null> {
  const { dataDir } = deps.config
  try {
    if (entry !== null)
      originals.push(await unpacked(zip, entry, { tmpDir: join(dataDir, 'tmp'), maxBytes: MAX_RAW_BYTES }))
    else if (embedded) {
      report.read('rawFiles')
      originals.push(await temporaryFile(dataDir, Buffer.from(embedded, 'base64')))
    } else {
      report.warn('Originals that the archive names but does not have', { which })
      return null
    }
    return originals.at(-1)!
  } catch (error) {
    if (!isOfEntry(error)) throw error
    report.failed('rawFiles', 'Originals that cannot be unpacked', { which })
    return null
  }
}

export interface ArchivedMedia extends Pick<MediaRow, 'id' | 'caption' | 'createdAt'> {
  /** null: that of its entry. */
  readonly filename: string | null
  /** null: its file is not in the archive. */
  readonly entry: ZipEntry | null
}

/** The photos and videos of a workout by the rows of `media-metadata.json`; those without an id are reported. */
export function mediaOfRows({ deps, archive, parts, report }: RestoreWork, workoutId: string): ArchivedMedia[] {
  const places = new Map([...parts.rows('mediaFiles', workoutId)].reverse().map(({ id, place }) => [id, place]))
  const found = new Map<string, ArchivedMedia>()
  for (const { id, filename, caption, createdAt } of parts.rows('media', workoutId)) {
    if (id === null) report.failed('media', 'Media without an id', { which: calledOf(filename) })
    else if (!found.has(id)) {
      const place = places.get(id)
      const entry = place === undefined ? null : archive.zip.entryAt(place)
      found.set(id, { id, filename, caption, entry, createdAt: createdAt ?? deps.now() })
    }
  }
  return [...found.values()]
}

/** Unpacks photos and videos of one workout to their final places; each refused one is reported alone. */
export async function* unpackMedia(
  work: RestoreWork,
  workoutId: string,
  archived: readonly ArchivedMedia[],
): AsyncGenerator<MediaRow> {
  for (const one of archived) {
    const about = await unpackOneMedia(work, workoutId, one)
    if ('error' in about) work.report.failed('media', about.error, { which: calledOf(one.filename ?? one.id) })
    else yield about
  }
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
