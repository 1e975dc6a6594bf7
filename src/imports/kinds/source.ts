import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'
import { paced } from '../../base/pace.ts'
import { type ForeignColumns, ForeignError, type ForeignRow, type ForeignTable, openForeign } from '../../db/foreign.ts'
import type { UnpackedFile } from '../../features/media/exported.ts'
import { FormatError } from '../../formats/format.ts'
import { MAX_UNPACKED_BYTES } from '../../formats/gzip.ts'
import { HEAD_BYTES } from '../../formats/registry.ts'
import { smallZip } from '../../formats/small-zip.ts'
import { isZip as beginsZip } from '../../http/spool.ts'
import { readAt } from '../../library/files/taken.ts'
import { openZip, type ZipArchive, type ZipEntry } from '../../zip/reader.ts'
import { unpacked } from '../../zip/unpack.ts'
import { ZipError } from '../../zip/zip-error.ts'

/** Largest export, unpacked (docs/api.md 1.5), and how often its entries may be read. */
const MAX_ARCHIVE_BYTES = 20 * 1024 ** 3
const READINGS = 3
/** Folders that packing an export again puts around it. */
const MOST_FOLDERS = 2
const MOST_LOOKED_INTO = 16
/** Why a run is passed over whose file is not the first one asked for. */
export const SAME_FILE = 'An earlier row names the same file'
/** Bytes that are deflated in less time than another thread takes to begin. */
const SMALL_BYTES = 16_384
const DATABASE_NAME = /\.(?:db|sqlite3?)$/i
const DATABASE_BEGINNING = 'SQLite format 3\0'
const deflated = promisify<Uint8Array, Buffer>(deflateRaw)

/** A database of another program, on disk until the source is closed. */
interface FoundDatabase {
  readonly filename: string
  readonly path: string
  readonly tables: ReadonlySet<string>
}

/** An upload on disk: a ZIP that is open, or a single file. */
export class TakeoutSource {
  readonly #asked = new Set<number>()
  #database: Promise<FoundDatabase | null> | null = null

  private constructor(
    /** Base name as sent. */
    readonly filename: string,
    readonly path: string,
    /** null: it is not a ZIP. */
    readonly zip: ZipArchive | null,
    /** The first 64 KiB of the upload. */
    readonly head: Uint8Array,
    readonly tmpDir: string,
  ) {}

  /**
   * Opens an upload, of which only the beginning and the table of contents are read.
   * @param from its path, or an open ZIP file, which the caller closes
   * @param isZip whether anything else is refused
   * @throws ZipError for a ZIP that cannot be read
   */
  static async open(
    from: string | FileHandle,
    {
      filename,
      tmpDir,
      isZip = false,
    }: { readonly filename: string; readonly tmpDir: string; readonly isZip?: boolean },
  ): Promise<TakeoutSource> {
    const folder = join(tmpDir, crypto.randomUUID())
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const file = typeof from === 'string' ? await open(from) : from
    try {
      const head = await readAt(file, 0, HEAD_BYTES)
      const zip =
        isZip || beginsZip(head) ? await openZip(from, { maxUnpackedBytes: READINGS * MAX_ARCHIVE_BYTES }) : null
      return new TakeoutSource(filename, typeof from === 'string' ? from : '', zip, head, folder)
    } catch (error) {
      await rm(folder, { recursive: true, force: true })
      throw error
    } finally {
      if (file !== from) await file.close()
    }
  }

  /**
   * The files of the ZIP in the order of its table of contents, without folders, unsafe names and `__MACOSX/`; other
   * requests are served in between.
   */
  entries(): AsyncIterable<ZipEntry> {
    return paced(this.zip === null ? [] : entriesOf(this.zip))
  }

  /** The file at that path, also below one or two further folders; null: there is none. */
  find(path: string): ZipEntry | null {
    if (this.zip === null) return null
    const ending = `/${path}`
    const isPacked = ({ name }: ZipEntry) =>
      name.endsWith(ending) && name.slice(0, -ending.length).split('/').length <= MOST_FOLDERS
    return this.zip.find(path) ?? entriesOf(this.zip).find(isPacked) ?? null
  }

  /** The file of a path that is relative to the folder of another. */
  beside({ name }: ZipEntry, path: string): ZipEntry | null {
    return this.zip?.find(name.slice(0, name.lastIndexOf('/') + 1) + path) ?? null
  }

  /** The largest files that have such a name, the largest first: they hold the runs, whatever they are called. */
  async largest(name: RegExp): Promise<readonly ZipEntry[]> {
    const files: ZipEntry[] = []
    for await (const entry of this.entries()) if (name.test(entry.name)) files.push(entry)
    return files.toSorted((a, b) => b.size - a.size).slice(0, MOST_LOOKED_INTO)
  }

  /** Whether nothing asked for the file yet, since a small table may name one file a thousand times. */
  isFirst({ index }: ZipEntry): boolean {
    return this.#asked.size < this.#asked.add(index).size
  }

  /** The first unpacked bytes of a file; none of a damaged one. */
  async headOf(entry: ZipEntry, bytes = HEAD_BYTES): Promise<Uint8Array> {
    try {
      return await this.#zip().head(entry, bytes)
    } catch (error) {
      messageOf(error)
      return new Uint8Array(0)
    }
  }

  /**
   * Unpacks one file to a temporary one, as the `file` of an item or to be read and removed by the caller; whatever
   * remains is removed with the source.
   * @throws ZipError when it cannot be read or is too large
   */
  async unpacked(entry: ZipEntry, maxBytes = MAX_UNPACKED_BYTES, zip = this.#zip()): Promise<UnpackedFile> {
    return fileAt(await unpacked(zip, entry, { tmpDir: this.tmpDir, maxBytes }), entry.size)
  }

  /** Writes bytes that were put together to a file as `unpacked` does. */
  async written(bytes: Uint8Array): Promise<UnpackedFile> {
    const path = join(this.tmpDir, crypto.randomUUID())
    await Bun.write(path, bytes, { mode: 0o600 })
    return fileAt(path, bytes.length)
  }

  /** Packs the parts of a run to a file as `unpacked` does; large ones are deflated on another thread. */
  async packed(files: readonly { readonly name: string; readonly bytes: Uint8Array }[]): Promise<UnpackedFile> {
    const packed = []
    for (const file of files) {
      packed.push(file.bytes.length < SMALL_BYTES ? file : { ...file, packed: await deflated(file.bytes) })
    }
    return await this.written(smallZip(packed))
  }

  /**
   * The SQLite database that the upload is, or the only one in its ZIP; null: there is none.
   * @throws FormatError when it cannot be read and nothing else was sent
   */
  async database(): Promise<FoundDatabase | null> {
    this.#database ??= this.#databaseIn()
    return await this.#database
  }

  async #databaseIn(): Promise<FoundDatabase | null> {
    const { zip, head, filename, path } = this
    if (zip === null) return isDatabase(head) ? databaseAt(filename, path) : null
    const named: ZipEntry[] = []
    let files = 0
    for await (const file of this.entries()) {
      files += 1
      if (DATABASE_NAME.test(file.name)) named.push(file)
    }
    try {
      const [entry] = named
      if (entry === undefined || named.length > 1) return null
      if (!isDatabase(await zip.head(entry, DATABASE_BEGINNING.length))) return null
      return databaseAt(entry.name, (await this.unpacked(entry, MAX_ARCHIVE_BYTES)).path)
    } catch (error) {
      // among other files that may be read, a damaged database is nothing special
      const isOwn = error instanceof FormatError || (error instanceof ZipError && error.scope === 'entry')
      if (files === 1 || !isOwn) throw error
      return null
    }
  }

  async close(): Promise<void> {
    await this.zip?.close()
    await rm(this.tmpDir, { recursive: true, force: true })
  }

  #zip(): ZipArchive {
    if (this.zip === null) throw new RangeError('The upload is not a ZIP and has no entries')
    return this.zip
  }
}

/** The files of a ZIP, without folders, unsafe names and the copies that macOS adds. */
export function* entriesOf(zip: ZipArchive): Generator<ZipEntry, void> {
  for (const entry of zip.entries()) {
    if (!entry.isFolder && entry.problem !== 'unsafe' && !/(^|\/)(__MACOSX\/|\._)/.test(entry.name)) yield entry
  }
}

/** An entry that unpacks to more than it declares cannot be read, so the declared sizes suffice. @throws ZipError */
export function expectReadable({ zip }: Pick<TakeoutSource, 'zip'>): void {
  if (zip === null || zip.declaredBytes <= MAX_ARCHIVE_BYTES) return
  throw new ZipError('tooLarge', 'The ZIP archive is larger than 20 GiB unpacked')
}

/** The message of a damaged file. @throws any other error */
export function messageOf(error: unknown): string {
  if (error instanceof ZipError && (error.scope === 'entry' || error.kind !== 'tooLarge')) return error.message
  if (error instanceof FormatError) return error.message
  throw error
}

function isDatabase(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, DATABASE_BEGINNING.length)).toString('latin1') === DATABASE_BEGINNING
}

function databaseAt(filename: string, path: string): FoundDatabase {
  try {
    using database = openForeign(path)
    return { filename, path, tables: database.tables }
  } catch (error) {
    throw refusalOf(error)
  }
}

/** A foreign file's fault as that of an upload; any other error as it is. */
export function refusalOf(error: unknown): unknown {
  return error instanceof ForeignError ? new FormatError(error.message, { cause: error.cause }) : error
}

/** The rows of a table in slices, others being served between them. @throws ForeignError when it is damaged */
export async function* slicesOf<const C extends ForeignColumns>(
  table: ForeignTable | null,
  columns: C,
): AsyncGenerator<readonly ForeignRow<C>[]> {
  if (table !== null) yield* paced(table.read(columns).slices())
}

/** The item of one run, which may be damaged while others are not. */
export async function itemOrError<T>(filename: string, item: () => Promise<T>) {
  try {
    return await item()
  } catch (error) {
    if (error instanceof ForeignError) return { filename, error: error.message }
    throw error
  }
}

function fileAt(path: string, size: number): UnpackedFile {
  return { path, size, bytes: () => Bun.file(path).bytes() }
}
