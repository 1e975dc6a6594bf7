import { columnsWith, scalesOf, timeScale } from '../grid.ts'
import { quantise } from '../quantise.ts'
import { fillEnds, onGrid, rowsWithEnds, wholeElevationSource } from '../run/crop.ts'
import { mergedSpans } from '../run/moving.ts'
import type { Column, Span, Track } from '../track.ts'
import { type RecordedStretch, type Remains, type RepairKind, withClimbLimit } from './kind.ts'

/** A stretch in the middle was removed. */
export interface CutRepair extends RecordedStretch, Remains {
  readonly kind: 'cut'
  /** true: the later part moves up against the earlier. */
  readonly closesGap: boolean
}

export const CUT: RepairKind<CutRepair> = {
  kind: 'cut',
  members: {
    fromMs: 'recordedMs',
    toMs: 'recordedMs',
    climbLimit: 'climb',
    caloriesKcal: 'kcal',
    closesGap: 'flag',
  },
  leavesPart: () => true,
  track: (track, repair, span) => withClimbLimit(cutOut(track, span(repair), repair.closesGap), repair.climbLimit),
  closedGap: (repair) => (repair.closesGap ? repair : null),
}

/** A closed gap keeps the smallest step of the track's clock, since no two rows share a time. */
export function seamS(track: Pick<Track, 'tS'>): number {
  return 1 / timeScale(track.tS.at(-1) ?? 0)
}

/**
 * Removes a stretch, with a row at either side of it, across which no distance and no climb are counted.
 * @param stretch elapsed seconds, rounded to the track's time grid and clamped to its ends
 * @param closesGap false: the time remains as a pause; true: the later part moves up to the earlier
 * @returns the same track when none of it is in the stretch
 */
export function cutOut(track: Track, stretch: Span, closesGap: boolean): Track {
  const lastS = track.tS.at(-1) ?? 0
  const scale = timeScale(lastS)
  const startS = onGrid(Math.max(0, stretch.startS), scale)
  const endS = onGrid(Math.min(lastS, stretch.endS), scale)
  if (!(endS > startS)) return track
  const rows = rowsWithEnds(track, { startS, endS })
  const ends = rows.tS.indexOf(startS)
  const begins = rows.tS.indexOf(endS)
  fillEnds(rows, track, { begins, ends })
  const missingM = rows.columns.distanceM[begins]! - rows.columns.distanceM[ends]!
  if (!Number.isNaN(missingM)) for (let i = begins; i < rows.tS.length; i += 1) rows.columns.distanceM[i]! -= missingM

  const resumesS = closesGap ? onGrid(startS + seamS(track), scale) : endS
  const moved = (atS: number) => onGrid(atS - endS + resumesS, scale)
  const n = ends + 1 + rows.tS.length - begins
  const scales = scalesOf(track.positionUnit)
  // the columns of these rows are their own, so the later part moves up within them
  const around = (name: Column) => {
    const left = rows.columns[name].copyWithin(ends + 1, begins).subarray(0, n)
    return quantise(left, scales[name], left)
  }
  const tS = rows.tS.copyWithin(ends + 1, begins).subarray(0, n)
  for (let row = ends + 1; row < n; row += 1) tS[row] = moved(tS[row]!)
  const off = track.off.flatMap((span): Span[] => [
    { startS: span.startS, endS: Math.min(span.endS, startS) },
    { startS: moved(Math.max(span.startS, endS)), endS: moved(span.endS) },
  ])
  const seams = (track.seams ?? []).filter((atS) => atS <= startS || atS > endS)
  const { climb: _, ...uncut } = track
  return {
    ...uncut,
    ...columnsWith(around),
    n,
    tS,
    off: mergedSpans([...off, { startS, endS: resumesS }]),
    elevationSource: wholeElevationSource(track),
    seams: [...seams.map((atS) => (atS > endS ? moved(atS) : atS)), resumesS].sort((a, b) => a - b),
  }
}
