// Best efforts of files, through everything that comes before the statistics.
import { expect, test } from 'bun:test'
import { STANDARD_DISTANCES } from '../../src/engine/run/best-efforts.ts'
import { DEFAULT_ZONES } from '../../src/engine/run/zones.ts'
import { analyzeFile } from '../../src/workers/analyze-file.ts'
import { gpxFile } from '../fixtures/gpx.ts'
import { START_MS } from '../fixtures/runs.ts'

/** Best efforts in seconds by label of a run north, whose speed after `t` seconds is given, with a point every `everyS`. */
async function efforts(speedAt: (t: number) => number, seconds: number, everyS: number): Promise<Map<string, number>> {
  let metres = 0
  const points = Array.from({ length: seconds + 1 }, (_, t) => {
    if (t > 0) metres += speedAt(t)
    return { lat: 47 + metres / 111_170, lon: 8, ele: 400, timeMs: START_MS + t * 1000 }
  }).filter(({ timeMs }) => ((timeMs - START_MS) / 1000) % everyS === 0)
  const { runs } = await analyzeFile({
    file: gpxFile({ points }),
    filename: 'a.gpx',
    nowMs: START_MS + 86_400_000,
    splitLengthM: 1000,
    zones: DEFAULT_ZONES,
    elevation: { thresholdM: 2, minDistanceM: 10 },
  })
  const [run] = runs
  if (run === undefined || 'error' in run) throw new Error(run?.error ?? 'no run')
  return new Map(run.analysis.bestEfforts.map((e) => [STANDARD_DISTANCES[e.distanceIndex]!.label, e.timeMs / 1000]))
}

test('a fast middle kilometre is found; it is not average pace times distance', async () => {
  // 1 km at 3 m/s, 1 km at 5 m/s, 1 km at 3 m/s
  const found = await efforts((t) => (t > 333 && t <= 533 ? 5 : 3), 866, 1)
  expect(Math.abs(found.get('1K')! - 200)).toBeLessThan(1)
  expect(Math.abs(found.get('400m')! - 80)).toBeLessThan(0.5)
})

test('a steady run sampled every 6 s has the efforts of every second, within 1 s', async () => {
  const dense = await efforts(() => 3.5, 1200, 1)
  const thin = await efforts(() => 3.5, 1200, 6)
  expect([...thin.keys()]).toEqual([...dense.keys()])
  expect(dense.size).toBe(5)
  for (const [label, seconds] of dense) expect(Math.abs(thin.get(label)! - seconds), label).toBeLessThan(1)
})
