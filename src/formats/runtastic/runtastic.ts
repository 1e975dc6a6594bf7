import { type Activity, type Format, FormatError, type ParsedFile, type ParseOptions } from '../format.ts'
import { timeOf } from '../health/values.ts'
import { type Members, membersOf, parsedJson, parsedRows } from '../json.ts'
import { amountOf, beatsOf, kcalOf, notesOf, serviceRun, timerWithin } from '../service-run.ts'
import { firstZippedName, zippedFiles } from '../small-zip.ts'
import { isIndoor, otherSportError } from '../sport.ts'
import { type TimedColumns, timedColumns } from '../table/merged.ts'
import { cleanText, numberOf, textOf } from '../text-values.ts'
import { gpxFormat } from '../xml/gpx.ts'
import { isRunSport, sessionValues, sportOf } from './session.ts'

/** The parts of one session of adidas Running in a ZIP, with the folders of the export. */
export const runtasticFormat: Format = {
  type: 'zip',
  name: 'adidas Running session',
  isListed: false,
  extensions: [],
  detect: (head) => SESSION.test(firstZippedName(head) ?? ''),
  parse: parseSession,
}

/** The file of a session, in the folder that holds its companions, too. */
export const SESSION = /(?:^|\/)Sport-sessions\/[^/]+\.json$/
export const GPS = /(?:^|\/)Sport-sessions\/GPS-data\/[^/]+\.(?:json|gpx)$/
export const HEART = /(?:^|\/)Sport-sessions\/Heart-rate-data\/[^/]+\.json$/

const SERVICE = 'adidas Running'
const ID_LENGTH = 100

/** @throws FormatError */
function parseSession(bytes: Uint8Array, { anySport = false }: ParseOptions): ParsedFile {
  const files = [...zippedFiles(bytes)]
  const sessions = files.filter(([name]) => SESSION.test(name))
  if (sessions.length > 1) throw new FormatError('The ZIP has several sessions; upload it as an export')
  const [[, session] = []] = sessions
  if (session === undefined) throw new FormatError('The ZIP has no session', { problem: 'noRun' })
  const about = membersOf(parsedJson(session, SERVICE))
  const sport = sportOf(about)
  if (!anySport && !isRunSport(sport)) throw otherSportError(sport ?? 'unknown')
  const series = files.flatMap(([name, part]) => {
    if (GPS.test(name)) return [name.endsWith('.gpx') ? gpxTrack(part, name) : jsonTrack(part)]
    return HEART.test(name) ? [heartRates(part)] : []
  })
  return { type: 'zip', activities: [activityOf(sessionValues(about), series, sport)], skippedOther: 0 }
}

function activityOf(values: Members, series: readonly TimedColumns[], sport: string | null): Activity {
  const [startMs, endMs] = [timeMs(values.start_time), timeMs(values.end_time)]
  const timerS = amountOf(values.duration, 0.001)
  const elapsedS = amountOf((endMs - startMs) / 1000) ?? timerS
  const offset = numberOf(values.start_time_timezone_offset) / 60_000
  const id = cleanText(textOf(values.id), ID_LENGTH)
  return serviceRun({
    startMs,
    series,
    totals: {
      elapsedS,
      timerS: timerWithin(timerS, elapsedS),
      distanceM: amountOf(values.distance),
      avgHeartRateBpm: beatsOf(values.pulse_avg),
      maxHeartRateBpm: beatsOf(values.pulse_max),
      caloriesKcal: kcalOf(values.calories),
      elevGainM: amountOf(values.elevation_gain),
      elevLossM: amountOf(values.elevation_loss),
    },
    indoor: isIndoor(sport) || values.indoor === true,
    notes: notesOf(values.notes),
    external: id === null ? null : { origin: 'runtastic', id },
    utcOffsetMinutes: Number.isNaN(offset) ? null : offset,
  })
}

/** `2018-09-01 11:28:34 +0200`, or Unix milliseconds. */
function timeMs(value: unknown): number {
  return typeof value === 'number' ? numberOf(value) : timeOf(value)
}

function jsonTrack(bytes: Uint8Array): TimedColumns {
  return timedColumns(parsedRows(bytes, SERVICE), ({ timestamp }) => timeMs(timestamp), {
    latDeg: ({ latitude }) => numberOf(latitude),
    lonDeg: ({ longitude }) => numberOf(longitude),
    elevM: ({ altitude }) => numberOf(altitude),
    distanceM: ({ distance }) => numberOf(distance),
  })
}

function gpxTrack(bytes: Uint8Array, filename: string): TimedColumns {
  const [run] = gpxFormat.parse(bytes, { filename, anySport: true }).activities
  if (!run?.recording) return { timeMs: new Float64Array(0), columns: [] }
  const { timeMs, latDeg, lonDeg, elevM } = run.recording
  return {
    timeMs,
    columns: [
      ['latDeg', latDeg],
      ['lonDeg', lonDeg],
      ['elevM', elevM],
    ],
  }
}

function heartRates(bytes: Uint8Array): TimedColumns {
  return timedColumns(parsedRows(bytes, SERVICE), ({ timestamp }) => timeMs(timestamp), {
    heartRateBpm: ({ heart_rate: value }) => numberOf(value),
  })
}
