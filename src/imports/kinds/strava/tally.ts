import { cutText, printableName } from '../../../base/texts.ts'
import { reasonOf } from '../../../db/disk-full.ts'
import type { Tx } from '../../../db/open.ts'
import { isoTime } from '../../../engine/calendar/timestamp.ts'
import { shoesFound } from '../../../features/shoes/queries.ts'
import { bySport, sportsText } from '../../../formats/sport-words.ts'
import type { StravaRow } from '../../../formats/strava/rows.ts'
import type { ImportOutcome } from '../../../library/add-run.ts'
import type { Deps } from '../../../library/deps.ts'
import { gearKey } from '../../../library/gear.ts'
import type { OpenReceipt } from '../../../library/receipts/record.ts'
import type { BulkSummary, BulkWarning } from './schemas.ts'
import type { StravaZip } from './zip.ts'

/** Name used in the summary for rows without a file. */
const TABLE = 'activities.csv'
/** Most characters of a name in the summary, since the table may hold any text. */
const SHOWN_CHARACTERS = 255

export type Tally = ReturnType<typeof tallyOf>

/**
 * Counts the outcomes of rows.
 * @param receipt where failures are noted as well; stored and skipped runs note themselves
 */
export function tallyOf({ skippedOther, sports, captionsProblem }: StravaZip, receipt: OpenReceipt | null) {
  const counts = { created: 0, skipped: 0, updated: 0 }
  const errorDetails: BulkSummary['errorDetails'] = []
  const warnings: BulkSummary['warnings'] = []
  const gear = new Set<string>()
  let mediaImported = 0
  const warn = (warning: BulkWarning) => {
    warnings.push(warning)
    receipt?.warn(warning)
  }
  if (captionsProblem !== null) warn({ filename: 'media.csv', message: captionsProblem })
  receipt?.ignored(skippedOther, `${TABLE}: ${sportsText(sports)} skipped (not runs)`)
  return {
    warn,
    addRow: (row: StravaRow, outcome: ImportOutcome) => {
      if ('error' in outcome) {
        errorDetails.push({ filename: shownName(row), error: outcome.error, ...runOf(row) })
        receipt?.note({ outcome: 'error', filename: shownName(row), reason: outcome.error })
      } else counts[outcome.action] += 1
      if ('id' in outcome && row.gear !== null) gear.add(gearKey(row.gear))
    },
    addMedia: (named: string, added: boolean | { readonly error: string }) => {
      if (added === true) mediaImported += 1
      else if (added !== false) warn({ filename: printableName(named), message: added.error })
    },
    /** Notes a failure that ended the import before its last row. */
    addEnd: (error: string) => {
      errorDetails.push({ filename: TABLE, error })
      receipt?.note({ outcome: 'error', filename: TABLE, reason: error })
    },
    /** @param tx for looking up the shoes of the runs */
    summary: (tx: Tx): BulkSummary => {
      const found = gear.size === 0 ? [] : shoesFound(tx).filter(({ name }) => gear.has(gearKey(name)))
      return {
        totalProcessed: counts.created + counts.skipped + counts.updated + errorDetails.length,
        successful: counts.created,
        skipped: counts.skipped,
        updated: counts.updated,
        errors: errorDetails.length,
        errorDetails,
        skippedOther,
        ...(skippedOther > 0 ? { skippedSports: bySport(sports) } : {}),
        receiptId: receipt?.id ?? null,
        mediaImported,
        warnings,
        ...(found.length > 0 ? { shoesFound: found } : {}),
      }
    },
  }
}

/** Name of a row in the summary and in progress events. */
export function shownName({ filename }: StravaRow): string {
  return cutText(printableName(filename ?? TABLE), SHOWN_CHARACTERS)
}

/** Name and start by which the runner recognises the run. */
function runOf({ name, startedAtMs }: StravaRow): { readonly name: string | null; readonly startedAt: string | null } {
  return { name, startedAt: startedAtMs === null ? null : isoTime(startedAtMs) }
}

/** Completes the counts after a failure; what was stored stays stored and counted. */
export function endedEarly({ log, damage }: Pick<Deps, 'log' | 'damage'>, tally: Tally, error: unknown): Tally {
  log.error('The import of a Strava export ended early', error)
  tally.addEnd(reasonOf(error, 'The import ended early because of an unexpected error; it can be repeated', damage))
  return tally
}
