import { type FileHandle, mkdir, open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { paced } from '../../base/pace.ts'
import type { UnpackedFile } from '../../features/media/exported.ts'
import { MAX_UNPACKED_BYTES } from '../../formats/gzip.ts'
import { HEAD_BYTES } from '../../formats/registry.ts'
import { isZip as beginsZip } from '../../http/spool.ts'
import { openZip, type ZipArchive, type ZipEntry } from '../../zip/reader.ts'
import { unpacked } from '../../zip/unpack.ts'
import { ZipError } from '../../zip/zip-error.ts'
import { databaseIn } from './databases/database.ts'
import type { FoundDatabase, TakeoutSource } from './kind.ts'

/** Largest export, unpacked (docs/api.md 1.5), and how often its entries may be read. */
const MAX_ARCHIVE_BYTES = 20 * 1024 ** 3
const READINGS = 3
/** Folders that packing an export again puts around it. */
const MOST_FOLDERS = 2

export interface OpenSource extends TakeoutSource {
  /** Closes it and removes its temporary files. */
  close(): Promise<void>
}

/**
 * Opens an upload, of which only the beginning and the table of contents are read.
 * @param from its path, or an open ZIP file, which the caller closes
 * @param isZip whether anything else is refused
 * @throws ZipError for a ZIP that cannot be read
 */
export async function openSource(
  from: string | FileHandle,
  { filename, tmpDir, isZip = false }: { readonly filename: string; readonly tmpDir: string; readonly isZip?: boolean },
): Promise<OpenSource> {
  const folder = join(tmpDir, crypto.randomUUID())
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    const { head, size } = await beginningOf(from)
    const zip = isZip || beginsZip(head) ? await openedZip(from) : null
    const written = async (bytes: Uint8Array): Promise<UnpackedFile> => {
      const path = join(folder, crypto.randomUUID())
      await Bun.write(path, bytes, { mode: 0o600 })
      return fileAt(path, bytes.length)
    }
    let database: Promise<FoundDatabase | null> | null = null
    const asked = new Set<number>()
    const source: OpenSource = {
      ...{ filename, path: typeof from === 'string' ? from : '', size, zip, head, tmpDir: folder },
      entries: () => paced(zip === null ? [] : entriesOf(zip)),
      find: async (path) => (zip === null ? null : await findIn(zip, path)),
      isFirst: ({ index }) => asked.size < asked.add(index).size,
      headOf: (entry, bytes) => neededZip(zip).head(entry, bytes),
      unpacked: async (entry, maxBytes = MAX_UNPACKED_BYTES) =>
        fileAt(await unpacked(neededZip(zip), entry, { tmpDir: folder, maxBytes }), entry.size),
      written,
      database: () => {
        database ??= databaseIn(source)
        return database
      },
      close: async () => {
        await zip?.close()
        await rm(folder, { recursive: true, force: true })
      },
    }
    return source
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

/** The files of a ZIP, without folders, unsafe names and the copies that macOS adds. */
export function* entriesOf(zip: ZipArchive): Generator<ZipEntry, void> {
  for (const entry of zip.entries()) {
    if (!entry.isFolder && entry.problem !== 'unsafe' && !/(^|\/)(__MACOSX\/|\._)/.test(entry.name)) yield entry
  }
}

async function beginningOf(from: string | FileHandle): Promise<{ readonly head: Uint8Array; readonly size: number }> {
  if (typeof from === 'string') {
    const { size } = await stat(from)
    const file = await open(from)
    try {
      return { head: await headIn(file), size }
    } finally {
      await file.close()
    }
  }
  return { head: await headIn(from), size: (await from.stat()).size }
}

async function headIn(file: FileHandle): Promise<Uint8Array> {
  const buffer = Buffer.alloc(HEAD_BYTES)
  const { bytesRead } = await file.read(buffer, 0, HEAD_BYTES, 0)
  return buffer.subarray(0, bytesRead)
}

async function openedZip(from: string | FileHandle): Promise<ZipArchive> {
  return await openZip(from, { maxUnpackedBytes: READINGS * MAX_ARCHIVE_BYTES })
}

/** An entry that unpacks to more than it declares cannot be read, so the declared sizes suffice. @throws ZipError */
export function expectReadable({ zip }: Pick<TakeoutSource, 'zip'>): void {
  if (zip === null || zip.declaredBytes <= MAX_ARCHIVE_BYTES) return
  throw new ZipError('tooLarge', 'The ZIP archive is larger than 20 GiB unpacked')
}

function neededZip(zip: ZipArchive | null): ZipArchive {
  if (zip === null) throw new RangeError('The upload is not a ZIP and has no entries')
  return zip
}

async function findIn(zip: ZipArchive, path: string): Promise<ZipEntry | null> {
  const root = zip.find(path)
  if (root !== null) return root
  const ending = `/${path}`
  for await (const entry of paced(entriesOf(zip))) {
    if (!entry.name.endsWith(ending)) continue
    const before = entry.name.slice(0, -ending.length)
    if (before.split('/').length <= MOST_FOLDERS) return entry
  }
  return null
}

function fileAt(path: string, size: number): UnpackedFile {
  return { path, size, bytes: () => Bun.file(path).bytes() }
}
