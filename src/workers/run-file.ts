import type { AnalyzeOptions } from '../engine/analysis.ts'
import { type Combined, combine } from '../engine/combine.ts'
import type { DeviceLap } from '../engine/laps.ts'
import { type Trimming, trimmedTrack } from '../engine/route/trim.ts'
import { DEFAULT_ZONES } from '../engine/run/zones.ts'
import type { Track } from '../engine/track.ts'
import { writeFit } from '../formats/write/fit.ts'
import { gpxTexts } from '../formats/write/gpx.ts'
import { fillingLaps } from '../formats/write/laps.ts'
import type { WrittenFormat, WrittenRun } from '../formats/write/run.ts'
import { tcxTexts } from '../formats/write/tcx.ts'
import { encodedPieces } from '../formats/write/xml.ts'
import { type StoredTrack, trackOf } from './stored-track.ts'

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

export const FILE_JOBS = {
  /** Transferred, not copied; with the start and the numbers that it states. */
  runFile: ({ stored, ...job }: RunFileOptions & { readonly stored: StoredTrack | null }) => {
    const shown = shownRun(stored && trackOf(stored), job)
    return { pieces: [...written(shown, job)], startMs: startOf(shown), numbers: shown.run.numbers }
  },
}

/**
 * The bytes of a run as a file, in pieces, each written when it is asked for.
 * @throws FormatError for a run that the format cannot represent, at the latest with the first piece
 */
export function runFile(whole: Track | null, job: RunFileOptions): Iterable<Uint8Array<ArrayBuffer>> {
  return written(shownRun(whole, job), job)
}

interface Shown extends Pick<RunFileOptions, 'run' | 'laps'> {
  readonly track: Track | null
}

function startOf({ track, run }: Shown): number {
  return track?.startMs ?? run.startMs
}

function written(shown: Shown, { format, elevation }: RunFileOptions): Iterable<Uint8Array<ArrayBuffer>> {
  const { track, run, laps } = shown
  const stated = { ...run, track, startMs: startOf(shown) }
  const whole = { ...stated, ...fillingLaps(stated, { laps, elevation }) }
  switch (format) {
    case 'fit':
      return writeFit(whole)
    case 'gpx':
      return encodedPieces(gpxTexts(whole))
    case 'tcx':
      return encodedPieces(tcxTexts(whole))
  }
}

/**
 * The numbers are those of what is left, since the way to where that begins would tell how far the start is. So would laps
 * of the device: many end at every kilometre from the start. They state climbs, too.
 */
function shownRun(whole: Track | null, { run, laps, elevation, trim }: RunFileOptions): Shown {
  const track = trim === null || whole === null ? whole : trimmedTrack(whole, trim)
  if (track === whole) return { track, run, laps }
  if (track === null) return { track, run: { ...run, numbers: { ...run.numbers, ...NO_HEIGHTS } }, laps: [] }
  return { track, run: { ...run, numbers: ofTrackAlone(track, elevation).numbers }, laps: [] }
}

/** Numbers and readings of a track as if it had been recorded alone. */
export function ofTrackAlone(track: Track, elevation: AnalyzeOptions['elevation']): Combined {
  const recordings = [{ kind: 'file' as const, said: {}, track }]
  return combine(recordings, [], { primary: 0, ours: { effort: false }, zones: DEFAULT_ZONES, elevation })
}

const NO_HEIGHTS = { elevGainM: null, elevLossM: null, minElevM: null, maxElevM: null }
