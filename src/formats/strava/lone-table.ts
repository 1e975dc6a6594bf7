import { FormatError, type ParsedFile } from '../format.ts'
import { type StravaRow, stravaLines, summaryActivity } from './rows.ts'

/** Runs of a table that is uploaded alone, which are stored in one go: one a day for 27 years. */
const MOST_RUNS = 10_000
/** Text of a table that is read before its garbage is collected: the collector by itself lets twice a large table gather. */
const LENGTH_A_COLLECTION = 8 * 1_048_576

/**
 * activities.csv uploaded alone: one run without route per Run row (docs/api.md 7.2).
 * @throws FormatError
 */
export function stravaActivities(pieces: Iterable<Uint8Array>): ParsedFile {
  let runs = 0
  let skippedOther = 0
  let readLength = 0
  for (const line of stravaLines(pieces)) {
    if (line.isRun) runs += 1
    else skippedOther += 1
    if (runs > MOST_RUNS) throw new FormatError(`activities.csv has more than ${MOST_RUNS} runs`)
    readLength += line.length
    if (readLength < LENGTH_A_COLLECTION) continue
    Bun.gc(true)
    readLength = 0
  }
  if (runs === 0) throw new FormatError('activities.csv has no row of type Run')
  // Of several rows one without a readable date is refused by itself, later.
  const noDate = runs === 1 ? null : Number.NaN
  const rowAt = runReader(pieces)
  const activityAt = (at: number) => {
    const row = rowAt(at)
    return summaryActivity({ ...row, startedAtMs: row.startedAtMs ?? noDate })
  }
  if (runs === 1) activityAt(0)
  return { type: 'csv', activities: madeLater(runs, activityAt), skippedOther }
}

/** The rows of runs by their place, read anew: ten thousand of them with long notes would be the table three times more. */
function runReader(pieces: Iterable<Uint8Array>): (at: number) => StravaRow {
  let lines = stravaLines(pieces)
  let next = 0
  return (at) => {
    if (at < next) {
      lines = stravaLines(pieces)
      next = 0
    }
    for (let step = lines.next(); !step.done; step = lines.next()) {
      if (!step.value.isRun) continue
      next += 1
      if (next > at) return step.value.row()
    }
    throw new RangeError(`The table has no run ${at}`)
  }
}

/** A list whose elements are made whenever they are read. */
function madeLater<T>(length: number, make: (at: number) => T): readonly T[] {
  const list = new Array<T>(length)
  for (let at = 0; at < length; at += 1) {
    Object.defineProperty(list, at, { get: () => make(at), enumerable: true, configurable: true })
  }
  return list
}
