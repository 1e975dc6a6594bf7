import type { Readings } from '../../run/readings.ts'
import type { Track } from '../../track.ts'
import { roundHalfUp } from '../../units.ts'
import { type CountedTime, countedTime, heldSpans, movingOf, movingSpans } from './counted-time.ts'
import { efficiency } from './decoupling.ts'
import { elapsedOf, type MovingClock, movingClock } from './moving-clock.ts'
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
  { distanceM, equivalentM, heartRate, found }: Pick<Readings, 'distanceM' | 'equivalentM' | 'heartRate' | 'found'>,
) {
  const { tS } = track
  const [firstS, lastS] = [tS[0] ?? 0, tS.at(-1) ?? 0]
  const held = heartRate && heldSpans(heartRate, lastS)
  const clock = movingClock(track, { distanceM, equivalentM, found })
  const graded = equivalentM ?? distanceM
  const half = graded && best30(tS, graded, held)
  const peak = held && peakHeartRate(held)
  const raceBpm = held && hourRaceHeartRate(held, lastS - firstS)
  return {
    halves: clock && held && halvesOf(clock, countedTime(clock, movingSpans(held, clock))),
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
function halvesOf(clock: MovingClock, counted: CountedTime) {
  const { ef1, ef2, countedS } = efficiency(counted)
  if (ef1 === null || ef2 === null) return null
  const [fromS, middleS, toS] = [0, countedS / 2, countedS].map((atS) => elapsedOf(clock, movingOf(counted, atS)))
  return [
    { ...windowFrom(fromS!, middleS! - fromS!), ef: roundHalfUp(ef1, 3) },
    { ...windowFrom(middleS!, toS! - middleS!), ef: roundHalfUp(ef2, 3) },
  ]
}

function windowFrom(startS: number, lengthS: number): Window {
  return { fromElapsedS: roundHalfUp(startS, 1), toElapsedS: roundHalfUp(startS + lengthS, 1) }
}
