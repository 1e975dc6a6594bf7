import { isoTime } from '../../engine/calendar/timestamp.ts'
import { localTime } from './names.ts'
import type { StatedRow } from './run-file.ts'

export const RUNS_HEADER =
  'id,started_at,local_start,name,type,distance_m,duration_s,moving_s,elev_gain_m,avg_hr,rpe,shoe,file,error\r\n'

export interface FileOutcome {
  /** Path in the ZIP; null: there is no file. */
  readonly file: string | null
  /** Why it is not in the requested format; null: it is. */
  readonly error: string | null
  /** What the file states of the run, where that is not all. */
  readonly row?: StatedRow
}

/** @param shoe name of the shoe; null: none */
export function runLine(row: StatedRow, shoe: string | null, { file, error }: FileOutcome): string {
  return line([
    row.id,
    isoTime(row.startedAt),
    localTime(row.startedAt, row.utcOffsetMinutes),
    plainText(row.name),
    row.runType,
    row.distanceM,
    row.durationS,
    row.movingTimeS,
    row.elevGainM,
    row.avgHeartRateBpm,
    row.rpe,
    plainText(shoe),
    file,
    error,
  ])
}

export function missingLine(id: string): string {
  return line([id, ...Array<null>(12).fill(null), 'There is no such run'])
}

/** Prevents that a spreadsheet program takes a text, which may come from foreign files, for a formula. */
function plainText(text: string | null): string | null {
  return text !== null && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}

/** RFC 4180; null is an empty field. */
function line(fields: readonly (string | number | null)[]): string {
  return `${fields.map(field).join(',')}\r\n`
}

function field(value: string | number | null): string {
  const text = String(value ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
