import type { AnalyzeOptions, Split } from '../engine/analysis.ts'
import { extent } from '../engine/gather.ts'
import type { Numbers } from '../engine/numbers.ts'
import { distanceBetweenM } from '../engine/route/geo.ts'
import { previewIndexes } from '../engine/route/simplify.ts'
import { type Trimming, trimmedTrack } from '../engine/route/trim.ts'
import { readingSplits } from '../engine/run/splits.ts'
import type { Track } from '../engine/track.ts'
import { roundHalfUp } from '../engine/units.ts'
import { ofTrackAlone } from './run-file.ts'
import { servedColumns } from './sample-text.ts'
import { type StoredTrack, trackOf } from './stored-track.ts'

interface SharedRunOptions {
  /** What others may not see; null: nothing is hidden. */
  readonly trim: Trimming | null
  readonly elevation: AnalyzeOptions['elevation']
  readonly splitLengthM: number
}

interface SharedPhoto {
  readonly id: string
  /** Degrees where it is on the map; null: unknown. */
  readonly lat: number | null
  readonly lon: number | null
}

export interface SharedPart {
  /** Whether something was cut. */
  readonly isTrimmed: boolean
  /** Of the part that is left, when something was cut; null: those of the run count. */
  readonly own: { readonly startMs: number; readonly numbers: Numbers } | null
  /** [longitude, latitude] in degrees; null: no positions are left. */
  readonly path: readonly (readonly [number, number])[] | null
  /** Thinned; null: no samples are left. */
  readonly columns: ReturnType<typeof columnsOf> | null
  readonly splits: readonly Split[]
}

export const SHARE_JOBS = {
  sharedRun: ({ stored, ...options }: SharedRunOptions & { readonly stored: StoredTrack | null }) =>
    sharedPart(stored && trackOf(stored), options),
  /** The photos that were taken where nothing is hidden. */
  sharedPhotos: ({ stored, trim, photos }: SharedPhotosJob) => {
    const whole = stored && trackOf(stored)
    const cut = whole && trimmedTrack(whole, trim)
    return { ids: photos.filter((photo) => isPhotoShown(photo, { trim, whole, cut })).map(({ id }) => id) }
  },
}

interface SharedPhotosJob {
  readonly stored: StoredTrack | null
  readonly trim: Trimming
  readonly photos: readonly SharedPhoto[]
}

/**
 * What others may see of a run (docs/ways.md K): all of it follows from the track that trimming leaves, so that nothing
 * tells how far it is to what is hidden.
 */
export function sharedPart(whole: Track | null, { trim, elevation, splitLengthM }: SharedRunOptions): SharedPart {
  const cut = trim === null || whole === null ? whole : trimmedTrack(whole, trim)
  const isTrimmed = cut !== whole
  if (cut === null) return { isTrimmed, own: null, path: null, columns: null, splits: [] }
  const { numbers, readings } = ofTrackAlone(cut, elevation)
  return {
    isTrimmed,
    own: isTrimmed ? { startMs: cut.startMs, numbers } : null,
    path: pathOf(cut),
    columns: columnsOf(cut, elevation),
    splits: readings === null ? [] : readingSplits(cut, readings, splitLengthM),
  }
}

/** Thinned to so many rows and points, which a screen can show. */
const MOST_ROWS = 400
const MOST_POINTS = 800

function columnsOf(track: Track, elevation: AnalyzeOptions['elevation']) {
  const names = ['distanceM', 'elevationM', 'heartRateBpm', 'paceS'] as const
  return servedColumns(track, names, { elevation, maxPoints: MOST_ROWS }).columns
}

/** Degrees to 0.1 m, less than what trimming cuts beyond its circles. */
const DECIMALS = 6

function pathOf({ latDeg, lonDeg }: Track): [number, number][] | null {
  const rows = Array.from(latDeg.keys()).filter((row) => !Number.isNaN(latDeg[row]!))
  if (rows.length < 2) return null
  const [lat, lon] = [latDeg, lonDeg].map((column) => Float64Array.from(rows, (row) => column[row]!)) as [
    Float64Array,
    Float64Array,
  ]
  return Array.from(previewIndexes(lat, lon, MOST_POINTS), (k) => [
    roundHalfUp(lon[k]!, DECIMALS),
    roundHalfUp(lat[k]!, DECIMALS),
  ])
}

/** A photo is of every place that the run passed so close to where it was taken, metres beside the closest. */
const BESIDE_M = 30

interface Cut {
  readonly trim: Trimming
  readonly whole: Track | null
  readonly cut: Track | null
}

/** Whether a photo was taken where nothing is hidden; one of a cut run whose place is unknown may be of anywhere. */
function isPhotoShown({ lat, lon }: SharedPhoto, { trim, whole, cut }: Cut): boolean {
  if (lat === null || lon === null) return cut === whole
  if (trim.circles.some((circle) => distanceBetweenM(lat, lon, circle.lat, circle.lon) <= circle.radiusM)) return false
  if (whole === null || cut === null) return cut === whole
  const distancesM = whole.latDeg.map((latDeg, row) => distanceBetweenM(lat, lon, latDeg, whole.lonDeg[row]!))
  const { least: nearestM } = extent(distancesM)
  const shownMs = new Set(Array.from(cut.tS, (atS) => Math.round(cut.startMs + 1000 * atS)))
  return distancesM.every(
    (metres, row) => !(metres <= nearestM + BESIDE_M) || shownMs.has(Math.round(whole.startMs + 1000 * whole.tS[row]!)),
  )
}
