import { LENGTHS } from '../../base/texts.ts'
import { mergedSpans } from '../../engine/run/moving.ts'
import {
  type Activity,
  type FileWeather,
  type Format,
  FormatError,
  type ParsedFile,
  type ParseOptions,
} from '../format.ts'
import { cadences, columnOf, distances } from '../readings.ts'
import { amountOf, beatsOf, kcalOf, serviceRun, timerWithin } from '../service-run.ts'
import { firstZippedName, zippedFiles } from '../small-zip.ts'
import { otherSportError } from '../sport.ts'
import { cleanText, offsetOf } from '../text-values.ts'
import { scanXml } from '../xml/scanner.ts'
import type { XmlAttributes } from '../xml/text.ts'
import { AppleRecords, RECORD_WORDS } from './records.ts'
import { AppleRoute } from './route.ts'
import { factorOf, measureOf, UNITS, zoneOffset } from './values.ts'
import { ACTIVITY, type AppleWorkout, RUNNING, WORKOUT_WORDS, WorkoutReader } from './workout.ts'

/** The file of the workout and its records in the ZIP of a run, and the folder of its routes. */
export const EXPORT_NAME = 'export.xml'

/** One run of an Apple Health export, as a ZIP of its parts in the layout of the export. */
export const appleFormat: Format = {
  type: 'zip',
  name: 'Apple Health ZIP',
  isListed: false,
  extensions: [],
  detect: (head) => firstZippedName(head) === EXPORT_NAME,
  parse: parseApple,
}

/** @throws FormatError */
function parseApple(bytes: Uint8Array, { anySport = false }: ParseOptions): ParsedFile {
  const files = zippedFiles(bytes)
  const xml = files.get(EXPORT_NAME)
  if (xml === undefined) throw new FormatError(`The ZIP has no ${EXPORT_NAME}`)
  const found = new RunReader()
  scanXml(xml, ['HealthData', ...WORKOUT_WORDS, ...RECORD_WORDS], found)
  const workout = found.workouts.find(({ type }) => anySport || type === RUNNING)
  if (workout !== undefined) {
    const { route, warning } = routeOf(workout, files)
    const activity = activityOf(workout, found.records, route)
    return { type: 'zip', activities: [activity], skippedOther: 0, ...(warning === null ? {} : { warning }) }
  }
  const [other] = found.workouts
  if (other !== undefined) throw otherSportError(other.type.replace(ACTIVITY, ''))
  throw new FormatError('The Apple Health export has no workout', { problem: 'noRun' })
}

class RunReader extends WorkoutReader {
  readonly records = new AppleRecords()

  override open(name: string, parent: string, attributes: XmlAttributes): void {
    if (name === 'Record') this.records.add(attributes)
    else super.open(name, parent, attributes)
  }
}

/** The points of the run's files; one of another time is left out, as exports name such. */
function routeOf(workout: AppleWorkout, files: ReadonlyMap<string, Uint8Array>) {
  const route = new AppleRoute(workout)
  let warning: string | null = null
  for (const path of workout.routes) {
    const name = path.replace(/^\/+/, '')
    const gpx = files.get(name)
    if (gpx === undefined) continue
    try {
      if (!route.read(gpx)) warning ??= `${name} was recorded at another time and is not the route of this run`
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      warning ??= `${name}: ${error.message}`
    }
  }
  return { route, warning }
}

function activityOf(workout: AppleWorkout, records: AppleRecords, route: AppleRoute): Activity {
  const { startMs, endMs, sourceName, metadata } = workout
  const statistic = (name: string) => workout.statistics.get(name)
  const elapsedS = amountOf((endMs - startMs) / 1000) ?? amountOf(workout.durationS)
  const timerS = amountOf(workout.durationS)
  const distanceM = amountOf(statistic('DistanceWalkingRunning')?.sum) ?? amountOf(workout.distanceM)
  const heart = statistic('HeartRate')
  const ascended = measureOf(metadata.get('HKElevationAscended'))
  const run = { ...workout, endMs: startMs + (elapsedS ?? 0) * 1000 }
  const hasRoute = route.n >= 2
  const series = [
    ...(hasRoute ? [route.columns()] : []),
    columnOf('heartRateBpm', records.of('HeartRate', run), startMs),
    cadences(records.of('StepCount', run), startMs),
    columnOf('powerW', records.of('RunningPower', run), startMs),
    columnOf('speedMps', records.of('RunningSpeed', run), startMs),
    // along a route the distance is computed
    ...(hasRoute ? [] : [distances(records.of('DistanceWalkingRunning', run), run, distanceM ?? Number.NaN)]),
  ]
  const activity = serviceRun({
    startMs,
    series,
    totals: {
      elapsedS,
      timerS: timerWithin(timerS, elapsedS),
      distanceM,
      avgHeartRateBpm: beatsOf(heart?.average),
      maxHeartRateBpm: beatsOf(heart?.maximum),
      minHeartRateBpm: beatsOf(heart?.minimum),
      caloriesKcal: kcalOf(statistic('ActiveEnergyBurned')?.sum) ?? kcalOf(workout.energyKcal),
      elevGainM: ascended === null ? null : amountOf(ascended.value, factorOf(ascended.unit, UNITS.length)),
    },
    indoor: metadata.get('HKIndoorWorkout') === '1',
    pauses: pausesOf(workout, route),
    // Apple writes the names of its devices with no-break spaces
    device: cleanText(sourceName.replaceAll('\u00a0', ' '), LENGTHS.device),
    external: { origin: 'apple_health', id: identityOf(workout) },
    utcOffsetMinutes: zoneOffset(metadata.get('HKTimeZone') ?? '', startMs) ?? offsetOf(workout.startText),
  })
  return { ...activity, weather: weatherOf(metadata) }
}

/** In UTC, since the export writes all times with the offset that the phone has when it exports. */
function identityOf({ type, startMs, endMs, sourceName }: AppleWorkout): string {
  const parts = [
    type,
    ...[startMs, endMs].map((ms) => (Number.isNaN(ms) ? '' : new Date(ms).toISOString())),
    sourceName,
  ]
  return new Bun.CryptoHasher('sha256').update(parts.join('|')).digest('hex')
}

function pausesOf({ pauses }: AppleWorkout, route: AppleRoute): (readonly [number, number])[] {
  const spans = [...pauses, ...route.gaps()].map(([startS, endS]) => ({ startS, endS }))
  return mergedSpans(spans).map(({ startS, endS }) => [startS, endS])
}

/** Temperature alone is not weather: a record of the weather has both. */
function weatherOf(metadata: AppleWorkout['metadata']): FileWeather | null {
  const warmth = measureOf(metadata.get('HKWeatherTemperature'))
  const damp = measureOf(metadata.get('HKWeatherHumidity'))
  if (warmth === null || damp === null || damp.value < 0 || damp.value > 10_000) return null
  const degrees =
    warmth.unit === 'degF' ? ((warmth.value - 32) * 5) / 9 : warmth.unit === 'degC' ? warmth.value : Number.NaN
  if (Number.isNaN(degrees)) return null
  // newer versions write hundredths of a percent
  const humidity = damp.value > 100 ? damp.value / 100 : damp.value
  return { source: 'apple_health', temperature: Math.round(degrees * 10) / 10, humidity }
}
