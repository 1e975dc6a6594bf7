import { expect } from 'bun:test'
import type { Analysis } from '../../src/engine/analysis.ts'
import { type DeviceTotals, NO_TOTALS } from '../../src/engine/numbers.ts'
import { cleanRecording } from '../../src/engine/run/samples.ts'
import { parseFile } from '../../src/formats/registry.ts'
import { corpusFile, corpusTest } from '../corpus.ts'
import { analyze } from '../fixtures/derived.ts'
import { OPTIONS } from '../fixtures/recording.ts'

function analysisOf(name: string, totals?: DeviceTotals): Analysis {
  const parsed = parseFile(corpusFile(name), { filename: name, nowMs: Date.UTC(2026, 0, 1), anySport: true })
  const { recording, totals: own } = parsed.activities[0]!
  return analyze(cleanRecording(recording!)!, { ...OPTIONS, totals: totals ?? own })
}

corpusTest('without its totals a FIT run has the distance of its samples', () => {
  expect(analysisOf('fit/FR70-intervals-compressed-timestamps.fit').distanceM).toBe(6239.73)
  expect(analysisOf('fit/FR70-intervals-compressed-timestamps.fit', NO_TOTALS).distanceM).toBe(6234.69)
  expect(analysisOf('fit/6914538454-suunto9-no-hr.fit', NO_TOTALS).distanceM).toBe(4325)
})

corpusTest('climb of real barometers is that of the independent prototype', () => {
  // docs/algorithms.md 3: 139 m where the watch says 142, 37 where it says 33.
  expect(Math.round(analysisOf('fit/6916663933-coros-apex-pro.fit').elevGainM!)).toBe(139)
  expect(Math.round(analysisOf('fit/2067489619.fit').elevGainM!)).toBe(37)
})

corpusTest('a barometer that leaps to 142 m for three seconds has the climb of the watch within 7 m', () => {
  const { elevGainM, elevLossM, maxElevM } = analysisOf('fit/activity-small-fenix2-run.fit')
  // the watch says 64 and 61 m; with the leap the descent was 132.1 m
  expect(Math.abs(elevGainM! - 64)).toBeLessThanOrEqual(7)
  expect(Math.abs(elevLossM! - 61)).toBeLessThanOrEqual(7)
  expect(maxElevM).toBe(81.8)
})
