// Damaged files of every format give runs or a refusal in a sentence, soon.
import { describe, expect, test } from 'bun:test'
import { FormatError } from '../../src/formats/format.ts'
import { parseFile } from '../../src/formats/registry.ts'
import { smallZip } from '../../src/formats/small-zip.ts'
import { NOW_MS } from '../app.ts'
import { type AppleRun, appleRoute, appleRuns, appleWorkout, routeName } from '../fixtures/apple-export.ts'
import { sampleTable, stravaCsv } from '../fixtures/csv.ts'
import { byteFlips, cuts } from '../fixtures/damage.ts'
import { type FitFileOptions, type FitSample, fitFile } from '../fixtures/fit.ts'
import { chainedFit } from '../fixtures/fit-writer.ts'
import { gpxFile, straightPoints } from '../fixtures/gpx.ts'
import { healthFile, healthRun } from '../fixtures/health.ts'
import { goldenCheetahFile, nikeActivity } from '../fixtures/json-services.ts'
import { pairs } from '../fixtures/pairs.ts'
import { polarExercise, polarSession } from '../fixtures/polar.ts'
import { START_MS } from '../fixtures/runs.ts'
import { runtasticFiles } from '../fixtures/runtastic.ts'
import { endurainRow, endurainStreams } from '../fixtures/self-hosted.ts'
import { type KnownRun, knownRuns } from '../fixtures/service-runs.ts'
import { suuntoFile } from '../fixtures/suunto.ts'
import { steadyTcx, tcxFile } from '../fixtures/tcx.ts'
import { workedMs } from '../worked.ts'

/** No damage may make reading a few kilobytes take long. */
const SLOWEST_MS = 2000
const FLIPS = 1000

const SAMPLES: readonly FitSample[] = Array.from({ length: 120 }, (_, t) => ({
  ...{ t, lat: 48 + 2e-5 * t, lon: 11 + 1e-5 * t, distanceM: 3 * t, elevM: 500 + (t % 7) },
  ...{ hr: 130 + (t % 9), cadence: 84.5 },
}))
const fit = (options: Partial<FitFileOptions>) =>
  fitFile({
    ...{ startMs: Date.UTC(2024, 4, 5, 6, 7, 8), samples: SAMPLES, timer: pairs('0,0 50,4 60,0 119,4') },
    ...{ devices: [{ deviceIndex: 0, manufacturer: 1, product: 3113, deviceType: 4, sourceType: 5 }] },
    ...{ localOffsetS: 7200, weather: { condition: 1, temperatureC: 20 } },
    ...options,
  })
const bytesOf = (text: string) => new TextEncoder().encode(text)
const [APPLE] = appleRuns(1) as [AppleRun]
const [KNOWN] = knownRuns(1) as [KnownRun]
const ROW = {
  ...{ 'Activity ID': 1, 'Activity Date': 'Jul 12, 2016, 5:13:58 PM', 'Activity Type': 'Run' },
  ...{ 'Elapsed Time': 1800, Distance: '5.00' },
}
const points = straightPoints({ n: 20, startMs: START_MS })
const zipOf = (files: Readonly<Record<string, string | Uint8Array>>) =>
  smallZip(Object.entries(files).map(([name, content]) => ({ name, bytes: Buffer.from(content as string) })))

/** Of which the beginning is a run, as far as it goes. */
const READ_AS_FAR: Readonly<Record<string, Uint8Array>> = {
  'plain.fit': fit({}),
  'big-endian.fit': fit({ bigEndian: true, enhanced: true }),
  'compressed-timestamps.fit': fit({ compressedTimestamps: true }),
  'developer-fields.fit': fit({ samples: SAMPLES.map((sample) => ({ ...sample, strydW: 250 })) }),
  'several-sessions.fit': fit({ session: [{ totalElapsedS: 60 }, { startS: 60 }] }),
  'without-session.fit': fit({ session: null }),
  'chained.fit': chainedFit(fit({}), fit({ fileType: 2, samples: [] })),
  'samples.csv': sampleTable({ n: 20, startMs: START_MS }),
  'activities.csv': stravaCsv([
    { ...ROW, 'Activity Name': 'Über, den "Berg"', 'Activity Description': 'a\nb' },
    ROW,
    { ...ROW, Humidity: '0.5' },
  ]),
}
/** Of which every part is refused. */
const READ_WHOLE: Readonly<Record<string, Uint8Array>> = {
  'run.gpx': gpxFile({ points, name: 'Damage', type: 'running' }),
  'run.tcx': tcxFile([steadyTcx({ n: 20, startMs: START_MS })]),
  'suunto.json': suuntoFile({ startMs: START_MS, seconds: 60 }),
  'polar.json': bytesOf(polarSession([polarExercise(KNOWN)])),
  'health.json': healthFile([healthRun({ seconds: 60 })]),
  'goldencheetah.json': bytesOf(goldenCheetahFile(KNOWN)),
  'nike.json': bytesOf(JSON.stringify(nikeActivity(KNOWN))),
  'apple.zip': zipOf({
    'export.xml': `<HealthData>${appleWorkout(APPLE)}</HealthData>`,
    [`workout-routes/${routeName(APPLE)}`]: appleRoute(APPLE),
  }),
  'runtastic.zip': zipOf(runtasticFiles(KNOWN)),
  'endurain.zip': zipOf({
    'data/activities.json': JSON.stringify([endurainRow(KNOWN)]),
    'data/activity_streams.json': JSON.stringify(endurainStreams(KNOWN)),
  }),
}

/** Whatever is wrong with the bytes, the outcome is runs whose times do not step back, or a sentence. */
function outcomeOf(bytes: Uint8Array, filename: string): 'run' | 'refused' {
  let outcome: 'run' | 'refused' = 'refused'
  const worked = workedMs(() => {
    try {
      const { activities } = parseFile(bytes, { filename, nowMs: NOW_MS })
      if (filename.endsWith('.fit')) expectSound(activities)
      outcome = activities.length === 0 ? 'refused' : 'run'
    } catch (error) {
      if (!(error instanceof FormatError)) throw new Error(`${filename} threw ${error}`, { cause: error })
      expect(error.message).toMatch(/^(?:[A-Z]|activities.csv)[^{}[\]<>]{10,}[^.]$/)
    }
  })
  expect(worked).toBeLessThan(SLOWEST_MS)
  return outcome
}

function expectSound(activities: ReturnType<typeof parseFile>['activities']): void {
  if (activities.length === 0) throw new Error('There is no activity')
  for (const { recording, startedAtMs } of activities) {
    const { n, timeMs, timerOffMs } = recording!
    if (!(n > 0) || !Number.isFinite(startedAtMs)) throw new Error('A run is empty')
    if (timeMs.some((ms, i) => !(ms >= (timeMs[i - 1] ?? startedAtMs)))) throw new Error('Times step back')
    if (timerOffMs.some(([from, to]) => !(to > from))) throw new Error('A pause is empty')
  }
}

describe.each(Object.entries({ ...READ_AS_FAR, ...READ_WHOLE }))('%s', (name, bytes) => {
  test('cut at every 64th is a run as far as it goes, or refused', () => {
    const outcomes = cuts(bytes).map((cut) => outcomeOf(cut, name))
    expect([outcomes[0], outcomeOf(bytes, name)]).toEqual(['refused', 'run'])
    // the session of a FIT file comes last
    if (name in READ_AS_FAR) expect(outcomes[32]).toBe(name === 'activities.csv' ? 'refused' : 'run')
    else expect(new Set(outcomes)).toEqual(new Set(['refused']))
  })

  test('with changed bytes is a run or refused', () => {
    const outcomes = { run: 0, refused: 0 }
    for (const damaged of byteFlips(bytes, FLIPS)) outcomes[outcomeOf(damaged, name)] += 1
    // a ZIP has checksums
    expect(outcomes.run).toBeGreaterThan(name in READ_AS_FAR ? FLIPS / 2 : name.endsWith('.zip') ? -1 : FLIPS / 50)
  })
})
