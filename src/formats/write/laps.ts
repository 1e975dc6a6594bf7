import type { AnalyzeOptions } from '../../engine/analysis.ts'
import { bareLap, type DeviceLap, lapSeries } from '../../engine/laps.ts'
import { type Lap, runLaps, statedLaps } from '../../engine/run/laps.ts'
import { secondsWithin } from '../../engine/run/moving.ts'
import { roundHalfUp } from '../../engine/units.ts'
import { endOf, timerOf, type WrittenLap, type WrittenRun } from './run.ts'

/** A shorter stretch between two laps is added to the lap before it. */
const LEAST_LAP_S = 1.5

interface LapOptions {
  /** Laps of the device, on the clock of the recording. Empty: the whole run is one lap. */
  readonly laps: readonly DeviceLap[]
  readonly elevation: AnalyzeOptions['elevation']
}

type Bare = Omit<WrittenRun, 'laps' | 'overlapping'>

/**
 * The laps of the device, filled up to cover the whole run: the stretches around those of the first series become laps
 * of their own. Numbers come from the samples, else from the device; the timer times of the first series add up to the
 * run's.
 */
export function fillingLaps(run: Bare, { laps, elevation }: LapOptions): Pick<WrittenRun, 'laps' | 'overlapping'> {
  const { track, startMs, numbers } = run
  const endS = endOf(run)
  const endMs = startMs + 1000 * endS
  const [first = [], second = []] = lapSeries(laps)
  const filled = filling(first, startMs, endMs)
  const numbered = (some: readonly DeviceLap[]) => {
    return track === null ? statedLaps(startMs, some) : runLaps(track, some, elevation)
  }
  const last = filled.length - 1
  return {
    // a lap that covers the whole run gets the numbers of the run
    laps:
      last === 0
        ? [wholeLap(run, filled[0]!, endS)]
        : withTotals(
            numbered(filled).map((lap, k) => writtenLap(lap, { run, endS: k === last ? endS : lap.endElapsedS })),
            numbers,
          ),
    overlapping: numbered(within(second, startMs, endMs)).map((lap) => writtenLap(lap, { run, endS: lap.endElapsedS })),
  }
}

function within(laps: readonly DeviceLap[], startMs: number, endMs: number): DeviceLap[] {
  return laps
    .map((lap) => ({ ...lap, startMs: Math.max(startMs, lap.startMs), endMs: Math.min(endMs, lap.endMs) }))
    .filter((lap) => lap.endMs > lap.startMs)
}

/** Each lap begins as recorded, and ends where the next begins, unless a lap of its own fits between them. */
function filling(laps: readonly DeviceLap[], startMs: number, endMs: number): DeviceLap[] {
  const filled: DeviceLap[] = []
  for (const lap of within(laps, startMs, endMs)) {
    fillUpTo(lap.startMs)
    filled.push(filled.length === 0 ? { ...lap, startMs } : lap)
  }
  fillUpTo(endMs)
  return filled

  function fillUpTo(atMs: number): void {
    const last = filled.pop()
    if (last !== undefined && atMs > last.startMs) filled.push(last)
    // time missing before the first lap is usually the fraction of a second that the watch does not write
    const from = last?.endMs ?? startMs
    if (atMs - from > LEAST_LAP_S * 1000 || (last === undefined && atMs === endMs)) filled.push(bareLap(from, atMs))
    else if (filled.length > 0) filled[filled.length - 1] = { ...filled.at(-1)!, endMs: atMs }
  }
}

function wholeLap(run: Bare, { trigger, intensity }: DeviceLap, endS: number): WrittenLap {
  return { ...run.numbers, startS: 0, endS, timerS: Math.min(endS, timerOf(run)), trigger, intensity }
}

function writtenLap(lap: Lap, { run: { track }, endS }: { run: Bare; endS: number }): WrittenLap {
  const startS = lap.startElapsedS
  const ranS = endS - startS - secondsWithin(track?.off ?? [], startS, endS)
  return { ...lap, startS, endS, timerS: track === null ? (lap.timerTimeS ?? ranS) : ranS }
}

/** Distributes the timer time of the run; the last lap gets what a device's total has beyond its last record. */
function withTotals(laps: readonly WrittenLap[], numbers: WrittenRun['numbers']): WrittenLap[] {
  const sum = (of: (lap: WrittenLap) => number) => laps.reduce((before, lap) => before + of(lap), 0)
  const ranS = sum(({ timerS }) => timerS)
  const share = numbers.timerTimeS === null || ranS <= 0 ? 1 : numbers.timerTimeS / ranS
  const missingM = (numbers.distanceM ?? 0) - sum(({ distanceM }) => distanceM ?? 0)
  return laps.map((lap, k) => ({
    ...lap,
    timerS: roundHalfUp(lap.timerS * share, 3),
    distanceM:
      k === laps.length - 1 && lap.distanceM !== null && missingM > 0
        ? roundHalfUp(lap.distanceM + missingM, 2)
        : lap.distanceM,
  }))
}
