import { describe, expect, test } from 'bun:test'
import { scalesOf, timeScale } from '../../../src/engine/grid.ts'
import { quantise } from '../../../src/engine/quantise.ts'
import { cleanRecording, remeasured } from '../../../src/engine/run/samples.ts'
import type { Column, RecordedSamples, Track } from '../../../src/engine/track.ts'
import { seededRandom } from '../../fixtures/knots.ts'
import { pairs } from '../../fixtures/pairs.ts'
import { degreesAt, plain, randomRecording, recordingOf, recordingOfTrack, START_MS } from '../../fixtures/recording.ts'

const GAP = Number.NaN
const { perNorthM } = degreesAt(47)

function cleaned(recording: RecordedSamples): Track {
  const track = cleanRecording(recording)
  if (track === null) throw new Error('nothing left')
  return track
}

test('records are sorted by time, and of one time the later value of each column wins', () => {
  const columns = { distanceM: [30, 0, 14, GAP, 15], heartRateBpm: [150, 120, 130, 131, GAP] }
  expect(plain(cleaned(recordingOf([10, 0, 5, 5, 5], columns)))).toMatchObject({
    ...{ n: 3, startMs: START_MS, tS: [0, 5, 10], distanceM: [0, 15, 30], heartRateBpm: [120, 131, 150] },
  })
})

describe('values', () => {
  test('that are not a heart rate are gaps, decimals are rounded half up', () => {
    const beats = [0, 255, -5, 300, 120.5, 120.4, 1, 254, 0.4, Infinity]
    const seconds = beats.map((_, i) => i)
    const track = cleaned(recordingOf(seconds, { distanceM: seconds, heartRateBpm: beats }))
    expect([...track.heartRateBpm]).toEqual([GAP, GAP, GAP, GAP, 121, 120, 1, 254, GAP, GAP])
  })

  test('outside the globe, at 0, 0 or half there are no position', () => {
    const places = { latDeg: [47, 91, 0, 47, 47], lonDeg: [8, 8, 0, GAP, 181] }
    const track = cleaned(recordingOf([0, 1, 2, 3, 4], { ...places, heartRateBpm: Array(5).fill(100) }))
    expect([...track.latDeg]).toEqual([47, GAP, GAP, GAP, GAP])
    expect([...track.lonDeg]).toEqual([8, GAP, GAP, GAP, GAP])
  })

  test('of a cadence of both feet are halved, in FIT as well; of one foot, with a few wrong ones, they are not', () => {
    for (const [unit, stated, used] of [
      ['e7', [0, 170, 171, 172, 0], [0, 85, 85.5, 86, 0]],
      ['semicircle', [90, 90, 90, 176], [45, 45, 45, 88]],
      ['e7', [0, 85, 86, 87, 0], [0, 85, 86, 87, 0]],
      ['e7', [85, 85, 85, 85, 85, 170], [85, 85, 85, 85, 85, 170]],
    ] as const) {
      const seconds = [...stated.keys()]
      const columns = { distanceM: seconds, cadenceRpm: stated }
      expect([...cleaned(recordingOf(seconds, columns, { positionUnit: unit })).cadenceRpm]).toEqual([...used])
    }
  })

  const held = (n: number, m: number) => Array<number>(n).fill(m)
  const before = held(12, 20)
  test.each<[what: string, everyS: number, stated: number[], used?: number[]]>([
    ['lone spikes are gaps', 4, [20, 90, 25, -40, 22], [20, GAP, 25, GAP, 22]],
    ['a cliff is none', 4, [20, 90, 95, 25]],
    ['a spike of 50 m is none', 4, [20, 70, 20]],
    // up to 10 s above or below steps of more than 25 m within 2 s are a gap, also at the start
    ['10 s above are a gap', 2, [...before, ...held(6, 46), 20], [...before, ...held(6, GAP), 20]],
    ['25 m are none', 2, [...before, ...held(3, 45), 20]],
    ['steps within 3 s are none', 3, [...before, 46, 46, 20]],
    ['a rise without an end is none', 2, [...before, 46, 72, 98]],
    ['10 s at the start are a gap', 2, [...held(6, 70), 20, 21], [...held(6, GAP), 20, 21]],
    ['12 s at the start are none', 2, [...held(7, 70), 20, 21]],
    ['a peak between steps is a gap', 2, [...before, 50, 90, 50, 20], [...before, ...held(3, GAP), 20]],
  ])('of altitude: %s', (_, everyS, stated, used = stated) => {
    const at = [...stated.keys()]
    expect([
      ...cleaned(
        recordingOf(
          at.map((i) => everyS * i),
          { distanceM: at, elevM: stated },
        ),
      ).elevM,
    ]).toEqual(used)
  })

  test('of altitude: raw 0 of FIT is a gap, and what an older engine stored is cleaned again', () => {
    const rest = { positionUnit: 'semicircle' } as const
    expect([...cleaned(recordingOf([0, 4], { distanceM: [0, 1], elevM: [-500, 20] }, rest)).elevM]).toEqual([GAP, 20])
    const stored = cleaned(recordingOf([0, 1, 2, 3], { distanceM: [0, 3, 6, 9], elevM: [20, 20, 20, 20] }))
    expect(remeasured(stored)).toBe(stored)
    expect([...remeasured({ ...stored, elevM: Float64Array.of(20, 50, 50, 20) }).elevM]).toEqual([20, GAP, GAP, 20])
  })
})

describe('distance', () => {
  test('comes from positions where the device wrote none, zeros only, or a lap total here and there', () => {
    const n = 100
    const tS = Array.from({ length: n }, (_, i) => i)
    const positions = { latDeg: tS.map((i) => 47 + 3 * i * perNorthM), lonDeg: new Array(n).fill(8) }
    const total = tS.map((i) => (i === n - 1 ? 5000 : GAP))
    for (const distanceM of [new Array(n).fill(GAP), new Array(n).fill(0), total]) {
      const track = cleaned(recordingOf(tS, { ...positions, distanceM }))
      expect(track.distanceSource).toBe('gps')
      expect(Math.abs(track.distanceM.at(-1)! - 297)).toBeLessThan(0.005)
    }
  })

  test('begins at 0 s and 0 m: a later first distance gets a knot before it', () => {
    const later = cleaned({ ...recordingOf([5, 6], { distanceM: [12, 15] }), startMs: START_MS })
    expect([...later.tS, ...later.distanceM]).toEqual([0, 5, 6, 0, 12, 15])
    const known = cleaned(recordingOf([0, 6], { distanceM: [GAP, 15], heartRateBpm: [90, 91] }))
    expect([...known.tS, ...known.distanceM]).toEqual([0, 6, 0, 15])
    // As written: a distance that does not begin at 0 at the start is not rebased.
    const asWritten = cleaned(recordingOf([0, 6], { distanceM: [3, 15] }))
    expect([...asWritten.distanceM]).toEqual([3, 15])
  })
})

describe('timer-off time', () => {
  const positions = { latDeg: [47, 47.0001, 47.01, 47.0101], lonDeg: [8, 8, 8, 8] }

  test('is a gap of more than 10 s between segments, which adds no distance', () => {
    const segment = Int32Array.of(0, 0, 1, 1)
    const track = cleaned(recordingOf([0, 10, 100, 110], positions, { segment }))
    expect(track.off).toEqual([{ startS: 10, endS: 100 }])
    expect(Math.abs(track.distanceM.at(-1)! - 22.24)).toBeLessThan(0.02)
    // 10 s are joined like any other step.
    expect(cleaned(recordingOf([0, 10, 20, 30], positions, { segment })).off).toEqual([])
  })

  test('of the device is clipped to the run, merged and kept in milliseconds', () => {
    const at = (seconds: number) => START_MS + seconds * 1000
    const timerOffMs = pairs('-20,2 4.0004,6 6,8 9,Infinity').map(([from, to]) => [at(from), at(to)] as const)
    const track = cleaned(recordingOf([0, 5, 12], { distanceM: [0, 5, 9] }, { timerOffMs }))
    expect(track.off).toEqual(pairs('0,2 4,8 9,12').map(([startS, endS]) => ({ startS, endS })))
  })
})

test('cleaning a track again changes nothing, every value survives its stored grid, and the invariants hold', () => {
  const random = seededRandom(99)
  const tracks = Array.from({ length: 400 }, () => cleanRecording(randomRecording(random))).filter(
    (one) => one !== null,
  )
  expect(tracks.length).toBeGreaterThan(300)
  for (const track of tracks) {
    expect(plain(cleaned(recordingOfTrack(track)))).toEqual(plain(track))
    const scales = scalesOf(track.positionUnit)
    for (const name of Object.keys(scales) as Column[]) {
      expect([...quantise(track[name], scales[name])]).toEqual([...track[name]])
      expect(track[name]).toHaveLength(track.n)
    }
    expect([...quantise(track.tS, timeScale(track.tS.at(-1)!))]).toEqual([...track.tS])
    expect(track.tS.every((at, i) => at >= 0 && (i === 0 || at > track.tS[i - 1]!))).toBe(true)
    const known = track.distanceM.filter((metres) => !Number.isNaN(metres))
    expect(known.every((metres, i) => i === 0 || metres >= known[i - 1]!)).toBe(true)
    expect(
      track.off.every(({ startS, endS }, i) => endS > startS && (i === 0 || startS > track.off[i - 1]!.endS)),
    ).toBe(true)
  }
})
