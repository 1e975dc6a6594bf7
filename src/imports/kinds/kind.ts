import type { TakeoutOrigin } from '../../engine/limits.ts'
import type { MediaItem, UnpackedFile } from '../../features/media/exported.ts'
import type { Activity } from '../../formats/format.ts'
import type { Sports, SportWord } from '../../formats/sport-words.ts'
import type { StravaRow } from '../../formats/strava/rows.ts'
import type { ToldBy } from '../../library/told.ts'
import type { TakeoutSource } from './source.ts'

export { NOTHING_TOLD, type ReadRun, type Told, type ToldBy } from '../../library/told.ts'

// What the exports of services have in common: each kind recognises its own and splits it into runs; everything after
// that is the same for all.

/** One part of an export. The names of files are those in the export, with their folders. */
export type Item =
  | FileItem
  /** A run without a file, from totals; nothing is kept of it but these numbers. */
  | (ItemOfRun & { readonly summary: Activity })
  | (ItemOfRun & { readonly error: string })
  | { readonly filename: string; readonly skipped: string }
  /** An activity that is not a run, or so many of them. */
  | { readonly sport: SportWord; readonly count?: number }
  /** Files that are not activities, one item for all files of a folder. */
  | { readonly ignored: number; readonly folder: string; readonly reason: string }

export interface ItemOfRun {
  readonly filename: string
  /** The row of Strava's table, which says that it is one run, whatever sport its file states. */
  readonly row?: StravaRow
  /** Photos and videos of the run, asked for once it is stored. */
  readonly media?: () => readonly MediaItem[]
}

/** A file that a format reads and that is kept as the original. A temporary file is removed once it is imported. */
export interface FileItem extends ItemOfRun {
  readonly file: UnpackedFile
  readonly told: ToldBy
  /** Set where items of their own count the activities of other sports; a file of one is then passed over. */
  readonly isSportCounted?: boolean
}

/** How many runs a table lists, and the activities beside them. */
export interface Counted {
  readonly runs: number
  readonly sports: Sports
}

export interface TakeoutKind {
  readonly origin: TakeoutOrigin | 'strava_archive'
  /** How the refusal of an unknown upload lists it, such as `Garmin`. */
  readonly listed: string
  /** Names with their folders: a ZIP that has a file for each of these is one. */
  readonly names?: readonly RegExp[]
  /** Whether a file that begins like that is one, or makes the ZIP one that has it among its largest. */
  begins?(head: Uint8Array, filename: string): boolean
  /** The files of a ZIP whose beginnings are looked at; absent: none. */
  readonly looksInto?: RegExp
  recognises?(source: TakeoutSource): Promise<boolean>
  /**
   * Set for an export that a table lists, Strava's: its rows fill no stored runs, bring back deleted ones, and fail each
   * for itself.
   */
  readonly table?: {
    readonly name: string
    /** Reads the table to its end before anything is stored. @throws FormatError, ZipError */
    counted(source: TakeoutSource): Promise<Counted>
  }
  /** Splits the export; memory does not grow with it. Throws a FormatError for an export that has nothing to import. */
  items(source: TakeoutSource, unpacking: Unpacking): AsyncIterable<Item>
}

/** What splitting an export may ask of its surroundings. */
export interface Unpacking {
  readonly signal: AbortSignal
  /** How many runs are to come, for the progress, once that is known. */
  expect(runs: number): void
  /** Waits until the items so far are done, so that functions in `told` have been asked about all of their runs. */
  allDone(): Promise<void>
  /** Whether a run is stored that was under way in that time. */
  hasRunAt(startMs: number, endMs: number): boolean
  /**
   * Notes that the service has a shoe; a new one of which all of that name are retired becomes a retired shoe.
   * @param retiredAtMs null: it is worn; NaN: it was retired on an unknown day
   */
  shoe(name: string, retiredAtMs: number | null): void
  warn(warning: { readonly filename: string; readonly message: string }): void
}
