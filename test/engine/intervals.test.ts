// Sessions with known truth: every repetition is found, starts and ends within 5 s, and is as long within 3 %, or 10 m where
// that is more, 15 m where the watch records every three seconds. Steady runs of many kinds have none.
import { describe, expect, test } from 'bun:test'
import { type Intervals, intervals } from '../../src/engine/intervals/intervals.ts'
import type { PlacedLap } from '../../src/engine/run/laps.ts'
import { cleanRecording } from '../../src/engine/run/samples.ts'
import type { Track } from '../../src/engine/track.ts'
import { COOL, kilometres, ladder, repeated, SESSIONS, STEADY, VARIANTS, WARM } from '../fixtures/interval-runs.ts'
import { seededRandom } from '../fixtures/knots.ts'
import { recordingOf } from '../fixtures/recording.ts'
import { type MadeSession, madeSession, type Step } from '../fixtures/sessions.ts'

const ELEVATION = { thresholdM: 2, minDistanceM: 10 }
const TOLERANCE_S = 5
const TOLERANCE_SHARE = 0.03
const TOLERANCE_M = 10
const SPARSE_TOLERANCE_M = 15

const found = ({ track }: MadeSession, laps: readonly PlacedLap[] = []) => intervals(track, laps, ELEVATION)

function expectTruth({ truth, track }: MadeSession, { sets }: Intervals, what: string): void {
  const leastM = track.tS[2]! - track.tS[1]! > 1.5 ? SPARSE_TOLERANCE_M : TOLERANCE_M
  const repetitions = sets.flatMap((set) => set.repetitions)
  expect(repetitions.length, what).toBe(truth.length)
  for (const [k, { startS, endS, distanceM }] of truth.entries()) {
    const repetition = repetitions[k]!
    expect(Math.abs(repetition.startElapsedS - startS), `${what}, start of ${k}`).toBeLessThanOrEqual(TOLERANCE_S)
    expect(Math.abs(repetition.endElapsedS - endS), `${what}, end of ${k}`).toBeLessThanOrEqual(TOLERANCE_S)
    const most = Math.max(TOLERANCE_SHARE * distanceM, leastM)
    expect(Math.abs(repetition.distanceM! - distanceM), `${what}, metres of ${k}`).toBeLessThanOrEqual(most)
  }
}

const SEEDS = [1, 2, 3]

describe('sessions are recognised from the steps of the pace', () => {
  test.each(Object.entries(SESSIONS))('%s', (title, steps) => {
    for (const seed of SEEDS) {
      for (const [variant, options] of Object.entries(VARIANTS)) {
        const made = madeSession(steps, { seed, ...options })
        const answer = found(made)
        const what = `${title} ${variant}, seed ${seed}`
        expect([answer.source, answer.summary?.title], what).toEqual(['pace', title])
        expectTruth(made, answer, what)
      }
    }
  })
})

test.each(Object.entries(STEADY))('a run %s has no session', (_, make) => {
  for (const seed of [1, 2, 3, 4]) {
    const [steps, options] = make(seededRandom(977 * seed))
    const made = madeSession(steps, { seed, ...options })
    // a lap at every change, and one every kilometre
    for (const [what, laps] of Object.entries({ none: [], laps: made.laps, kilometres: kilometres(made) }))
      expect(found(made, laps), `${what}, seed ${seed}`).toEqual({ source: null, sets: [], summary: null })
  }
})

describe('sessions are recognised from laps', () => {
  test.each(['10 × 400 m', '7 × 400 m', '5 × 4:00', '400-800-1200-800-400 m'])('of the runner: %s', (title) => {
    for (const seed of SEEDS) {
      const made = madeSession(SESSIONS[title]!, { seed })
      const answer = found(
        made,
        made.laps.map((lap) => ({ ...lap, intensity: null })),
      )
      expect([answer.source, answer.summary?.title]).toEqual(['laps', title])
      for (const [k, { startS, endS }] of made.truth.entries()) {
        const repetition = answer.sets.flatMap((set) => set.repetitions)[k]!
        expect(repetition.startElapsedS).toBeCloseTo(startS, 2)
        expect(repetition.endElapsedS).toBeCloseTo(endS, 2)
      }
    }
  })

  test('that a workout of the watch marked, even with two repetitions and little difference in pace', () => {
    const steps = [WARM, ...repeated(2, { s: 900, mps: 3.5 }, { s: 180, mps: 3 }), COOL]
    const made = madeSession(steps)
    const answer = found(made, made.laps)
    expect([answer.source, answer.summary?.title]).toEqual(['laps', '2 × 15:00'])
    expectTruth(made, answer, 'marked')
  })

  test('and an unmarked warm-up and cool-down are not part of it', () => {
    const steps = [WARM, ...repeated(4, { s: 300, mps: 4 }, { s: 120, mps: 2.5 }), { ...COOL, mps: 2.6 }]
    const made = madeSession(steps)
    const marked = made.laps.map((lap) => ({
      ...lap,
      ...(lap.intensity !== 'rest' && { intensity: 'active' as const }),
    }))
    expect(found(made, marked).summary?.title).toBe('4 × 5:00')
  })
})

test.each([12, 20, 35])('a repetition with a stop of %d s in it, as at a traffic light, stays one', (stopS) => {
  const [work, rest] = [
    { s: 240, mps: 4.3 },
    { s: 120, mps: 2.4 },
  ]
  const stopped: Step[] = [
    { s: 130, mps: 4.3 },
    { s: stopS, mps: 0 },
    { s: 110, mps: 4.3 },
  ]
  const steps = [{ s: 600, mps: 2.9 }, work, rest, ...stopped, rest, work, rest, work, { s: 600, mps: 2.8 }]
  const { sets } = found(madeSession(steps))
  expect(sets.map(({ title }) => title)).toEqual(['4 × 4:00'])
  const [, second] = sets[0]!.repetitions
  expect(Math.abs(second!.endElapsedS - second!.startElapsedS - 240 - stopS)).toBeLessThan(3)
})

describe('the summary of a session', () => {
  test('has its paces, its recoveries, the heart rates and how much slower it became', () => {
    const works = [230, 232, 234, 236, 238].map((pace) => ({ s: 240, mps: 1000 / pace }))
    const made = madeSession([WARM, ...ladder(works, { s: 120, mps: 2.4 }), COOL], { paceNoise: 0.002 })
    const { sets, summary } = found(made)
    expect(summary?.title).toBe('5 × 4:00')
    expect(summary?.text).toMatch(/^5 × 4:00 at 3:5\d\/km, recovery 2:0[0-3], fade \+\d+ s$/)
    expect(sets).toHaveLength(1)
    const [set] = sets
    expect(set).toMatchObject({ kind: 'equal', target: { kind: 'time', value: 240 } })
    const fadeS = made.truth.map(({ startS, endS, distanceM }) => (1000 * (endS - startS)) / distanceM)
    expect(Math.abs(set!.fadeS! - (fadeS[4]! - fadeS[0]!))).toBeLessThan(4)
    expect(Math.abs(set!.paceS! - 235)).toBeLessThan(4)
    expect(Math.abs(set!.recoveryS! - 120)).toBeLessThanOrEqual(3)
    const [first, , , , last] = set!.repetitions
    // 95 + 20 × 4.3 beats when the heart has followed, 143 when it has come down
    expect(Math.abs(first!.endHeartRateBpm! - 181)).toBeLessThanOrEqual(3)
    expect(first!.recovery).toMatchObject({ endHeartRateBpm: expect.any(Number), elevGainM: expect.any(Number) })
    expect(Math.abs(first!.recovery!.heartRateDropBpm! - 38)).toBeLessThanOrEqual(4)
    expect(last!.recovery).toBeNull()
  })
})

describe('odd tracks have no session', () => {
  const track = (tS: readonly number[], distanceM: readonly number[]) => cleanRecording(recordingOf(tS, { distanceM }))!
  const seconds = (n: number) => Array.from({ length: n }, (_, t) => t)
  const setsOf = (made: Track) => intervals(made, [], ELEVATION).sets

  test('of one record or two, that stand, that jump, or without distance', () => {
    const still = cleanRecording(recordingOf(seconds(900), { heartRateBpm: seconds(900).fill(140) }))!
    const leaps = seconds(3000).map((t) => 100_000 * Math.floor(t / 200))
    for (const made of [track([0], [0]), track([0, 4000], [0, 10_000]), still, track(seconds(3000), leaps)])
      expect(setsOf(made)).toEqual([])
  })
})
