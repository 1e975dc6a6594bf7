import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { corpusDir } from '../corpus.ts'
import { csvFile, sampleTable, stravaCsv } from '../fixtures/csv.ts'
import { type FitFileOptions, type FitSample, fitFile } from '../fixtures/fit.ts'
import { chainedFit } from '../fixtures/fit-writer.ts'
import { type GpxOptions, gpxFile, straightPoints } from '../fixtures/gpx.ts'
import { healthFile, healthRun, oldHealthRun } from '../fixtures/health.ts'
import { START_MS } from '../fixtures/runs.ts'
import { suuntoFile, suuntoWindow } from '../fixtures/suunto.ts'
import { steadyTcx, tcxFile } from '../fixtures/tcx.ts'
import type { Seed } from './mutate.ts'

/** Larger files of a corpus take the time of hundreds of small ones. */
const MAX_CORPUS_BYTES = 500_000
const RECORDS = 40

/** One of every kind of workout file that the tests know to write, short, and the files of the corpus where there is one. */
export function workoutSeeds(): readonly Seed[] {
  return [...fitSeeds(), ...gpxSeeds(), ...tcxSeeds(), ...tableSeeds(), ...jsonSeeds(), ...corpusSeeds()]
}

function jsonSeeds(): Seed[] {
  const windows = [suuntoWindow(START_MS + 20_000, { Distance: 60, HR: [{ Avg: 2.5, Max: 3 }] })]
  const old = { startMs: START_MS + 864e5, seconds: RECORDS }
  const workouts = [healthRun({ seconds: RECORDS }), healthRun({ name: 'Yoga' }), oldHealthRun(old)]
  return [
    { name: 'paused.json', bytes: suuntoFile({ startMs: START_MS, seconds: RECORDS, pause: [9, 12], windows }) },
    { name: 'health.json', bytes: healthFile(workouts, { metrics: [{ name: 'steps', data: [] }] }) },
  ]
}

/** Rows of an export of Strava, of which the first names `activities/1.fit`. */
export function stravaTable(): Uint8Array {
  const row = {
    ...{ 'Activity Date': 'Nov 1, 2025, 7:00:00 AM', 'Activity Type': 'Run', 'Activity Name': 'Morning Run' },
    ...{ 'Activity Description': 'Along the river, with "Anna"', 'Activity Gear': 'Road One', 'Elapsed Time': 600 },
    ...{ 'Elapsed Time#2': 600, Distance: '1,80', 'Distance#2': 1800.5, 'Average Heart Rate': 141.2 },
    ...{
      'Perceived Exertion': 5,
      Competition: 1,
      'Weather Temperature': 11.25,
      'Weather Condition': 3,
      Humidity: 0.75,
    },
  }
  return stravaCsv([
    { ...row, 'Activity ID': 1, Filename: 'activities/1.fit', Media: 'media/1.jpg|media/2.jpg' },
    { ...row, 'Activity ID': 2, Filename: 'activities/2.gpx.gz', 'Activity Private Note': 'knee' },
    { ...row, 'Activity ID': 3, 'Activity Date': 'Nov 3, 2025, 7:00:00 AM' },
    { ...row, 'Activity ID': 4, 'Activity Type': 'Ride' },
  ])
}

function fitSeeds(): Seed[] {
  const samples: readonly FitSample[] = Array.from({ length: RECORDS }, (_, t) => {
    const place = { lat: 47 + 2.7e-5 * t, lon: 8 + 1e-5 * (t % 3), distanceM: 3 * t, elevM: 400 + (t % 7) }
    return { t, ...place, speedMps: 3, hr: 130 + (t % 9), cadence: 84.5, powerW: 250, temperatureC: 15 }
  })
  const sparse = Array.from({ length: RECORDS }, (_, i) => ({ t: i * 7, distanceM: 21 * i, hr: 140 }))
  const made = (options: Partial<FitFileOptions> = {}) => fitFile({ startMs: START_MS, samples, ...options })
  const session = { totalElapsedS: 39, totalTimerS: 30, totalMovingS: 29, totalDistanceM: 120, calories: 9, avgHr: 135 }
  const variants: Readonly<Record<string, Uint8Array>> = {
    plain: made(),
    sparse: made({ samples: sparse, session: { totalDistanceM: 819 } }),
    big: made({ bigEndian: true, enhanced: true, headerSize: 12 }),
    compressed: made({ compressedTimestamps: true, manufacturer: 1, product: 3113 }),
    developer: made({ samples: samples.map((sample) => ({ ...sample, strydW: 240 })) }),
    words: made({
      workoutName: 'Threshold',
      sportName: 'Race',
      productName: 'A watch',
      localOffsetS: 3600,
      devices: [{ deviceIndex: 0, manufacturer: 1, product: 3113, deviceType: 4, sourceType: 5, productName: 'B' }],
      weather: { condition: 1, temperatureC: 20, feelsLikeC: 21, humidity: 60, windSpeedMps: 3, windDirection: 270 },
    }),
    laps: made({
      laps: [10, 20, 30].map((startS, k) => ({
        ...{ startS, elapsedS: 10, timerS: 10, distanceM: 30, avgHr: 135, maxHr: 139, avgCadence: 84 },
        ...{ avgPowerW: 250, ascentM: 3, descentM: 2, intensity: k % 2, trigger: k },
      })),
    }),
    paused: made({
      session,
      timer: [
        [0, 0],
        [12, 4],
        [20, 0],
        [39, 4],
      ],
    }),
    sessions: made({ session: [session, { startS: 20, sport: 2, totalElapsedS: 19 }, { ...session, startS: 10 }] }),
    bare: made({ session: null }),
    chained: chainedFit(made(), made({ startMs: START_MS + 3_600_000 })),
  }
  return Object.entries(variants).map(([name, bytes]) => ({ name: `${name}.fit`, bytes }))
}

function gpxSeeds(): Seed[] {
  const points = straightPoints({ n: RECORDS, startMs: START_MS })
  const rich = points.map((point, i) => ({ ...point, cad: 85, power: 250 + i, temp: 15 }))
  const later = straightPoints({ n: RECORDS, startMs: START_MS + 120_000 })
  const metadata = { name: 'Run', desc: 'A run', author: 'Somebody', time: '2025-11-01T07:00:00Z', keywords: 'a, b' }
  const variants: Readonly<Record<string, GpxOptions>> = {
    plain: { points },
    rich: { points: rich, name: 'Lunch', desc: 'Notes & more', type: 'running', metadata },
    v2: { points: rich, extension: 'v2' },
    cluetrust: { points: rich, extension: 'cluetrust', version: '1.0' },
    sensors: { points: rich, extension: 'plain', namespace: false, creator: null },
    segments: { segments: [points, [], later] },
  }
  return Object.entries(variants).map(([name, options]) => ({ name: `${name}.gpx`, bytes: gpxFile(options) }))
}

function tcxSeeds(): Seed[] {
  const activity = steadyTcx({ n: RECORDS, startMs: START_MS })
  const other = steadyTcx({ n: RECORDS, startMs: START_MS + 3_600_000, sport: 'Biking' })
  const lap = { startMs: START_MS, totalTimeS: 39, distanceM: 117, calories: 9, avgHr: 140, maxHr: 150 }
  const sensors = activity.laps[0]!.tracks[0]!.map((point) => ({ ...point, runCadence: 85, speedMps: 3, watts: 250 }))
  return [
    { name: 'plain.tcx', bytes: tcxFile([activity]) },
    { name: 'several.tcx', bytes: tcxFile([{ ...activity, notes: 'N', creator: 'Watch' }, other]) },
    {
      name: 'laps.tcx',
      bytes: tcxFile([
        {
          laps: [
            { ...lap, tracks: [sensors, sensors] },
            { ...lap, tracks: [] },
          ],
        },
      ]),
    },
  ]
}

function tableSeeds(): Seed[] {
  const rows = Array.from({ length: RECORDS }, (_, i) => [
    1_730_444_400 + i,
    (i * 0.003).toFixed(4),
    140,
    85,
    250,
    10.8,
  ])
  const header = ['Timestamp', 'Distance (km)', 'Heart Rate', 'Cadence', 'Power', 'Speed (km/h)']
  return [
    { name: 'samples.csv', bytes: sampleTable({ n: RECORDS, startMs: START_MS }) },
    { name: 'semicolons.csv', bytes: sampleTable({ n: RECORDS, startMs: START_MS, separator: ';' }) },
    { name: 'distances.csv', bytes: csvFile({ header, rows, newline: '\r\n', byteOrderMark: true, separator: '\t' }) },
    { name: 'activities.csv', bytes: stravaTable() },
  ]
}

function corpusSeeds(): Seed[] {
  if (corpusDir === null) return []
  const paths = readdirSync(corpusDir, { recursive: true, encoding: 'utf8' }).toSorted()
  return paths.flatMap((path) => {
    if (!/\.(fit|gpx|tcx|csv)(\.gz)?$/.test(path)) return []
    const seed = { name: basename(path), bytes: new Uint8Array(readFileSync(join(corpusDir ?? '', path))) }
    if (seed.bytes.length === 0 || seed.bytes.length > MAX_CORPUS_BYTES) return []
    return [seed, ...unpacked(seed)]
  })
}

/** The unpacked seed; empty when it is not gzipped, or cannot be unpacked. */
function unpacked({ name, bytes }: Seed): Seed[] {
  if (!name.endsWith('.gz')) return []
  try {
    const whole = gunzipSync(bytes, { maxOutputLength: MAX_CORPUS_BYTES })
    return [{ name: name.replace(/\.gz$/, ''), bytes: new Uint8Array(whole) }]
  } catch {
    return []
  }
}

/** Chooses small ones more often: large ones take the time of hundreds of them. */
export function chooser(seeds: readonly Seed[]): (share: number) => Seed {
  let sum = 0
  const upTo = seeds.map(({ bytes }) => (sum += Math.max(2_000, bytes.length) ** -1.5))
  return (share) => seeds[upTo.findIndex((reach) => share * sum < reach)] ?? seeds[0]!
}
