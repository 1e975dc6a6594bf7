import { placed } from '../../gather.ts'
import { type Clock, lengthS } from '../../run/clock.ts'
import type { Readings } from '../../run/readings.ts'
import type { Track } from '../../track.ts'
import { roundHalfUp } from '../../units.ts'
import { clocksOf, pulseTime } from './counted-time.ts'
import { efficiency } from './decoupling.ts'
import {
  best30,
  hourRaceHeartRate,
  PEAK_S,
  peakHeartRate,
  RACE_WARM_UP_S,
  TEST_END_S,
  TEST_S,
} from './threshold-windows.ts'

interface Window {
  readonly fromElapsedS: number
  readonly toElapsedS: number
}

export const NO_WINDOWS = { halves: null, peakHeartRate: null, fastestHalfHour: null, hourRace: null }

/** Finds the stretches that `runTraining` computes its numbers from; null: the run has no such number. */
export function trainingWindows(
  track: Pick<Track, 'tS' | 'off'>,
  readings: Pick<Readings, 'distanceM' | 'equivalentM' | 'heartRate' | 'found'>,
) {
  const [firstS, lastS] = [track.tS[0] ?? 0, track.tS.at(-1) ?? 0]
  const { elapsed, steady } = clocksOf(track, readings)
  const half = readings.distanceM && best30(elapsed)
  const peak = readings.heartRate && peakHeartRate(elapsed, readings.heartRate)
  const raceBpm = hourRaceHeartRate(elapsed, lastS - firstS)
  return {
    halves: readings.distanceM && halvesOf(steady),
    peakHeartRate: peak && { ...windowFrom(peak.startS, PEAK_S), bpm: roundHalfUp(peak.bpm, 1) },
    fastestHalfHour: half && {
      ...windowFrom(half.startS, TEST_S),
      testFromElapsedS: roundHalfUp(half.startS + TEST_S - TEST_END_S, 1),
      bpm: half.lthr,
      paceS: roundHalfUp(1000 / half.speedMps, 1),
    },
    hourRace:
      raceBpm === null ? null : { ...windowFrom(RACE_WARM_UP_S, lastS - RACE_WARM_UP_S), bpm: roundHalfUp(raceBpm, 1) },
  }
}

/** Both halves of the decoupling, with the efficiency of each. */
function halvesOf(steady: Clock) {
  const counted = pulseTime(steady)
  const { ef1, ef2, countedS } = efficiency(counted, lengthS(steady))
  if (ef1 === null || ef2 === null) return null
  const half = (fromS: number, toS: number): Window => {
    const startS = counted.elapsedAt(placed(counted.atS, fromS), 'begin')
    return windowFrom(startS, counted.elapsedAt(placed(counted.atS, toS), 'end') - startS)
  }
  return [
    { ...half(0, countedS / 2), ef: roundHalfUp(ef1, 3) },
    { ...half(countedS / 2, countedS), ef: roundHalfUp(ef2, 3) },
  ]
}

function windowFrom(startS: number, lengthS: number): Window {
  return { fromElapsedS: roundHalfUp(startS, 1), toElapsedS: roundHalfUp(startS + lengthS, 1) }
}
