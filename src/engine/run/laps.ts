import type { AnalyzeOptions } from '../analysis.ts'
import { type DeviceLap, lapSeries, touchingLaps } from '../laps.ts'
import type { Span, Track } from '../track.ts'
import { roundedOrNull, roundHalfUp } from '../units.ts'
import { heldMean, heldMost, heldSeries } from './hold.ts'
import { type Readings, trackReadings } from './readings.ts'
import { atBoundary, type PartNumbers, readingParts, stoppedUntil, timeBoundaries } from './splits.ts'

/** Numbers of the part between two times, rounded as those of a split; null: the run does not give the number. */
export interface Stretch extends PartNumbers {
  readonly distanceM: number | null
  /** Seconds per km over the whole time, pauses included. */
  readonly paceS: number | null
  readonly timerTimeS: number
  readonly maxHeartRateBpm: number | null
  readonly avgPowerWatts: number | null
}

/** A lap of the device: its times and marks, with numbers computed from the run. */
export interface Lap extends Omit<Stretch, 'timerTimeS'>, Pick<DeviceLap, 'trigger' | 'intensity'> {
  readonly timerTimeS: number | null
  /** 1: nested in laps of series 0, or overlapping them. */
  readonly series: number
}

/** A lap on the clock of a track. */
export type PlacedLap = Span & Pick<DeviceLap, 'trigger' | 'intensity'>

/**
 * The parts between consecutive times, computed as splits are (docs/algorithms.md 2).
 * @param cutsS ascending elapsed seconds within the recorded time; there is one part fewer than cuts
 */
export function stretches(track: Track, readings: Readings, cutsS: readonly number[]): Stretch[] {
  const bounds = timeBoundaries(track.tS, cutsS)
  const { distanceM, heartRate } = readings
  const power = heldSeries(track.tS, track.powerW, [0, Number.POSITIVE_INFINITY])
  const offS = stoppedUntil(bounds.timeS, track.off)
  const timerS = (k: number) => bounds.timeS[k]! - offS[k]!
  return readingParts(track, readings, bounds).map((part, k) => {
    const window = { startS: bounds.timeS[k]!, endS: bounds.timeS[k + 1]! }
    const metres = distanceM && atBoundary(distanceM, bounds, k + 1) - atBoundary(distanceM, bounds, k)
    return {
      ...part,
      distanceM: roundedOrNull(metres, 2),
      paceS: metres === null || metres <= 0 ? null : roundHalfUp((1000 * (window.endS - window.startS)) / metres, 2),
      timerTimeS: roundHalfUp(timerS(k + 1)) - roundHalfUp(timerS(k)),
      maxHeartRateBpm: heartRate && roundedOrNull(heldMost(heartRate, window)),
      avgPowerWatts: power && roundedOrNull(heldMean(power, window)),
    }
  })
}

/** One series on the clock of a track, touching where they nearly do, cut to its length. `recorded`: not moved. */
export function placedLaps(
  { startMs, tS }: Pick<Track, 'startMs' | 'tS'>,
  series: readonly DeviceLap[],
): (PlacedLap & { readonly recorded: Span })[] {
  const lastS = tS.at(-1) ?? 0
  const elapsedS = (ms: number) => Math.min(lastS, Math.max(0, (ms - startMs) / 1000))
  const span = (lap: DeviceLap): Span => ({ startS: elapsedS(lap.startMs), endS: elapsedS(lap.endMs) })
  return touchingLaps(series)
    .map((lap, k) => {
      const { trigger, intensity } = lap
      return { ...span(lap), trigger, intensity, recorded: span(series[k]!) }
    })
    .filter(({ startS, endS }) => endS > startS)
}

/** The laps of a device with numbers computed from the run, one series after the other. */
export function runLaps(track: Track, laps: readonly DeviceLap[], elevation: AnalyzeOptions['elevation']): Lap[] {
  const readings = trackReadings(track, elevation)
  return lapSeries(laps).flatMap((one, series) => {
    const placed = placedLaps(track, one)
    // the ends of the run are cuts as well, so that laps that cover the whole run add up to it
    const cutsS = [0, ...placed.flatMap(({ startS, endS }) => [startS, endS]), track.tS.at(-1) ?? 0]
    const ascending = cutsS.filter((atS, k) => k === 0 || atS > cutsS[k - 1]!)
    const parts = new Map(stretches(track, readings, ascending).map((part, k) => [ascending[k]!, part]))
    return placed.map(({ startS, trigger, intensity, recorded }): Lap => {
      const startElapsedS = roundHalfUp(recorded.startS, 3)
      const endElapsedS = roundHalfUp(recorded.endS, 3)
      return { ...parts.get(startS)!, startElapsedS, endElapsedS, trigger, intensity, series }
    })
  })
}

/** The laps of a run without samples, as the device states them, one series after the other. */
export function statedLaps(startMs: number, laps: readonly DeviceLap[]): Lap[] {
  return lapSeries(laps).flatMap((one, series) => one.map((lap) => statedLap(lap, { startMs, series })))
}

function statedLap(lap: DeviceLap, { startMs, series }: { readonly startMs: number; readonly series: number }): Lap {
  const [startS, endS] = [(lap.startMs - startMs) / 1000, (lap.endMs - startMs) / 1000]
  const { distanceM } = lap
  const isMeasured = distanceM !== null && distanceM > 0
  return {
    durationS: roundHalfUp(endS) - roundHalfUp(startS),
    startElapsedS: roundHalfUp(startS, 3),
    endElapsedS: roundHalfUp(endS, 3),
    movingTimeS: null,
    elevGainM: lap.elevGainM,
    elevLossM: lap.elevLossM,
    avgHeartRateBpm: lap.avgHeartRateBpm,
    avgCadenceRpm: roundedOrNull(lap.avgCadenceRpm),
    gapPaceS: null,
    distanceM,
    paceS: isMeasured ? roundHalfUp((1000 * (endS - startS)) / distanceM, 2) : null,
    timerTimeS: roundedOrNull(lap.timerS),
    maxHeartRateBpm: lap.maxHeartRateBpm,
    avgPowerWatts: lap.avgPowerW,
    trigger: lap.trigger,
    intensity: lap.intensity,
    series,
  }
}
