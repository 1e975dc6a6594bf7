import { type DeviceLap, LAP_INTENSITIES, type LapTrigger, orderedLaps } from '../../engine/laps.ts'
import { type FitTimeline, type SessionClock, unixS } from './clock.ts'
import type { FitPart } from './decode.ts'
import { type FitMessage, positive, withFraction } from './values.ts'

/** lap_trigger of the FIT profile. */
const TRIGGERS: readonly LapTrigger[] = [
  'manual',
  'time',
  'distance',
  'position',
  'position',
  'position',
  'position',
  'sessionEnd',
  'fitnessEquipment',
]
/** The first lap may be stated to start this much before its session, since watches round each start separately. */
const SLACK_S = 1

/** The laps that begin within one session. */
export function fitLaps(part: FitPart, timeline: FitTimeline, clock: SessionClock): DeviceLap[] {
  const laps: DeviceLap[] = []
  // a lap is written when it ends, so the records written before the last lap message are nearest to its start
  let startRow = part.firstRow
  for (const message of part.messages.lap ?? []) {
    const stated = lapTimes(message)
    const row = startRow
    startRow = message.row
    if (stated === null) continue
    const startS = stated.startS + timeline.shiftS(stated.startS, row) + clock.offS
    const fromS = clock.sessionS(startS)
    if (!(fromS >= -SLACK_S && startS < clock.nextStartS)) continue
    const endS = stated.endS + timeline.shiftS(stated.endS, message.row) + clock.offS
    const unixMs = (atS: number) => (clock.startS + Math.max(0, clock.sessionS(atS))) * 1000
    laps.push({ ...statedOf(message), startMs: unixMs(startS), endMs: unixMs(Math.min(endS, clock.nextStartS)) })
  }
  return orderedLaps(laps)
}

/** Unix seconds of start and end; null for a lap without them. */
function lapTimes({ startTime, timestamp, totalElapsedTime }: FitMessage) {
  const startS = unixS(startTime)
  if (startS === null) return null
  const elapsedS = positive(totalElapsedTime)
  const endS = elapsedS === null ? unixS(timestamp) : startS + elapsedS
  return endS === null ? null : { startS, endS }
}

function statedOf(message: FitMessage): Omit<DeviceLap, 'startMs' | 'endMs'> {
  return {
    timerS: positive(message.totalTimerTime),
    distanceM: positive(message.totalDistance),
    avgHeartRateBpm: positive(message.avgHeartRate),
    maxHeartRateBpm: positive(message.maxHeartRate),
    avgCadenceRpm: withFraction(message.avgCadence, message.avgFractionalCadence),
    avgPowerW: positive(message.avgPower),
    elevGainM: atLeastZero(message.totalAscent),
    elevLossM: atLeastZero(message.totalDescent),
    trigger: wordOf(TRIGGERS, message.lapTrigger),
    intensity: wordOf(LAP_INTENSITIES, message.intensity),
  }
}

function wordOf<T>(words: readonly T[], value: unknown): T | null {
  return typeof value === 'number' ? (words[value] ?? null) : null
}

function atLeastZero(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 ? value : null
}
