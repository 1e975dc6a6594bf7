import { date, localDay } from '../../../format.ts'
import type { Arrival } from '../../../types.ts'

/** The last upload as a line: none yet, successful, or not a run. */
export function arrivalWords(arrival: Arrival | null, now = new Date().toISOString()): string {
  if (arrival === null) return 'Waiting for the first file'
  const { at, error } = arrival
  const when = localDay(at) === localDay(now) ? `at ${date(at, 'time')}` : `on ${date(at, 'short')}`
  return error === null ? `File received ${when}` : `File received ${when}, not imported: ${error}`
}
