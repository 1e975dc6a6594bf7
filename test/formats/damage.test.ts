// Damaged files of every format give runs or a refusal in a sentence, soon.
import { describe, expect, test } from 'bun:test'
import { MAX_ROWS } from '../../src/engine/codec.ts'
import { decodeFit } from '../../src/formats/fit/decode.ts'
import { fitSessions } from '../../src/formats/fit/sessions.ts'
import { FormatError } from '../../src/formats/format.ts'
import { parseFile } from '../../src/formats/registry.ts'
import { smallZip } from '../../src/formats/small-zip.ts'
import { NOW_MS } from '../app.ts'
import { type AppleRun, appleRoute, appleRuns, appleWorkout, routeName } from '../fixtures/apple-export.ts'
import { sampleTable, stravaCsv } from '../fixtures/csv.ts'
import { byteFlips, cuts, seededRandom } from '../fixtures/damage.ts'
import { type FitFileOptions, type FitSample, fitFile } from '../fixtures/fit.ts'
import { chainedFit, FitWriter } from '../fixtures/fit-writer.ts'
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

test('noise behind a FIT header gives runs or a refusal', () => {
  const random = seededRandom(7)
  for (let i = 0; i < 500; i += 1) {
    const noise = Uint8Array.from({ length: 2000 }, () => random() % 256)
    noise.set(READ_AS_FAR['plain.fit']!.subarray(0, 14))
    outcomeOf(noise, 'noise.fit')
  }
})

describe('what a hostile FIT file makes us keep is bounded', () => {
  /** A file of so many bytes after a definition that takes zeros for messages. */
  function filled(definition: Parameters<FitWriter['define']>[0], headBytes: number, length: number): Uint8Array {
    const bytes = new Uint8Array(length)
    bytes.set(new FitWriter().define(definition).finish({ dataSize: 0 }).subarray(0, headBytes))
    return bytes
  }

  test('a file of nothing but one-byte records is read up to the limit of rows, one of messages up to theirs', () => {
    const { records, notes } = decodeFit(filled({ local: 0, global: 20, fields: [] }, 20, 3_000_000))
    expect(records.n).toBe(MAX_ROWS - 1)
    expect(notes.at(-1)).toStartWith('too many records')
    const { parts } = decodeFit(filled({ local: 0, global: 18, fields: [{ num: 2, type: 'uint8' }] }, 23, 8_000_000))
    expect(parts[0]?.messages.session?.length).toBeLessThanOrEqual(500_001)
  })

  test('sessions that do not say when they began are one: each would take all records', () => {
    const session = [1, 9, 5].map((totalElapsedTime) => ({ row: 0, totalElapsedTime }))
    const sessions = fitSessions({ firstRow: 0, endRow: 0, messages: { session } })
    expect(sessions.map(({ message }) => message?.totalElapsedTime)).toEqual([9])
  })
})
