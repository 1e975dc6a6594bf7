import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Analysis } from '../src/engine/analysis.ts'
import { NO_TOTALS } from '../src/engine/numbers.ts'
import { cutOut } from '../src/engine/repair/cut.ts'
import { distanceBetweenM } from '../src/engine/route/geo.ts'
import { STANDARD_DISTANCES } from '../src/engine/run/best-efforts.ts'
import { gpsDistance } from '../src/engine/run/distance.ts'
import { cleanRecording } from '../src/engine/run/samples.ts'
import type { RecordedSamples, Track } from '../src/engine/track.ts'
import { type Activity, FormatError } from '../src/formats/format.ts'
import { unpackedFile } from '../src/formats/gzip.ts'
import { parseFile } from '../src/formats/registry.ts'
import { runFile } from '../src/workers/run-file.ts'
import { corpusDir, corpusFile, expectedOf } from '../test/corpus.ts'
import { analyze } from '../test/fixtures/derived.ts'
import { normalOf, seededRandom } from '../test/fixtures/knots.ts'
import { degreesAt, OPTIONS } from '../test/fixtures/recording.ts'
import { synthetic, syntheticFile } from '../test/synth.ts'
import { printIntervals } from './intervals.ts'

// How true distance, climb, moving time and intervals are, over the corpus and made runs, printed, never judged.

const NOW_MS = Date.UTC(2026, 0, 1)
const FOLDERS = ['fit', 'fit-gz', 'gpx', 'strava-export/activities'] as const
/** A longer gap between two segments is a pause. */
const SEGMENT_PAUSE_MS = 10_000

/** A number beside what it should be; `name` says of what. */
export interface Compared {
  readonly name: string
  readonly ours: number
  readonly truth: number
}

/** Relative, percent. */
export function offPercent({ ours, truth }: Compared): number {
  return (100 * (ours - truth)) / truth
}

/** Runs and other activities of one file of the corpus; none when it is refused. */
export async function corpusActivities(name: string): Promise<readonly Activity[]> {
  return await parsedActivities(name, true)
}

/** Runs of one file of the corpus, as an import takes them; none when it is refused. */
export async function corpusRuns(name: string): Promise<readonly Activity[]> {
  return await parsedActivities(name, false)
}

async function parsedActivities(name: string, anySport: boolean): Promise<readonly Activity[]> {
  try {
    const bytes = await unpackedFile(corpusFile(name), name)
    return parseFile(bytes, { filename: name, nowMs: NOW_MS, anySport }).activities
  } catch (error) {
    if (error instanceof FormatError) return []
    throw error
  }
}

/** Names of the files of these folders of the corpus, sorted. */
export function corpusNames(folders: readonly string[] = FOLDERS): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(corpusDir!, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `${folder}/${entry.name}`)
      .toSorted(),
  )
}

/** What the samples alone give. @returns null for a recording without any */
export function analysisOf(activity: Activity, totals = NO_TOTALS): Analysis | null {
  const track = activity.recording && cleanRecording(activity.recording)
  return track && analyze(track, { ...OPTIONS, totals })
}

/** Distance of every GPX outside `bad/` against the WGS84 sum of its points, segments at most 10 s apart joined. */
export async function distances(): Promise<Compared[]> {
  const found: Compared[] = []
  for (const name of corpusNames().filter((name) => /\.gpx(\.gz)?$/.test(name))) {
    for (const activity of await corpusActivities(name)) {
      const analysis = analysisOf(activity)
      if (analysis === null || analysis.distanceM === 0) continue
      found.push({ name, ours: analysis.distanceM, truth: sumOfPointsM(activity.recording!) })
    }
  }
  return found
}

/** Of the points as they are written, in order of time; nothing is cleaned. */
function sumOfPointsM({ n, timeMs, latDeg, lonDeg, segment }: RecordedSamples): number {
  const rows = Array.from({ length: n }, (_, i) => i)
    .filter((i) => Number.isFinite(timeMs[i]!) && Number.isFinite(latDeg[i]!))
    .sort((a, b) => timeMs[a]! - timeMs[b]! || a - b)
  let sumM = 0
  for (let k = 1; k < rows.length; k += 1) {
    const [a, b] = [rows[k - 1]!, rows[k]!]
    const isPause = segment !== null && segment[a] !== segment[b] && timeMs[b]! - timeMs[a]! > SEGMENT_PAUSE_MS
    if (!isPause) sumM += distanceBetweenM(latDeg[a]!, lonDeg[a]!, latDeg[b]!, lonDeg[b]!)
  }
  return sumM
}

/** Normal noise of a standard deviation and a correlation time, one value a second. */
function noise(random: () => number, sigma: number, tauS: number): () => number {
  const normal = () => normalOf(random)
  const rho = Math.exp(-1 / tauS)
  let state = sigma * normal()
  return () => {
    state = rho * state + sigma * Math.sqrt(1 - rho * rho) * normal()
    return state
  }
}

const { perNorthM, perEastM } = degreesAt(47)

/** Metres that a GPS track of these [seconds, metres east, metres north] comes to, up to each point. */
export function metresOf(points: readonly (readonly [number, number, number])[]): Float64Array {
  const tS = Float64Array.from(points, ([atS]) => atS)
  const latDeg = Float64Array.from(points, ([, , northM]) => 47 + northM * perNorthM)
  const lonDeg = Float64Array.from(points, ([, eastM]) => 8 + eastM * perEastM)
  return gpsDistance(tS, { latDeg, lonDeg }, [])!.distanceM
}

/** Metres that ten minutes of standing between two runs add: noise of 3 m an axis over 60 s, one point a second. */
export function jitterM(seed: number): number {
  const random = seededRandom(seed)
  const [east, north] = [noise(random, 3, 60), noise(random, 3, 60)]
  const distanceM = metresOf(
    Array.from({ length: 1201 }, (_, i) => {
      const runM = i < 300 ? 3 * i : i < 900 ? 900 : 900 + 3 * (i - 900)
      return [i, runM + east(), north()]
    }),
  )
  return distanceM[900]! - distanceM[300]!
}

/**
 * A stroll as phones write it: between stretches at 1.2 m/s a few records, 9 s apart, of 3 m each on a winding path, which
 * is slower than a stop is.
 */
export function slowWalk(): Compared {
  const points: [number, number, number][] = [[0, 0, 0]]
  let truth = 0
  let headingRad = 0
  const go = (seconds: number, metres: number, turnRad: number) => {
    const [atS, eastM, northM] = points.at(-1)!
    headingRad += turnRad
    points.push([atS + seconds, eastM + metres * Math.cos(headingRad), northM + metres * Math.sin(headingRad)])
    truth += metres
  }
  for (let round = 0; round < 12; round += 1) {
    for (let k = 0; k < 12; k += 1) go(5, 6, 0)
    for (let k = 0; k < 14; k += 1) go(9, 3, k % 2 === 0 ? 1.4 : -1.4)
  }
  return { name: 'a slow walk', ours: metresOf(points).at(-1)!, truth }
}

/** Climb of made runs whose hills are known, as GPX (unknown source). */
export function madeClimbs(): Compared[] {
  const { folder } = synthetic<unknown>('scenarios')
  const climb = (name: string) => {
    const bytes = syntheticFile(folder, `${name}.gpx`)
    return analysisOf(parseFile(bytes, { filename: `${name}.gpx`, nowMs: NOW_MS }).activities[0]!)!.elevGainM!
  }
  const truths = { bumps_6m: 60, noisy_flat: 0, circle: 0, sine_hills: 320 }
  return Object.entries(truths).map(([name, truth]) => ({ name, ours: climb(name), truth }))
}

/** Climb out of the samples of every FIT run outside `bad/` whose watch says one. */
export async function watchClimbs(): Promise<Compared[]> {
  return await fitRuns(({ elevGainM }, activity) => {
    const truth = activity.rawFitData === null ? undefined : sessionOf(activity).totalAscent
    return elevGainM === null || typeof truth !== 'number' ? null : { ours: elevGainM, truth }
  })
}

/** Timer time out of the samples of every FIT run outside `bad/` whose watch says one. */
export async function timers(): Promise<Compared[]> {
  return await fitRuns(({ timerTimeS }, activity) => {
    const truth = sessionOf(activity).totalTimerTime
    return timerTimeS === null || typeof truth !== 'number' ? null : { ours: timerTimeS, truth }
  })
}

/**
 * Climb of every run of the corpus after it was written as a file and read again, against that before.
 * @param repaired changes the run before it is written
 */
export async function climbsOutAndIn(
  format: 'fit' | 'tcx',
  repaired: (track: Track) => Track = (track) => track,
): Promise<Compared[]> {
  const found: Compared[] = []
  for (const name of corpusNames()) {
    for (const { recording, laps } of await corpusRuns(name)) {
      const whole = recording && cleanRecording(recording)
      if (whole === null) continue
      const track = repaired(whole)
      const { elevGainM: truth, ...numbers } = analyze(track, OPTIONS)
      const run = { id: name, startMs: track.startMs, utcOffsetMinutes: null, name: null, notes: null }
      const job = {
        format,
        laps,
        trim: null,
        elevation: OPTIONS.elevation,
        run: { ...run, numbers: { ...numbers, elevGainM: truth } },
      }
      const [again] = parseFile(Buffer.concat([...runFile(track, job)]), { filename: name, nowMs: NOW_MS }).activities
      const ours = analysisOf(again!)?.elevGainM ?? null
      // an indoor run has no climb, and no word for that in TCX
      if (truth !== null) found.push({ name, ours: ours ?? Number.NaN, truth })
    }
  }
  return found
}

/** Without the second quarter, whose time stays as a pause; between whole seconds, which FIT has. */
export function withoutQuarter(track: Track): Track {
  const lastS = track.tS.at(-1)!
  return cutOut(track, { startS: Math.round(lastS / 4), endS: Math.round(lastS / 2) }, false)
}

/** The largest difference, metres; a number that is missing is infinitely far. */
export function furthestM(compared: readonly Compared[]): number {
  return compared.reduce((most, { ours, truth }) => {
    const apart = Math.abs(ours - truth)
    return Number.isNaN(apart) ? Number.POSITIVE_INFINITY : Math.max(most, apart)
  }, 0)
}

async function fitRuns(
  compare: (analysis: Analysis, activity: Activity) => Omit<Compared, 'name'> | null,
): Promise<Compared[]> {
  const found: Compared[] = []
  for (const name of corpusNames()) {
    for (const activity of await corpusActivities(name)) {
      const analysis = activity.rawFitData === null ? null : analysisOf(activity)
      const compared = analysis && compare(analysis, activity)
      if (compared) found.push({ name, ...compared })
    }
  }
  return found
}

function sessionOf({ rawFitData }: Activity): Readonly<Record<string, unknown>> {
  return (rawFitData?.() as { session?: Record<string, unknown> } | undefined)?.session ?? {}
}

/** Moving time out of the samples against the test values of sports-lib: a comparison, no truth. */
export async function movingTimes(): Promise<Compared[]> {
  const found: Compared[] = []
  for (const name of corpusNames()) {
    const { published } = expectedOf(name) as { published?: { values?: { movingTime_s?: number } } }
    const truth = published?.values?.movingTime_s
    if (truth === undefined) continue
    const analysis = analysisOf((await corpusActivities(name))[0]!)
    if (analysis !== null) found.push({ name, ours: analysis.movingTimeS!, truth })
  }
  return found
}

/** Efforts of a file of the corpus that cannot be, as `10K gap`. */
export async function impossibleEfforts(name: string): Promise<string[]> {
  const found = (await corpusActivities(name)).flatMap((activity) => analysisOf(activity)?.bestEfforts ?? [])
  return found
    .filter(({ implausibleReason }) => implausibleReason !== null)
    .map(({ distanceIndex, implausibleReason }) => `${STANDARD_DISTANCES[distanceIndex]!.label} ${implausibleReason}`)
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2
}

/** Prints all of it. */
export async function bench(): Promise<void> {
  if (corpusDir === null) return console.log('numbers: skipped, CORPUS_DIR names no folder of watch files')
  const line = ({ name, ours, truth }: Compared, off: string) =>
    console.log(
      `  ${name.padEnd(52)} ${ours.toFixed(1).padStart(9)} ${truth.toFixed(1).padStart(9)} ${off.padStart(9)}`,
    )
  const percent = (compared: Compared) => line(compared, `${offPercent(compared).toFixed(2)} %`)
  const absolute = (compared: Compared, unit: string) =>
    line(compared, `${(compared.ours - compared.truth).toFixed(1)} ${unit}`)

  console.log('distance of GPX against the WGS84 sum, m')
  const metres = await distances()
  for (const compared of metres) percent(compared)
  percent(slowWalk())
  const seeds = Array.from({ length: 200 }, (_, seed) => jitterM(seed + 1))
  const worst = metres.map((compared) => Math.abs(offPercent(compared)))
  console.log(`  worst ${Math.max(...worst).toFixed(2)} %`)
  console.log(`  ten minutes of jitter: ${(seeds.reduce((a, b) => a + b, 0) / 200).toFixed(1)} m in the mean of 200`)

  console.log('climb of made runs, m')
  for (const compared of madeClimbs()) absolute(compared, 'm')
  console.log('climb against the watches, m')
  const climbs = await watchClimbs()
  for (const compared of climbs) absolute(compared, 'm')
  const summed = climbs.reduce((sum, { ours, truth }) => sum + Math.abs(ours - truth), 0)
  console.log(`  summed error ${summed.toFixed(1)} m over ${climbs.length} runs`)

  console.log('climb out as a file and in again against that before, m')
  for (const format of ['fit', 'tcx'] as const) {
    for (const [what, repaired] of [
      ['whole', undefined],
      ['after a cut', withoutQuarter],
    ] as const) {
      const kept = await climbsOutAndIn(format, repaired)
      console.log(`  ${format}, ${what}: furthest ${furthestM(kept).toFixed(1)} of ${kept.length} runs`)
    }
  }

  console.log("moving time against sports-lib's, s")
  const moving = await movingTimes()
  for (const compared of moving) percent(compared)
  const off = moving.map((compared) => Math.abs(offPercent(compared)))
  console.log(`  median ${median(off).toFixed(2)} %, worst ${Math.max(...off).toFixed(2)} %`)
  console.log('timer time against the watches, s')
  for (const compared of await timers()) absolute(compared, 's')

  console.log('efforts that cannot be')
  for (const name of corpusNames([...FOLDERS, 'bad'])) {
    const efforts = await impossibleEfforts(name)
    if (efforts.length > 0) console.log(`  ${name.padEnd(52)} ${efforts.join(', ')}`)
  }

  const recorded: { name: string; run: Activity }[] = []
  for (const name of corpusNames()) for (const run of await corpusRuns(name)) recorded.push({ name, run })
  printIntervals(recorded)
}
