import { expect, test } from 'bun:test'
import { untimedTrack } from '../../../src/engine/run/archived-route.ts'
import { packTrack, unpackTrack } from '../../../src/workers/pack.ts'
import { analyze } from '../../fixtures/derived.ts'
import { pairs } from '../../fixtures/pairs.ts'
import { OPTIONS, START_MS } from '../../fixtures/recording.ts'
import { onGlobe } from '../../fixtures/routes.ts'

test('times are in proportion to the distance, and there is no best effort', () => {
  // 500 m, 1000 m and 1500 m north in 900 s
  const route = onGlobe(pairs('0,0 0,500 0,1500 0,3000'), 47, 8)
  const track = untimedTrack(route, { startMs: START_MS, durationS: 900 })!
  for (const [k, seconds] of [0, 150, 450, 900].entries()) {
    // a tenth of a millimetre of degree rounding in a kilometre
    expect(Math.abs(track.tS[k]! - seconds)).toBeLessThan(0.05)
  }
  const { splits, bestEfforts, durationS } = analyze(track, OPTIONS)
  expect([durationS, bestEfforts]).toEqual([900, []])
  expect(splits.map((split) => split.durationS)).toEqual([300, 300, 300])
  expect(unpackTrack(packTrack(track)).hasEstimatedTimes).toBe(true)
})
