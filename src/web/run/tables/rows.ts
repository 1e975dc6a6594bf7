import { splitBoundaries } from '../../../engine/run/splits.ts'
import { roundHalfUp } from '../../../engine/units.ts'
import {
  date,
  distance,
  distanceName,
  duration,
  number,
  ordinal,
  type PaceClock,
  pace,
  paceDifference,
  signedTime,
  text,
  timeDifference,
  type Units,
  unitLengthM,
} from '../../format.ts'
import { type RunSeries, sectionFigures, sectionMean } from '../charts/series.ts'
import type { Intervals, Lap, RankedEffort, Section, Split } from '../run-view.ts'

/** A table row: a split, lap or interval, or a group of splits. */
export interface StretchRow {
  readonly key: string
  /** Text of its first column: `3`, `6–10`, `0.42 km`. */
  readonly name: string
  /** Its name for screen readers: `Split 3`. */
  readonly spoken: string
  /** null: its place in the run is unknown. */
  readonly section: Section | null
  readonly distanceM: number | null
  /** By the displayed clock, as the pace. */
  readonly timeS: number
  /** From the start of the run to its end; null: not shown. */
  readonly totalS: number | null
  readonly paceS: number | null
  readonly gapPaceS: number | null
  readonly heartRateBpm: number | null
  readonly gainM: number | null
  readonly lossM: number | null
  readonly cadenceSpm: number | null
  readonly powerWatts: number | null
  /** Too short to be compared with others, such as the remainder at the end. */
  readonly isUncompared: boolean
  /** Of a lap, beside its number: `warm-up`. */
  readonly kind?: string | null
  /** After a repetition. */
  readonly recovery?: Repetition['recovery']
}

/** Several rows, shown as one until opened. */
export interface StretchGroup extends StretchRow {
  readonly parts: readonly StretchRow[]
}

/** A last split shorter than this share of the others is shown with its length. */
const WHOLE = 0.995
/** A remainder below a tenth is part of the last split, which is then longer. */
const LONGEST = 1.1
const STEPS_PER_TURN = 2
/** Numbers of splits, laps and repetitions, with grade-adjusted paces by elapsed time. */
type Measured = Pick<Lap, 'distanceM' | 'durationS' | 'paceS' | 'gapPaceS'> &
  Pick<Lap, 'avgHeartRateBpm' | 'elevGainM' | 'elevLossM' | 'avgCadenceRpm'>

/** With more splits they are grouped. */
const MOST_UNGROUPED = 25
const GROUP = 5

/** The unit of the splits, which may differ from the reader's. */
export function unitsOf(splits: readonly Split[], units: Units): Units {
  const [first, second] = splits
  if (first === undefined) return units
  if (second === undefined) {
    // one mile is too long for a kilometre split; a shorter single split is the same in both units
    if (first.distanceM <= unitLengthM(units) * LONGEST) return units
    return units === 'metric' ? 'imperial' : units
  }
  const middle = (unitLengthM('metric') + unitLengthM('imperial')) / 2
  return first.distanceM < middle ? 'metric' : 'imperial'
}

/** Splits as table rows, with times of the displayed clock. @param cutIn the unit of the splits */
export function splitRows(
  splits: readonly Split[],
  { cutIn, clock }: { readonly cutIn: Units; readonly clock: PaceClock },
): StretchRow[] {
  const unitM = unitLengthM(cutIn)
  let totalS = 0
  return splits.map((split, index) => {
    const timeS = clock === 'moving' ? (split.movingTimeS ?? split.durationS) : split.durationS
    const isUncompared = split.distanceM < unitM * WHOLE
    const name = isUncompared ? text(distance(split.distanceM, cutIn)) : number(index + 1)
    totalS += timeS
    return {
      ...measured(split, timeS),
      key: String(split.idx),
      name,
      spoken: isUncompared ? `Split ${index + 1}, ${name}` : `Split ${name}`,
      section: sectionOf(split),
      totalS,
      powerWatts: null,
      isUncompared,
    }
  })
}

/** The numbers of a row, with paces by the displayed clock. */
export function measured({ durationS, avgCadenceRpm, ...stretch }: Measured, timeS: number) {
  const share = durationS > 0 ? timeS / durationS : 1
  const shared = (paceS: number | null) => (paceS === null ? null : known(paceS * share))
  return {
    distanceM: stretch.distanceM,
    timeS,
    // of the time that is shown beside it, to the second
    paceS:
      stretch.distanceM === null || stretch.distanceM <= 0
        ? shared(stretch.paceS)
        : known((timeS / stretch.distanceM) * 1000),
    gapPaceS: shared(stretch.gapPaceS),
    heartRateBpm: stretch.avgHeartRateBpm,
    gainM: stretch.elevGainM,
    lossM: stretch.elevLossM,
    cadenceSpm: avgCadenceRpm === null ? null : avgCadenceRpm * STEPS_PER_TURN,
  }
}

/** Groups of five rows when there are more than 25; null: no groups. */
export function splitGroups(rows: readonly StretchRow[]): StretchGroup[] | null {
  if (rows.length <= MOST_UNGROUPED) return null
  const groups: StretchGroup[] = []
  for (let at = 0; at < rows.length; at += GROUP) groups.push(groupOf(rows.slice(at, at + GROUP), at))
  return groups
}

function groupOf(parts: readonly StretchRow[], at: number): StretchGroup {
  const [first, last] = [parts[0]!, parts.at(-1)!]
  const sum = (value: (row: StretchRow) => number | null) =>
    parts.reduce<number | null>((so, row) => (so === null || value(row) === null ? null : so + value(row)!), 0)
  const mean = (value: (row: StretchRow) => number | null) => {
    const seconds = sum(({ timeS }) => timeS)
    const total = sum((row) => (value(row) === null ? null : value(row)! * row.timeS))
    return total === null || seconds === null || seconds <= 0 ? null : total / seconds
  }
  const timeS = sum((row) => row.timeS) ?? 0
  const distanceM = sum((row) => row.distanceM)
  // grade-equivalent distance
  const equivalentM = sum(({ gapPaceS, timeS: seconds }) => (gapPaceS === null ? null : (seconds / gapPaceS) * 1000))
  const movingS = sum(({ section }) => section?.movingS ?? null)
  const isOne = parts.length === 1
  return {
    key: `group ${at}`,
    name: isOne ? first.name : `${number(at + 1)}–${number(at + parts.length)}`,
    spoken: isOne ? first.spoken : `Splits ${at + 1}–${at + parts.length}`,
    section: first.section && last.section && { fromS: first.section.fromS, toS: last.section.toS, movingS },
    distanceM,
    timeS,
    totalS: last.totalS,
    paceS: distanceM === null || distanceM <= 0 ? null : known((timeS / distanceM) * 1000),
    gapPaceS: equivalentM === null || equivalentM <= 0 ? null : known((timeS / equivalentM) * 1000),
    heartRateBpm: mean((row) => row.heartRateBpm),
    gainM: sum((row) => row.gainM),
    lossM: sum((row) => row.lossM),
    cadenceSpm: mean((row) => row.cadenceSpm),
    powerWatts: null,
    isUncompared: isOne && first.isUncompared,
    parts: isOne ? [] : parts,
  }
}

function sectionOf({ startElapsedS, endElapsedS, movingTimeS }: Split): Section | null {
  if (startElapsedS === null || endElapsedS === null) return null
  return { fromS: startElapsedS, toS: endElapsedS, movingS: movingTimeS }
}

function known(value: number): number | null {
  return value > 0 && Number.isFinite(value) ? value : null
}

/** Extremes are marked only with at least this many rows. */
const FEWEST_COMPARED = 3

/** The keys of the fastest and the slowest row; null where none stands out. */
export function extremesOf(rows: readonly StretchRow[]): { readonly fastest: string; readonly slowest: string } | null {
  const compared = rows.filter(({ paceS, isUncompared }) => paceS !== null && !isUncompared)
  if (compared.length < FEWEST_COMPARED) return null
  const byPace = compared.toSorted((a, b) => a.paceS! - b.paceS!)
  const [fastest, slowest] = [byPace[0]!, byPace.at(-1)!]
  // differences below a displayed second do not count
  if (Math.round(fastest.paceS!) === Math.round(slowest.paceS!)) return null
  return { fastest: fastest.key, slowest: slowest.key }
}

/** Bar length of the slowest row; bars starting at zero would hide the differences. */
const SHORTEST_BAR = 0.28
/** Least spread of the speeds on the scale, so that similar ones look alike. */
const LEAST_SPREAD = 0.05

/** Returns the bar length of a row, 0 to 1, faster is longer; a short remainder is ignored for the scale. */
export function barLengths(rows: readonly StretchRow[]): (row: StretchRow) => number {
  const timed = rows.filter(({ paceS }) => paceS !== null)
  const compared = timed.some(({ isUncompared }) => !isUncompared)
    ? timed.filter(({ isUncompared }) => !isUncompared)
    : timed
  const speeds = compared.map(({ paceS }) => 1 / paceS!)
  const most = Math.max(...speeds)
  const least = Math.min(...speeds, most * (1 - LEAST_SPREAD))
  return ({ paceS }) => {
    if (paceS === null) return 0
    const share = (1 / paceS - least) / (most - least)
    return SHORTEST_BAR + (1 - SHORTEST_BAR) * Math.max(0, Math.min(1, share))
  }
}

type IntervalSet = Intervals['sets'][number]
type Repetition = IntervalSet['repetitions'][number]
/** Numbers that laps, repetitions and recoveries have in common. */
type Stretch = Omit<Lap, 'idx' | 'trigger' | 'intensity' | 'series'>

/** Labels beside a lap's number; other laps have none. */
const KINDS: Readonly<Partial<Record<NonNullable<Lap['intensity']>, string>>> = {
  rest: 'rest',
  warmup: 'warm-up',
  cooldown: 'cool-down',
  recovery: 'recovery',
  interval: 'interval',
}
/** Laps of these kinds are not compared with fast ones. */
const SLOW_KINDS: readonly Lap['intensity'][] = ['rest', 'warmup', 'cooldown', 'recovery']
/** A last lap shorter than this share of the one before is a remainder. */
const LEFT_OVER = 0.5

/** Laps of one series as table rows, with times of the displayed clock. */
export function lapRows(laps: readonly Lap[], clock: PaceClock): StretchRow[] {
  let totalS = 0
  return laps.map((lap, index) => {
    const row = stretchRow(lap, clock)
    totalS += row.timeS
    const before = laps[index - 1]?.distanceM ?? 0
    const isLeftOver = index > 0 && index === laps.length - 1 && (lap.distanceM ?? 0) < before * LEFT_OVER
    return {
      ...row,
      key: String(lap.idx),
      name: String(index + 1),
      spoken: `Lap ${index + 1}`,
      totalS,
      isUncompared: isLeftOver || SLOW_KINDS.includes(lap.intensity),
      kind: lap.intensity === null ? null : (KINDS[lap.intensity] ?? null),
    }
  })
}

/** Repetitions of a set as table rows, with elapsed times. */
export function repetitionRows(set: IntervalSet): StretchRow[] {
  return set.repetitions.map((repetition, index) => ({
    ...stretchRow(repetition, 'elapsed'),
    key: String(index),
    name: String(index + 1),
    spoken: `Rep ${index + 1}`,
    totalS: null,
    isUncompared: false,
    recovery: repetition.recovery,
  }))
}

function stretchRow(stretch: Stretch, clock: PaceClock) {
  const { durationS, movingTimeS, timerTimeS } = stretch
  const timeS = clock === 'moving' ? (movingTimeS ?? timerTimeS ?? durationS) : durationS
  return {
    ...measured(stretch, timeS),
    section: { fromS: stretch.startElapsedS, toS: stretch.endElapsedS, movingS: movingTimeS },
    powerWatts: stretch.avgPowerWatts,
  }
}

type Stated = Pick<IntervalSet, 'paceS' | 'recoveryS' | 'fadeS'>

/** A session or a set as one line: `3:52/km · recovery 2:00 · 3 s/km slower at the end`. */
export function intervalsText({ paceS, recoveryS, fadeS }: Stated, units: Units): string {
  return [
    ...(paceS === null ? [] : [text(pace(paceS, units))]),
    ...(recoveryS === null ? [] : [`recovery ${duration(recoveryS)}`]),
    ...(fadeS === null ? [] : [fadeText(fadeS, units)]),
  ].join(' · ')
}

function fadeText(fadeS: number, units: Units): string {
  if (Math.round(Math.abs(fadeS)) === 0) return 'even to the end'
  return `${paceDifference(fadeS, units)} ${fadeS > 0 ? 'slower' : 'faster'} at the end`
}

const OWN_STEPS = 2

/**
 * Splits in the reader's unit from the samples of a run without a route, whose stored splits the service does not
 * compute again (docs/api.md 7.9). Climb and grade-adjusted pace are unknown.
 * @returns null without distances
 */
export function ownSplits(series: RunSeries, units: Units): Split[] | null {
  if (series.distanceM === null) return null
  const { count, distanceM, timeS } = splitBoundaries(series.elapsedS, series.distanceM, unitLengthM(units))
  return Array.from({ length: count }, (_, idx): Split => {
    const [fromS, toS] = [timeS[idx]!, timeS[idx + 1]!]
    const metres = distanceM[idx + 1]! - distanceM[idx]!
    const { seconds, heartRateBpm } = sectionFigures(series, { fromS, toS }, 'moving')
    const durationS = roundHalfUp(toS) - roundHalfUp(fromS)
    const stepsSpm = sectionMean(series, 'cadence', { fromS, toS }, 'moving')
    return {
      ...{ idx, distanceM: roundHalfUp(metres, 3), durationS, paceS: roundHalfUp((1000 * (toS - fromS)) / metres, 2) },
      ...{ startElapsedS: fromS, endElapsedS: toS, movingTimeS: Math.min(durationS, roundHalfUp(seconds)) },
      ...{ elevGainM: null, elevLossM: null, gapPaceS: null },
      avgHeartRateBpm: heartRateBpm === null ? null : roundHalfUp(heartRateBpm),
      avgCadenceRpm: stepsSpm === null ? null : roundHalfUp(stepsSpm / OWN_STEPS),
    }
  })
}

/** The last sample counts as long as samples usually lie apart, seconds at most. */
const LAST_SAMPLE_S = 60

/**
 * Time in each zone as displayed. The service lets the last heart rate count for one usual interval, of which nothing
 * was run, so that the zones of a run of 30:00 add up to 30:01; the longest zone, of which that is the least share, is
 * displayed without it.
 * @param seconds whole seconds in zones 1 to 5
 * @param runS seconds for which the watch ran; zones that are longer by more were measured otherwise, and stay
 */
export function secondsWithin(seconds: readonly number[], runS: number): readonly number[] {
  const surplusS = seconds.reduce((sum, value) => sum + value, 0) - Math.round(runS)
  const longest = seconds.indexOf(Math.max(...seconds))
  if (!(surplusS > 0 && surplusS <= LAST_SAMPLE_S) || surplusS > seconds[longest]!) return seconds
  return seconds.with(longest, seconds[longest]! - surplusS)
}

/** Lowest rank that is mentioned. */
const LAST_PLACE = 10

/** Ranks of an effort among all, best first; empty for one without a notable rank. */
export function standing(effort: RankedEffort, year: number): readonly string[] {
  const { rankEver, rankYear, behindBestMs } = effort
  const ever =
    rankEver !== null && rankEver <= LAST_PLACE
      ? [rankEver === 1 ? 'All-time best' : `${ordinal(rankEver)} of all time`]
      : []
  const isSaid = rankYear === null || rankYear > LAST_PLACE || (rankEver !== null && rankYear >= rankEver)
  const ofYear = isSaid ? [] : [rankYear === 1 ? `Best of ${year}` : `${ordinal(rankYear)} of ${year}`]
  const behind = behindBestMs !== null && behindBestMs > 0 ? [signedTime(behindBestMs / 1000)] : []
  const before = behindBestMs !== null && behindBestMs < 0 ? [`by ${timeDifference(behindBestMs / 1000)}`] : []
  return [...ever, ...ofYear, ...behind, ...before]
}

/** Asks whether efforts that are much faster than all others count: `400 m in 0:57, 9 s better than ever. Count it?` */
export function countQuestion(efforts: readonly RankedEffort[]): string {
  const parts = efforts.map(({ distance, timeMs, behindBestMs }, k) => {
    const ahead = timeDifference((behindBestMs ?? 0) / 1000)
    return `${distanceName(distance)} in ${duration(timeMs / 1000)}, ${ahead} better${k === 0 ? ' than ever' : ''}`
  })
  return `${parts.join('; ')}. Count ${efforts.length === 1 ? 'it' : 'them'}?`
}

/** Why an effort cannot hold a record; null: it can. */
export function whyNot({ counts, isRecord, implausibleReason }: RankedEffort): string | null {
  if (counts) return null
  if (isRecord === false) return 'Not a record (your correction)'
  if (implausibleReason === null) return 'This run is excluded from statistics'
  return {
    fasterThanRecord: 'Faster than the world record, not counted',
    notOnFoot: 'Not recorded on foot, not counted',
    gap: 'Spans a recording gap, not counted',
    leap: 'GPS error, not counted',
  }[implausibleReason]
}

/** The record of other runs, as text. */
export function bestText({ best }: RankedEffort): string | null {
  return best === null
    ? null
    : `${duration(best.timeMs / 1000)} on ${date(best.workoutDate, 'short', best.utcOffsetMinutes)}`
}

/** Whole per cents that add up to 100, by largest remainder; all 0 where there is nothing. */
export function percentsOf(values: readonly number[]): number[] {
  const total = values.reduce((sum, value) => sum + value, 0)
  if (total <= 0) return values.map(() => 0)
  const exact = values.map((value) => (100 * value) / total)
  const percents = exact.map(Math.floor)
  const missing = 100 - percents.reduce((sum, value) => sum + value, 0)
  const byRest = exact.map((value, k) => [value % 1, k] as const).toSorted(([a], [b]) => b - a)
  for (const [, k] of byRest.slice(0, missing)) percents[k]! += 1
  return percents
}
