import { duration, pace, paceDifference, text, type Units } from '../../format.ts'
import type { PaceClock } from '../../shown-pace.ts'
import type { Intervals, Lap } from '../types.ts'
import { measured, type StretchRow } from './stretch-rows.ts'

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

export interface LapRow extends StretchRow {
  readonly kind: string | null
}

/** Laps of one series as table rows, with times of the displayed clock. */
export function lapRows(laps: readonly Lap[], clock: PaceClock): LapRow[] {
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

export interface RepetitionRow extends StretchRow {
  readonly recovery: Repetition['recovery']
}

/** Repetitions of a set as table rows, with elapsed times. */
export function repetitionRows(set: IntervalSet): RepetitionRow[] {
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
