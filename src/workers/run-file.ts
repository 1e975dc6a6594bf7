import type { AnalyzeOptions } from '../engine/analysis.ts'
import type { DeviceLap } from '../engine/laps.ts'
import { type Trimming, trimmedTrack } from '../engine/route/trim.ts'
import { DEFAULT_ZONES } from '../engine/run/zones.ts'
import { settleSteps } from '../engine/settle.ts'
import type { Track } from '../engine/track.ts'
import { writeFit } from '../formats/write/fit.ts'
import { gpxTexts } from '../formats/write/gpx.ts'
import { fillingLaps } from '../formats/write/laps.ts'
import type { WrittenFormat, WrittenRun } from '../formats/write/run.ts'
import { tcxTexts } from '../formats/write/tcx.ts'
import { encodedPieces } from '../formats/write/xml.ts'
import { collectGarbage } from '../garbage.ts'
import { inSteps, isLargeTrack } from './large.ts'
import { type StoredTrack, trackOf } from './stored-track.ts'
import { heldFile } from './written-file.ts'

/** Data for the file of a run, beside its samples. */
export interface RunFileOptions {
  readonly format: WrittenFormat
  /** Its start is used when there are no samples. */
  readonly run: Omit<WrittenRun, 'track' | 'laps' | 'overlapping'>
  /** Laps of the device; empty: the whole run is one lap. */
  readonly laps: readonly DeviceLap[]
  readonly elevation: AnalyzeOptions['elevation']
  /** What others may not see; null: the file is the runner's own. */
  readonly trim: Trimming | null
}

export const FILE_TASKS = {
  /** Transferred, not copied. */
  runFile: ({ stored, ...job }: RunFileOptions & { readonly stored: StoredTrack | null }) => ({
    file: heldFile(runFile(stored && trackOf(stored), job)),
  }),
}

/**
 * The bytes of a run as a file, in pieces, each written when it is asked for.
 * @throws FormatError for a run that the format cannot represent, at the latest with the first piece
 */
export function runFile(
  whole: Track | null,
  { format, run: wholeRun, laps, elevation, trim }: RunFileOptions,
): Iterable<Uint8Array<ArrayBuffer>> {
  const { track, run } =
    trim === null || whole === null
      ? { track: whole, run: wholeRun }
      : trimmedRun(whole, { run: wholeRun, elevation, trim })
  // laps state climbs, as the numbers did
  const isHidden = whole !== null && track === null
  const stated = { ...run, track, startMs: track?.startMs ?? run.startMs }
  const written = { ...stated, ...fillingLaps(stated, { laps: isHidden ? [] : laps, elevation }) }
  // what unpacking and measuring left behind would stay while the file is written
  if (isLargeTrack(track?.n ?? 0)) collectGarbage()
  switch (format) {
    case 'fit':
      return writeFit(written)
    case 'gpx':
      return encodedPieces(gpxTexts(written))
    case 'tcx':
      return encodedPieces(tcxTexts(written))
  }
}

type Trimmed = Pick<RunFileOptions, 'run' | 'elevation'> & { readonly trim: Trimming }

/** Its numbers are those of what is left, since the way to where that begins would tell how far the start is. */
function trimmedRun(whole: Track, { run, elevation, trim }: Trimmed) {
  const track = trimmedTrack(whole, trim)
  if (track === whole) return { track, run }
  if (track === null) return { track, run: { ...run, numbers: { ...run.numbers, ...NO_HEIGHTS } } }
  const recordings = [{ kind: 'file' as const, said: {}, track }]
  const options = { primary: 0, ours: { effort: false }, zones: DEFAULT_ZONES, elevation }
  const { numbers } = inSteps(settleSteps(recordings, [], options), track.n)
  return { track, run: { ...run, numbers } }
}

const NO_HEIGHTS = { elevGainM: null, elevLossM: null, minElevM: null, maxElevM: null }
