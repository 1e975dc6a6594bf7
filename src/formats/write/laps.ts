import type { AnalyzeOptions } from '../../engine/analysis.ts'
import { bareLap, type DeviceLap, orderedLaps } from '../../engine/laps.ts'
import { type Lap, runLaps, toldLaps } from '../../engine/run/laps.ts'
import { secondsWithin } from '../../engine/run/moving.ts'
import { roundHalfUp } from '../../engine/units.ts'
import { endOf, type WrittenLap, type WrittenRun } from './run.ts'

/** A shorter stretch between two laps is added to the lap before it. */
const LEAST_LAP_S = 1.5

interface LapOptions {
  /** Laps of the device, or made of splits, on the clock of the recording. Empty: the whole run is one lap. */
  readonly laps: readonly DeviceLap[]
  readonly elevation: AnalyzeOptions['elevation']
}

/**
 * Laps that cover the whole run: the stretches before, between and after the given laps become laps of their own. For a
 * run with samples their numbers come from the samples, else from the device. Their timer times add up to that of the
 * run.
 */
export function fillingLaps(run: Omit<WrittenRun, 'laps'>, { laps, elevation }: LapOptions): WrittenLap[] {
  const { track, startMs, numbers } = run
  const endS = endOf(run)
  const filled = filling(laps, startMs, startMs + 1000 * endS)
  // a lap that covers the whole run gets the numbers of the run
  const [only] = filled
  if (filled.length === 1 && only !== undefined) return [wholeLap(run, only, endS)]
  const told = track === null ? toldLaps(startMs, filled) : runLaps(track, filled, elevation)
  const written = told.map((lap, k) => writtenLap(lap, { run, endS: k === told.length - 1 ? endS : lap.endElapsedS }))
  return withTotals(written, numbers)
}

function filling(laps: readonly DeviceLap[], startMs: number, endMs: number): DeviceLap[] {
  const filled: DeviceLap[] = []
  const extend = (toMs: number) => {
    const before = filled.at(-1)
    const fromMs = before?.endMs ?? startMs
    if (toMs - fromMs <= (before === undefined ? 0 : LEAST_LAP_S * 1000)) {
      if (before !== undefined && toMs > fromMs) filled[filled.length - 1] = { ...before, endMs: toMs }
    } else filled.push(bareLap(fromMs, toMs))
  }
  for (const lap of orderedLaps(laps)) {
    const fromMs = Math.max(startMs, lap.startMs)
    const toMs = Math.min(endMs, lap.endMs)
    if (toMs <= fromMs) continue
    // time missing before the first lap is usually the fraction of a second that the watch does not write
    if (filled.length === 0 && fromMs - startMs <= LEAST_LAP_S * 1000) filled.push({ ...lap, startMs, endMs: toMs })
    else {
      extend(fromMs)
      filled.push({ ...lap, startMs: filled.at(-1)?.endMs ?? startMs, endMs: toMs })
    }
  }
  if (filled.length === 0) return [bareLap(startMs, endMs)]
  extend(endMs)
  return filled
}

function wholeLap({ numbers, track }: Omit<WrittenRun, 'laps'>, lap: DeviceLap, endS: number): WrittenLap {
  return {
    startS: 0,
    endS,
    timerS: Math.min(endS, numbers.timerTimeS ?? endS - secondsWithin(track?.off ?? [], 0, endS)),
    distanceM: numbers.distanceM,
    avgHeartRateBpm: numbers.avgHeartRateBpm,
    maxHeartRateBpm: numbers.maxHeartRateBpm,
    avgCadenceRpm: numbers.avgCadenceRpm,
    avgPowerWatts: numbers.avgPowerWatts,
    elevGainM: numbers.elevGainM,
    elevLossM: numbers.elevLossM,
    trigger: lap.trigger,
    intensity: lap.intensity,
  }
}

function writtenLap(lap: Lap, { run: { track }, endS }: { run: Omit<WrittenRun, 'laps'>; endS: number }): WrittenLap {
  const { startElapsedS: startS, distanceM, avgHeartRateBpm, maxHeartRateBpm, avgCadenceRpm, avgPowerWatts } = lap
  const ranS = endS - startS - secondsWithin(track?.off ?? [], startS, endS)
  return {
    startS,
    endS,
    distanceM,
    avgHeartRateBpm,
    maxHeartRateBpm,
    avgCadenceRpm,
    avgPowerWatts,
    timerS: track === null ? (lap.timerTimeS ?? ranS) : ranS,
    elevGainM: lap.elevGainM,
    elevLossM: lap.elevLossM,
    trigger: lap.trigger,
    intensity: lap.intensity,
  }
}

/**
 * Distributes the timer time of the run over the laps; the last lap gets what a device's total has beyond its last
 * record.
 */
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
