import { isoTimeWriter } from '../../engine/calendar/timestamp.ts'
import { hasValues } from '../../engine/gather.ts'
import type { LapIntensity, LapTrigger } from '../../engine/laps.ts'
import type { Track } from '../../engine/track.ts'
import { roundHalfUp } from '../../engine/units.ts'
import { creatorOf, SEAM_NAMESPACE } from '../harrier-marks.ts'
import { endOf, PARTING_PAUSE_S, partings, type WrittenLap, type WrittenRun } from './run.ts'
import { element } from './xml.ts'

const NAMESPACE = 'http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2'
const EXTENSION = 'http://www.garmin.com/xmlschemas/ActivityExtension/v2'
const SCHEMAS = [
  NAMESPACE,
  'http://www.garmin.com/xmlschemas/TrainingCenterDatabasev2.xsd',
  EXTENSION,
  'http://www.garmin.com/xmlschemas/ActivityExtensionv2.xsd',
].join(' ')
const TRIGGERS: Readonly<Record<LapTrigger, string>> = {
  manual: 'Manual',
  time: 'Time',
  distance: 'Distance',
  position: 'Location',
  heartRate: 'HeartRate',
  sessionEnd: 'Manual',
  fitnessEquipment: 'Manual',
}
const RESTS: readonly (LapIntensity | null)[] = ['rest', 'recovery']
const MOST_CADENCE = 254
const MOST_CALORIES = 65_535
/** Seconds by which a repeated point is later than the last point of the track before. */
const REPEATED_S = 0.001
/** Totals that exceed the last point by less than this need no extra point. */
const [SAME_S, SAME_M] = [0.5, 0.005]

/** Writes a run as Training Center XML, piece by piece: every sample, in one lap per stretch. */
export function* tcxTexts(run: WrittenRun): Generator<string, void> {
  const { startMs, notes, laps, track } = run
  const isoTime = isoTimeWriter()
  const time = (elapsedS: number) => isoTime(startMs + Math.round(elapsedS * 1000))
  yield `<?xml version="1.0" encoding="UTF-8"?>
<TrainingCenterDatabase xmlns="${NAMESPACE}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
xsi:schemaLocation="${SCHEMAS}">
<Activities>
<Activity Sport="Running">
<Id>${time(0)}</Id>\n`
  const calories = sharedCalories(run)
  const points = track && trackPoints(run, track, time)
  for (const [k, lap] of laps.entries()) {
    yield `<Lap StartTime="${time(lap.startS)}">${element('TotalTimeSeconds', roundHalfUp(lap.timerS, 3))}\
${element('DistanceMeters', lap.distanceM ?? 0)}${element('Calories', calories[k] ?? 0)}\
${track === null ? heartRates(lap) : ''}\
<Intensity>${RESTS.includes(lap.intensity) ? 'Resting' : 'Active'}</Intensity>\
<TriggerMethod>${TRIGGERS[lap.trigger ?? 'manual']}</TriggerMethod>\n`
    if (points !== null) yield* points(lap, k === laps.length - 1)
    yield '</Lap>\n'
  }
  yield `${element('Notes', notes)}${creator(track)}</Activity>\n</Activities>\n</TrainingCenterDatabase>\n`
}

/** The device of the schema, which says where the altitude comes from. */
function creator(track: Track | null): string {
  const name = track && hasValues(track.elevM) ? creatorOf(track.elevationSource) : null
  if (name === null) return ''
  const version = '<Version><VersionMajor>1</VersionMajor><VersionMinor>0</VersionMinor></Version>'
  return `<Creator xsi:type="Device_t"><Name>${name}</Name><UnitId>0</UnitId><ProductID>0</ProductID>${version}</Creator>`
}

function heartRates({ avgHeartRateBpm, maxHeartRateBpm }: WrittenLap): string {
  const rate = (name: string, bpm: number | null) =>
    bpm === null || bpm < 1 ? '' : `<${name}>${element('Value', Math.min(255, bpm))}</${name}>`
  return rate('AverageHeartRateBpm', avgHeartRateBpm) + rate('MaximumHeartRateBpm', maxHeartRateBpm)
}

/** Calories distributed over the laps by timer time, in whole numbers that add up to those of the run. */
function sharedCalories({ laps, numbers }: WrittenRun): number[] {
  const total = numbers.calories ?? 0
  const allS = laps.reduce((sum, { timerS }) => sum + timerS, 0)
  let ranS = 0
  let given = 0
  return laps.map(({ timerS }, k) => {
    ranS += timerS
    const until = k === laps.length - 1 || allS <= 0 ? total : Math.round((total * ranS) / allS)
    const share = Math.min(MOST_CALORIES, until - given)
    given = until
    return share
  })
}

type TextsOf = (lap: WrittenLap, isLast: boolean) => Generator<string, void>

/**
 * The points of the laps. Readers take more than 10 s between two tracks for a pause; where there was none, a lap
 * begins by repeating the last point of the lap before.
 */
function trackPoints(run: WrittenRun, track: Track, time: (elapsedS: number) => string): TextsOf {
  const parted = partings(track)
  let row = 0
  let next = 0
  return function* texts(lap, isLast) {
    const untilS = isLast ? Number.POSITIVE_INFINITY : lap.endS
    if (row >= track.n || track.tS[row]! >= untilS) {
      if (isLast) yield wrapped(endPoint(run, track, time))
      return
    }
    yield '<Track>\n'
    const isPaused = next < parted.length && parted[next]! <= track.tS[row]!
    if (row > 0 && !isPaused && track.tS[row]! - track.tS[row - 1]! > PARTING_PAUSE_S) {
      yield point(track, row - 1, time(track.tS[row - 1]! + REPEATED_S))
    }
    for (let isFirst = true; row < track.n && track.tS[row]! < untilS; row += 1) {
      const from = next
      while (next < parted.length && parted[next]! <= track.tS[row]!) next += 1
      if (next > from && !isFirst) yield '</Track>\n<Track>\n'
      isFirst = false
      yield point(track, row, time(track.tS[row]!))
    }
    if (isLast) yield endPoint(run, track, time)
    yield '</Track>\n'
  }
}

function wrapped(points: string): string {
  return points === '' ? '' : `<Track>\n${points}</Track>\n`
}

/** An extra point at the end of the run, when its totals exceed the last sample and distances are recorded. */
function endPoint(run: WrittenRun, track: Track, time: (elapsedS: number) => string): string {
  if (!hasValues(track.distanceM)) return ''
  const lastM = track.distanceM.findLast((metres) => !Number.isNaN(metres)) ?? 0
  const lastS = track.tS.at(-1) ?? 0
  const totalM = run.numbers.distanceM ?? 0
  const endS = endOf(run)
  if (endS - lastS < SAME_S && totalM - lastM < SAME_M) return ''
  // placed just after the last sample when the end is not later
  const atS = Math.max(endS, lastS + REPEATED_S)
  const metres = roundHalfUp(Math.max(lastM, totalM), 3)
  return `<Trackpoint><Time>${time(atS)}</Time>${element('DistanceMeters', metres)}</Trackpoint>\n`
}

function point(track: Track, row: number, time: string): string {
  const { latDeg, lonDeg, elevM, distanceM, heartRateBpm, cadenceRpm, powerW, speedMps, seams } = track
  const at = (name: string, column: Float64Array, decimals: number) => {
    const value = column[row]!
    return Number.isNaN(value) ? '' : element(name, roundHalfUp(value, decimals))
  }
  const position = Number.isNaN(latDeg[row]!)
    ? ''
    : `<Position><LatitudeDegrees>${latDeg[row]!.toFixed(7)}</LatitudeDegrees>\
<LongitudeDegrees>${lonDeg[row]!.toFixed(7)}</LongitudeDegrees></Position>`
  const beats = at('Value', heartRateBpm, 0)
  const cadence = cadenceRpm[row]! <= MOST_CADENCE ? at('RunCadence', cadenceRpm, 0) : ''
  const measured = at('Speed', speedMps, 3) + cadence + at('Watts', powerW, 0)
  const extensions =
    (measured === '' ? '' : `<TPX xmlns="${EXTENSION}">${measured}</TPX>`) +
    (seams?.includes(track.tS[row]!) ? `<Seam xmlns="${SEAM_NAMESPACE}"/>` : '')
  return `<Trackpoint><Time>${time}</Time>${position}${at('AltitudeMeters', elevM, 2)}${at('DistanceMeters', distanceM, 3)}\
${beats === '' ? '' : `<HeartRateBpm>${beats}</HeartRateBpm>`}\
${extensions === '' ? '' : `<Extensions>${extensions}</Extensions>`}</Trackpoint>\n`
}
