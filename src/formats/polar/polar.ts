import { fileTime } from '../../engine/calendar/timestamp.ts'
import { bareLap, type DeviceLap, orderedLaps } from '../../engine/laps.ts'
import { type Activity, type Format, FormatError, type ParsedFile, type ParseOptions } from '../format.ts'
import { jsonObjectHead, type Members, membersOf, parsedJson, rowsOf } from '../json.ts'
import { amountOf, beatsOf, kcalOf, nameOf, notesOf, serviceRun, timerWithin } from '../service-run.ts'
import { isIndoor, otherSportError } from '../sport.ts'
import { sportsNamed } from '../sport-words.ts'
import { type TimedColumns, timedColumns } from '../table/merged.ts'
import type { PointColumn } from '../table/points.ts'
import { numberOf, offsetOf, textOf } from '../text-values.ts'

/** A training session of an export of Polar Flow; each of its running exercises is a run. */
export const polarFormat: Format = {
  type: 'json',
  name: 'Polar Flow JSON',
  isListed: false,
  extensions: ['json'],
  detect: (head) => {
    const text = jsonObjectHead(head)
    return text !== null && /"exercises"\s*:\s*\[/.test(text) && /"startTime"\s*:/.test(text)
  },
  parse: parsePolar,
}

const RUNNING = /running|jogging/i
/** How much later than the exercise a series may end; one that ends even later has another clock. */
const LATEST_MS = 60_000
const MPS_PER_KMH = 1 / 3.6
const MOST_MINUTES_OFF = 14 * 60

/** Lists of samples: the column of their `value`, and what makes it ours. */
const VALUES: Readonly<Record<string, readonly [column: PointColumn, factor: number]>> = {
  heartRate: ['heartRateBpm', 1],
  cadence: ['cadence', 1],
  distance: ['distanceM', 1],
  speed: ['speedMps', MPS_PER_KMH],
  altitude: ['elevM', 1],
}

/** @throws FormatError */
function parsePolar(bytes: Uint8Array, { anySport = false }: ParseOptions): ParsedFile {
  const session = membersOf(parsedJson(bytes, 'Polar Flow'))
  const exercises = rowsOf(session.exercises)
  const isRun = ({ sport }: Members) => anySport || RUNNING.test(textOf(sport) ?? '')
  const runs = exercises.filter(isRun)
  if (runs.length > 0) {
    const others = exercises.flatMap((exercise) => (isRun(exercise) ? [] : [textOf(exercise.sport)]))
    const activities = runs.map((exercise) => activityOf(session, exercise))
    return { type: 'json', activities, skippedOther: others.length, sports: sportsNamed(others) }
  }
  const [sport] = exercises.flatMap((exercise) => textOf(exercise.sport) ?? [])
  if (sport !== undefined) throw otherSportError(sport)
  throw new FormatError('The Polar Flow file has no running exercise', { problem: 'noRun' })
}

function activityOf(session: Members, about: Members): Activity {
  const stated = offsetMinutes(about.timezoneOffset ?? about.timeZoneOffset ?? session.timeZoneOffset)
  const known = stated ?? offsetOf(textOf(about.startTime)?.trim() ?? '')
  const offset = known ?? 0
  const [startMs, stopMs] = [timeOf(about.startTime), timeOf(about.stopTime)]
  const timerS = secondsOf(about.duration)
  const elapsedS = amountOf((stopMs - startMs) / 1000) ?? timerS
  const inUtc = ({ timeMs, columns }: TimedColumns): TimedColumns => {
    const read = timeMs.filter((ms) => !Number.isNaN(ms))
    const last = read.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
    // such a clock agrees neither with the exercise nor with the other series
    const shiftMs = last > startMs + (elapsedS ?? Number.NaN) * 1000 + LATEST_MS ? startMs - read[0]! : 0
    return { timeMs: timeMs.map((ms) => ms + shiftMs - offset * 60_000), columns }
  }
  const samples = membersOf(about.samples)
  const atMs = ({ dateTime }: Members) => timeOf(dateTime)
  const route = rowsOf(samples.recordedRoute)
  const place = { latDeg: (row: Members) => numberOf(row.latitude), lonDeg: (row: Members) => numberOf(row.longitude) }
  const values = Object.entries(VALUES).map(([name, [column, factor]]) =>
    timedColumns(rowsOf(samples[name]), atMs, { [column]: (row: Members) => numberOf(row.value) * factor }),
  )
  // the altitude of the route is that of watches without a barometer
  const altitude = timedColumns(route, atMs, { elevM: (row) => numberOf(row.altitude) })
  const [heartRate, cadence] = [membersOf(about.heartRate), membersOf(about.cadence)]
  return serviceRun({
    startMs: startMs - offset * 60_000,
    series: [timedColumns(route, atMs, place), ...values, altitude].map(inUtc),
    totals: {
      elapsedS,
      timerS: timerWithin(timerS, elapsedS),
      distanceM: amountOf(about.distance),
      avgHeartRateBpm: beatsOf(heartRate.avg),
      maxHeartRateBpm: beatsOf(heartRate.max),
      minHeartRateBpm: beatsOf(heartRate.min),
      avgCadenceRpm: beatsOf(cadence.avg),
      maxCadenceRpm: beatsOf(cadence.max),
      caloriesKcal: kcalOf(about.kiloCalories),
      elevGainM: amountOf(about.ascent),
      elevLossM: amountOf(about.descent),
    },
    indoor: isIndoor(textOf(about.sport)),
    laps: lapsOf(about.laps, startMs - offset * 60_000),
    name: nameOf(session.name),
    notes: notesOf(session.note),
    utcOffsetMinutes: known,
  })
}

function lapsOf(laps: unknown, startedAtMs: number): DeviceLap[] {
  let startMs = startedAtMs
  const found = (Array.isArray(laps) ? laps.map(membersOf) : []).flatMap((lap) => {
    const timerS = secondsOf(lap.duration)
    if (timerS === null) return []
    const stated: DeviceLap = {
      ...bareLap(startMs, startMs + timerS * 1000),
      timerS,
      distanceM: amountOf(lap.distance),
      avgHeartRateBpm: beatsOf(membersOf(lap.heartRate).avg),
      maxHeartRateBpm: beatsOf(membersOf(lap.heartRate).max),
    }
    startMs += timerS * 1000
    return [stated]
  })
  return orderedLaps(found)
}

/** Milliseconds of a time on the local clock, as if that were UTC; one that states its offset as well. */
function timeOf(value: unknown): number {
  const text = textOf(value)?.trim() ?? ''
  return fileTime(text) + (offsetOf(text) ?? 0) * 60_000
}

function offsetMinutes(value: unknown): number | null {
  const minutes = numberOf(value)
  return Math.abs(minutes) <= MOST_MINUTES_OFF ? minutes : null
}

/** Seconds of `PT1H2M3.5S` or, as Polar writes it, `PT3723.5S`. */
function secondsOf(value: unknown): number | null {
  const found = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?$/.exec(textOf(value) ?? '')
  if (found === null) return null
  const [hours, minutes, seconds] = found.slice(1).map((part) => Number(part ?? 0))
  return amountOf((hours! * 60 + minutes!) * 60 + seconds!)
}
