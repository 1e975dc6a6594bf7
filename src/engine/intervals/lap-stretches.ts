import type { PlacedLap } from '../run/laps.ts'
import { type EffortSeries, meanMps } from './effort-series.ts'

/** Laps that are the work of a session, with rests between them. */
interface LapWork {
  readonly works: readonly PlacedLap[]
  /** The device marked which laps are work and which are rest. */
  readonly isStructured: boolean
}

const REST: ReadonlySet<unknown> = new Set(['rest', 'recovery'])
const OUTSIDE: ReadonlySet<unknown> = new Set(['warmup', 'cooldown', 'other'])
/** Consecutive laps of work count as one repetition when their speeds differ by no more than this share. */
const SAME_SPEED = 0.07
/** A first or last lap slower than this share of the others is an unmarked warm-up or cool-down. */
const UNMARKED_SHARE = 0.9
/** Least ratio between the speeds of fast and slow laps. */
const LEAST_RATIO = 1.06
const MOST_THRESHOLDS = 6
const MOST_LAPS = 200
/** Automatic laps all have one distance. In grade adjusted metres they vary by up to this share. */
const AUTO_LAP_TOLERANCE = 0.05

/** Laps marked as work, else one candidate for each speed that can separate fast from slow laps. */
export function lapWork(series: EffortSeries, laps: readonly PlacedLap[]): LapWork[] {
  if (laps.length < 2 || laps.length > MOST_LAPS) return []
  const speeds = laps.map(({ startS, endS }) => meanMps(series, startS, endS))
  if (laps.some(({ intensity }) => REST.has(intensity))) {
    const isWork = laps.map(({ intensity }) => !REST.has(intensity) && !OUTSIDE.has(intensity))
    return [{ works: atRests(joined(laps, speeds, isWork), laps, series), isStructured: true }]
  }
  if (isLappedByItself(laps, series)) return []
  return thresholds(speeds).map((threshold) => {
    const isWork = speeds.map((speed) => speed > threshold)
    return { works: joined(laps, speeds, isWork), isStructured: false }
  })
}

/**
 * Adjacent laps of work joined to one where their speeds are alike; of others only the fastest stays, since the rest is
 * an adjacent warm-up or cool-down.
 */
function joined(laps: readonly PlacedLap[], speeds: readonly number[], isWork: readonly boolean[]): PlacedLap[] {
  const works: PlacedLap[] = []
  let fastest = 0
  for (const [k, lap] of laps.entries()) {
    if (!isWork[k]) continue
    const speed = speeds[k]!
    const last = works.at(-1)
    if (last === undefined || !isWork[k - 1] || laps[k - 1]!.endS < lap.startS) works.push(lap)
    else if (last.endS === lap.startS && isAlike(fastest, speed))
      works[works.length - 1] = { ...lap, startS: last.startS }
    else if (speed > fastest) works[works.length - 1] = lap
    else continue
    fastest = speed
  }
  return works
}

function isAlike(a: number, b: number): boolean {
  return Math.abs(a - b) <= SAME_SPEED * Math.max(a, b)
}

/** Drops slower laps before the first and after the last rest: an unmarked warm-up or cool-down. */
function atRests(works: readonly PlacedLap[], laps: readonly PlacedLap[], series: EffortSeries): PlacedLap[] {
  const firstRest = laps.find(({ intensity }) => REST.has(intensity))
  const lastRest = laps.findLast(({ intensity }) => REST.has(intensity))
  const inner = works.filter(({ startS, endS }) => startS >= firstRest!.endS && endS <= lastRest!.startS)
  const speed = ({ startS, endS }: PlacedLap) => meanMps(series, startS, endS)
  const usual = inner.reduce((sum, work) => sum + speed(work), 0) / inner.length
  return works.filter((work) => inner.length === 0 || inner.includes(work) || speed(work) >= UNMARKED_SHARE * usual)
}

/** Whether all laps have one distance, but for the last and for those of under 5 s that a button press makes. */
function isLappedByItself(laps: readonly PlacedLap[], { effortM, seconds }: EffortSeries): boolean {
  const stated = laps.slice(0, -1).filter(({ startS, endS }) => endS - startS >= 5)
  if (stated.length < 2) return false
  if (stated.every(({ trigger }) => trigger === 'distance')) return true
  if (stated.some(({ trigger }) => trigger === 'manual' || trigger === 'time')) return false
  const lengths = stated.map(({ startS, endS }) => metres(endS) - metres(startS)).sort((a, b) => a - b)
  const median = lengths[lengths.length >> 1]!
  return lengths.every((length) => Math.abs(length - median) <= AUTO_LAP_TOLERANCE * median)

  function metres(atS: number): number {
    return effortM[Math.min(seconds, Math.round(atS))]!
  }
}

/** Speeds that may separate fast from slow laps: the middles of the gaps with the greatest ratio of their ends. */
function thresholds(speeds: readonly number[]): number[] {
  const sorted = speeds.toSorted((a, b) => a - b)
  const gaps = sorted
    .slice(1)
    .map((fast, k) => ({ ratio: fast / Math.max(sorted[k]!, 0.1), middle: (fast + sorted[k]!) / 2 }))
  return gaps
    .filter(({ ratio }) => ratio >= LEAST_RATIO)
    .sort((a, b) => b.ratio - a.ratio)
    .slice(0, MOST_THRESHOLDS)
    .map(({ middle }) => middle)
}
