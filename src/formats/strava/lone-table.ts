import { FormatError, MOST_RUNS, type ParsedFile } from '../format.ts'
import { addSport, type Sports, sportWord, sumOfSports } from '../sport-words.ts'
import { type StravaRow, stravaLines, summaryActivity } from './rows.ts'

/**
 * An activities.csv uploaded alone: one run without route per Run row (docs/api.md 7.2). Rows are parsed on access, so
 * that the texts of a table with long notes are never in memory as a whole.
 * @throws FormatError
 */
export function stravaActivities(pieces: Iterable<Uint8Array>): ParsedFile {
  let runs = 0
  const sports: Sports = new Map()
  for (const line of stravaLines(pieces)) {
    if (line.isRun) runs += 1
    else addSport(sports, sportWord(line.type))
    if (runs > MOST_RUNS) throw new FormatError(`activities.csv has more than ${MOST_RUNS} runs`)
  }
  if (runs === 0) throw new FormatError('activities.csv has no row of type Run')
  // with several rows, one without a readable date is refused alone, later
  const noDate = runs === 1 ? null : Number.NaN
  const rowAt = runReader(pieces)
  const activityAt = (at: number) => {
    const row = rowAt(at)
    return summaryActivity({ ...row, startedAtMs: row.startedAtMs ?? noDate })
  }
  if (runs === 1) activityAt(0)
  return { type: 'csv', activities: madeLater(runs, activityAt), skippedOther: sumOfSports(sports), sports }
}

/** Parses the table again up to the requested row; when requested in order, every row is parsed only once more. */
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

/** A list whose elements are computed each time they are read. */
function madeLater<T>(length: number, make: (at: number) => T): readonly T[] {
  const list = new Array<T>(length)
  for (let at = 0; at < length; at += 1) {
    Object.defineProperty(list, at, { get: () => make(at), enumerable: true, configurable: true })
  }
  return list
}
