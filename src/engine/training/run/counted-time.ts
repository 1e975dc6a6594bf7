import { type Clock, elapsedClock, without } from '../../run/clock.ts'
import { mergedSpans } from '../../run/moving.ts'
import type { Readings } from '../../run/readings.ts'
import type { Span, Track } from '../../track.ts'

const WARM_UP_S = 600
/** A stop of this length lets the heart rate fall, so averages leave out the time after it. */
const LONG_STOP_S = 60
const AFTER_STOP_S = 120
const EPSILON_S = 1e-9

/**
 * A run on its clocks: as it passed; without stops and timer-off time; and without the warm-up and the time after a long
 * stop as well, in which heart rate says little of the speed.
 */
export function clocksOf(
  track: Pick<Track, 'tS' | 'off'>,
  readings: Pick<Readings, 'distanceM' | 'equivalentM' | 'heartRate' | 'found'>,
) {
  const elapsed = elapsedClock(track, readings)
  const cut = mergedSpans([...(readings.found ?? []), ...track.off])
  const moving = without(elapsed, cut)
  const left = [{ startS: 0, endS: WARM_UP_S }]
  const firstS = track.tS[0] ?? 0
  let lostS = firstS
  for (const { startS, endS } of cut) {
    const fromS = Math.max(startS, firstS)
    if (endS <= fromS) continue
    const atS = fromS - lostS
    if (endS - fromS >= LONG_STOP_S - EPSILON_S) left.push({ startS: atS, endS: atS + AFTER_STOP_S })
    lostS += endS - fromS
  }
  return { elapsed, moving, steady: without(moving, mergedSpans(left)), cut }
}

/** The time of a clock that has a heart rate. */
export function pulseTime(clock: Clock): Clock {
  const { atS, heldS } = clock
  const silent: Span[] = []
  for (let i = 1; i < atS.length; i += 1) {
    const [startS, endS] = [atS[i - 1]!, atS[i]!]
    if (heldS[i]! - heldS[i - 1]! < (endS - startS) / 2) silent.push({ startS, endS })
  }
  return without(clock, mergedSpans(silent))
}
