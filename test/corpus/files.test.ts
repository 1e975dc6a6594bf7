// One walk over the real watch files: each is read, analysed, packed, written and read again. What is true of it
// was stated by independent tools, in EXPECTED.json, or is read by Garmin's own SDK meanwhile.
import { describe, expect } from 'bun:test'
import { Decoder, Stream } from '@garmin/fitsdk'
import {
  type Compared,
  corpusNames,
  distances,
  impossibleEfforts,
  median,
  movingTimes,
  offPercent,
  analysisOf as samplesAnalysis,
  watchClimbs,
} from '../../bench/numbers.ts'
import { corpusLoads, outside } from '../../bench/training-corpus.ts'
import { hasValues } from '../../src/engine/gather.ts'
import { intervals } from '../../src/engine/intervals/intervals.ts'
import { sameRun } from '../../src/engine/merge/same-run.ts'
import { bestEffort, STANDARD_DISTANCES } from '../../src/engine/run/best-efforts.ts'
import { placedLaps } from '../../src/engine/run/laps.ts'
import { cleanRecording } from '../../src/engine/run/samples.ts'
import type { Column, Track } from '../../src/engine/track.ts'
import { roundHalfUp } from '../../src/engine/units.ts'
import { decodeFit } from '../../src/formats/fit/decode.ts'
import { fitFormat } from '../../src/formats/fit/fit.ts'
import { FIT_EPOCH_S } from '../../src/formats/fit/profile.ts'
import { type Activity, FormatError } from '../../src/formats/format.ts'
import { parseFile } from '../../src/formats/registry.ts'
import { readGpx } from '../../src/formats/xml/gpx.ts'
import { type AnalyzedRun, analyzeFile } from '../../src/workers/analyze-file.ts'
import { packTrack, unpackTrack } from '../../src/workers/pack.ts'
import { runFile } from '../../src/workers/run-file.ts'
import { corpusDir, corpusFile, corpusTest, expectedOf } from '../corpus.ts'
import { pairs } from '../fixtures/pairs.ts'
import { OPTIONS, plain } from '../fixtures/recording.ts'
import { synthetic, syntheticFile } from '../synth.ts'
import { gpxRecords, haversineSeries, type Series, seriesOf, timeWeightedHr } from './series.ts'

interface Efforts {
  readonly efforts: Readonly<Record<string, { readonly interp_s: number }>>
}

/** An entry of EXPECTED.json: of a FIT file, or of a GPX file. */
interface Expected {
  readonly records: number
  readonly points: number
  readonly distance_samples: number
  readonly record_distance_last_m: number
  readonly hr: Readonly<Record<'samples_nonnull', number>> & { readonly [name in 'mean' | 'max' | 'min']?: number }
  readonly elevation?: Readonly<Record<'samples' | 'min' | 'max', number>>
  readonly first_record_utc: string
  readonly activity_local_offset_s?: number
  readonly timer_pauses: readonly (readonly [number, number])[]
  readonly sessions: readonly (Readonly<Record<SessionNumber, number | null>> & { readonly start_time_utc: string })[]
  readonly best_efforts: Efforts
  readonly best_efforts_joined?: Efforts
  readonly creator: string
  readonly track_names: readonly (string | null)[]
  readonly track_types: readonly (string | null)[]
  readonly points_with_time: number
  readonly points_with_ele: number
  readonly start_time_utc?: string
  readonly end_time_utc?: string
  readonly elapsed_s: number
  readonly haversine_2d_within_segments_m: number
  readonly haversine_2d_joined_m: number
  readonly first_point?: readonly [number, number] | null
  readonly last_point?: readonly [number, number] | null
}
type SessionNumber =
  | ('total_elapsed_time_s' | 'total_timer_time_s' | 'total_distance_m')
  | ('avg_hr' | 'max_hr' | 'total_calories')

const expectationOf = (name: string) => expectedOf(name) as unknown as Expected
const namesIn = (...folders: string[]) => (corpusDir === null ? [] : corpusNames(folders))

/** Whatever Strava's export has that is not a run, or one point. */
const NO_RUNS = ['gpx/opentracks-timezone-0115.gpx', '15512345678', '2223334445', '3048576123', '9876543210']
const FILES = namesIn('fit', 'fit-gz', 'gpx', 'strava-export/activities').filter(
  (name) => !NO_RUNS.some((one) => name.includes(one)),
)
const FIT = FILES.filter((name) => name.includes('.fit'))
/** The SDK reads no record of it. */
const COMPRESSED_TIMESTAMPS = 'fit/FR70-intervals-compressed-timestamps.fit'
/**
 * Its clock jumps, so that the pauses after the jump move (docs/algorithms.md 0): the last one is in the time taken
 * out.
 */
const JUMPING = 'fit/invalid-altitude-and-empty-record-at-end.fit'
/** Its segments are an hour and kilometres apart: the distance between them was not run. */
const WITHIN_SEGMENTS = 'gpx/break-between-trkseg.gpx'
const SESSIONS: Readonly<Record<string, string>> = {
  'fit/6860622783-treadmill-fr945.fit': 'pace: Fartlek × 6',
  'fit/6914538454-suunto9-no-hr.fit': 'laps: 4 × 3:22',
  'fit/running-with-developer-data.fit': 'laps: 4 × 1000 m',
}

function unpacked(name: string): Uint8Array {
  const bytes = corpusFile(name)
  return name.endsWith('.gz') ? Bun.gunzipSync(new Uint8Array(bytes)) : bytes
}

async function analyzed(file: Uint8Array, filename: string): Promise<AnalyzedRun> {
  const { runs } = await analyzeFile({ file, filename, nowMs: Date.UTC(2026, 0, 1), ...OPTIONS })
  expect(runs).toHaveLength(1)
  const [run] = runs
  if (run === undefined || 'error' in run) throw new Error(run?.error ?? 'no run')
  return run
}

/** No value of a column is NaN of another kind than the next. */
const known = (column: Float64Array) => [...column].filter((value) => !Number.isNaN(value))
const isoTime = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z')

type SdkMessage = Readonly<Record<string, number | undefined>> & { readonly timestamp?: Date }

function sdkMessages(bytes: Uint8Array, mergeHeartRates = false): Readonly<Record<string, readonly SdkMessage[]>> {
  const decoder = new Decoder(Stream.fromArrayBuffer(bytes.slice().buffer))
  return decoder.read({ mergeHeartRates }).messages as unknown as Record<string, SdkMessage[]>
}

describe('the walk over the real files', () => {
  if (corpusDir === null) corpusTest('of the corpus', () => {})
  for (const name of FILES) {
    corpusTest(name, async () => {
      if (FIT.includes(name)) expectFitRead(name)
      else if (name.endsWith('.gpx')) expectGpxRead(name)
      const run = await analyzed(corpusFile(name), name)
      const track = unpackTrack(run.samples!)
      expect(plain(unpackTrack(packTrack(track)))).toEqual(plain(track))
      if (!name.startsWith('strava-export')) expectAnalysis(name, run)
      const { source, summary } = intervals(track, placedLaps(track, run.laps), OPTIONS.elevation)
      expect(source && `${source}: ${summary?.title}`).toBe(SESSIONS[name] ?? null)
      for (const format of ['fit', 'gpx', 'tcx'] as const) await expectWritten(run, track, format)
    })
  }
  corpusTest('has all files', () => expect([FIT.length, FILES.length]).toEqual([23, 38]))
})

function expectFitRead(name: string): void {
  const expected = expectationOf(name)
  const { records, notes } = decodeFit(unpacked(name))
  const [hr, elevations, metres] = [records.heartRateBpm, records.altitudeM, records.distanceM].map(known)
  expect([notes, records.n, isoTime((records.timestampS[0]! + FIT_EPOCH_S) * 1000)]).toEqual([
    ...[[], expected.records, expected.first_record_utc],
  ])
  const points = records.latDeg.filter((lat, i) => !Number.isNaN(lat + records.lonDeg[i]!))
  expect([points.length, metres!.length, hr!.length, elevations!.length]).toEqual([
    ...[expected.points, expected.distance_samples, expected.hr.samples_nonnull, expected.elevation?.samples ?? 0],
  ])
  // Written in 1/100 m or, compressed, in 1/16 m; EXPECTED has two decimals.
  expect(Math.abs(metres!.at(-1)! - expected.record_distance_last_m)).toBeLessThanOrEqual(0.00501)
  const { max, min } = expected.hr
  if (max !== undefined) expect([Math.max(...hr!), Math.min(...hr!)]).toEqual([max, min!])
  if (expected.elevation !== undefined) {
    expect(Math.max(...elevations!)).toBeCloseTo(expected.elevation.max, 9)
    expect(Math.min(...elevations!)).toBeCloseTo(expected.elevation.min, 9)
  }
  if (name !== COMPRESSED_TIMESTAMPS) expectAsSdk(unpacked(name))
  // the exact minimum over the series, which is by now that of another reader
  expectExactEfforts(
    seriesOf(Array.from(records.distanceM, (distanceM, i) => [records.timestampS[i]! * 1000, distanceM])),
    expected.best_efforts,
  )
  const session = expected.sessions[0]!
  const { activities, skippedOther } = fitFormat.parse(unpacked(name), { filename: name })
  const run = activities[0]!
  const pauses = run.recording!.timerOffMs.map(([from, to]) => [(from - run.startedAtMs) / 1000, (to - from) / 1000])
  const offsetMin = (expected.activity_local_offset_s ?? Number.NaN) / 60
  expect([activities.length, skippedOther, isoTime(run.startedAtMs), run.utcOffsetMinutes]).toEqual([
    ...[1, 0, session.start_time_utc, Math.abs(offsetMin) <= 840 ? offsetMin : null],
  ])
  expect(run.totals).toMatchObject({
    ...{ elapsedS: session.total_elapsed_time_s, timerS: session.total_timer_time_s },
    ...{ distanceM: session.total_distance_m, caloriesKcal: session.total_calories || null },
    ...{ avgHeartRateBpm: session.avg_hr || null, maxHeartRateBpm: session.max_hr || null },
  })
  if (name.startsWith('fit/')) expectLapsAsSdk(name, run)
  // EXPECTED leaves the stop at the end out
  expect(pauses.filter(([from, length]) => from! + length! < session.total_elapsed_time_s!)).toEqual(
    name === JUMPING ? pairs('1164,19 1239,86') : expected.timer_pauses.map((pause) => [...pause]),
  )
}

const BAD_FIT = [
  ...['multisport-chained-hr', 'hr-only-zeros-zwift-ride', 'one-second-jump-to-past', 'activity-unexpected-eof'],
]
const BAD_GPX = [
  ...['antimeridian', 'duplicate-timestamps', 'huge-gap-15h', 'no-elevation-8-tracks', 'no-time', 'out-of-order'],
  ...['route-only', 'single-point'],
]

describe('odd files are read as other tools read them', () => {
  for (const name of BAD_FIT) corpusTest(name, () => expectAsSdk(unpacked(`bad/${name}.fit`)))
  for (const name of BAD_GPX) corpusTest(name, () => expectGpxRead(`bad/${name}.gpx`))

  corpusTest('one point starts at 20:36:59.179 UTC', () => {
    expectGpxRead(NO_RUNS[0]!)
    expect(readGpx(corpusFile(NO_RUNS[0]!)).points.column('timeMs')[0]!).toBe(Date.UTC(2021, 0, 7, 20, 36, 59, 179))
  })

  corpusTest('they are runs of the points that they have, with their names and cadence', () => {
    const points = {
      ...{ antimeridian: 400, 'out-of-order': 300, 'duplicate-timestamps': 306, 'huge-gap-15h': 1030 },
      ...{ 'no-elevation-8-tracks': 295, 'unbound-prefix': 200, 'latin1-declared-as-utf8': 15, 'utf16-bom': 15 },
      'missing-lat-lon': 4,
    }
    const found = Object.keys(points).map((name) => [name, activityOf(`bad/${name}.gpx`)] as const)
    expect(Object.fromEntries(found.map(([name, { recording }]) => [name, recording!.n]))).toEqual(points)
    const all = Object.fromEntries(found)
    expect([all['utf16-bom']!.name, all['latin1-declared-as-utf8']!.name]).toEqual(
      Array(2).fill('Course à pied - Évry'),
    )
    expect(all['unbound-prefix']!.recording!.cadenceRpm[0]).toBe(43)
  })

  corpusTest(
    "heart rates that a strap stored are the SDK's merged ones, Stryd's power that of its developer field",
    () => {
      const merged = sdkMessages(corpusFile('bad/multisport-chained-hr.fit'), true).recordMesgs!
      const { timeMs, heartRateBpm } = activityOf('bad/multisport-chained-hr.fit').recording!
      const bySecond = new Map(merged.map(({ timestamp, heartRate }) => [timestamp!.getTime(), heartRate]))
      expect(heartRateBpm.length).toBeGreaterThan(500)
      expect([...heartRateBpm]).toEqual(Array.from(timeMs, (ms) => bySecond.get(ms)!))
      const stryd = corpusFile('fit/FR920xt-with-Stryd-no-hr.fit')
      const power = sdkMessages(stryd).recordMesgs!.map(
        ({ developerFields }) => (developerFields as unknown as number[])[0],
      )
      expect([...decodeFit(stryd).records.powerW]).toEqual(power as number[])
    },
  )

  corpusTest('the TCX with ten blanks before its declaration is read as ElementTree reads it', () => {
    const file = 'strava-export/activities/1785432100.tcx.gz'
    const { trackpoints, hr, total_distance_m } = expectedOf(file) as unknown as Expected & Record<string, number>
    const { recording, startedAtMs, totals, device, laps } = activityOf(file)
    const { timeMs, heartRateBpm, distanceM, cadenceRpm, n } = recording!
    expect([n, distanceM.at(-1), cadenceRpm[0], device, laps.length]).toEqual([
      ...[trackpoints!, total_distance_m!, 54, null, 1],
    ])
    expect([startedAtMs, timeMs.at(-1)!]).toEqual([Date.UTC(2016, 8, 11, 15, 57, 36), Date.UTC(2016, 8, 11, 17, 5, 26)])
    expect([Math.max(...heartRateBpm), Math.min(...heartRateBpm)]).toEqual([hr.max!, hr.min!])
    expect(heartRateBpm.reduce((sum, value) => sum + value, 0) / n).toBeCloseTo(hr.mean!, 2)
    expect(totals).toMatchObject({ timerS: 4070, avgHeartRateBpm: 157, maxHeartRateBpm: 191, caloriesKcal: null })
  })

  corpusTest('a session of Polar has its route at its heart rate, 4,828 s earlier than its clock', () => {
    const file = 'archives/polar-flow/training-session-2017-01-23-running.json'
    const { recording, startedAtMs, totals } = activityOf(file)
    expect(startedAtMs).toBe(Date.UTC(2017, 0, 23, 17, 20, 18))
    expect(totals).toMatchObject({ elapsedS: 2754.128, timerS: 2754.128, distanceM: 6595, avgHeartRateBpm: 138 })
    const rates = recording!.heartRateBpm.filter((hr) => hr > 0)
    expect(rates.length).toBe(2751)
    expect(rates.reduce((sum, hr) => sum + hr, 0) / rates.length).toBeCloseTo(137.788, 2)
    // a point of the route for all but those seconds in which one of both clocks skips
    expect(known(recording!.latDeg).length).toBeGreaterThan(2740)
    expect(recording!.n).toBeLessThan(2770)
  })
})

function expectLapsAsSdk(name: string, { laps }: Activity): void {
  const { lapMesgs = [] } = sdkMessages(corpusFile(name))
  const stated = laps.map(({ startMs, endMs, distanceM }) => [(endMs - startMs) / 1000, distanceM])
  const theirs = lapMesgs.map(({ totalElapsedTime, totalDistance }) => [totalElapsedTime!, totalDistance || null])
  expect(stated).toEqual(theirs)
}

describe('over all files', () => {
  const analysisOf = (name: string) => samplesAnalysis(activityOf(name))!
  const worstPercent = (all: readonly Compared[]) => Math.max(...all.map((one) => Math.abs(offPercent(one))))

  corpusTest(
    'the distance of a GPX is the WGS84 sum of its points within 0.4 %, that of a FIT its samples',
    async () => {
      const compared = await distances()
      expect(compared.length).toBeGreaterThanOrEqual(14)
      expect(worstPercent(compared)).toBeLessThanOrEqual(0.4)
      expect(analysisOf(COMPRESSED_TIMESTAMPS).distanceM).toBe(6234.69)
      expect(analysisOf('fit/6914538454-suunto9-no-hr.fit').distanceM).toBe(4325)
    },
  )

  corpusTest('climb is near to that of the watches, and that of an independent prototype', async () => {
    const climbs = await watchClimbs()
    expect(climbs).toHaveLength(19)
    // 172.4 m with engine 2.
    expect(climbs.reduce((sum, { ours, truth }) => sum + Math.abs(ours - truth), 0)).toBeLessThanOrEqual(172.4)
    // docs/algorithms.md 3: 139 m where the watch says 142, 37 where it says 33.
    const names = ['fit/6916663933-coros-apex-pro.fit', 'fit/2067489619.fit']
    expect(names.map((name) => Math.round(analysisOf(name).elevGainM!))).toEqual([139, 37])
    // its barometer leaps to 142 m for three seconds; the watch says 64 and 61 m, with the leap the descent was 132.1 m
    const { elevGainM, elevLossM, maxElevM } = analysisOf('fit/activity-small-fenix2-run.fit')
    expect([Math.abs(elevGainM! - 64) <= 7, Math.abs(elevLossM! - 61) <= 7, maxElevM]).toEqual([true, true, 81.8])
  })

  corpusTest(
    "moving time is sports-lib's within 2 %, half of it within 0.7 %; a watch that pauses moves meanwhile",
    async () => {
      const times = await movingTimes()
      expect(times).toHaveLength(8)
      expect(worstPercent(times)).toBeLessThanOrEqual(2)
      expect(median(times.map((one) => Math.abs(offPercent(one))))).toBeLessThanOrEqual(0.7)
      for (const name of ['Fenix-2-pauses', 'FR735XT-with-performance-condition', 'Standard-fr310xt']) {
        const { movingTimeS, timerTimeS } = analysisOf(`fit/${name}.fit`)
        expect(Math.abs(movingTimeS! - timerTimeS!)).toBeLessThanOrEqual(2)
      }
    },
  )

  corpusTest('no genuine effort is flagged; 400 m downhill on skis, a virtual ride and tracks by car are', async () => {
    const flagged: string[] = []
    for (const name of corpusNames()) if ((await impossibleEfforts(name)).length > 0) flagged.push(name)
    expect(flagged).toEqual([WITHIN_SEGMENTS, 'strava-export/activities/15512345678.fit.gz'])
    expect(await impossibleEfforts('bad/no-elevation-8-tracks.gpx')).toEqual(
      ['400m', '1/2 mile', '1K', '1 mile', '2 mile'].map((label) => `${label} notOnFoot`),
    )
  })

  corpusTest(
    'loads by heart rate and by pace agree at a VDOT between that of the run and 70; decoupling is plausible',
    async () => {
      const { loads, without } = await corpusLoads()
      expect([loads.length, without.length]).toEqual([31, 7])
      expect(loads.flatMap((load) => outside(load).map((words) => [load.name, words]))).toEqual([
        // an easy run over 225 m of climb, at 124 bpm
        ['fit/Standard-fr310xt.fit', 'heart far below pace'],
        // a walk at 95 bpm
        ['fit-gz/Move_2020_01_15_19_27_16_Running.fit.gz', 'heart far below pace'],
        // an easy run at 123 bpm
        ['gpx/garmin-connect.gpx', 'heart far below pace'],
        // 335 m of climb with walking: 157 bpm at 9:42 a kilometre
        ['strava-export/activities/1785432100.tcx.gz', 'agrees below its own'],
        ['strava-export/activities/1785432100.tcx.gz', 'heart above pace'],
        // nearly all-out, at 178 bpm: both VDOT within 1 %
        ['strava-export/activities/5566778899.gpx.gz', 'agrees below its own'],
      ])
      const known = loads.flatMap(({ decouplingPct }) => decouplingPct ?? [])
      expect(known.length).toBeGreaterThanOrEqual(9)
      expect(Math.max(...known.map(Math.abs))).toBeLessThan(10)
    },
  )

  corpusTest('both true pairs are certainly one run', () => {
    const compared = (name: string) => {
      const track = trackOf(name)
      return {
        startMs: track.startMs,
        durationS: track.tS.at(-1)!,
        distanceM: known(track.distanceM).at(-1) ?? 0,
        track,
      }
    }
    const pairOf = (one: string, other: string) => sameRun(compared(one), compared(other))!
    const first = pairOf('fit/2067489619.fit', 'gpx/2067489619.gpx')
    expect(first).toMatchObject({ certainty: 'certain', shiftS: 0, overlap: expect.closeTo(0.998, 3) })
    expect(Math.round(first.distanceDifferenceM)).toBe(88)
    const tcx = 'archives/plain-files/10kUNLP2014-Garmin15.tcx'
    const second = pairOf('fit/10kUNLP2014-Garmin15-hr255.fit', tcx)
    expect(second).toMatchObject({ certainty: 'certain', overlap: 1, shiftS: 0 })
  })

  corpusTest('made runs have the numbers that were made: FIT exactly, GPX within a sphere against WGS84', async () => {
    const { folder, truth } = synthetic<Record<string, MadeTruth>>('scenarios')
    const gains = new Map(
      Object.entries({ sine_hills: [316.8, 323.2], bumps_6m: [57, 60], noisy_flat: [0, 0], circle: [0, 0] }),
    )
    let compared = 0
    for (const [scenario, expected] of Object.entries(truth).filter(([name]) => !name.startsWith('route_'))) {
      for (const file of expected.files) {
        const run = await analyzed(syntheticFile(folder, file), file)
        expectMade(run, expected, file)
        const [least, most] = gains.get(scenario) ?? []
        if (most !== undefined) expect(run.analysis.elevGainM!, file).toBeWithin(least!, most + 0.01)
        compared += 1
      }
    }
    expect(compared).toBe(42)
  })
})

interface MadeTruth {
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

function expectMade({ analysis, startedAtMs }: AnalyzedRun, expected: MadeTruth, file: string): void {
  const isFit = file.includes('.fit')
  const near = (ours: number | null | undefined, theirs: number, within: number) =>
    expect(Math.abs((ours ?? Number.NaN) - theirs), `${file}: ${ours} against ${theirs}`).toBeLessThanOrEqual(within)
  expect(startedAtMs, file).toBe(Date.parse(expected.start_utc))
  near(analysis.durationS, expected.elapsed_s, 1)
  const metres = isFit ? expected.distance_m : expected.haversine_gpx_written_m
  near(analysis.distanceM, metres, isFit ? 0.1 : 0.004 * metres)
  if (isFit && !file.includes('nosession')) near(analysis.timerTimeS, expected.timer_s, 1)
  const efforts = Object.entries(expected.best_efforts_elapsed_s ?? expected.best_efforts_s ?? {})
  const ours = new Map(analysis.bestEfforts.map((e) => [STANDARD_DISTANCES[e.distanceIndex]!.label, e.timeMs / 1000]))
  for (const [label, seconds] of efforts) near(ours.get(label), seconds, isFit ? 0.05 : seconds * 0.004)
  if (isFit && efforts.length > 0) expect(ours.size, file).toBe(efforts.length)
  for (const [k, seconds] of (isFit ? (expected.splits_1km_s ?? []) : []).entries()) {
    const { startElapsedS, endElapsedS } = analysis.splits[k]!
    near(endElapsedS - startElapsedS, seconds, 0.05)
  }
}

/** Value for value; but power of a developer field, which the SDK leaves among those. */
function expectAsSdk(bytes: Uint8Array): void {
  const theirs = sdkMessages(bytes).recordMesgs ?? []
  const { records } = decodeFit(bytes)
  const column = (value: (record: SdkMessage) => number | undefined) => theirs.map((one) => value(one) ?? Number.NaN)
  const columns = {
    timestampS: column(({ timestamp }) => timestamp && timestamp.getTime() / 1000 - FIT_EPOCH_S),
    latDeg: column(({ positionLat }) => positionLat! * (180 / 2 ** 31)),
    lonDeg: column(({ positionLong }) => positionLong! * (180 / 2 ** 31)),
    altitudeM: column(({ enhancedAltitude }) => enhancedAltitude),
    distanceM: column(({ distance }) => distance),
    speedMps: column(({ enhancedSpeed }) => enhancedSpeed),
    heartRateBpm: column(({ heartRate }) => heartRate),
    cadenceRpm: column(({ cadence, fractionalCadence }) => cadence! + (fractionalCadence ?? 0)),
    temperatureC: column(({ temperature }) => temperature),
    ...(theirs.some(({ power }) => power !== undefined) ? { powerW: column(({ power }) => power) } : {}),
  }
  const ours = Object.keys(columns).map((name) => [name, [...records[name as 'latDeg'].subarray(0, records.n)]])
  expect(Object.fromEntries(ours)).toEqual(columns)
}

function expectGpxRead(name: string): void {
  const expected = expectationOf(name)
  const { points, creator, tracks } = readGpx(corpusFile(name))
  const { name: trackName = null, sport = null } = tracks[0] ?? {}
  const [times, heights, hr] = (['timeMs', 'elevM', 'heartRateBpm'] as const).map((one) => known(points.column(one)))
  expect([creator, trackName, sport]).toEqual([
    ...[expected.creator, expected.track_names[0]?.trim() ?? null, expected.track_types[0] ?? null],
  ])
  expect([points.n, times!.length, heights!.length, hr!.length]).toEqual([
    ...[expected.points, expected.points_with_time, expected.points_with_ele, expected.hr.samples_nonnull],
  ])
  if (expected.hr.mean !== undefined) {
    // EXPECTED.json rounds the mean to two decimals.
    expect(hr!.reduce((sum, value) => sum + value, 0) / hr!.length).toBeCloseTo(expected.hr.mean, 2)
    expect([Math.max(...hr!), Math.min(...hr!)]).toEqual([expected.hr.max!, expected.hr.min!])
  }
  if (expected.start_time_utc !== undefined && name !== 'bad/no-time.gpx') {
    expect(points.firstTimeMs(points.rowsWhere(() => true))).toBe(Date.parse(expected.start_time_utc))
    expect(Math.max(...times!)).toBe(Date.parse(expected.end_time_utc!))
  }
  const ends = name === 'bad/out-of-order.gpx' ? [] : [expected.first_point, expected.last_point]
  for (const [k, point] of ends.entries()) {
    const row = k * (points.n - 1)
    // EXPECTED.json rounds positions to six decimals.
    for (const [axis, deg] of (point ?? []).entries())
      expect(points.column(axis === 0 ? 'latDeg' : 'lonDeg')[row]!).toBeCloseTo(deg, 5)
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

/** Start, distance, times, heart rate and best efforts; a distance that only one of both has fails. */
function expectAnalysis(name: string, { analysis, startedAtMs }: AnalyzedRun): void {
  const expected = expectationOf(name)
  const session = expected.sessions?.[0]
  const [joined, records] = [expected.best_efforts_joined, session ? fitRecords(name) : gpxRecords(name)]
  const isWithin = name === WITHIN_SEGMENTS
  const mean = session?.avg_hr ?? timeWeightedHr(records)
  expect(startedAtMs).toBe(Date.parse(session?.start_time_utc ?? expected.start_time_utc!))
  if (mean === null) expect(analysis.avgHeartRateBpm).toBeNull()
  else expect(Math.abs(analysis.avgHeartRateBpm! - mean)).toBeLessThanOrEqual(session?.avg_hr ? 0 : 1)
  expect(analysis.maxHeartRateBpm).toBe(session?.max_hr ?? expected.hr.max ?? null)
  const off = (ours: number | null, theirs: number) => Math.abs((ours ?? Number.NaN) - theirs)
  if (session !== undefined) {
    const distanceM = session.total_distance_m!
    expect(off(analysis.distanceM, distanceM)).toBeLessThanOrEqual(Math.max(5, distanceM * 0.001))
    expect(off(analysis.durationS, session.total_elapsed_time_s!)).toBeLessThanOrEqual(1)
    expect(off(analysis.timerTimeS, session.total_timer_time_s!)).toBeLessThanOrEqual(1)
  } else {
    const distanceM = isWithin ? expected.haversine_2d_within_segments_m : expected.haversine_2d_joined_m
    // WGS84 against a sphere
    expect(off(analysis.distanceM, distanceM)).toBeLessThanOrEqual(0.007 * distanceM)
    expect(off(analysis.durationS, expected.elapsed_s)).toBeLessThanOrEqual(0.5)
    expectExactEfforts(haversineSeries(gpxRecords(name), false), expected.best_efforts)
    if (joined !== undefined) expectExactEfforts(haversineSeries(gpxRecords(name), true), joined)
  }
  const { efforts } = isWithin ? expected.best_efforts : (joined ?? expected.best_efforts)
  const ours = analysis.bestEfforts.map((one) => [STANDARD_DISTANCES[one.distanceIndex]!.label, one.timeMs / 1000])
  expect(Object.keys(Object.fromEntries(ours)).toSorted()).toEqual(Object.keys(efforts).toSorted())
  for (const [label, seconds] of ours as [string, number][]) {
    const { interp_s } = efforts[label]!
    expect(off(seconds, interp_s), label).toBeLessThanOrEqual(session === undefined ? interp_s * 0.01 : 0.2)
  }
}

function fitRecords(name: string) {
  const { timestampS, heartRateBpm } = decodeFit(unpacked(name)).records
  return Array.from(timestampS, (s, i) => ({ timeMs: s * 1000, hr: heartRateBpm[i]! }))
}

type Format = 'fit' | 'gpx' | 'tcx'

function written(run: AnalyzedRun, track: Track, format: Format): Uint8Array<ArrayBuffer> {
  const { startedAtMs: startMs, name, notes, laps, analysis, fileOffsetMinutes: utcOffsetMinutes } = run
  const stated = { id: 'x', startMs, utcOffsetMinutes, name, notes, numbers: analysis }
  const job = { format, laps, trim: null, elevation: OPTIONS.elevation, run: stated }
  return Buffer.concat([...runFile(track, job)])
}

/** What FIT has a field for. */
const FIT_TOTALS = [
  ...(['durationS', 'distanceM', 'timerTimeS', 'movingTimeS', 'calories', 'avgHeartRateBpm'] as const),
  ...(['maxHeartRateBpm', 'minHeartRateBpm', 'avgCadenceRpm', 'maxCadenceRpm', 'avgPowerWatts'] as const),
  ...(['maxPowerWatts', 'avgSpeedMps'] as const),
]

/** Out as a file and in again it is the same run; FIT also as Garmin's SDK reads it. */
async function expectWritten(run: AnalyzedRun, track: Track, format: Format): Promise<void> {
  if (format === 'gpx' && !hasValues(track.latDeg)) {
    const refused = new FormatError('This run has no route, which a GPX file needs; FIT and TCX do not')
    return expect(() => written(run, track, format)).toThrow(refused)
  }
  const bytes = written(run, track, format)
  const again = await analyzed(bytes, `again.${format}`)
  const [before, after] = [run.analysis, again.analysis]
  expect(Math.abs(again.startedAtMs - track.startMs)).toBeLessThanOrEqual(format === 'gpx' ? 60_000 : 1000)
  expectSamples(track, unpackTrack(again.samples!), format)
  if (format === 'fit') {
    for (const total of FIT_TOTALS)
      if (before[total] !== null) expect([total, after[total]]).toEqual([total, before[total]])
    // measured again, on whole seconds
    if (before.maxSpeedMps !== null)
      expect(Math.abs(after.maxSpeedMps! / before.maxSpeedMps - 1)).toBeLessThanOrEqual(0.01)
    expectReadBySdk(bytes, run, track)
  } else if (format === 'tcx' || track.distanceSource === 'gps') {
    // no totals but the ends of the samples, which are beyond the device's in two files
    const lastM = track.distanceM.findLast((metres) => !Number.isNaN(metres)) ?? 0
    expect([after.distanceM, after.durationS]).toEqual([
      ...[Math.max(before.distanceM, roundHalfUp(lastM, 2)), Math.max(before.durationS, roundHalfUp(track.tS.at(-1)!))],
    ])
  }
  if (format === 'gpx') return
  // the laps of the device are there again; what they leave out of the run is laps of its own
  for (const { startMs } of run.laps.length > 1 ? run.laps : [])
    expect(Math.min(...again.laps.map((lap) => Math.abs(lap.startMs - startMs)))).toBeLessThanOrEqual(1500)
  if (run.laps.length > 1) expect(again.laps.length).toBeWithin(run.laps.length, run.laps.length + 2)
  // an indoor run has no climb, and no word for that in TCX
  if (before.elevGainM === null) return
  expect(Math.abs(after.elevGainM! - before.elevGainM)).toBeLessThanOrEqual(format === 'fit' ? 5 : 10)
}

/** Within the bounds of docs/ways.md G.2; cadences of text are whole. */
function expectSamples(before: Track, after: Track, format: Format): void {
  const isFit = format === 'fit'
  const bounds = {
    ...{ latDeg: 1e-7, lonDeg: 1e-7, elevM: 0.2, heartRateBpm: 0, powerW: 0, speedMps: 0.001 },
    ...(format === 'gpx' ? {} : { distanceM: 0.0101 }),
    ...(format === 'tcx' ? {} : { temperatureC: isFit ? 0.5 : 0.1 }),
    cadenceRpm: isFit ? 1 / 128 : 0.5,
  }
  const unitMs = isFit ? 1000 : 1
  const unitOf = ({ startMs, tS }: Track, row: number) => Math.round((startMs + Math.round(tS[row]! * 1000)) / unitMs)
  const rows = new Map(Array.from(after.tS, (_, row) => [unitOf(after, row), row]))
  for (const [column, bound] of Object.entries(bounds) as [Column, number][]) {
    // of several rows within one unit the last value is reported; FIT does not get what is after the end of its session
    const last = new Map<number, number>()
    for (const [row, value] of before[column].entries()) {
      const isStated = isFit ? before.tS[row]! <= after.tS.at(-1)! + 0.5 : format === 'tcx' || hasPlace(before, row)
      if (isStated && !Number.isNaN(value)) last.set(unitOf(before, row), value)
    }
    const apart = [...last].map(([at, value]) => Math.abs(after[column][rows.get(at) ?? -1]! - value))
    expect(
      apart.filter((one) => !(one <= bound + 1e-9)),
      `${column} of ${format}`,
    ).toEqual([])
  }
}

const hasPlace = ({ latDeg }: Track, row: number) => !Number.isNaN(latDeg[row]!)

/** Garmin's SDK finds no fault and the same totals. */
function expectReadBySdk(bytes: Uint8Array, { analysis }: AnalyzedRun, track: Track): void {
  const decoder = new Decoder(Stream.fromByteArray([...bytes]))
  expect([decoder.isFIT(), decoder.checkIntegrity(), decoder.read().errors]).toEqual([true, true, []])
  const { sessionMesgs, recordMesgs, lapMesgs, activityMesgs, fileIdMesgs } = sdkMessages(bytes)
  const session = sessionMesgs![0]!
  const { totalDistance, totalElapsedTime: endS, totalCalories = null, avgHeartRate = null } = session
  expect([totalDistance!, endS!, totalCalories, avgHeartRate]).toEqual([
    ...[analysis.distanceM, analysis.durationS, analysis.calories, analysis.avgHeartRateBpm],
  ])
  expect(recordMesgs).toHaveLength(track.tS.filter((atS) => Math.round(atS) <= endS!).length)
  const lastMs = Math.max(...recordMesgs!.map(({ timestamp }) => Number(timestamp)))
  expect(lastMs).toBeLessThanOrEqual(Number(session.startTime) + 1000 * endS!)
  expect(lapMesgs).toHaveLength(session.numLaps!)
  expect<unknown>(fileIdMesgs?.[0]).toMatchObject({ type: 'activity', manufacturer: 'development' })
  expect<unknown>(activityMesgs?.[0]).toMatchObject({ numSessions: 1, totalTimerTime: session.totalTimerTime })
  expect(recordMesgs!.some(({ heartRate }) => heartRate !== undefined)).toBe(hasValues(track.heartRateBpm))
  const timedS = lapMesgs!.reduce((sum, { totalTimerTime }) => sum + totalTimerTime!, 0)
  expect(Math.abs(timedS - session.totalTimerTime!)).toBeLessThan(0.05 * lapMesgs!.length + 0.01)
}

function activityOf(filename: string): Activity {
  return parseFile(unpacked(filename), { filename, nowMs: Date.UTC(2026, 0, 1) }).activities[0]!
}

const trackOf = (name: string) => cleanRecording(activityOf(name).recording!)!
