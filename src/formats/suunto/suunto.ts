import { fileTime } from '../../engine/calendar/timestamp.ts'
import { bareLap, type DeviceLap, type LapIntensity, orderedLaps } from '../../engine/laps.ts'
import { NO_TOTALS } from '../../engine/numbers.ts'
import { type Activity, type Format, FormatError, type ParsedFile, type ParseOptions, UNSAID } from '../format.ts'
import { type Members, membersOf, parsedJson, rowsOf } from '../json.ts'
import { NUMBER_LIMITS } from '../number-limits.ts'
import { isIndoor, isOtherSport, otherSportError } from '../sport.ts'
import { PointTable } from '../table/points.ts'
import { cleanText, numberOf, offsetOf, textOf } from '../text-values.ts'

/** The JSON export of Suunto's app and older site: a `DeviceLog` with `Header`, `Samples`, `Windows` and `Device`. */
export const suuntoFormat: Format = {
  type: 'json',
  name: 'Suunto JSON',
  extensions: ['json'],
  detect: (head) => /^\uFEFF?\s*\{\s*"DeviceLog"\s*:/.test(new TextDecoder().decode(head.subarray(0, 4096))),
  parse: parseSuunto,
}

const DEGREES_PER_RADIAN = 180 / Math.PI
/** Suunto writes heart rate and cadence per second. */
const PER_MINUTE = 60
const ZERO_CELSIUS_K = 273.15
const JOULES_PER_KCAL = 4184
const MOST_PAUSES = 10_000
const NAME_LENGTH = 200

/** Suunto's numbers for sports other than running; all others count as runs. */
const SPORTS: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  ...([4, 5, 17] as const).map((id) => [id, 'cycling'] as const),
  ...([6, 83] as const).map((id) => [id, 'swimming'] as const),
  ...([20, 22, 78, 80, 88] as const).map((id) => [id, 'skiing'] as const),
  ...([15, 71] as const).map((id) => [id, 'rowing'] as const),
  [11, 'trekking'],
  [12, 'walking'],
  [13, 'sailing'],
  [14, 'kayaking'],
  [16, 'climbing'],
  [19, 'triathlon'],
  [21, 'snowboarding'],
  [23, 'weight training'],
  [74, 'mountaineering'],
  [84, 'walking'],
  [85, 'snowshoeing'],
  [93, 'treadmill'],
])

const INTENSITIES: ReadonlyMap<unknown, LapIntensity> = new Map<unknown, LapIntensity>([
  ['Warmup', 'warmup'],
  ['Interval', 'interval'],
  ['Recovery', 'recovery'],
  ['Cooldown', 'cooldown'],
])

/** @throws FormatError */
function parseSuunto(bytes: Uint8Array, { anySport = false }: ParseOptions): ParsedFile {
  const samples = new Samples()
  const log = membersOf(membersOf(parsedJson(bytes, 'Suunto')).DeviceLog)
  for (const sample of rowsOf(log.Samples)) samples.take(sample)
  samples.end()
  const header = membersOf(log.Header)
  const sport = textOf(header.Activity) ?? SPORTS.get(header.ActivityType) ?? null
  if (!anySport && isOtherSport(sport)) throw otherSportError(sport ?? '')
  return { type: 'json', activities: [activityOf(log, samples, sport)], skippedOther: 0 }
}

function activityOf(log: Members, samples: Samples, sport: string | null): Activity {
  const header = membersOf(log.Header)
  const { points } = samples
  const rows = points.rowsWhere((row) => points.hasTime(row) && points.hasData(row))
  const stated = textOf(header.DateTime) ?? ''
  const statedMs = fileTime(stated)
  const startedAtMs = Number.isNaN(statedMs) ? points.firstTimeMs(rows) : statedMs
  const totals = {
    ...NO_TOTALS,
    timerS: amountOf(header.Duration),
    distanceM: amountOf(header.Distance),
    caloriesKcal: kcalOf(header.Energy),
  }
  const hasRecords = rows.length >= 2
  if (Number.isNaN(startedAtMs)) throw new FormatError('The Suunto file has no time')
  if (!hasRecords && (totals.timerS === null || totals.distanceM === null)) {
    throw new FormatError('The Suunto file has neither samples nor a distance and a time')
  }
  const recording = points.recording(rows, {
    elevationSource: samples.hasPressure ? 'baro' : 'gps',
    indoor: isIndoor(sport),
    hasSegments: false,
  })
  return {
    ...UNSAID,
    startedAtMs,
    recording: hasRecords ? { ...recording, startMs: startedAtMs, timerOffMs: samples.pauses } : null,
    totals: hasRecords ? totals : { ...totals, elapsedS: totals.timerS },
    laps: lapsOf([...windowsOf(log.Windows), ...samples.windows], startedAtMs),
    source: 'json_import',
    device: deviceOf(membersOf(log.Device)),
    utcOffsetMinutes: offsetOf(stated),
  }
}

/**
 * A watch writes heart rate, position and other values as separate samples, some hundred milliseconds apart: those of
 * one second become one point, at the time of its position if it has one.
 */
class Samples {
  readonly points = new PointTable()
  readonly pauses: [number, number][] = []
  /** Laps, which older exports write among the samples. */
  readonly windows: Members[] = []
  hasPressure = false
  private second = Number.NaN
  private pausedMs = Number.NaN
  private hasPlace = false

  take(sample: Members): void {
    const atMs = fileTime(textOf(sample.TimeISO8601) ?? '')
    if (Number.isNaN(atMs)) return
    if (sample.Window !== undefined) this.windows.push(sample)
    for (const event of Array.isArray(sample.Events) ? sample.Events : []) this.pause(membersOf(event).Pause, atMs)
    const second = Math.floor(atMs / 1000)
    if (second !== this.second) this.end()
    this.second = second
    const { next } = this.points
    const isPlaced = Number.isFinite(sample.Latitude) && Number.isFinite(sample.Longitude)
    if (Number.isNaN(next.timeMs) || (isPlaced && !this.hasPlace)) next.timeMs = atMs
    this.hasPlace ||= isPlaced
    if (isPlaced) {
      next.latDeg = numberOf(sample.Latitude) * DEGREES_PER_RADIAN
      next.lonDeg = numberOf(sample.Longitude) * DEGREES_PER_RADIAN
    }
    this.set('heartRateBpm', numberOf(sample.HR) * PER_MINUTE)
    this.set('cadence', numberOf(sample.Cadence) * PER_MINUTE)
    this.set('distanceM', numberOf(sample.Distance))
    this.set('speedMps', numberOf(sample.Speed))
    this.set('powerW', numberOf(sample.Power))
    this.set('temperatureC', numberOf(sample.Temperature) - ZERO_CELSIUS_K)
    // GPS altitude is less accurate and is used only where no other is given
    if (Number.isNaN(next.elevM)) this.set('elevM', numberOf(sample.GPSAltitude))
    this.set('elevM', numberOf(sample.Altitude))
    this.hasPressure ||= Number.isFinite(sample.AbsPressure) || Number.isFinite(sample.SeaLevelPressure)
  }

  end(): void {
    if (!Number.isNaN(this.points.next.timeMs)) this.points.add()
    this.hasPlace = false
  }

  private set(
    name: 'heartRateBpm' | 'cadence' | 'distanceM' | 'speedMps' | 'powerW' | 'temperatureC' | 'elevM',
    value: number,
  ): void {
    if (!Number.isNaN(value)) this.points.next[name] = value
  }

  private pause(stated: unknown, atMs: number): void {
    const { State: state } = membersOf(stated)
    const isPaused = state === true || state === 'True' || state === 'true'
    const isOver = state === false || state === 'False' || state === 'false'
    if (isPaused && Number.isNaN(this.pausedMs)) this.pausedMs = atMs
    if (isOver && atMs > this.pausedMs && this.pauses.length < MOST_PAUSES) this.pauses.push([this.pausedMs, atMs])
    if (isOver) this.pausedMs = Number.NaN
  }
}

function windowsOf(value: unknown): Members[] {
  return Array.isArray(value) ? value.map(membersOf) : []
}

/** Laps and intervals in order; windows that cover the whole activity are left out. */
function lapsOf(windows: readonly Members[], startedAtMs: number): DeviceLap[] {
  const ended = windows.flatMap(({ TimeISO8601, Window }) => {
    const endMs = fileTime(textOf(TimeISO8601) ?? '')
    const window = membersOf(Window)
    const isLap = window.Type === 'Lap' || window.Type === 'Autolap' || INTENSITIES.has(window.IntervalType)
    return isLap && endMs > startedAtMs ? [{ endMs, window }] : []
  })
  let startMs = startedAtMs
  const laps = ended
    .sort((a, b) => a.endMs - b.endMs)
    .map(({ endMs, window }): DeviceLap => {
      const [heartRate, cadence, power] = [window.HR, window.Cadence, window.Power].map(firstOf)
      const lap = {
        ...bareLap(startMs, endMs),
        trigger: window.Type === 'Lap' ? ('manual' as const) : window.Type === 'Autolap' ? ('distance' as const) : null,
        intensity: INTENSITIES.get(window.IntervalType) ?? null,
        timerS: amountOf(window.Duration),
        distanceM: amountOf(window.Distance),
        avgHeartRateBpm: scaledOf(heartRate?.Avg, PER_MINUTE),
        maxHeartRateBpm: scaledOf(heartRate?.Max, PER_MINUTE),
        avgCadenceRpm: scaledOf(cadence?.Avg, PER_MINUTE),
        avgPowerW: scaledOf(power?.Avg, 1),
        elevGainM: amountOf(window.Ascent),
        elevLossM: amountOf(window.Descent),
      }
      startMs = endMs
      return lap
    })
  return orderedLaps(laps)
}

/** The figures of a window are wrapped in a list of one element. */
function firstOf(value: unknown): Members | null {
  return Array.isArray(value) ? membersOf(value[0]) : null
}

/** The model, such as `Suunto 9`; some exports omit the maker. */
function deviceOf({ Name }: Members): string | null {
  const name = cleanText(textOf(Name), NAME_LENGTH)
  return name === null || /^suunto\b/i.test(name) ? name : `Suunto ${name}`
}

function kcalOf(joules: unknown): number | null {
  const kcal = scaledOf(joules, 1 / JOULES_PER_KCAL)
  return kcal !== null && kcal < NUMBER_LIMITS.caloriesKcal ? kcal : null
}

/** Seconds or metres; null when the value is not a valid amount. */
function amountOf(value: unknown): number | null {
  const amount = numberOf(value)
  return amount >= 0 && amount < NUMBER_LIMITS.amount ? amount : null
}

function scaledOf(value: unknown, factor: number): number | null {
  const scaled = numberOf(value) * factor
  return scaled > 0 && scaled < NUMBER_LIMITS.amount ? scaled : null
}
