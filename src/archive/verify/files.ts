import { readdir } from 'node:fs/promises'
import { mediaFilePath, mediaFolder, rawFilePath, rawFolder } from '../../library/files/paths.ts'
import { recordingsOf } from '../../library/recordings.ts'
import type { ZipArchive } from '../../zip/reader.ts'
import { ZipError } from '../../zip/zip-error.ts'
import type { ExportedLibrary } from '../export/library.ts'
import { archivedId } from '../export/recording-rows.ts'
import { dataRows, type OpenArchive } from '../format/data-rows.ts'
import { rowReader, uuidOf } from '../format/fields.ts'
import { DATA_FILES } from '../format/manifest.ts'
import { ownerOf, sha256Of } from '../restore/files.ts'
import type { Owner } from '../restore/parts.ts'
import type { Findings } from './findings.ts'

interface FilesToVerify {
  readonly archive: OpenArchive
  readonly library: ExportedLibrary
  readonly findings: Findings
}

/**
 * Compares the hashes of originals, photos and videos; every other entry that is not a data file is read as well, so that
 * a damaged one is found.
 * @returns bytes of originals and media in the archive
 */
export async function verifyFiles({ archive, library, findings }: FilesToVerify): Promise<number> {
  const { zip, manifest } = archive
  const { dataDir } = library
  const raw = findings.kind('original files', await restoredCounts(rawFolder(dataDir)))
  const photos = findings.kind('media files', await restoredCounts(mediaFolder(dataDir)))
  const dataFiles = new Set(DATA_FILES.map((kind) => manifest.paths[kind]))
  let bytes = 0
  for (const entry of zip.entries()) {
    if (entry.isFolder || dataFiles.has(entry.name)) continue
    const owner = ownerOf(entry)
    const counts = owner === null ? null : owner.kind === 'media' ? photos : raw
    if (counts !== null) counts.inArchive += 1
    bytes += counts === null ? 0 : entry.size
    const archived = await hashOrProblem(zip, entry)
    if ('problem' in archived) findings.differ(counts?.kind ?? 'other files', `${entry.name}: ${archived.problem}`)
    if ('problem' in archived || owner === null || counts === null) continue
    const path = owner.kind === 'media' ? mediaFilePath(dataDir, owner.id) : originalPath(library, owner)
    const restored = path === null ? null : await hashOf(path)
    if (restored === archived.hash) counts.equal = (counts.equal ?? 0) + 1
    else findings.differ(counts.kind, `${entry.name}: ${restored === null ? 'not restored' : 'other bytes restored'}`)
  }
  await verifyEmbedded({ archive, library, findings })
  return bytes
}

/** Originals embedded in the rows, as other programs may write them; files take precedence. */
async function verifyEmbedded({ archive, library, findings }: FilesToVerify): Promise<void> {
  const raw = findings.kinds.find(({ kind }) => kind === 'original files')
  const read = rowReader(['id', 'rawFileData'])
  const inFiles = new Set<string>()
  for (const entry of archive.zip.entries()) {
    const owner = ownerOf(entry)
    if (owner?.kind === 'raw') inFiles.add(owner.workoutId)
  }
  // rows that are left out are reported by `verifyRows`
  for await (const rows of dataRows(archive, 'workouts', () => {})) {
    for (const value of rows) {
      const row = read(value)
      const id = uuidOf(row?.id)
      if (raw === undefined || id === null || typeof row?.rawFileData !== 'string' || row.rawFileData === '') continue
      if (inFiles.has(id)) continue
      raw.inArchive += 1
      const archived = new Bun.CryptoHasher('sha256').update(Buffer.from(row.rawFileData, 'base64')).digest('hex')
      const path = originalPath(library, { workoutId: id, kind: 'raw', id: '' })
      if (path !== null && (await hashOf(path)) === archived) raw.equal = (raw.equal ?? 0) + 1
      else findings.differ(raw.kind, `rawFileData of ${id}: not restored`)
    }
  }
}

/** Path of the first original of a workout, or of that of one recording. */
function originalPath({ db, dataDir }: ExportedLibrary, { workoutId, kind, id }: Owner): string | null {
  const found = recordingsOf(db, workoutId).find((recording) => {
    return recording.storedAs !== null && (kind === 'raw' || archivedId(db, workoutId, recording.id) === id)
  })
  return found?.storedAs ? rawFilePath(dataDir, found.storedAs) : null
}

async function restoredCounts(folder: string): Promise<{ inArchive: 0; restored: number; equal: 0 }> {
  const names = await readdir(folder).catch(() => [])
  // files with a dot hold raw data of an original, not an original
  return { inArchive: 0, restored: names.filter((name) => !name.includes('.')).length, equal: 0 }
}

type Entry = Parameters<ZipArchive['read']>[0]

async function hashOrProblem(zip: ZipArchive, entry: Entry): Promise<{ hash: string } | { problem: string }> {
  try {
    return { hash: await sha256Of(zip.read(entry, { maxBytes: Number.POSITIVE_INFINITY })) }
  } catch (error) {
    if (!(error instanceof ZipError) || error.scope === 'archive') throw error
    return { problem: error.message }
  }
}

/** null: the file does not exist. */
async function hashOf(path: string): Promise<string | null> {
  const file = Bun.file(path)
  return (await file.exists()) ? await sha256Of(file.stream()) : null
}
