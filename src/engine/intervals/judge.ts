import { type HeldSeries, heldMean } from '../run/hold.ts'
import type { Span } from '../track.ts'
import { type EffortSeries, meanMps, outsideOf, standingS, WALKING_MPS } from './effort-series.ts'
import { type Grouped, grouped } from './groups.ts'
import { isRound, type Length, medianOf, OF_LAPS, OF_PACE } from './targets.ts'

/** Stretches of a run that may be the repetitions of a session. */
export interface Candidate {
  readonly works: readonly Span[]
  readonly source: 'structure' | 'laps' | 'pace'
  /** The first or last stretch was left out; the rest is then accepted only as equal repetitions. */
  readonly isPart: boolean
}

/** Repetitions that were accepted, with a score of how clear they are: the candidate with the greatest score wins. */
export interface Believed {
  readonly works: readonly Span[]
  readonly source: 'laps' | 'pace'
  readonly groups: Grouped
  readonly score: number
}

const SHORTEST_S = 20
const SHORTEST_M = 80
const SHORTEST_REST_S = 10
/** Least ratio of the speeds of a repetition and its rests: the pace of a steady run varies by less. */
const LEAST_CONTRAST = 1.1
/** As `LEAST_CONTRAST`, where the watch marked work and rest. */
const MARKED_CONTRAST = 1.05
/** Least median contrast over the session. Less certain kinds need more. */
const CONTRAST = { equal: 1.12, ladder: 1.15, fartlek: 1.18 } as const
const SILENT_CONTRAST = 0.07
/** Most spread of the speeds of the repetitions of one session, as a share. */
const SPEED_SPREAD = { equal: 0.12, ladder: 0.15, fartlek: 0.2 } as const
const SET_SPREAD = 0.25
/** Most variation of the pace within repetitions, by source: more is a slope or bad GPS reception. */
const UNSTEADY = { pace: 0.07, laps: 0.2 } as const
/** Least share of the speed change within 20 s of an end: a runner changes at once, a slope gradually. */
const SHARPNESS = 0.65
/** A rest is at most this many times as long as the work, or `LONGEST_REST_S`; a few between sets may be longer. */
const LONGEST_REST = 5
const LONGEST_REST_S = 150
const LONGEST_SET_REST_S = 600
/** A rest is at least this share of the work: someone who walks through feeding stations runs no repetitions. */
const LEAST_REST = 0.1
/** Shorter ones are not told from noise. */
const SHORTEST_STOP_S = 5
const FEWEST = 2
const MOST_REPETITIONS = 100
const FEWEST_OF_FARTLEK = 4
/** Of a fartlek that the watch marked. */
const FEWEST_TOLD_FARTLEK = 3
/** Two alone are repetitions from this length on, with an easy run of such a length between them. */
const LONG_PAIR_S = 480
const LONG_PAIR_REST_S = { least: 60, most: 360 } as const
/** Least median contrast of a pair of long repetitions, and of a ladder of three. */
const FEW_CONTRAST = 1.2
/** Over-unders: rests at least this many times as fast as the run before and after, and least contrasts of one and of all. */
const FLOAT_CONTRAST = 1.08
const FLOAT = { each: 1.04, median: 1.08 } as const
const FEWEST_OVERS = 4
const EQUAL_REST_S = 15
/** Running before and after the session must be slower than the repetitions, where it lasts at least this long. */
const LEAST_OUTSIDE_S = 240
const OUTSIDE_CONTRAST = 1.08
/** Least drop of heart rate in a rest, bpm, without round targets and a slower run around them. */
const LEAST_DROP_BPM = 3

/** @returns null for stretches that are not an interval session */
export function judged(candidate: Candidate, { series, distanceOf, heartRate }: Judging): Believed | null {
  const { works, source } = candidate
  if (works.length < FEWEST || works.length > MOST_REPETITIONS) return null
  // a stop within a repetition is no part of its length, unless the watch says how long that was
  const stopsS = works.map((work) => (source === 'pace' ? stopS(series, work) : 0))
  const lengths = works.map((work, k): Length => {
    return { durationS: work.endS - work.startS - stopsS[k]!, distanceM: distanceOf(work) }
  })
  if (lengths.some(({ durationS, distanceM }) => durationS < SHORTEST_S || distanceM < SHORTEST_M)) return null
  const rests = works.slice(1).map(({ startS }, k): Span => ({ startS: works[k]!.endS, endS: startS }))
  const restsS = rests.map(({ startS, endS }) => endS - startS)
  if (restsS.some((restS) => restS < SHORTEST_REST_S) || !areShort(restsS, lengths)) return null
  const groups = grouped(lengths, restsS, source === 'pace' ? OF_PACE : OF_LAPS)
  const speeds = works.map((work, k) => (core(series, work) * (work.endS - work.startS)) / lengths[k]!.durationS)
  const restSpeeds = rests.map((rest) => core(series, rest))
  const contrasts = restSpeeds.map((speed, k) => Math.min(speeds[k]!, speeds[k + 1]!) / Math.max(speed, 0.3))
  const believed = {
    works,
    source: source === 'structure' ? ('laps' as const) : source,
    groups,
    score: scoreOf(groups, candidate, { lengths, contrast: medianOf(contrasts) }),
  }
  if (source === 'structure') {
    const isStated = groups.kind !== 'fartlek' || works.length >= FEWEST_TOLD_FARTLEK
    return isStated && medianOf(contrasts) >= MARKED_CONTRAST ? believed : null
  }
  if (candidate.isPart && (groups.kind !== 'equal' || groups.sets.length > 1)) return null
  const stated = { series, works, rests, groups, speeds, restSpeeds, restsS }
  const isFloated = areOverUnders(stated)
  if (contrasts.some((contrast) => contrast < (isFloated ? FLOAT.each : LEAST_CONTRAST))) return null
  if (isFew(groups, works.length) && !isSureOfFew(stated, medianOf(contrasts))) return null
  if (works.length > 2 && medianOf(restsS) < LEAST_REST * medianOf(lengths.map(({ durationS }) => durationS)))
    return null
  if (!areAlike(speeds, groups)) return null
  if (!isSharp(stated) || unsteadiness(series, works) > UNSTEADY[source]) return null
  const isSilent = groups.kind === 'fartlek' ? !series.isGraded || heartRate === null : !series.isGraded
  const least = isFloated ? FLOAT.median : CONTRAST[groups.kind] + (isSilent ? SILENT_CONTRAST : 0)
  if (medianOf(contrasts) < least) return null
  const needsHeart = groups.kind === 'fartlek' || (source === 'pace' && !series.isGraded)
  if (needsHeart && heartRate !== null && medianDrop(heartRate, works, rests) < LEAST_DROP_BPM) return null
  if (!isFasterThanOutside(stated) || !isMeantByRests(stated, source)) return null
  if (groups.kind !== 'fartlek') return isOddEqual(groups, works.length, source) ? null : believed
  return source === 'pace' && works.length >= FEWEST_OF_FARTLEK ? believed : null
}

interface Judging {
  readonly series: EffortSeries
  /** Metres as recorded, not grade adjusted. */
  readonly distanceOf: (span: Span) => number
  /** null: heart rate was not measured. */
  readonly heartRate: HeldSeries | null
}

interface Stated {
  readonly series: EffortSeries
  readonly works: readonly Span[]
  readonly rests: readonly Span[]
  readonly groups: Grouped
  readonly speeds: readonly number[]
  readonly restSpeeds: readonly number[]
  readonly restsS: readonly number[]
}

/** Whether the speeds within each set, and the median speeds of the sets, are close enough to each other. */
function areAlike(speeds: readonly number[], { kind, sets }: Grouped): boolean {
  const isWithin = (values: readonly number[], share: number) => {
    const usual = medianOf(values)
    return values.every((value) => Math.abs(value / usual - 1) <= share)
  }
  const ofSets = sets.map(({ from, to }) => speeds.slice(from, to))
  return ofSets.every((values) => isWithin(values, SPEED_SPREAD[kind])) && isWithin(ofSets.map(medianOf), SET_SPREAD)
}

/** Seconds of standing in a repetition where they are a stop. */
function stopS(series: EffortSeries, work: Span): number {
  const seconds = standingS(series, work)
  return seconds >= SHORTEST_STOP_S ? seconds : 0
}

/** Speed of a span without its first and last seconds, in which the runner accelerates or slows down. */
function core(series: EffortSeries, { startS, endS }: Span): number {
  const marginS = Math.min(5, (endS - startS) / 5)
  return meanMps(series, startS + marginS, endS - marginS)
}

function areShort(restsS: readonly number[], lengths: readonly Length[]): boolean {
  const most = Math.max(LONGEST_REST * medianOf(lengths.map(({ durationS }) => durationS)), LONGEST_REST_S)
  const long = restsS.filter((restS) => restS > most)
  return long.length <= restsS.length / 4 && restsS.every((restS) => restS <= Math.max(LONGEST_SET_REST_S, most))
}

/**
 * Whether equal repetitions are too few: more are needed where their length is not round, unless the runner pressed the
 * lap button. All sets must have targets of one kind, distance or time.
 */
function isOddEqual({ kind, sets }: Grouped, count: number, source: Candidate['source']): boolean {
  if (kind !== 'equal') return false
  const targets = sets.flatMap((set) => set.targets ?? [])
  const isMixed = new Set(targets.map((target) => target.kind)).size > 1
  const areOdd = targets.some((target) => !isRound(target))
  const arePairs = sets.every(({ from, to }) => to - from === 2)
  return isMixed || (areOdd && (arePairs || count < (source === 'pace' ? 5 : 3)))
}

/** Two repetitions, or a ladder of three: so few look like a session by chance. */
function isFew({ kind }: Grouped, count: number): boolean {
  return count === 2 || (count === 3 && kind === 'ladder')
}

/** Whether a slower run surrounds them, an easy one is between them, and two alone are long. */
function isSureOfFew({ series, works, restSpeeds, restsS }: Stated, contrast: number): boolean {
  const [restS = 0] = restsS
  const { least, most } = LONG_PAIR_REST_S
  const isLongPair = works.every(({ startS, endS }) => endS - startS >= LONG_PAIR_S) && restS >= least && restS <= most
  const areJogged = medianOf(restSpeeds) >= WALKING_MPS && contrast >= FEW_CONTRAST
  return areJogged && outsideOf(series, works).runS >= LEAST_OUTSIDE_S && (works.length > 2 || isLongPair)
}

/** Whether the rests are faster than the run around. Rests as equal as the repetitions tell them from slopes. */
function areOverUnders({ series, works, groups: { kind, sets }, restSpeeds, restsS }: Stated): boolean {
  const usual = medianOf(restsS)
  const areEqual = restsS.every((restS) => Math.abs(restS - usual) <= Math.max(EQUAL_REST_S, 0.1 * usual))
  const isPlanned = kind === 'equal' && sets.every(({ targets }) => targets?.every(isRound))
  const { runS, mps } = outsideOf(series, works)
  const areFloats = runS >= LEAST_OUTSIDE_S && Math.min(...restSpeeds) >= FLOAT_CONTRAST * mps
  return works.length >= FEWEST_OVERS && isPlanned && areEqual && areFloats
}

/** Whether the speed changes abruptly where work begins and ends. */
function isSharp({ series, works, rests, speeds, restSpeeds }: Stated): boolean {
  const shares = rests.flatMap((rest, k) => {
    const edges = [
      { atS: rest.startS, high: speeds[k]!, low: restSpeeds[k]!, work: works[k]!, sign: -1 },
      { atS: rest.endS, high: speeds[k + 1]!, low: restSpeeds[k]!, work: works[k + 1]!, sign: 1 },
    ]
    return edges.map(({ atS, high, low, work, sign }) => {
      const inWork = meanBeside(series, atS, sign * reachOf(work))
      const inRest = meanBeside(series, atS, -sign * reachOf(rest))
      return (inWork - inRest) / (high - low)
    })
  })
  return medianOf(shares) >= SHARPNESS
}

/** Seconds around an end: the first few, in which the runner changes speed, are left out of the comparison. */
const [CHANGE_S, REACH_S] = [4, 20]

function reachOf({ startS, endS }: Span): number {
  return Math.min(REACH_S, (endS - startS) / 2)
}

/** @param reachS negative: before the time */
function meanBeside(series: EffortSeries, atS: number, reachS: number): number {
  const [near, far] = [atS + Math.sign(reachS) * CHANGE_S, atS + reachS]
  return meanMps(series, Math.min(near, far), Math.max(near, far))
}

/** Median over the repetitions of the standard deviation of their 11 s means, relative to their mean speed. */
function unsteadiness(series: EffortSeries, works: readonly Span[]): number {
  const deviations = works.flatMap(({ startS, endS }) => {
    if (endS - startS < 40) return []
    const mean = meanMps(series, startS + 5, endS - 5)
    let [sum, count] = [0, 0]
    for (let from = startS + 5; from + 11 <= endS - 5; from += 5) {
      sum += (meanMps(series, from, from + 11) / mean - 1) ** 2
      count += 1
    }
    return count === 0 ? [] : Math.sqrt(sum / count)
  })
  return deviations.length === 0 ? 0 : medianOf(deviations)
}

/** In a steady run with stops, what is between them is not faster than the run before and after. */
function isFasterThanOutside({ series, works, speeds }: Stated): boolean {
  const outside = outsideOf(series, works)
  return outside.runS < LEAST_OUTSIDE_S || medianOf(speeds) >= OUTSIDE_CONTRAST * outside.mps
}

/**
 * Rests spent standing or walking occur in sessions, but also at traffic lights and on steep hills. They are accepted
 * as a session when the repetitions have round lengths and either a slower run surrounds them or the rests are as equal
 * as the repetitions; a fartlek needs the slower run around it.
 */
function isMeantByRests({ series, works, groups, restSpeeds, restsS }: Stated, source: Candidate['source']): boolean {
  const hasOutside = outsideOf(series, works).runS >= LEAST_OUTSIDE_S
  const isJogged = medianOf(restSpeeds) >= WALKING_MPS
  if (groups.kind === 'fartlek') return hasOutside && isJogged
  if (isJogged || hasOutside || source === 'laps') return true
  const usual = medianOf(restsS)
  const areEqual = restsS.every((restS) => Math.abs(restS - usual) <= Math.max(10, 0.15 * usual)) && usual >= 40
  return areEqual && works.length >= 4
}

function medianDrop(heartRate: HeldSeries, works: readonly Span[], rests: readonly Span[]): number {
  const drops = rests.flatMap((rest, k) => {
    const hard = heldMean(heartRate, { startS: works[k]!.endS - 10, endS: works[k]!.endS })
    const easy = heldMean(heartRate, { startS: rest.endS - 10, endS: rest.endS })
    return hard === null || easy === null ? [] : hard - easy
  })
  return drops.length === 0 ? 0 : medianOf(drops)
}

const KIND_SCORE = { equal: 3, ladder: 2, fartlek: 1 } as const

/** Weight, in the score, of the square root of the minutes that the repetitions last, up to `MOST_WORK`. */
const WORK_SCORE = 0.2
const MOST_WORK = 10
/** What a candidate loses that leaves out an end, and one of few repetitions: less clear than all of them, or than a fartlek. */
const [PART_DOUBT, FEW_DOUBT] = [0.5, 1.2]

function scoreOf(
  { kind, sets }: Grouped,
  { source, isPart }: Candidate,
  { lengths, contrast }: { readonly lengths: readonly Length[]; readonly contrast: number },
): number {
  const ofSource = source === 'structure' ? 3 : source === 'laps' ? 0.5 : 0
  const minutes = lengths.reduce((sum, { durationS }) => sum + durationS, 0) / 60
  const ofExtent = WORK_SCORE * Math.min(MOST_WORK, Math.sqrt(minutes)) + 0.3 * Math.min(contrast, 2)
  const ofDoubt = (isPart ? PART_DOUBT : 0) + (isFew({ kind, sets }, lengths.length) ? FEW_DOUBT : 0)
  return KIND_SCORE[kind] - 0.1 * (sets.length - 1) + ofExtent + ofSource - ofDoubt
}
