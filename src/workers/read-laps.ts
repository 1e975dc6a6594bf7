import type { DeviceLap } from '../engine/laps.ts'
import { unpackedFile } from '../formats/gzip.ts'
import { parseFile } from '../formats/registry.ts'
import { fileBytes } from './analyze-file.ts'

/** One run of an original. */
export interface OriginalRun {
  /** Path of the bytes as uploaded. */
  readonly path: string
  readonly filename: string
  /** Index of the run in the file. */
  readonly session: number
  /** Whether the file counted as a run whatever its sport, because a row of Strava's table said so. */
  readonly anySport: boolean
}

/**
 * The laps of a run that was stored before laps were.
 * @throws FormatError when the file can no longer be parsed
 */
export async function readLaps({ path, filename, session, anySport }: OriginalRun): Promise<readonly DeviceLap[]> {
  const bytes = await unpackedFile(await fileBytes(path), filename)
  // the date was checked at the import, so it is not checked again
  const { activities } = parseFile(bytes, { filename, anySport, nowMs: Number.POSITIVE_INFINITY })
  return activities[session]?.laps ?? []
}
