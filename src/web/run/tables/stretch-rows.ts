import { distance, number, text, type Units, unitLengthM } from '../../format.ts'
import type { PaceClock } from '../../shown-pace.ts'
import type { Lap, Section, Split } from '../types.ts'

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
/** Numbers of splits, laps and repetitions, with paces by elapsed time. */
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
    paceS: shared(stretch.paceS),
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
  const isOne = parts.length === 1
  return {
    key: `group ${at}`,
    name: isOne ? first.name : `${number(at + 1)}–${number(at + parts.length)}`,
    spoken: isOne ? first.spoken : `Splits ${at + 1}–${at + parts.length}`,
    section: joined(
      first.section,
      last.section,
      sum(({ section }) => section?.movingS ?? null),
    ),
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

function joined(first: Section | null, last: Section | null, movingS: number | null): Section | null {
  return first === null || last === null ? null : { fromS: first.fromS, toS: last.toS, movingS }
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
