// Synthetic runs whose truth is known exactly: synth.py beside the corpus.
import { expect } from 'bun:test'
import { STANDARD_DISTANCES } from '../../src/engine/run/best-efforts.ts'
import { DEFAULT_ZONES } from '../../src/engine/run/zones.ts'
import { type AnalyzedRun, analyzeFile } from '../../src/workers/analyze-file.ts'
import { corpusTest } from '../corpus.ts'
import { synthetic, syntheticFile } from '../synth.ts'

interface Truth {
  readonly distance_m: number
  readonly elapsed_s: number
  readonly timer_s: number
  readonly start_utc: string
  readonly files: readonly string[]
  readonly haversine_gpx_written_m: number
  readonly best_efforts_s?: Readonly<Record<string, number>>
  readonly best_efforts_elapsed_s?: Readonly<Record<string, number>>
  readonly splits_1km_s?: readonly number[]
}

async function run(folder: string, name: string): Promise<AnalyzedRun> {
  const { runs } = await analyzeFile({
    file: syntheticFile(folder, name),
    filename: name,
    nowMs: Date.UTC(2026, 0, 1),
    splitLengthM: 1000,
    zones: DEFAULT_ZONES,
    elevation: { thresholdM: 2, minDistanceM: 10 },
  })
  const [only] = runs
  if (only === undefined || 'error' in only) throw new Error(`${name}: ${only?.error ?? 'no run'}`)
  return only
}

/** Efforts in seconds by label, none missing and none invented. */
function expectEfforts(
  { analysis }: AnalyzedRun,
  truth: Readonly<Record<string, number>>,
  tolerance: (s: number) => number,
) {
  const ours = new Map(analysis.bestEfforts.map((e) => [STANDARD_DISTANCES[e.distanceIndex]!.label, e.timeMs / 1000]))
  for (const [label, seconds] of Object.entries(truth)) {
    const found = ours.get(label) ?? Number.NaN
    expect(Math.abs(found - seconds), `${label}: ${found} against ${seconds}`).toBeLessThanOrEqual(tolerance(seconds))
  }
  return ours
}

corpusTest('every synthetic FIT run is exact, every GPX run within a sphere against WGS84', async () => {
  const { folder, truth } = synthetic<Record<string, Truth>>('scenarios')
  let compared = 0
  for (const [scenario, expected] of Object.entries(truth)) {
    if (scenario.startsWith('route_')) continue
    const efforts = expected.best_efforts_elapsed_s ?? expected.best_efforts_s
    for (const file of expected.files) {
      const found = await run(folder, file)
      const { analysis } = found
      const isFit = file.includes('.fit')
      expect(new Date(found.startedAtMs).toISOString(), file).toBe(new Date(expected.start_utc).toISOString())
      expect(Math.abs(analysis.durationS - expected.elapsed_s), file).toBeLessThanOrEqual(1)
      if (isFit) {
        expect(Math.abs(analysis.distanceM - expected.distance_m), file).toBeLessThanOrEqual(0.1)
        if (!file.includes('nosession')) {
          expect(Math.abs((analysis.timerTimeS ?? Number.NaN) - expected.timer_s), file).toBeLessThanOrEqual(1)
        }
      } else {
        const metres = expected.haversine_gpx_written_m
        expect(Math.abs(analysis.distanceM / metres - 1), `${file}: ${analysis.distanceM}`).toBeLessThanOrEqual(0.004)
      }
      if (efforts !== undefined) {
        const ours = expectEfforts(found, efforts, isFit ? () => 0.05 : (seconds) => seconds * 0.004)
        if (isFit) expect(ours.size, file).toBe(Object.keys(efforts).length)
      }
      if (isFit && expected.splits_1km_s) {
        for (const [k, seconds] of expected.splits_1km_s.entries()) {
          const split = analysis.splits[k]!
          expect(Math.abs(split.endElapsedS - split.startElapsedS - seconds), `${file} split ${k}`).toBeLessThanOrEqual(
            0.05,
          )
        }
      }
      compared++
    }
  }
  expect(compared).toBe(42)
})

corpusTest('climbs of synthetic runs are those that were made', async () => {
  const { folder, truth } = synthetic<Record<string, Truth>>('scenarios')
  const gains = async (scenario: string) => {
    const found = []
    for (const file of truth[scenario]!.files) found.push((await run(folder, file)).analysis.elevGainM)
    return found
  }
  for (const gain of await gains('sine_hills')) expect(Math.abs(gain! - 320)).toBeLessThanOrEqual(320 * 0.03)
  for (const gain of await gains('bumps_6m')) expect(gain! >= 45 && gain! <= 60, String(gain)).toBe(true)
  expect(new Set(await gains('noisy_flat'))).toEqual(new Set([0]))
  expect(new Set(await gains('circle'))).toEqual(new Set([0]))
})
