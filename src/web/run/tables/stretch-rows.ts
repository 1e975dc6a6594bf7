import { distance, number, text, type Units, unitLengthM } from '../../format.ts'
import type { PaceClock } from '../../shown-pace.ts'
import type { Section, Split } from '../types.ts'

/** A line of a table of stretches: one split, lap or interval, or several splits in one. */
export interface StretchRow {
  readonly key: string
  /** What stands in its first column: `3`, `6–10`, `0.42 km`. */
  readonly name: string
  /** The same as it is read out: `Split 3`. */
  readonly spoken: string
  /** null: not known where in the run it was. */
  readonly section: Section | null
  readonly distanceM: number | null
  /** By the clock that is shown, as the pace. */
  readonly timeS: number
  /** From the start of the run to its end; null: not summed up. */
  readonly totalS: number | null
  readonly paceS: number | null
  readonly gapPaceS: number | null
  readonly heartRateBpm: number | null
  readonly gainM: number | null
  readonly lossM: number | null
  readonly cadenceSpm: number | null
  readonly powerWatts: number | null
  /** Too short to be compared with the others, such as what is left over at the end. */
  readonly isRest: boolean
}

/** What is one line until it is opened. */
export interface StretchGroup extends StretchRow {
  readonly parts: readonly StretchRow[]
}

/** A last split shorter than this part of the others is one of its own length. */
const WHOLE = 0.995
/** A remainder below a tenth is part of the last split, which is longer then. */
const LONGEST = 1.1
const STEPS_PER_TURN = 2
/** A run of more splits is shown in groups. */
const MOST_UNGROUPED = 25
const GROUP = 5

/** The unit that splits were cut in, which may be another than the reader's. */
export function unitsOf(splits: readonly Split[], units: Units): Units {
  const [first, second] = splits
  if (first === undefined) return units
  if (second === undefined) {
    // one split of a mile is too long for one of a kilometre; what is shorter is the same in both
    if (first.distanceM <= unitLengthM(units) * LONGEST) return units
    return units === 'metric' ? 'imperial' : units
  }
  const middle = (unitLengthM('metric') + unitLengthM('imperial')) / 2
  return first.distanceM < middle ? 'metric' : 'imperial'
}

/** Splits as lines, their times by the clock that is shown. @param cutIn the unit they were cut in */
export function splitRows(
  splits: readonly Split[],
  { cutIn, clock }: { readonly cutIn: Units; readonly clock: PaceClock },
): StretchRow[] {
  const unitM = unitLengthM(cutIn)
  let totalS = 0
  return splits.map((split, index) => {
    const timeS = clock === 'moving' ? (split.movingTimeS ?? split.durationS) : split.durationS
    // what the service gives goes by the elapsed time
    const share = split.durationS > 0 ? timeS / split.durationS : 1
    const isRest = split.distanceM < unitM * WHOLE
    const name = isRest ? text(distance(split.distanceM, cutIn)) : number(index + 1)
    totalS += timeS
    return {
      key: String(split.idx),
      name,
      spoken: isRest ? `Split ${index + 1}, ${name}` : `Split ${name}`,
      section: sectionOf(split),
      distanceM: split.distanceM,
      timeS,
      totalS,
      paceS: known(split.paceS * share),
      gapPaceS: split.gapPaceS === null ? null : known(split.gapPaceS * share),
      heartRateBpm: split.avgHeartRateBpm,
      gainM: split.elevGainM,
      lossM: split.elevLossM,
      cadenceSpm: split.avgCadenceRpm === null ? null : split.avgCadenceRpm * STEPS_PER_TURN,
      powerWatts: null,
      isRest,
    }
  })
}

/** Five lines in one where there are more than 25; null: so few that each has its own. */
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
  // what the slopes make of the distance
  const equivalentM = sum(({ gapPaceS, timeS: seconds }) => (gapPaceS === null ? null : (seconds / gapPaceS) * 1000))
  const isOne = parts.length === 1
  return {
    key: `group ${at}`,
    name: isOne ? first.name : `${number(at + 1)}–${number(at + parts.length)}`,
    spoken: isOne ? first.spoken : `Splits ${at + 1} to ${at + parts.length}`,
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
    isRest: isOne && first.isRest,
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

/** Lines that say something only beside others. */
const FEWEST_COMPARED = 3

/** The keys of the fastest and of the slowest line; null where none stands out. */
export function extremesOf(rows: readonly StretchRow[]): { readonly fastest: string; readonly slowest: string } | null {
  const compared = rows.filter(({ paceS, isRest }) => paceS !== null && !isRest)
  if (compared.length < FEWEST_COMPARED) return null
  const byPace = compared.toSorted((a, b) => a.paceS! - b.paceS!)
  const [fastest, slowest] = [byPace[0]!, byPace.at(-1)!]
  // a second that is rounded away is no difference
  if (Math.round(fastest.paceS!) === Math.round(slowest.paceS!)) return null
  return { fastest: fastest.key, slowest: slowest.key }
}

/** The bar of the slowest line; a bar from nothing would hide what differs. */
const SHORTEST_BAR = 0.28
/** Speeds that differ by less than this part look alike. */
const LEAST_SPREAD = 0.05

/** How long the bar of a line is, from 0 to 1, faster is longer; a short rest at the end makes no scale. */
export function barLengths(rows: readonly StretchRow[]): (row: StretchRow) => number {
  const timed = rows.filter(({ paceS }) => paceS !== null)
  const compared = timed.some(({ isRest }) => !isRest) ? timed.filter(({ isRest }) => !isRest) : timed
  const speeds = compared.map(({ paceS }) => 1 / paceS!)
  const most = Math.max(...speeds)
  const least = Math.min(...speeds, most * (1 - LEAST_SPREAD))
  return ({ paceS }) => {
    if (paceS === null) return 0
    const share = (1 / paceS - least) / (most - least)
    return SHORTEST_BAR + (1 - SHORTEST_BAR) * Math.max(0, Math.min(1, share))
  }
}
