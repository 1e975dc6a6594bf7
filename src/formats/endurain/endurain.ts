import { fileTime } from '../../engine/calendar/timestamp.ts'
import { NO_TOTALS } from '../../engine/numbers.ts'
import { type Activity, type Format, FormatError, type ParsedFile, type ParseOptions } from '../format.ts'
import { type Members, parsedRows, rowsOf } from '../json.ts'
import { amountOf, beatsOf, kcalOf, nameOf, notesOf, serviceRun, timerWithin } from '../service-run.ts'
import { firstZippedName, zippedFiles } from '../small-zip.ts'
import { otherSportError } from '../sport.ts'
import { type TimedColumns, timedColumns } from '../table/merged.ts'
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
const VALUES = {
  latDeg: ({ lat }: Members) => numberOf(lat),
  lonDeg: ({ lon }: Members) => numberOf(lon),
  elevM: ({ ele }: Members) => numberOf(ele),
  heartRateBpm: ({ hr }: Members) => numberOf(hr),
  cadence: ({ cad }: Members) => numberOf(cad),
  powerW: ({ power }: Members) => numberOf(power),
  speedMps: ({ vel }: Members) => numberOf(vel),
}
const ID_LENGTH = 100

/** The name of a row's sport; null: it is a run. */
export function otherSportOf({ activity_type: type }: Members): string | null {
  if (typeof type === 'string') return /run/i.test(type) ? null : type
  return RUN_TYPES.includes(type) ? null : (OTHER_TYPES[numberOf(type)] ?? 'other')
}

/** @throws FormatError */
function parseActivity(bytes: Uint8Array, { anySport = false }: ParseOptions): ParsedFile {
  const files = zippedFiles(bytes)
  const rowsIn = (name: string) => (files.has(name) ? parsedRows(files.get(name)!, 'Endurain') : [])
  const rows = rowsIn(ACTIVITIES)
  const [row] = rows
  if (row === undefined) throw new FormatError('The ZIP has no activity', { problem: 'noRun' })
  if (rows.length > 1) throw new FormatError('The ZIP has several activities; upload it as an export')
  const sport = otherSportOf(row)
  if (sport !== null && !anySport) throw otherSportError(sport)
  const activity = serviceRun({ ...endurainRun(row), series: rowsIn(STREAMS).map(streamOf), indoor: false })
  return { type: 'zip', activities: [activity], skippedOther: 0 }
}

/** A list of waypoints of one kind. */
function streamOf({ stream_waypoints: waypoints }: Members): TimedColumns {
  const { timeMs, columns } = timedColumns(rowsOf(waypoints), ({ time }) => fileTime(textOf(time) ?? ''), VALUES)
  return { timeMs, columns: columns.filter(([, values]) => values.some((value) => !Number.isNaN(value))) }
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
