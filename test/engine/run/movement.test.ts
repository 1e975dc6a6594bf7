import { expect, test } from 'bun:test'
import { movementM } from '../../../src/engine/run/movement.ts'
import { movingS, stops } from '../../../src/engine/run/moving.ts'
import { cleanRecording } from '../../../src/engine/run/samples.ts'
import type { RecordedSamples } from '../../../src/engine/track.ts'
import { pairs } from '../../fixtures/pairs.ts'
import { recordingOf } from '../../fixtures/recording.ts'

function movingOf(recording: RecordedSamples): number {
  const track = cleanRecording(recording)!
  const { tS, off } = track
  return movingS(tS, off, stops(tS, movementM(track, track.distanceM), { off, elevM: null }))
}

/** One record a second at these speeds. */
function secondsAt(parts: readonly (readonly [number, number])[]) {
  const speedMps = [0]
  const distanceM = [0]
  for (const [seconds, mps] of parts) {
    for (let k = 0; k < seconds; k += 1) {
      speedMps.push(mps)
      distanceM.push(distanceM.at(-1)! + mps)
    }
  }
  return { tS: speedMps.map((_, i) => i), speedMps, distanceM }
}

const SHUFFLE = secondsAt(pairs('100,3 60,0 40,1.5 60,0 100,3'))

test('a short walk between two stops is measured by the speed of the watch, though its distance is coarse', () => {
  const { tS, speedMps, distanceM } = SHUFFLE
  const coarseM = distanceM.map((metres) => Math.floor(metres / 30) * 30)
  expect(movingOf(recordingOf(tS, { distanceM: coarseM, speedMps }))).toBe(240)
  expect(movingOf(recordingOf(tS, { distanceM: coarseM }))).toBeLessThan(220)
})

test('a speed that is missing in more than a tenth of the rows, or does not fit the distance, is not used', () => {
  const { tS, speedMps, distanceM } = SHUFFLE
  const standing = speedMps.map(() => 0)
  expect(movingOf(recordingOf(tS, { distanceM, speedMps: standing }))).toBe(240)
  const sparse = standing.map((mps, i) => (i % 8 === 0 ? Number.NaN : mps))
  expect(movingOf(recordingOf(tS, { distanceM, speedMps: sparse }))).toBe(240)
})
