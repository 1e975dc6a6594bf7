// Real watch files against what independent tools say of them: EXPECTED.json of the corpus.
import { describe, expect, test } from 'bun:test'
import { bestEffort, STANDARD_DISTANCES } from '../../src/engine/run/best-efforts.ts'
import { DEFAULT_ZONES } from '../../src/engine/run/zones.ts'
import { decodeFit } from '../../src/formats/fit/decode.ts'
import { type AnalyzedRun, analyzeFile } from '../../src/workers/analyze-file.ts'
import { corpusDir, corpusFile, corpusTest, expectedOf } from '../corpus.ts'
import {
  deviceSeries,
  gpxRecords,
  haversineSeries,
  type PlainRecord,
  type Series,
  sdkRecords,
  timeWeightedHr,
} from '../series.ts'

interface FitExpected {
  readonly sessions: readonly {
    readonly start_time_utc: string
    readonly total_elapsed_time_s: number
    readonly total_timer_time_s: number
    readonly total_distance_m: number
    readonly avg_hr: number | null
    readonly max_hr: number | null
  }[]
  readonly hr: { readonly max?: number }
  readonly best_efforts: Efforts
  readonly best_efforts_haversine?: Efforts
}

interface GpxExpected {
  readonly start_time_utc: string
  readonly elapsed_s: number
  readonly haversine_2d_within_segments_m: number
  readonly haversine_2d_joined_m: number
  readonly hr: { readonly max?: number }
  readonly best_efforts: Efforts
  readonly best_efforts_joined?: Efforts
}

interface Efforts {
  readonly efforts: Readonly<Record<string, { readonly interp_s: number }>>
}

const FIT = names('fit').concat(names('fit-gz'))
const GPX = names('gpx').filter((name) => name !== 'gpx/opentracks-timezone-0115.gpx')
/** Its segments are an hour and kilometres apart: the distance between them was not run. */
const WITHIN_SEGMENTS = 'gpx/break-between-trkseg.gpx'

function names(folder: string): string[] {
  if (corpusDir === null) return [`${folder}/…`]
  return [...new Bun.Glob(`${folder}/*`).scanSync(corpusDir)].sort()
}

async function run(name: string): Promise<AnalyzedRun> {
  const { runs } = await analyzeFile({
    file: corpusFile(name),
    filename: name,
    nowMs: Date.UTC(2026, 0, 1),
    splitLengthM: 1000,
    zones: DEFAULT_ZONES,
    elevation: { thresholdM: 2, minDistanceM: 10 },
  })
  expect(runs).toHaveLength(1)
  const [only] = runs
  if (only === undefined || 'error' in only) throw new Error(only?.error ?? 'no run')
  return only
}

/** Every effort of EXPECTED against the engine's, in seconds; a distance that only one of them has fails. */
function expectEfforts(run: AnalyzedRun, { efforts }: Efforts, tolerance: (seconds: number) => number): void {
  const ours = new Map(
    run.analysis.bestEfforts.map((e) => [STANDARD_DISTANCES[e.distanceIndex]!.label, e.timeMs / 1000]),
  )
  expect([...ours.keys()].sort()).toEqual(Object.keys(efforts).sort())
  for (const [label, { interp_s }] of Object.entries(efforts)) {
    expect(
      Math.abs(ours.get(label)! - interp_s),
      `${label}: ${ours.get(label)} against ${interp_s}`,
    ).toBeLessThanOrEqual(tolerance(interp_s))
  }
}

function expectExactEfforts({ tS, distanceM }: Series, { efforts }: Efforts): void {
  for (const { label, distanceM: targetM } of STANDARD_DISTANCES) {
    const expected = efforts[label]?.interp_s
    const found = bestEffort(tS, distanceM, targetM)
    if (expected === undefined) expect(found, label).toBeNull()
    else expect(Math.abs((found?.timeS ?? Number.NaN) - expected), label).toBeLessThanOrEqual(0.01)
  }
}

describe('FIT files of the corpus', () => {
  for (const name of FIT) {
    corpusTest(`${name}: start, distance, times, heart rate and best efforts`, async () => {
      const expected = expectedOf(name) as unknown as FitExpected
      const session = expected.sessions[0]!
      const { analysis, startedAtMs } = await run(name)
      expect(new Date(startedAtMs).toISOString()).toBe(new Date(session.start_time_utc).toISOString())
      const distanceM = session.total_distance_m
      expect(Math.abs(analysis.distanceM - distanceM)).toBeLessThanOrEqual(Math.max(5, distanceM * 0.001))
      expect(Math.abs(analysis.durationS - session.total_elapsed_time_s)).toBeLessThanOrEqual(1)
      expect(Math.abs((analysis.timerTimeS ?? Number.NaN) - session.total_timer_time_s)).toBeLessThanOrEqual(1)
      const mean = session.avg_hr ?? timeWeightedHr(sdkRecords(name))
      if (mean === null) expect(analysis.avgHeartRateBpm).toBeNull()
      else expect(Math.abs(analysis.avgHeartRateBpm! - mean)).toBeLessThanOrEqual(session.avg_hr === null ? 1 : 0)
      expect(analysis.maxHeartRateBpm).toBe(session.max_hr ?? expected.hr.max ?? null)
      expectEfforts(await run(name), expected.best_efforts, () => 0.2)
    })
  }

  for (const name of FIT) {
    corpusTest(`${name}: the exact minimum over the series of another reader`, () => {
      const expected = expectedOf(name) as unknown as FitExpected
      // The SDK reads no record of a file with compressed timestamps: there the series is that of our own decoder.
      const records = name.includes('compressed-timestamps') ? decodedRecords(name) : sdkRecords(name)
      expectExactEfforts(deviceSeries(records), expected.best_efforts)
    })
  }
})

function decodedRecords(name: string): PlainRecord[] {
  const { records } = decodeFit(corpusFile(name))
  return Array.from({ length: records.n }, (_, i) => ({
    timeMs: records.timestampS[i]! * 1000,
    lat: null,
    lon: null,
    distanceM: Number.isNaN(records.distanceM[i]!) ? null : records.distanceM[i]!,
    hr: null,
    segment: 0,
  }))
}

describe('GPX files of the corpus', () => {
  for (const name of GPX) {
    corpusTest(`${name}: start, distance, duration, heart rate and best efforts`, async () => {
      const expected = expectedOf(name) as unknown as GpxExpected
      const analyzed = await run(name)
      const { analysis } = analyzed
      const isWithin = name === WITHIN_SEGMENTS
      expect(analyzed.startedAtMs).toBe(Date.parse(expected.start_time_utc))
      expect(Math.abs(analysis.durationS - expected.elapsed_s)).toBeLessThanOrEqual(0.5)
      const metres = isWithin ? expected.haversine_2d_within_segments_m : expected.haversine_2d_joined_m
      // WGS84 against a sphere.
      expect(
        Math.abs(analysis.distanceM / metres - 1),
        `${analysis.distanceM} m against ${metres} m`,
      ).toBeLessThanOrEqual(0.007)
      const mean = timeWeightedHr(gpxRecords(name))
      if (mean === null) expect(analysis.avgHeartRateBpm).toBeNull()
      else expect(Math.abs(analysis.avgHeartRateBpm! - mean)).toBeLessThanOrEqual(1)
      expect(analysis.maxHeartRateBpm).toBe(expected.hr.max ?? null)
      const efforts = isWithin ? expected.best_efforts : (expected.best_efforts_joined ?? expected.best_efforts)
      expectEfforts(analyzed, efforts, (seconds) => seconds * 0.01)
    })

    corpusTest(`${name}: the exact minimum over the series of another reader`, () => {
      const expected = expectedOf(name) as unknown as GpxExpected
      const records = gpxRecords(name)
      expectExactEfforts(haversineSeries(records, false), expected.best_efforts)
      if (expected.best_efforts_joined) expectExactEfforts(haversineSeries(records, true), expected.best_efforts_joined)
    })
  }
})

test('the corpus has the files that are compared', () => {
  if (corpusDir === null) return
  expect([FIT.length, GPX.length]).toEqual([21, 11])
})
