import type { DeviceLap } from '../engine/laps.ts'
import { unpackedFile } from '../formats/gzip.ts'
import { parseFile } from '../formats/registry.ts'
import { fileBytes } from './analyze-file.ts'

/** One run of an original. */
export interface OriginalRun {
  /** Path of the bytes as uploaded. */
  readonly path: string
  readonly filename: string
  /** Place of the run in the file. */
  readonly session: number
  /** Any sport of the file was a run, since a row of Strava's table said so. */
  readonly anySport: boolean
}

/**
 * The laps of a run that was stored before laps were.
 * @throws FormatError when the file is no longer what it was
 */
export async function readLaps({ path, filename, session, anySport }: OriginalRun): Promise<readonly DeviceLap[]> {
  const bytes = await unpackedFile(await fileBytes(path), filename)
  // when it was read first, its date was plausible
  const { activities } = parseFile(bytes, { filename, anySport, nowMs: Number.POSITIVE_INFINITY })
  return activities[session]?.laps ?? []
}
