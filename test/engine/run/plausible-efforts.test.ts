import { expect, test } from 'bun:test'
import type { BestEffort } from '../../../src/engine/analysis.ts'
import { bestEffort, STANDARD_DISTANCES } from '../../../src/engine/run/best-efforts.ts'
import { bestEfforts } from '../../../src/engine/run/plausible-efforts.ts'
import { cleanRecording } from '../../../src/engine/run/samples.ts'
import { SESSIONS } from '../../fixtures/interval-runs.ts'
import { knots } from '../../fixtures/knots.ts'
import { pairs } from '../../fixtures/pairs.ts'
import { degreesAt, recordingOf, START_MS } from '../../fixtures/recording.ts'
import { madeSession } from '../../fixtures/sessions.ts'

type Knots = ReturnType<typeof knots>

function effortsOf({ tS, distanceM }: Knots, off: readonly (readonly [number, number])[] = []): BestEffort[] {
  const timerOffMs = off.map(([fromS, toS]) => [START_MS + fromS * 1000, START_MS + toS * 1000] as const)
  const track = cleanRecording(recordingOf(tS, { distanceM }, { timerOffMs }))!
  return bestEfforts(track, track.distanceM)
}

const reasons = (efforts: readonly BestEffort[]): string[] =>
  efforts.map(({ distanceIndex, implausibleReason: why }) => `${STANDARD_DISTANCES[distanceIndex]!.label} ${why}`)

test('the table holds the fastest times ever run', () => {
  // docs/algorithms.md 18, with the years.
  expect(STANDARD_DISTANCES.map(({ fastestS }) => fastestS)).toEqual([
    43.03, 101.5, 131.96, 223.13, 474.1, 755.36, 1571, 2387, 2569, 3222, 3402, 5131, 7170,
  ])
})

test('a burst too fast for anyone is cut out and the next best window counts', () => {
  // 300 s at 3 m/s, then 300 m in 5 s (no barrier: 60 m a second is under 112.5 m), then 300 s at 4 m/s.
  const run = knots(pairs('300,3 5,60 300,4'), 1)
  expect(bestEffort(run.tS, run.distanceM, 400)!.timeS).toBe(30)
  const best = { distanceIndex: 0, timeMs: 100_000, startMs: 305_000, implausibleReason: null }
  expect(effortsOf(run)[0]).toEqual(best)
})

test('exactly the time of the record is plausible, a millisecond less is not', () => {
  const kilometre = (timeS: number) => {
    const [tS, distanceM] = [Float64Array.of(0, timeS), Float64Array.of(0, 1000)]
    const track = cleanRecording(recordingOf(tS, { distanceM }))!
    return bestEfforts({ ...track, tS, distanceSource: 'device' }, distanceM).at(-1)!
  }
  expect(kilometre(131.96)).toMatchObject({ distanceIndex: 2, implausibleReason: null })
  expect(kilometre(131.959).implausibleReason).not.toBeNull()
})

/** Runs at 3 m/s, then this far in this time without a record, then runs again. */
function withGap(seconds: number, metres: number, besideS = 600): Knots {
  const parts = knots([[besideS, 3]], 1)
  const after = { tS: parts.tS.map((t) => besideS + seconds + t), distanceM: parts.distanceM.map((d) => d + metres) }
  return {
    tS: Float64Array.of(...parts.tS, ...after.tS),
    distanceM: Float64Array.of(...parts.distanceM, ...after.distanceM.map((d) => d + parts.distanceM.at(-1)!)),
  }
}

test('across a gap a runner is not much faster than before and after it', () => {
  // 3600 m beside it in 1200 s: x = 1.5 * (3600 + x) / 1400 * 200 + 50 is 1045.5 m.
  expect(reasons(effortsOf(withGap(200, 1045)))).toEqual(
    reasons(effortsOf(knots([[1400, 3]], 1))).filter((name) => name.endsWith('null')),
  )
  const found = effortsOf(withGap(200, 1046))
  // 400 m to a mile are found beside the gap, two miles (3218 m) only across it: either side has 1800 m.
  expect(reasons(found)).toEqual(['400m null', '1/2 mile null', '1K null', '1 mile null', '2 mile gap'])
  expect(found[0]).toMatchObject({ timeMs: 133_333 })
})

test('a gap of half a minute, and one with the timer off, is none', () => {
  expect(reasons(effortsOf(withGap(30, 300)))).not.toContain('2 mile gap')
  expect(reasons(effortsOf(withGap(31, 300)))).toContain('2 mile gap')
  expect(reasons(effortsOf(withGap(200, 1100), [[600, 790]]))).not.toContain('2 mile gap')
})

/** Efforts of positions due north, one a second. */
function northward(metresAt: (second: number) => number, seconds: number): BestEffort[] {
  const { perNorthM } = degreesAt(47)
  const tS = Float64Array.from({ length: seconds + 1 }, (_, second) => second)
  const latDeg = tS.map((second) => 47 + metresAt(second) * perNorthM)
  const track = cleanRecording(recordingOf(tS, { latDeg, lonDeg: tS.map(() => 8) }))!
  return bestEfforts(track, track.distanceM)
}

test('a jump of the positions, which adds no distance, is spanned by no effort', () => {
  expect(reasons(northward((second) => 4 * second, 600)).at(-1)).toBe('1 mile null')
  const leaping = northward((second) => 4 * second + (second > 300 ? 5000 : 0), 600)
  expect(reasons(leaping).at(-1)).toBe('1K null')
})

test('under two minutes an effort of positions alone is not 1.6 times as fast as the same distance beside it', () => {
  const withFast = (mps: number, fromS: number) => (second: number) =>
    3 * second + (mps - 3) * Math.min(Math.max(0, second - fromS), 400 / mps)
  expect(reasons(northward(withFast(4.7, 600), 1200))[0]).toBe('400m null')
  expect(reasons(northward(withFast(4.9, 600), 1200))[0]).toBe('400m leap')
  // a sprint at the end has nothing after it
  expect(reasons(northward(withFast(4.9, 1000), 1090))[0]).toBe('400m null')
  // a device's own distance is not doubted
  const spurt = knots(pairs('600,3 80,5 600,3'), 1)
  expect(reasons(effortsOf(spurt))[0]).toBe('400m null')
})

test('no repetition of a made session is a leap where positions alone tell the distance', () => {
  for (const [title, steps] of Object.entries(SESSIONS)) {
    const { track } = madeSession(steps, { seed: 1, isByPositions: true })
    const gps = { ...track, distanceSource: 'gps' as const }
    const found = bestEfforts(gps, gps.distanceM)
    expect([title, ...reasons(found).filter((reason) => !reason.endsWith('null'))]).toEqual([title])
  }
})
