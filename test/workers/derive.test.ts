// What is stored of a run is enough to derive all of it again, exactly as its import did.
import { expect, test } from 'bun:test'
import { DEFAULT_ZONES } from '../../src/engine/run/zones.ts'
import { type AnalyzedRun, analyzeFile, type FileJob } from '../../src/workers/analyze-file.ts'
import { DERIVE_JOBS, type DeriveJob, deriveRun } from '../../src/workers/derive.ts'
import type { PackedSamples } from '../../src/workers/pack.ts'
import { stravaCsv } from '../fixtures/csv.ts'
import { gpxRun, hillyRun, START_MS } from '../fixtures/runs.ts'
import { steadyTcx, tcxFile } from '../fixtures/tcx.ts'

const OPTIONS = { splitLengthM: 1000, zones: DEFAULT_ZONES, elevation: { thresholdM: 2, minDistanceM: 10 } }
const TABLE = stravaCsv([
  {
    ...{ 'Activity ID': 1, 'Activity Date': 'Nov 1, 2025, 7:00:00 AM', 'Activity Name': 'Run', 'Activity Type': 'Run' },
    ...{ 'Elapsed Time#2': 1800, 'Moving Time': 1700.4, 'Distance#2': 5012.345, 'Elevation Gain': 44.44 },
    ...{ 'Elevation Loss': 0, 'Elevation Low': -3.25, 'Elevation High': 40.05, 'Average Heart Rate': 150.4 },
    Calories: 300.5,
  },
])

const FILES: Readonly<Record<string, Uint8Array>> = {
  'hilly.fit': hillyRun(START_MS, { calories: 300, avgHr: 141, totalDistanceM: 4222.22, totalMovingS: 1390 }),
  'indoor.fit': hillyRun(START_MS, { subSport: 1 }),
  'no-session.fit': hillyRun(START_MS, null),
  'flat.gpx': gpxRun({ seconds: 1300 }),
  'lap.tcx': tcxFile([steadyTcx({ n: 1300, startMs: START_MS })]),
  'activities.csv': TABLE,
}

function fileJob(file: Uint8Array, filename: string): FileJob {
  return { file: file.slice(), filename, nowMs: Date.UTC(2025, 11, 1), ...OPTIONS }
}

async function onlyRun(file: Uint8Array, filename: string): Promise<AnalyzedRun> {
  const [run] = (await analyzeFile(fileJob(file, filename))).runs
  if (run === undefined || 'error' in run) throw new Error(run?.error ?? 'no run')
  return run
}

/** The bytes of a job are moved away. */
function copied(samples: PackedSamples): PackedSamples {
  const { timeHr, track, rest } = samples
  return { ...samples, timeHr: new Uint8Array(timeHr), track: new Uint8Array(track), rest: new Uint8Array(rest) }
}

function deriveJob({ samples, statements, analysis }: AnalyzedRun): DeriveJob {
  const recordings = statements.map(({ kind, said }, place) => {
    return { kind, said, samples: place === 0 && samples !== null ? copied(samples) : null }
  })
  const { durationS } = analysis
  return { recordings, repairs: [], primary: 0, ours: { effort: false }, durationS, ...OPTIONS }
}

test.each(Object.entries(FILES))(
  'everything derived at the import comes out of samples and totals again: %s',
  async (name, bytes) => {
    const run = await onlyRun(bytes, name)
    const { analysis } = run
    const derived = deriveRun(deriveJob(run))
    expect(derived.analysis).toEqual(analysis)
    expect(Bun.deepEquals(derived.routeIndex, run.routeIndex)).toBe(true)
    expect([derived.firstPosition, derived.hasHeartRate]).toEqual([run.firstPosition, run.hasHeartRate])
    expect(derived.startShiftMs).toBe(0)
    expect(analysis.splits.length).toBeGreaterThan(name === 'activities.csv' ? -1 : 2)
    if (run.samples === null) return
    // and so do its parts
    const job = deriveJob(run)
    const { relativeEffort, hrZoneSeconds: zoneSeconds, splits, bestEfforts } = analysis
    expect(DERIVE_JOBS.splits(job) as unknown).toEqual({ splits })
    expect(DERIVE_JOBS.bestEfforts(job)).toEqual({ bestEfforts })
    const effort = relativeEffort === null ? null : { relativeEffort, zoneSeconds }
    expect(DERIVE_JOBS.effort(job) as unknown).toEqual({ effort })
  },
)

test('climb and heights that a row stated before the file came have precedence over those of its samples, also below the sea', async () => {
  const run = await onlyRun(FILES['hilly.fit']!, 'a.fit')
  const { distanceM, durationS, elevGainM } = run.analysis
  expect(elevGainM).toBeGreaterThan(50)
  const job = deriveJob(run)
  const said = { distanceM, durationS, elevGainM: 0, elevLossM: 12.34, minElevM: -3.25 }
  const row = { kind: 'row' as const, said, samples: null }
  const { analysis } = deriveRun({ ...job, recordings: [row, ...job.recordings], primary: 1 })
  expect(analysis).toEqual({ ...run.analysis, elevGainM: 0, elevLossM: 12.3, minElevM: -3.2 })
})
