import { SHORTEST_REPETITION_S, SHORTEST_RUN_S } from '../../../engine/limits.ts'
import { date, distance, duration, number, ordinal, text, timeDifference, type Units } from '../../format.ts'
import { nearestRow, type RunSeries } from '../charts/series.ts'
import type { GhostLines, GhostPlaces, GhostRace, Intervals, Passes, Section } from '../run-view.ts'

/** A gap as text: `0:37 behind`, `1:05 ahead`, `level`. */
export function gapText(gapS: number): string {
  const seconds = Math.round(Math.abs(gapS))
  if (seconds === 0) return 'level'
  return `${duration(seconds)} ${gapS > 0 ? 'behind' : 'ahead'}`
}

/** Beginning of a sentence that ends with the day of the other run. */
export function raceText(gapS: number): string {
  const gap = gapText(gapS)
  return `${gap === 'level' ? 'Level with' : gap.endsWith('ahead') ? `${gap} of` : gap} your run of`
}

/** What a gap is made of, largest first: `0:31 lost in stops, 0:05 on pace`. */
export function partsText(race: GhostRace): string {
  const causes: [number, string][] = [
    [race.stopsS, 'in stops'],
    [race.paceS, 'on pace'],
    [race.climbS ?? 0, 'on hills'],
  ]
  return causes
    .filter(([seconds]) => Math.round(Math.abs(seconds)) > 0)
    .sort(([a], [b]) => Math.abs(b) - Math.abs(a))
    .map(([seconds, name], place, all) => {
      const isSame = place > 0 && seconds < 0 === all[place - 1]![0] < 0
      return `${duration(Math.abs(seconds))} ${isSame ? '' : seconds < 0 ? 'gained ' : 'lost '}${name}`
    })
    .join(', ')
}

/** The longest stop of the run, when stops are the largest part of the gap; null otherwise. */
export function stopText({ stops, gapS, stopsS }: GhostRace, units: Units): string | null {
  const longest = stops.find(({ of }) => of === (stopsS > 0 ? 'run' : 'ghost'))
  if (longest === undefined || 2 * Math.abs(stopsS) < Math.abs(gapS)) return null
  const who = longest.of === 'run' ? 'You stopped' : 'The ghost stopped'
  return `${who} for ${duration(longest.seconds)} at ${text(distance(longest.distanceM, units))}`
}

/** Sentences on the passes of a section. */
export function passesSentences({ count, sameCount, own, best, atSamePulse }: Passes): string[] {
  if (count === 1) return ['First time on this section.']
  const way = sameCount === count ? '' : `, ${number(sameCount)} in this direction`
  const rank = own.rank === 1 ? 'fastest' : `${ordinal(own.rank)} fastest`
  const place = sameCount === 1 ? '' : `; this was your ${rank}`
  return [
    `You’ve run this section ${number(count)} times${way}${place}.`,
    ...(own.rank === 1
      ? []
      : [`Best ${duration(best.elapsedS)} on ${date(best.startedAt, 'short', best.utcOffsetMinutes)}.`]),
    ...(atSamePulse === null ? [] : [pulseSentence(atSamePulse)]),
  ]
}

/** A difference within its standard error counts as equally fast. */
function pulseSentence({ season, year, differenceS, standardErrorS }: NonNullable<Passes['atSamePulse']>): string {
  const when = `in ${season} ${year}`
  const seconds = Math.round(Math.abs(differenceS))
  if (seconds === 0 || Math.abs(differenceS) < standardErrorS) return `At this heart rate as fast as ${when}.`
  return `At this heart rate ${timeDifference(differenceS)} ${differenceS < 0 ? 'faster' : 'slower'} than ${when}.`
}

/** @returns null for a run without distances */
export function ghostPlaces({ places }: Pick<GhostRace, 'places'>, series: RunSeries): GhostPlaces | null {
  const { distanceM: along } = series
  if (along === null) return null
  const { distanceM, elapsedS, ghostElapsedS, gapS } = places
  const startS = ghostElapsedS[0]! - elapsedS[0]!
  return {
    rowOf: (row) => nearestRow(along, between(ghostElapsedS, distanceM, series.elapsedS[row]! + startS)),
    gapAt: (row) => between(distanceM, gapS, along[row]!),
  }
}

/** Interpolates a column where a never falling one has the value. */
export function between(ascending: readonly number[], column: readonly number[], at: number): number {
  let low = 0
  let high = ascending.length - 1
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (ascending[middle]! <= at) low = middle
    else high = middle
  }
  const step = ascending[high]! - ascending[low]!
  const part = step > 0 ? Math.max(0, Math.min(1, (at - ascending[low]!) / step)) : 0
  return column[low]! + part * (column[high]! - column[low]!)
}

/** No line is drawn where the runs were on the same ground this far apart only, metres of the run. */
const MOST_APART_M = 100
/** A row of the ghost further away in time has no value for a place. */
const MOST_OFF_S = 20

/**
 * Pace and heart rate of the ghost at the places of this run, one value for each of its rows; NaN where the ghost was
 * not there.
 * @param ghost samples of the other run
 */
export function ghostLines({ places }: Pick<GhostRace, 'places'>, series: RunSeries, ghost: RunSeries): GhostLines {
  const { distanceM, ghostElapsedS } = places
  const rows = new Int32Array(series.n).fill(-1)
  let place = 0
  for (let row = 0; row < series.n; row += 1) {
    const metres = series.distanceM?.[row] ?? Number.NaN
    while (place + 2 < distanceM.length && distanceM[place + 1]! < metres) place += 1
    const [from, to] = [distanceM[place]!, distanceM[place + 1]!]
    if (!(metres >= from && metres <= to) || to - from > MOST_APART_M) continue
    const atS = between(distanceM, ghostElapsedS, metres)
    const nearest = nearestRow(ghost.elapsedS, atS)
    if (Math.abs(ghost.elapsedS[nearest]! - atS) <= MOST_OFF_S) rows[row] = nearest
  }
  const line = (values: Float64Array | null) =>
    values === null ? null : Float64Array.from(rows, (row) => (row < 0 ? Number.NaN : values[row]!))
  return { pace: line(ghost.metrics.pace), heartRate: line(ghost.metrics.heartRate) }
}

export type End = 'start' | 'end'

/** The initial stretch: the middle third, where both handles are easy to reach. */
export function startingSection({ elapsedS }: Pick<RunSeries, 'elapsedS'>): Section {
  const lastS = elapsedS.at(-1)!
  return { fromS: Math.round(lastS / 3), toS: Math.round((2 * lastS) / 3) }
}

/**
 * The stretch after one end was set by a tap. A start behind the end moves the end to the end of the run; an end before
 * the start becomes the new start, and the former start the end.
 */
export function tappedSection({ fromS, toS }: Section, end: End, atS: number, lastS: number): Section {
  if (end === 'start') {
    const startS = Math.min(atS, lastS - SHORTEST_RUN_S)
    return { fromS: startS, toS: toS - startS >= SHORTEST_RUN_S ? toS : lastS }
  }
  const [startS, endS] = atS < fromS ? [atS, fromS] : [fromS, atS]
  return { fromS: startS, toS: Math.min(lastS, Math.max(endS, startS + SHORTEST_RUN_S)) }
}

/** A repetition while it is edited, elapsed seconds. */
export interface Repetition {
  readonly startS: number
  readonly endS: number
}

/** Least seconds between two repetitions. */
const APART_S = 1
/** Length of a repetition that is added to a run without any. */
const FIRST_S = 60

export function repetitionsOf({ sets }: Intervals): Repetition[] {
  return sets.flatMap((set) =>
    set.repetitions.map(({ startElapsedS, endElapsedS }) => ({ startS: startElapsedS, endS: endElapsedS })),
  )
}

/** The repetitions with one end moved as far as its neighbours and the ends of the run allow. */
export function withEnd(
  all: readonly Repetition[],
  { index, end, atS }: { readonly index: number; readonly end: keyof Repetition; readonly atS: number },
  lastS: number,
): Repetition[] {
  const { startS, endS } = all[index]!
  const before = all[index - 1]
  const after = all[index + 1]
  const [least, most] =
    end === 'startS'
      ? [before === undefined ? 0 : before.endS + APART_S, endS - SHORTEST_REPETITION_S]
      : [startS + SHORTEST_REPETITION_S, after === undefined ? lastS : after.startS - APART_S]
  return all.with(index, { ...all[index]!, [end]: Math.max(least, Math.min(most, atS)) })
}

/**
 * The repetitions with another in the middle of the longest stretch without any, as long as the median of the others
 * where there is room.
 * @returns the index of the new one; null: there is no room
 */
export function withAnother(
  all: readonly Repetition[],
  lastS: number,
): { readonly repetitions: Repetition[]; readonly index: number } | null {
  const gaps = [...all, null].map((next, index) => ({
    index,
    fromS: (all[index - 1]?.endS ?? -APART_S) + APART_S,
    toS: (next?.startS ?? lastS + APART_S) - APART_S,
  }))
  const { index, fromS, toS } = gaps.reduce((a, b) => (b.toS - b.fromS > a.toS - a.fromS ? b : a))
  if (toS - fromS < SHORTEST_REPETITION_S) return null
  const lengths = all.map(({ startS, endS }) => endS - startS).toSorted((a, b) => a - b)
  const usualS = lengths[lengths.length >> 1] ?? FIRST_S
  const lengthS = Math.max(SHORTEST_REPETITION_S, Math.min(usualS, (toS - fromS) / 2))
  const startS = Math.max(fromS, Math.min(Math.round((fromS + toS - lengthS) / 2), toS - lengthS))
  return { repetitions: all.toSpliced(index, 0, { startS, endS: startS + lengthS }), index }
}

/** Seconds of a time as typed, `12:30` or `1:02:30`; null: it is not one. */
export function clockTime(typed: string): number | null {
  if (!/^(\d{1,2}:)?\d{1,3}:[0-5]\d$/.test(typed.trim())) return null
  return typed
    .trim()
    .split(':')
    .reduce((seconds, part) => 60 * seconds + Number(part), 0)
}
