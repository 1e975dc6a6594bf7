import { fileTime } from '../../engine/calendar/timestamp.ts'
import type { Format, ParsedFile, ParseOptions } from '../format.ts'
import { jsonObjectHead, type Members, membersOf, parsedJson, rowsOf } from '../json.ts'
import { notesOf, serviceRun } from '../service-run.ts'
import { isIndoor, otherSportError } from '../sport.ts'
import { timedColumns } from '../table/merged.ts'
import type { PointColumn } from '../table/points.ts'
import { cleanText, numberOf, textOf } from '../text-values.ts'

/** An activity of GoldenCheetah; it writes rides as well, and a sport that is not stated is one. */
export const goldenCheetahFormat: Format = {
  type: 'json',
  name: 'GoldenCheetah JSON',
  isListed: false,
  extensions: ['json'],
  detect: (head) => /^\{\s*"RIDE"\s*:/.test(jsonObjectHead(head) ?? ''),
  parse: parseRide,
}

/** Names of values in a sample, with the column and what makes the value ours. */
const VALUES: readonly (readonly [name: string, column: PointColumn, factor: number])[] = [
  ['LAT', 'latDeg', 1],
  ['LON', 'lonDeg', 1],
  ['ALT', 'elevM', 1],
  ['KM', 'distanceM', 1000],
  ['KPH', 'speedMps', 1 / 3.6],
  ['HR', 'heartRateBpm', 1],
  ['CAD', 'cadence', 1],
  ['WATTS', 'powerW', 1],
]
const COLUMNS = Object.fromEntries(
  VALUES.map(([name, column, factor]) => [
    column,
    (sample: Members) => (isNowhere(name, sample) ? Number.NaN : numberOf(sample[name]) * factor),
  ]),
)
const NAME_LENGTH = 200

/** @throws FormatError */
function parseRide(bytes: Uint8Array, { anySport = false }: ParseOptions): ParsedFile {
  const ride = membersOf(membersOf(parsedJson(bytes, 'GoldenCheetah')).RIDE)
  const tags = membersOf(ride.TAGS)
  const sport = textOf(tags.Sport)?.trim() || 'Bike'
  if (!anySport && !/run|jog/i.test(sport)) throw otherSportError(sport)
  const startMs = startOf(ride.STARTTIME)
  const run = serviceRun({
    startMs,
    series: [timedColumns(rowsOf(ride.SAMPLES), ({ SECS }) => startMs + numberOf(SECS) * 1000, COLUMNS)],
    totals: {},
    indoor: isIndoor(`${sport} ${textOf(tags.SubSport) ?? ''}`),
    device: cleanText(textOf(ride.DEVICETYPE), NAME_LENGTH),
    notes: notesOf(tags.Notes),
  })
  return { type: 'json', activities: [run], skippedOther: 0 }
}

/** No satellite is written as 0 N 0 E. */
function isNowhere(name: string, { LAT, LON }: Members): boolean {
  return (name === 'LAT' || name === 'LON') && LAT === 0 && LON === 0
}

/** `2010/08/15 00:53:30 UTC ` */
function startOf(value: unknown): number {
  const text = textOf(value) ?? ''
  return fileTime(
    text
      .replace(/\s*UTC\s*$/, 'Z')
      .replaceAll('/', '-')
      .trim(),
  )
}
