import { fileTime } from '../../engine/calendar/timestamp.ts'
import { NO_TOTALS } from '../../engine/numbers.ts'
import { type Activity, type Format, FormatError, type ParsedFile, type ParseOptions } from '../format.ts'
import type { Members, Place } from '../json-bytes.ts'
import { JsonFile } from '../json-file.ts'
import { amountOf, beatsOf, kcalOf, nameOf, notesOf, serviceRun, timerWithin } from '../service-run.ts'
import { firstZippedName, zippedFiles } from '../small-zip.ts'
import { otherSportError } from '../sport.ts'
import type { TimedColumns } from '../table/merged.ts'
import type { PointColumn } from '../table/points.ts'
import { Rows } from '../table/rows.ts'
import { cleanText, numberOf, textOf } from '../text-values.ts'

/** A run of Endurain without a file: its row and its streams in a ZIP, with the names of the export. */
export const endurainFormat: Format = {
  type: 'zip',
  name: 'Endurain activity',
  isListed: false,
  extensions: [],
  detect: (head) => firstZippedName(head) === ACTIVITIES,
  parse: parseActivity,
}

export const ACTIVITIES = 'data/activities.json'
export const STREAMS = 'data/activity_streams.json'

/** Running, trail running, virtual running. */
const RUN_TYPES: readonly unknown[] = [1, 2, 3]
const OTHER_TYPES: Readonly<Record<number, string>> = {
  ...{ 4: 'ride', 5: 'gravel ride', 6: 'mtb ride', 7: 'virtual ride', 8: 'swim', 9: 'open water swim' },
  ...{ 11: 'walk', 12: 'hike', 13: 'rowing', 14: 'yoga', 15: 'alpine ski', 16: 'nordic ski', 17: 'snowboard' },
  ...{ 19: 'strength training', 20: 'crossfit' },
}
/** Values of a waypoint. */
const VALUES: readonly (readonly [name: string, column: PointColumn])[] = [
  ['lat', 'latDeg'],
  ['lon', 'lonDeg'],
  ['ele', 'elevM'],
  ['hr', 'heartRateBpm'],
  ['cad', 'cadence'],
  ['power', 'powerW'],
  ['vel', 'speedMps'],
]
const ID_LENGTH = 100

/** The name of a row's sport; null: it is a run. */
export function otherSportOf({ activity_type: type }: Members): string | null {
  if (typeof type === 'string') return /run/i.test(type) ? null : type
  return RUN_TYPES.includes(type) ? null : (OTHER_TYPES[numberOf(type)] ?? 'other')
}

/** @throws FormatError */
function parseActivity(bytes: Uint8Array, { anySport = false }: ParseOptions): ParsedFile {
  const files = zippedFiles(bytes)
  const rows: Members[] = []
  eachRow(files.get(ACTIVITIES), (json, place) => void rows.push(json.members(place)))
  const [row] = rows
  if (row === undefined) throw new FormatError('The ZIP has no activity', { problem: 'noRun' })
  if (rows.length > 1) throw new FormatError('The ZIP has several activities; upload it as an export')
  const sport = otherSportOf(row)
  if (sport !== null && !anySport) throw otherSportError(sport)
  const series: TimedColumns[] = []
  eachRow(files.get(STREAMS), (json, place) => void series.push(streamOf(json, place)))
  const activity = serviceRun({ ...endurainRun(row), series, indoor: false })
  return { type: 'zip', activities: [activity], skippedOther: 0 }
}

function eachRow(bytes: Uint8Array | undefined, take: (json: JsonFile, place: Place) => void) {
  if (bytes === undefined) return
  const json = new JsonFile(bytes, 'Endurain')
  json.elements(json.root(), (place) => take(json, place))
}

/** A list of waypoints of one kind. */
function streamOf(json: JsonFile, place: Place): TimedColumns {
  const columns = VALUES.map(([, column]) => column)
  const rows = new Rows('timeMs', ...columns)
  json.members(place, {
    stream_waypoints: (element) => {
      const point = json.members(element)
      const values = VALUES.map(([name, column]) => [column, numberOf(point[name])])
      rows.add({ ...Object.fromEntries(values), timeMs: fileTime(textOf(point.time) ?? '') })
    },
  })
  const hasValue = (column: PointColumn) => rows.column(column).some((value) => !Number.isNaN(value))
  return {
    timeMs: rows.column('timeMs'),
    columns: columns.filter(hasValue).map((column) => [column, rows.column(column)] as const),
  }
}

/** What a row says of its run; times without a zone are UTC. */
export function endurainRun(row: Members) {
  const [startMs, endMs] = [row.start_time, row.end_time].map((time) => fileTime(textOf(time) ?? ''))
  const timerS = amountOf(row.total_timer_time)
  const elapsedS = amountOf(row.total_elapsed_time) ?? amountOf((endMs! - startMs!) / 1000) ?? timerS
  const id = typeof row.id === 'number' ? String(row.id) : cleanText(textOf(row.id), ID_LENGTH)
  const totals: Activity['totals'] = {
    ...NO_TOTALS,
    elapsedS,
    timerS: timerWithin(timerS, elapsedS),
    distanceM: amountOf(row.distance),
    avgHeartRateBpm: beatsOf(row.average_hr),
    maxHeartRateBpm: beatsOf(row.max_hr),
    caloriesKcal: kcalOf(row.calories),
    elevGainM: amountOf(row.elevation_gain),
    elevLossM: amountOf(row.elevation_loss),
  }
  const notes = [row.description, row.private_notes].map(notesOf).filter((text) => text !== null)
  return {
    startMs: startMs!,
    totals,
    name: nameOf(row.name),
    notes: notes.join('\n\n') || null,
    external: id === null ? null : ({ origin: 'endurain', id } as const),
  }
}
