import type { RunType, TakeoutOrigin } from '../engine/limits.ts'
import type { Activity, ExternalId } from '../formats/format.ts'
import type { SportWord } from '../formats/sport-words.ts'
import type { UploadedFile } from '../http/multipart.ts'
import type { ZipArchive, ZipEntry } from '../zip/reader.ts'

// What the exports of services have in common: each kind recognises its own and splits it into runs; everything after
// that is the same for all.

/**
 * What an export says of a run beside its file. Its words take precedence over those of the file, except a name that
 * the service made up. For a run that is stored already they fill what is null.
 */
export interface Told {
  readonly external: ExternalId | null
  readonly name: string | null
  /** The service made the name up, such as `Berlin Running`: it counts only where the file has none. */
  readonly isAutoName?: boolean
  readonly notes: string | null
  /** 1 to 10. */
  readonly rpe: number | null
  readonly runType: RunType | null
  /** Name of the shoe. */
  readonly gear: string | null
  /** Minutes ahead of UTC; only for runs without a position. */
  readonly utcOffsetMinutes: number | null
}

/** Members of `Told` that an export does not state. */
export const NOTHING_TOLD = {
  external: null,
  name: null,
  notes: null,
  rpe: null,
  runType: null,
  gear: null,
  utcOffsetMinutes: null,
} as const satisfies Told

/** A run of a file, as far as an export needs it to find its own row of that run. */
export interface ReadRun {
  readonly startedAtMs: number
  /** Seconds; null: the file states none. */
  readonly elapsedS: number | null
  readonly timerS: number | null
  readonly distanceM: number
}

/** What an export says of the runs of a file; a function where only the parsed run shows which row is meant. */
export type Telling = Told | null | ((run: ReadRun) => Told | null)

/** One part of an export. The names of files are those in the export, with their folders. */
export type Item =
  /** A file that a format reads and that is kept as the original. A temporary file is removed once it is imported. */
  | { readonly filename: string; readonly file: Omit<UploadedFile, 'filename'>; readonly told: Telling }
  /** A run without a file, from totals; nothing is kept of it but these numbers. */
  | { readonly filename: string; readonly summary: Activity }
  | { readonly filename: string; readonly error: string }
  /** A run that is not imported, with the reason. */
  | { readonly filename: string; readonly skipped: string }
  /** An activity that is not a run. */
  | { readonly sport: SportWord }
  /** Files that are not activities, one item for all files of a folder. */
  | { readonly ignored: number; readonly folder: string; readonly reason: string }

export interface TakeoutKind {
  readonly origin: TakeoutOrigin
  /** Such as `Garmin export`. */
  readonly name: string
  /** How the refusal of an unknown upload lists it, such as `Garmin`. */
  readonly listed: string
  /** Judges by names in the table of contents, then by the first bytes of few files. */
  recognises(source: TakeoutSource): Promise<boolean> | boolean
  /** Splits the export; memory does not grow with it. Throws a FormatError for an export that has nothing to import. */
  items(source: TakeoutSource, unpacking: Unpacking): AsyncIterable<Item>
}

/** What splitting an export may ask of its surroundings. */
export interface Unpacking {
  /** Unix milliseconds. */
  readonly nowMs: number
  readonly signal: AbortSignal
  /** Notes what could not be read besides runs. */
  warn(warning: { readonly filename: string; readonly message: string }): void
}

/** An upload on disk: a ZIP that is open, or a single file. */
export interface TakeoutSource {
  /** Base name as sent. */
  readonly filename: string
  readonly path: string
  readonly size: number
  /** null: it is not a ZIP. */
  readonly zip: ZipArchive | null
  /** The first 64 KiB of the upload. */
  readonly head: Uint8Array
  readonly tmpDir: string
  /** The files of the ZIP in the order of its table of contents, without folders, unsafe names and `__MACOSX/`. */
  entries(): Iterable<ZipEntry>
  /** The file at that path, also below one or two further folders; null: there is none. */
  find(path: string): ZipEntry | null
  /** The first unpacked bytes of a file, at most so many. */
  headOf(entry: ZipEntry, bytes: number): Promise<Uint8Array>
  /**
   * Unpacks one file to a temporary one, as the `file` of an item or to be read and removed by the caller; whatever
   * remains is removed with the source.
   * @param maxBytes 100 MiB when absent
   * @throws ZipError when it cannot be read or is too large
   */
  unpacked(entry: ZipEntry, maxBytes?: number): Promise<UnpackedFile>
  /** Writes bytes that were put together, such as the parts of one run, to a file as `unpacked` does. */
  written(bytes: Uint8Array): Promise<UnpackedFile>
}

/** A temporary file. */
export interface UnpackedFile extends Omit<UploadedFile, 'filename'> {
  readonly path: string
}
