import type { AnalyzeOptions } from '../analysis.ts'
import { placed, valueAt } from '../gather.ts'
import { SHORTEST_REPETITION_S } from '../limits.ts'
import { heldMean } from '../run/hold.ts'
import { type PlacedLap, type Stretch, stretches } from '../run/laps.ts'
import { mergedSpans } from '../run/moving.ts'
import { type Readings, trackReadings } from '../run/readings.ts'
import type { Span, Track } from '../track.ts'
import { roundedOrNull, roundHalfUp } from '../units.ts'
import { type EffortSeries, effortSeries, standingS } from './effort-series.ts'
import { type GroupedSet, grouped } from './groups.ts'
import { type Believed, type Candidate, judged } from './judge.ts'
import { lapWork } from './lap-stretches.ts'
import { fastStretches } from './steps.ts'
import { setTitle, summaryOf } from './summary.ts'
import { OF_LAPS, type Target } from './targets.ts'

/** The easy part after a repetition. */
interface Recovery extends Stretch {
  readonly endHeartRateBpm: number | null
  /** From the end of the repetition to the end of the recovery. */
  readonly heartRateDropBpm: number | null
}

export interface Repetition extends Stretch {
  /** null in a fartlek, whose repetitions have no target. */
  readonly target: Target | null
  /** Mean heart rate of its last ten seconds. */
  readonly endHeartRateBpm: number | null
  /** null after the last repetition of the session. */
  readonly recovery: Recovery | null
}

interface IntervalSet {
  readonly kind: 'equal' | 'ladder' | 'fartlek'
  /** As "5 × 4:00" or "400-800-1200-800-400 m". */
  readonly title: string
  /** When all repetitions share one; null in ladders and fartleks. */
  readonly target: Target | null
  readonly repetitions: readonly Repetition[]
  /** Over all repetitions of the set together, seconds per km. */
  readonly paceS: number | null
  /** Mean length of the recoveries within the set, seconds. */
  readonly recoveryS: number | null
  /** Seconds per km that the pace slows from first to last, by linear regression; from three equal repetitions on. */
  readonly fadeS: number | null
}

/** The interval session that was recognised in a run; without sets when there is none. */
export interface Intervals {
  /** Whether the laps of the device, the steps of the pace or the runner gave the repetitions; null: there are none. */
  readonly source: 'laps' | 'pace' | 'runner' | null
  readonly sets: readonly IntervalSet[]
  readonly summary: ReturnType<typeof summaryOf>
}

/** The result for a run that is not an interval session. */
export const NO_INTERVALS: Intervals = { source: null, sets: [], summary: null }

/**
 * Finds the repetitions of a run: from the laps of the device where fast and slow laps alternate or are marked as work
 * and rest, else from steps of the pace. Where slopes are known, grade adjusted speed is used.
 * @param laps on the clock of the track, in order, not overlapping
 */
export function intervals(track: Track, laps: readonly PlacedLap[], elevation: AnalyzeOptions['elevation']): Intervals {
  const readings = trackReadings(track, elevation)
  const best = believedSession(track, readings, laps)
  return best === null ? NO_INTERVALS : sessionOf(track, readings, best)
}

/** The repetitions that `intervals` finds, as spans; null: the run is not an interval session. */
export function believedSession(track: Track, readings: Readings, laps: readonly PlacedLap[]): Believed | null {
  const series = effortSeries(track, readings)
  if (series === null) return null
  const stated = lapWork(series, laps).map(({ works, isStructured }): Candidate => {
    return { works, source: isStructured ? 'structure' : 'laps', isPart: false }
  })
  const seen = fastStretches(series).map((works): Candidate => ({ works, source: 'pace', isPart: false }))
  const { distanceM, heartRate } = readings
  const distanceOf = (span: Span) => metresIn(span, track.tS, distanceM!)
  const believed = [...stated, ...seen, ...seen.flatMap((candidate) => withoutStops(candidate, series))]
    .map(withoutStrides)
    .flatMap(withoutEnds)
    .flatMap((candidate) => judged(candidate, { series, distanceOf, heartRate }) ?? [])
  return believed.reduce<Believed | null>((a, b) => (a === null || b.score > a.score ? b : a), null)
}

/**
 * The repetitions that the runner gave, in sets.
 * @param given on the clock of the track, in order; what overlaps is one repetition
 */
export function givenIntervals(
  track: Track,
  given: readonly Span[],
  elevation: AnalyzeOptions['elevation'],
): Intervals {
  const readings = trackReadings(track, elevation)
  const works = mergedSpans(given).filter(({ startS, endS }) => endS - startS >= SHORTEST_REPETITION_S)
  const { distanceM } = readings
  const lengths = works.map((work) => ({
    durationS: work.endS - work.startS,
    distanceM: distanceM === null ? 0 : metresIn(work, track.tS, distanceM),
  }))
  const restsS = works.slice(1).map(({ startS }, k) => startS - works[k]!.endS)
  if (works.length === 0) return { ...NO_INTERVALS, source: 'runner' }
  return sessionOf(track, readings, { works, groups: grouped(lengths, restsS, OF_LAPS), source: 'runner' })
}

interface Session extends Pick<Believed, 'works' | 'groups'> {
  readonly source: Intervals['source']
}

function sessionOf(track: Track, readings: Readings, session: Session): Intervals {
  const { source, groups } = session
  const repetitions = repetitionsOf(track, readings, session)
  const sets = groups.sets.map((set) => intervalSet(groups.kind, set, repetitions))
  return { source, sets, summary: summaryOf(sets) }
}

/** A stop within a repetition stands for this share of it at least, and is at most this share of the usual rest. */
const [STOP_STANDING, STOP_OF_REST] = [0.7, 0.5]

/** The candidate with repetitions joined that only a stop divides, as at a traffic light; none without such a stop. */
function withoutStops(candidate: Candidate, series: EffortSeries): Candidate[] {
  const { works } = candidate
  const gaps = works.slice(1).map(({ startS }, k): Span => ({ startS: works[k]!.endS, endS: startS }))
  const lengthOf = ({ startS, endS }: Span) => endS - startS
  const usualS = gaps.map(lengthOf).toSorted((a, b) => a - b)[gaps.length >> 1] ?? 0
  const isStop = (gap: Span) =>
    lengthOf(gap) <= STOP_OF_REST * usualS && standingS(series, gap) >= STOP_STANDING * lengthOf(gap)
  const joined: Span[] = []
  for (const [k, work] of works.entries()) {
    const last = joined.at(-1)
    if (last === undefined || !isStop(gaps[k - 1]!)) joined.push(work)
    else joined.splice(-1, 1, { startS: last.startS, endS: work.endS })
  }
  return joined.length === works.length ? [] : [{ ...candidate, works: joined }]
}

/** Longer stretches before the main set are part of it, as are those that are not much shorter than it. */
const [STRIDE_S, STRIDE_SHARE] = [30, 0.6]

/** Strides before the main set belong to the warm-up. */
function withoutStrides(candidate: Candidate): Candidate {
  const { works, source } = candidate
  if (source === 'structure') return candidate
  const lengthsS = works.map(({ startS, endS }) => endS - startS)
  const first = lengthsS.findIndex((lengthS) => lengthS >= STRIDE_S)
  const mostS = STRIDE_SHARE * Math.min(...lengthsS.slice(first))
  const areStrides = lengthsS.slice(0, Math.max(first, 0)).every((lengthS) => lengthS <= mostS)
  return first > 0 && areStrides ? { ...candidate, works: works.slice(first) } : candidate
}

/** A fast start or finish is not a repetition, so the first, the last, and both are left out in turn. */
function withoutEnds(candidate: Candidate): Candidate[] {
  const { works, source } = candidate
  if (source === 'structure') return [candidate]
  const shorter = [works.slice(1), works.slice(0, -1), works.slice(1, -1)]
  return [candidate, ...shorter.map((some) => ({ works: some, source, isPart: true }))]
}

function metresIn({ startS, endS }: Span, tS: Float64Array, distanceM: Float64Array): number {
  return valueAt(distanceM, placed(tS, endS)) - valueAt(distanceM, placed(tS, startS))
}

const END_S = 10

function repetitionsOf(
  track: Track,
  readings: Readings,
  { works, groups }: Pick<Session, 'works' | 'groups'>,
): Repetition[] {
  const lastS = track.tS.at(-1) ?? 0
  const edges = works.flatMap(({ startS, endS }) => [Math.min(startS, lastS), Math.min(endS, lastS)])
  const betweenEdges = stretches(track, readings, edges)
  const atEnd = ({ startS, endS }: Span) => {
    const window = { startS: Math.max(startS, endS - END_S), endS }
    return readings.heartRate && roundedOrNull(heldMean(readings.heartRate, window))
  }
  const targets = groups.sets.flatMap(({ from, to, targets: own }): readonly (Target | null)[] => {
    return own ?? new Array<null>(to - from).fill(null)
  })
  return works.map((work, k): Repetition => {
    const endHeartRateBpm = atEnd(work)
    const rest = betweenEdges[2 * k + 1]
    const restEnd = rest === undefined ? null : atEnd({ startS: work.endS, endS: works[k + 1]!.startS })
    const heartRateDropBpm = endHeartRateBpm === null || restEnd === null ? null : endHeartRateBpm - restEnd
    return {
      ...betweenEdges[2 * k]!,
      target: targets[k] ?? null,
      endHeartRateBpm,
      recovery: rest === undefined ? null : { ...rest, endHeartRateBpm: restEnd, heartRateDropBpm },
    }
  })
}

function intervalSet(kind: IntervalSet['kind'], set: GroupedSet, all: readonly Repetition[]): IntervalSet {
  const repetitions = all.slice(set.from, set.to)
  const metres = repetitions.reduce((sum, { distanceM }) => sum + (distanceM ?? 0), 0)
  const seconds = repetitions.reduce((sum, { startElapsedS, endElapsedS }) => sum + endElapsedS - startElapsedS, 0)
  const rests = repetitions.slice(0, -1).flatMap(({ recovery }) => recovery?.durationS ?? [])
  const target = kind === 'equal' ? (set.targets?.[0] ?? null) : null
  return {
    kind,
    title: setTitle(repetitions),
    target,
    repetitions,
    paceS: metres > 0 ? roundHalfUp((1000 * seconds) / metres, 2) : null,
    recoveryS: rests.length === 0 ? null : roundHalfUp(rests.reduce((sum, restS) => sum + restS, 0) / rests.length),
    fadeS: kind === 'equal' ? fade(repetitions.flatMap(({ paceS }) => paceS ?? [])) : null,
  }
}

const FEWEST_OF_FADE = 3

/** The rise of the least-squares line through the paces from the first to the last. */
function fade(paces: readonly number[]): number | null {
  const n = paces.length
  if (n < FEWEST_OF_FADE) return null
  const middle = (n - 1) / 2
  const products = paces.reduce((sum, pace, k) => sum + (k - middle) * pace, 0)
  const squares = paces.reduce((sum, _, k) => sum + (k - middle) ** 2, 0)
  return roundHalfUp(((n - 1) * products) / squares, 1)
}
