import { LENGTHS, RAW_LENGTHS } from '../../base/texts.ts'
import { extent } from '../../engine/gather.ts'
import { isHeartRate } from '../../engine/grid.ts'
import { timeCorrection } from '../../engine/judge/words.ts'
import { bareLap, type DeviceLap, type LapTrigger, orderedLaps } from '../../engine/laps.ts'
import { type DeviceTotals, NO_TOTALS } from '../../engine/numbers.ts'
import { type Activity, type Format, FormatError, type ParsedFile, type ParseOptions, UNSAID } from '../format.ts'
import { elevationSourceOf } from '../harrier-marks.ts'
import { NUMBER_LIMITS } from '../number-limits.ts'
import { rawTrack } from '../raw-track.ts'
import { isIndoor, isOtherSport, otherSportError, runTypeOf } from '../sport.ts'
import { sportsNamed } from '../sport-words.ts'
import { type PointColumn, PointTable } from '../table/points.ts'
import { cleanText, rounded } from '../text-values.ts'
import { rootName, scanXml, type XmlHandler } from './scanner.ts'
import type { XmlAttributes, XmlText } from './text.ts'
/** Training Center XML: each Activity that is running is one run, its laps joined (docs/api.md 7.2). */
export const tcxFormat: Format = {
  type: 'tcx',
  name: 'TCX',
  extensions: ['tcx'],
  detect: (head) => rootName(head) === 'TrainingCenterDatabase',
  parse: parseTcx,
}

interface TcxActivity {
  readonly sport: string | null
  /** Its Id, which is its start, Unix milliseconds. */
  idMs: number
  notes: string | null
  creator: string | null
  /** Rows of all Tracks in file order; the segment is the number of the Track. */
  readonly points: PointTable
  readonly laps: TcxLap[]
  /** Times of the points at which another part begins. */
  readonly seamsMs: number[]
}

type LapNumber = 'totalTimeS' | 'distanceM' | 'caloriesKcal' | 'avgHeartRateBpm' | 'maxHeartRateBpm'

/** What a lap states, and the time of its last point; NaN where it states nothing. */
interface TcxLap extends Record<LapNumber | 'startMs' | 'lastMs', number> {
  isResting: boolean | null
  trigger: LapTrigger | null
}

/** Garmin writes the steps of one foot, as Cadence or as RunCadence in the extension. */
const POINT_FIELDS: ReadonlyMap<string, PointColumn> = new Map([
  ['LatitudeDegrees', 'latDeg'],
  ['LongitudeDegrees', 'lonDeg'],
  ['AltitudeMeters', 'elevM'],
  ['DistanceMeters', 'distanceM'],
  ['Cadence', 'cadence'],
  ['RunCadence', 'cadence'],
  ['Speed', 'speedMps'],
  ['Watts', 'powerW'],
])
/** Elements whose heart rate is in a child Value. */
const HEART_RATES = ['HeartRateBpm', 'AverageHeartRateBpm', 'MaximumHeartRateBpm']
const WORDS = [
  ...'Activity Sport Id Notes Creator Name Lap StartTime TotalTimeSeconds Calories Track Trackpoint Time Value'.split(
    ' ',
  ),
  'Intensity',
  'TriggerMethod',
  'Seam',
  ...HEART_RATES,
  ...POINT_FIELDS.keys(),
]

const TRIGGERS: ReadonlyMap<string, LapTrigger> = new Map([
  ['Manual', 'manual'],
  ['Distance', 'distance'],
  ['Location', 'position'],
  ['Time', 'time'],
  ['HeartRate', 'heartRate'],
])
const RESTING: ReadonlyMap<string, boolean> = new Map([
  ['Active', false],
  ['Resting', true],
])

/** Most activities of one file: more than a runner records in a lifetime. */
const MOST_ACTIVITIES = 10_000
const MOST_LAPS = 100_000
const WORD_LENGTH = 20
const BY_LAPS = 'By its laps without points the run began'

/** @throws FormatError */
function parseTcx(bytes: Uint8Array, { anySport = false, asStated = false }: ParseOptions): ParsedFile {
  const reader = new TcxReader()
  scanXml(bytes, WORDS, reader)
  const all = reader.activities
  const [first] = all
  if (first === undefined) throw new FormatError('TCX has no activity', { problem: 'noRun' })
  const runs = anySport ? [first] : all.filter(({ sport }) => !isOtherSport(sport))
  if (runs.length === 0) throw otherSportError(first.sport ?? '')
  const activities = runs.map((run) => activityOf(run, asStated)).filter((activity) => activity !== null)
  if (activities.length === 0) throw new FormatError('TCX has no track points with times')
  const others = anySport ? [] : all.filter((activity) => !runs.includes(activity))
  return { type: 'tcx', activities, skippedOther: others.length, sports: sportsNamed(others.map(({ sport }) => sport)) }
}

/** null when the activity has neither two usable records nor laps with time and distance. */
function activityOf(tcx: TcxActivity, asStated: boolean): Activity | null {
  const { points, laps } = tcx
  // watches write points with only a time where they pause
  const rows = points.rowsWhere((row) => points.hasTime(row) && points.hasData(row))
  const hasRecords = rows.length >= 2
  const span = hasRecords
    ? extentOf(tcx, rows, asStated)
    : { startMs: laps[0]?.startMs ?? Number.NaN, endMs: Number.NaN, isBeyond: false }
  const totals = lapTotals(tcx, rows, span)
  const startedAtMs = span.startMs
  if (!hasRecords && !(Number.isFinite(startedAtMs) && totals.distanceM !== null && totals.timerS !== null)) return null
  const firstMs = hasRecords ? points.firstTimeMs(rows) : startedAtMs
  return {
    ...UNSAID,
    startedAtMs,
    statedStartMs: furthest([laps[0]?.startMs ?? Number.NaN, tcx.idMs], firstMs),
    recording: hasRecords
      ? {
          ...points.recording(rows, {
            elevationSource: elevationSourceOf(tcx.creator),
            indoor: isIndoor(tcx.sport),
            hasSegments: true,
          }),
          ...(startedAtMs < firstMs ? { startMs: startedAtMs } : {}),
          ...(tcx.seamsMs.length > 0 ? { seamsMs: tcx.seamsMs } : {}),
        }
      : null,
    totals: hasRecords ? totals : { ...totals, elapsedS: totals.timerS },
    laps: deviceLaps(laps),
    corrections:
      startedAtMs < firstMs ? [timeCorrection('start', BY_LAPS, { stated: firstMs, used: startedAtMs })] : [],
    notes: cleanText(tcx.notes, LENGTHS.notes),
    runType: runTypeOf(tcx.sport),
    source: 'tcx_import',
    device: cleanText(tcx.creator, LENGTHS.device),
    rawGpxData: () => rawTrack(points, { metadata: { desc: tcx.notes, author: tcx.creator }, source: 'tcx_import' }),
  }
}

/** The time that is furthest from another; NaN: there is none. */
function furthest(timesMs: readonly number[], fromMs: number): number {
  const stated = timesMs.filter(Number.isFinite).sort((a, b) => Math.abs(b - fromMs) - Math.abs(a - fromMs))
  return stated[0] ?? Number.NaN
}

interface Extent {
  readonly startMs: number
  readonly endMs: number
  /** Whether it begins before the first record or ends after the last. */
  readonly isBeyond: boolean
}

/**
 * When a run begins and ends, Unix milliseconds: with its points, and with laps without points that count with their metres; a
 * last point with only a time ends it (docs/algorithms.md 0, kind E).
 */
function extentOf({ points, laps }: TcxActivity, rows: Uint32Array, asStated: boolean): Extent {
  const distanceM = points.column('distanceM')
  const firstMs = points.firstTimeMs(rows)
  const lastMs = extent(points.column('timeMs')).most
  if (asStated) return { startMs: firstMs, endMs: lastMs, isBeyond: false }
  const pointless = laps.filter((lap) => Number.isNaN(lap.lastMs) && lap.totalTimeS > 0 && lap.distanceM > 0)
  const before = pointless.filter(({ startMs }) => startMs < firstMs)
  const beforeM = before.reduce((sum, lap) => sum + lap.distanceM, 0)
  const firstM = distanceM[rows.find((row) => distanceM[row]! >= 0) ?? rows[0]!]!
  const hasDistance = rows.some((row) => distanceM[row]! > 0)
  const startMs =
    !hasDistance || firstM > beforeM / 2 ? Math.min(firstMs, ...before.map((lap) => lap.startMs)) : firstMs
  const ends = hasDistance ? [] : pointless.map((lap) => lap.startMs + lap.totalTimeS * 1000)
  const endMs = Math.max(lastMs, ...ends.filter(Number.isFinite))
  const isBeyond = startMs < firstMs || rows.every((row) => points.column('timeMs')[row]! < endMs)
  return { startMs, endMs, isBeyond }
}

/**
 * Totals of all laps. TotalTimeSeconds is Garmin's timer time: the sum counts when every lap has it and it fits into
 * the recorded span (others write elapsed time, which then is the same). Lap distances count only without those of
 * points, since some writers fill laps with wrong values; speeds and cadences are not read for that reason.
 */
function lapTotals(
  { points, laps }: TcxActivity,
  rows: Uint32Array,
  { startMs, endMs, isBeyond }: Extent,
): DeviceTotals {
  const sum = (field: 'totalTimeS' | 'distanceM') => {
    const total = laps.reduce((before, lap) => before + lap[field], 0)
    return laps.length > 0 && total > 0 && total < NUMBER_LIMITS.amount ? total : null
  }
  const timerS = sum('totalTimeS')
  const hasPointDistance = rows.some((row) => points.column('distanceM')[row]! > 0)
  const calories = laps.reduce((before, lap) => before + Math.max(lap.caloriesKcal || 0, 0), 0)
  const maximum = laps.reduce((before, lap) => Math.max(before, lap.maxHeartRateBpm || 0), 0)
  const averages = laps.filter((lap) => isHeartRate(lap.avgHeartRateBpm) && lap.totalTimeS > 0)
  const beats = averages.reduce((before, lap) => before + lap.avgHeartRateBpm * lap.totalTimeS, 0)
  return {
    ...NO_TOTALS,
    elapsedS: isBeyond ? (endMs - startMs) / 1000 : null,
    // watches round laps to seconds and stop the timer after the last point
    timerS: timerS !== null && !(timerS > (endMs - startMs) / 1000 + 2) ? timerS : null,
    distanceM: hasPointDistance ? null : sum('distanceM'),
    caloriesKcal: calories > 0 && calories < NUMBER_LIMITS.caloriesKcal ? rounded(calories) : null,
    maxHeartRateBpm: isHeartRate(maximum) ? rounded(maximum) : null,
    avgHeartRateBpm:
      timerS !== null && averages.length === laps.length && averages.length > 0 ? rounded(beats / timerS) : null,
  }
}

/** A lap lasts until its last point, or as long as it states (without pauses), but not into the next lap. */
function deviceLaps(laps: readonly TcxLap[]): DeviceLap[] {
  const known = (value: number) => (value > 0 ? value : null)
  const stated = laps.map((lap, place): DeviceLap => {
    const endMs = Math.max(lap.startMs + (known(lap.totalTimeS) ?? 0) * 1000, lap.lastMs || 0)
    const nextMs = laps[place + 1]?.startMs
    return {
      ...bareLap(lap.startMs, nextMs !== undefined && nextMs > lap.startMs ? Math.min(endMs, nextMs) : endMs),
      timerS: known(lap.totalTimeS),
      distanceM: known(lap.distanceM),
      avgHeartRateBpm: isHeartRate(lap.avgHeartRateBpm) ? lap.avgHeartRateBpm : null,
      maxHeartRateBpm: isHeartRate(lap.maxHeartRateBpm) ? lap.maxHeartRateBpm : null,
      trigger: lap.trigger,
      intensity: lap.isResting === null ? null : lap.isResting ? 'rest' : 'active',
    }
  })
  return orderedLaps(stated)
}

class TcxReader implements XmlHandler {
  readonly activities: TcxActivity[] = []
  private activity: TcxActivity | null = null
  private lap: TcxLap | null = null
  private laps = 0
  private track = -1
  private inPoint = false
  private heartRateBpm = Number.NaN

  open(name: string, _parent: string, attributes: XmlAttributes): void {
    if (name === 'Activity') {
      if (this.activities.length === MOST_ACTIVITIES) {
        throw new FormatError(`The file has more than ${MOST_ACTIVITIES} activities`)
      }
      const sport = attributes.string('Sport', RAW_LENGTHS.other)
      this.activity = {
        sport,
        idMs: Number.NaN,
        notes: null,
        creator: null,
        points: new PointTable(),
        laps: [],
        seamsMs: [],
      }
      this.track = -1
    } else if (this.activity === null) {
      return
    } else if (name === 'Lap') {
      if (this.laps++ === MOST_LAPS) throw new FormatError(`The file has more than ${MOST_LAPS} laps`)
      this.lap = emptyLap(attributes.timeMs('StartTime'))
      this.activity.laps.push(this.lap)
    } else if (name === 'Track') {
      this.track++
    } else if (name === 'Trackpoint') {
      this.activity.points.next.segment = Math.max(this.track, 0)
      this.inPoint = true
    } else if (HEART_RATES.includes(name)) {
      this.heartRateBpm = Number.NaN
    }
  }

  close(name: string, parent: string, text: XmlText): void {
    const { activity, lap } = this
    if (activity === null) return
    if (name === 'Value') this.heartRateBpm = text.number()
    if (this.inPoint) {
      this.closeInPoint(activity.points, name, text)
    } else if (name === 'Activity') {
      this.activities.push(activity)
      this.activity = null
      this.lap = null
    } else if (name === 'Id' && parent === 'Activity') {
      activity.idMs = text.timeMs()
    } else if (name === 'Notes' && parent === 'Activity') {
      activity.notes ??= text.string(RAW_LENGTHS.description)
    } else if (name === 'Name' && parent === 'Creator') {
      activity.creator ??= text.string(RAW_LENGTHS.other)
    } else if (lap !== null && parent === 'Lap') {
      this.closeInLap(lap, name, text)
    }
  }

  private closeInPoint(points: PointTable, name: string, text: XmlText): void {
    if (name === 'Trackpoint') {
      points.add()
      this.inPoint = false
      return
    }
    const field = POINT_FIELDS.get(name)
    if (name === 'Time') {
      points.next.timeMs = text.timeMs()
      if (this.lap !== null && !(points.next.timeMs <= this.lap.lastMs)) this.lap.lastMs = points.next.timeMs
    } else if (name === 'HeartRateBpm') points.next.heartRateBpm = this.heartRateBpm
    else if (name === 'Seam') this.activity?.seamsMs.push(points.next.timeMs)
    else if (field !== undefined) points.next[field] = text.number()
  }

  private closeInLap(lap: TcxLap, name: string, text: XmlText): void {
    if (name === 'TotalTimeSeconds') lap.totalTimeS = text.number()
    else if (name === 'DistanceMeters') lap.distanceM = text.number()
    else if (name === 'Calories') lap.caloriesKcal = text.number()
    else if (name === 'AverageHeartRateBpm') lap.avgHeartRateBpm = this.heartRateBpm
    else if (name === 'MaximumHeartRateBpm') lap.maxHeartRateBpm = this.heartRateBpm
    else if (name === 'Intensity') lap.isResting = RESTING.get(text.string(WORD_LENGTH) ?? '') ?? null
    else if (name === 'TriggerMethod') lap.trigger = TRIGGERS.get(text.string(WORD_LENGTH) ?? '') ?? null
  }
}

function emptyLap(startMs: number): TcxLap {
  return {
    startMs,
    totalTimeS: Number.NaN,
    distanceM: Number.NaN,
    caloriesKcal: Number.NaN,
    avgHeartRateBpm: Number.NaN,
    maxHeartRateBpm: Number.NaN,
    lastMs: Number.NaN,
    isResting: null,
    trigger: null,
  }
}
