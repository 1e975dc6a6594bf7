import { expect } from 'bun:test'
import type { Analysis } from '../../src/engine/analysis.ts'
import { analyze } from '../../src/engine/analyze.ts'
import { type DeviceTotals, NO_TOTALS } from '../../src/engine/numbers.ts'
import { cleanRecording } from '../../src/engine/run/samples.ts'
import { parseFile } from '../../src/formats/registry.ts'
import { corpusFile, corpusTest, expectedOf } from '../corpus.ts'
import { OPTIONS } from '../fixtures/recording.ts'

function analysisOf(name: string, totals?: DeviceTotals): Analysis {
  const parsed = parseFile(corpusFile(name), { filename: name, nowMs: Date.UTC(2026, 0, 1), anySport: true })
  const { recording, totals: own } = parsed.activities[0]!
  return analyze(cleanRecording(recording!)!, { ...OPTIONS, totals: totals ?? own })
}

const GPX = [
  '1681613317',
  '2067489619',
  'amazfit',
  'break-between-trkseg',
  'garmin-connect',
  'hr-not-always-there',
  'polar-cluetrust-10seg',
  'sparse-ele-hr',
  'strava-export',
  'strava-stopped_example',
  'tomtom-run-2seg',
]

for (const name of GPX) {
  corpusTest(`the distance of ${name}.gpx is that of gpxpy's points`, () => {
    const expected = expectedOf(`gpx/${name}.gpx`)
    // Segments that are pauses are apart, segments without a gap are joined. 0.57 % is the most by which the sphere of
    // the expected value departs from WGS84 (docs/algorithms.md 4).
    const key = name === 'break-between-trkseg' ? 'haversine_2d_within_segments_m' : 'haversine_2d_joined_m'
    const metres = expected[key] as number
    const { distanceM, durationS } = analysisOf(`gpx/${name}.gpx`)
    expect(Math.abs(distanceM - metres)).toBeLessThan(0.0057 * metres)
    expect(Math.abs(durationS - (expected.elapsed_s as number))).toBeLessThanOrEqual(0.5)
  })
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

corpusTest('mean heart rate of one sample a second is the mean of the samples', () => {
  for (const name of [
    'fit/running-with-developer-data.fit',
    'fit/6916663933-coros-apex-pro.fit',
    'fit/Fenix-2-pauses.fit',
  ]) {
    const { mean, min, max } = expectedOf(name).hr as Record<'mean' | 'min' | 'max', number>
    const run = analysisOf(name, NO_TOTALS)
    // Half a beat of rounding, and pauses that a sample is held into.
    expect(Math.abs(run.avgHeartRateBpm! - mean)).toBeLessThan(0.6)
    expect([run.minHeartRateBpm, run.maxHeartRateBpm]).toEqual([min, max])
  }
})
