import { columnsWith, eastOfLimit, scalesOf, timeScale } from '../grid.ts'
import { quantise } from '../quantise.ts'
import { distanceBetweenM } from '../route/geo.ts'
import { onGrid } from '../run/crop.ts'
import { filledDistance } from '../run/distance.ts'
import { mergedSpans } from '../run/moving.ts'
import type { Column, Span, Track } from '../track.ts'
import type { Remains, RepairKind } from './kind.ts'

/** The samples are those of several runs that were joined. Reverting keeps them joined. */
export interface JoinRepair extends Pick<Remains, 'caloriesKcal'> {
  readonly kind: 'join'
}

export const JOIN: RepairKind<JoinRepair> = {
  kind: 'join',
  members: { caloriesKcal: 'kcal' },
  leavesPart: () => true,
}

/** 'pause': the gap counts as time; 'straight': the line across it also as distance; 'none': it is closed. */
export type JoinGap = 'pause' | 'straight' | 'none'

/** Parts with a gap of at most this long are joined without a seam, so that a best effort may span them. */
const CONTIGUOUS_S = 1

/**
 * Joins tracks into one, one after the other on one clock. Between two of them is a seam, unless the later begins where
 * the earlier ended. A part that begins before the one before it has ended is moved to follow it.
 * @param parts in order of time, at least one
 * @returns null when the straight line across a gap is asked for, but one of its ends has no position
 */
export function joined(parts: readonly Track[], gap: JoinGap): Track | null {
  const [first] = parts
  if (first === undefined) throw new RangeError('Nothing to join')
  const longestS = parts.reduce((sum, { tS, startMs }) => sum + (tS.at(-1) ?? 0) + (startMs - first.startMs) / 1000, 0)
  const scale = timeScale(longestS)
  const positionUnit = parts.every((part) => part.positionUnit === first.positionUnit) ? first.positionUnit : 'e7'
  const times: number[] = []
  const values = columnsWith((): number[] => [])
  const off: Span[] = []
  const seams: number[] = []
  let metres = 0
  for (const [k, part] of parts.entries()) {
    const before = parts[k - 1]
    const endS = times.at(-1) ?? 0
    const naturalS = (part.startMs - first.startMs) / 1000
    const nextS = onGrid(endS + 1 / scale, scale)
    const beginS = before === undefined ? 0 : gap === 'none' ? nextS : Math.max(nextS, onGrid(naturalS, scale))
    if (before !== undefined) {
      const gapMs = part.startMs - before.startMs - (before.tS.at(-1) ?? 0) * 1000
      const isContiguous = gapMs >= 0 && gapMs <= CONTIGUOUS_S * 1000
      if (gap === 'straight') {
        const lineM = straightM(before, part)
        if (lineM === null) return null
        metres += lineM
      } else if (!isContiguous) off.push({ startS: endS, endS: beginS })
      if (!isContiguous) seams.push(beginS)
    }
    const at = (atS: number) => onGrid(beginS + atS, scale)
    for (const atS of part.tS) times.push(at(atS))
    for (const span of part.off) off.push({ startS: at(span.startS), endS: at(span.endS) })
    for (const atS of part.seams ?? []) seams.push(at(atS))
    const distanceM = filledDistance(part.tS, part.distanceM)
    for (const name of Object.keys(values) as Column[]) {
      for (let row = 0; row < part.n; row += 1) {
        values[name].push(name === 'distanceM' ? metres + (distanceM?.[row] ?? Number.NaN) : part[name][row]!)
      }
    }
    metres += distanceM?.at(-1) ?? 0
  }
  const scales = scalesOf(positionUnit)
  const columns = columnsWith((name) => {
    const column = Float64Array.from(values[name])
    return quantise(positionUnit === 'semicircle' && name === 'lonDeg' ? column.map(eastOfLimit) : column, scales[name])
  })
  const same = <T>(of: (part: Track) => T) => (parts.every((part) => of(part) === of(first)) ? of(first) : null)
  return {
    ...columns,
    n: times.length,
    startMs: first.startMs,
    tS: Float64Array.from(times),
    off: mergedSpans(off),
    distanceSource: same(({ distanceSource }) => distanceSource) ?? 'device',
    elevationSource: same(({ elevationSource }) => elevationSource) ?? 'unknown',
    indoor: parts.every(({ indoor }) => indoor),
    positionUnit,
    ...(parts.some(({ hasEstimatedTimes }) => hasEstimatedTimes === true) ? { hasEstimatedTimes: true } : {}),
    ...(seams.length === 0 ? {} : { seams: seams.sort((a, b) => a - b) }),
  }
}

function straightM(before: Track, part: Track): number | null {
  const last = before.latDeg.findLastIndex((value) => !Number.isNaN(value))
  const next = part.latDeg.findIndex((value) => !Number.isNaN(value))
  if (last === -1 || next === -1) return null
  return distanceBetweenM(before.latDeg[last]!, before.lonDeg[last]!, part.latDeg[next]!, part.lonDeg[next]!)
}
