import { expect, test } from 'bun:test'
import { crop } from '../../../src/engine/run/crop.ts'
import { cleanRecording } from '../../../src/engine/run/samples.ts'
import type { Track } from '../../../src/engine/track.ts'
import { packTrack, unpackTrack } from '../../../src/workers/pack.ts'
import { analyze } from '../../fixtures/derived.ts'
import { seededRandom } from '../../fixtures/knots.ts'
import { degreesAt, OPTIONS, plain, randomRecording, recordingOf, START_MS } from '../../fixtures/recording.ts'

const NAN = Number.NaN

/** One record every 10 s; 40 m in each step. */
function sparse(): Track {
  const at = [0, 10, 20, 30, 40]
  const place = { latDeg: at.map((t) => 47 + t / 10_000), lonDeg: at.map((t) => 8 + t / 10_000) }
  const sensors = { elevM: at.map((t) => 400 + t / 10), heartRateBpm: at.map((t) => 120 + t) }
  const units = { positionUnit: 'semicircle' } as const
  const recording = recordingOf(at, { distanceM: at.map((t) => 4 * t), ...place, ...sensors }, units)
  return cleanRecording(recording)!
}

test('both ends are interpolated: the clock begins at the cut, a heart rate holds at the start, none is made up at the end', () => {
  const cut = crop(sparse(), { startS: 5, endS: 32.5 })
  expect(plain(cut)).toMatchObject({
    ...{ startMs: START_MS + 5000, tS: [0, 5, 15, 25, 27.5], distanceM: [0, 20, 60, 100, 110] },
    ...{ elevM: [400.5, 401, 402, 403, 403.25], heartRateBpm: [120, 130, 140, 150, NAN] },
  })
  // a semicircle is 8.4e-8 degrees
  expect(Math.abs(cut.latDeg[0]! - 47.0005)).toBeLessThan(1e-7)
  expect(Math.abs(cut.lonDeg.at(-1)! - 8.00325)).toBeLessThan(1e-7)
})

test('a cut inside of a pause between two places begins where the run continues', () => {
  const { perNorthM } = degreesAt(47)
  const tS = [...Array(20).keys(), ...Array.from({ length: 20 }, (_, i) => 320 + i)]
  const latDeg = tS.map((t) => 47 + (t < 300 ? t * 3 : 1000 + t * 3) * perNorthM)
  const segment = Int32Array.from(tS, (t) => (t < 300 ? 0 : 1))
  const track = cleanRecording(recordingOf(tS, { latDeg, lonDeg: tS.map(() => 8) }, { segment }))!
  const cut = crop(track, { startS: 100, endS: 339 })
  expect(cut.off).toEqual([{ startS: 0, endS: 220 }])
  expect([cut.latDeg[0], cut.tS[1]]).toEqual([NAN, 220])
  // 19 steps of 3 m
  expect(Math.abs(cut.distanceM.at(-1)! - 57)).toBeLessThan(0.01)
})

test('random recordings, each cut at random, keep their grid, their sums and their order', () => {
  const random = seededRandom(7000)
  let cuts = 0
  for (let round = 0; round < 400; round += 1) {
    const track = cleanRecording(randomRecording(random))
    const lastS = track?.tS.at(-1) ?? 0
    if (track === null || lastS < 10) continue
    cuts += 1
    const startS = Math.floor(random() * lastS * 400) / 1000
    const endS = lastS - Math.floor(random() * lastS * 400) / 1000
    const cut = crop(track, { startS, endS })
    // every value is on its grid, so that storing loses nothing
    expect(plain(unpackTrack(packTrack(cut)))).toEqual(plain(cut))
    expect([cut.tS[0], cut.tS.at(-1)]).toEqual([0, Math.round((endS - startS) * 1000) / 1000])
    for (let i = 1; i < cut.n; i += 1) expect(cut.tS[i]!).toBeGreaterThan(cut.tS[i - 1]!)
    // a second cut is the same as both at once, where the first one put its row
    const again = crop(crop(track, { startS, endS: lastS }), { startS: 0, endS: endS - startS })
    expect(plain(again)).toMatchObject({ tS: [...cut.tS], heartRateBpm: [...cut.heartRateBpm], off: cut.off })

    const { durationS, distanceM, movingTimeS, elevGainM, splits } = analyze(cut, OPTIONS)
    const sum = (name: 'durationS' | 'distanceM' | 'elevGainM' | 'movingTimeS') =>
      splits.reduce((total, split) => total + (split[name] ?? 0), 0)
    if (splits.length === 0) continue
    expect(sum('durationS')).toBe(durationS)
    expect(Math.abs(sum('distanceM') - distanceM)).toBeLessThan(1e-6)
    expect(Math.abs(sum('elevGainM') - (elevGainM ?? 0))).toBeLessThan(1e-6)
    expect(movingTimeS ?? 0).toBeLessThanOrEqual(durationS)
  }
  expect(cuts).toBeGreaterThan(200)
})

test('a climb limit scales climb and descent of the whole and of the parts', () => {
  const tS = Array.from({ length: 1001 }, (_, t) => t)
  const elevM = tS.map((t) => 400 + Math.abs(500 - t) / 10)
  const track = cleanRecording(recordingOf(tS, { distanceM: tS.map((t) => t * 3), elevM }))!
  const free = analyze(track, OPTIONS)
  const { elevGainM, elevLossM, splits } = analyze({ ...track, climbLimit: { gainM: 20, lossM: 1000 } }, OPTIONS)
  expect(free.elevGainM!).toBeGreaterThan(45)
  expect([elevGainM, elevLossM]).toEqual([20, free.elevLossM])
  expect(splits.reduce((total, split) => total + split.elevGainM!, 0)).toBeCloseTo(20, 6)
})
